"""The attributes of its own instance that a method reads."""

from __future__ import annotations

import ast

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode


def attributes_read(node: FunctionNode) -> tuple[str, ...]:
    """Return their names, each once, in the order of `ast.walk`."""
    own = node.args.args[0].arg if node.args.args else ""
    return tuple(
        dict.fromkeys(
            each.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Attribute)
            and isinstance(each.value, ast.Name)
            and each.value.id == own
            and isinstance(each.ctx, ast.Load)
        )
    )
