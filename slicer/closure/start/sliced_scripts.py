"""Targets in scripts that are slices themselves: what their carried modules need of the visible
body.

The loader with its modules is kept verbatim and not parsed. So it is unknown which names of the
body the modules use, and which names statements of the body change in them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container

from ...analysis.scopes.definitions import module_scope
from ...analysis.values.abstract_values import External
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.builtin_models import PLAIN_DECORATORS
from ..kept_definitions import Reason
from ..worklist import Closure


def keep_script(closure: Closure, module: Module) -> None:
    """Keep the loader of a script that is a slice, with all parts of the body that it may need."""
    carried: set[str] = set()
    for unit in module.units:
        if unit.kind == "prelude":
            why = Reason("the script's own loader", "", module.path, unit.first)
            closure.need_module(module).units[unit.index] = why
            closure.is_slice = True
            text = module.text_of(unit)
            carried.update(re.findall(r"\w+", text))
    for unit in module.units if carried else ():
        why = Reason("carried modules may use it", "", module.path, unit.first)
        if (
            unit.kind in ("statement", "variable")
            or _loads(unit, carried)
            or _is_registered(closure, module, unit)
        ):
            _keep(closure, module, unit, why)
        for name in unit.binds if unit.kind != "prelude" else ():
            if name in carried:
                closure.keep_name(module, name, "value", why)


def _keep(closure: Closure, module: Module, unit: Unit, reason: Reason) -> None:
    if unit.kind == "class":
        closure.keep_binding(module, unit, unit.binds[0], "value", reason)
    else:
        closure.keep_whole(module, unit, reason)


def _loads(unit: Unit, carried: Container[str]) -> bool:
    """Whether the statement imports a carried module, if only for its side effects."""
    tops: list[str] = []
    for node in unit.nodes:
        if isinstance(node, ast.Import):
            tops += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and unit.kind == "import":
            tops.append("" if node.level else (node.module or "").partition(".")[0])
    return any(not top or top in carried for top in tops)


def _is_registered(closure: Closure, module: Module, unit: Unit) -> bool:
    """Whether a decorator may register the definition where carried modules find it."""
    for node in unit.nodes:
        for decorator in getattr(node, "decorator_list", ()):
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            values = closure.inference.evaluate(func, module_scope(module))
            if not values or not all(
                isinstance(v, External) and v.name in PLAIN_DECORATORS for v in values
            ):
                return True
    return False
