"""What in an expression says what something is: the name of a module, of a class, of its members.

With another text in its place it means nothing, so whoever changes literals leaves it alone. So do
they with how long something sleeps: other seconds tell nothing, and each trial waits for them.
"""

from __future__ import annotations

import ast

_IMPORTERS = frozenset({"__import__", "import_module"})


def fixed_nodes(tree: ast.AST) -> set[int]:
    """The identities of such nodes."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _IMPORTERS:
                found.update(map(id, ast.walk(node)))
            case ast.Call(func=ast.Name(id="type"), args=[name, bases, ast.Dict() as members]):
                found.update(map(id, (name, bases, members, *members.keys)))
                for key, value in zip(members.keys, members.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "__repr__":
                        found.update(map(id, ast.walk(value)))
            case ast.Call(func=ast.Name(id="setattr" | "getattr"), args=[_, name, *_]):
                found.add(id(name))
            case ast.Call(
                func=ast.Name(id="sleep") | ast.Attribute(attr="sleep"), args=[seconds, *_]
            ):
                found.update(map(id, ast.walk(seconds)))
            case ast.JoinedStr():
                found.update(map(id, ast.walk(node)))
            case _:
                pass
    return found
