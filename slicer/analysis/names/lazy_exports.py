"""Names that a module exports lazily through its own `__getattr__`, driven by a table (PEP 562).

Tables map names to modules (`{"Thing": ".thing"}`, `{"Thing": "pkg.thing:Other"}`, `{"Thing":
(".thing", "Other")}`), or modules to names (`{"thing": ["Thing"]}`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...repo.repository import Module
from ...syntax.memo import memo
from ...syntax.nodes import walk


@memo
def lazy_exports(module: Module) -> dict[str, list[tuple[str, str]]]:
    """Return name → candidates, each a module as the table spells it, and a name in that module."""
    found: dict[str, list[tuple[str, str]]] = {}
    for unit in module.units:
        for node in unit.nodes if unit.kind not in ("import", "function") else ():
            for name, where in _in_tables(node):
                found.setdefault(name, []).append(where)
    return found


def module_names_in_text(module: Module, text: str) -> Iterator[str]:
    """Yield the dotted names that a text in a table of the module may mean."""
    dots = len(text) - len(text.lstrip("."))
    absolute = module.resolve_relative(dots, text[dots:])
    if absolute:
        yield absolute
    if not dots:
        yield f"{module.package}.{text}"


def _in_tables(node: ast.stmt) -> Iterator[tuple[str, tuple[str, str]]]:
    for table in walk(node):
        if not isinstance(table, ast.Dict):
            continue
        for key, value in zip(table.keys, table.values, strict=True):
            match key, value:
                case ast.Constant(value=str(name)), ast.Constant(value=str(text)):
                    where, _, attribute = text.partition(":")
                    yield name, (where, attribute or name)
                    if not attribute and "." in text.strip("."):  # "pkg.thing.Thing"
                        where, _, attribute = text.rpartition(".")
                        yield name, (where, attribute)
                case ast.Constant(value=str(name)), ast.Tuple(elts=parts) | ast.List(elts=parts):
                    texts = [
                        part.value
                        for part in parts
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    ]
                    if len(texts) == 2:
                        yield name, (texts[0], texts[1])
                    for text in texts:
                        yield text, (name, text)
                case _:
                    continue
