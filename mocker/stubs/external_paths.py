"""The dotted paths of a file's expressions that come from outside modules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

_ROUNDS = 3
"""The most variables that a value is followed through."""


class Paths:
    """The dotted paths of one file's expressions, as `serial.Serial().readline`.

    Variables and attributes hold one path each, whatever the scope; with two, they hold none.
    """

    def __init__(
        self, nodes: Sequence[ast.AST], module: str, *, is_package: bool,
        wanted: Callable[[str], bool],
    ) -> None:  # fmt: skip
        self._names: dict[str, str] = {}
        self._attributes: dict[str, str] = {}
        self._wanted = wanted
        for node in nodes:
            for name, path in imported(node, module, is_package=is_package):
                if wanted(path):
                    self._names[name] = path
        for _ in range(_ROUNDS):
            self._bind(nodes)

    def of(self, node: ast.AST) -> str | None:
        """Return the path of an expression; `None` if it is not from outside."""
        match node:
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Attribute(value=value, attr=attr):
                above = self.of(value)
                return f"{above}.{attr}" if above else self._attributes.get(attr)
            case ast.Call(func=func):
                above = self.of(func)
                return f"{above}()" if above else None
            case ast.Subscript(value=value):
                above = self.of(value)
                return f"{above}[]" if above else None
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.of(value)
            case _:
                return None

    def _bind(self, nodes: Sequence[ast.AST]) -> None:
        bound: dict[tuple[str, str], set[str | None]] = {}
        for target, path in (pair for node in nodes for pair in self._bindings(node)):
            match target:
                case ast.Name(id=name):
                    bound.setdefault(("name", name), set()).add(path)
                case ast.Attribute(attr=name):
                    bound.setdefault(("attribute", name), set()).add(path)
                case _:
                    pass
        for (kind, name), paths in sorted(bound.items()):
            table = self._names if kind == "name" else self._attributes
            found = sorted(path for path in paths if path)
            if len(found) == 1 and name not in table:
                table[name] = found[0]

    def _bindings(self, node: ast.AST) -> Iterator[tuple[ast.AST, str | None]]:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield target, self.of(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield target, self.of(value)
            case ast.NamedExpr(target=target, value=value):
                yield target, self.of(value)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield item.optional_vars, self.of(item.context_expr)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                path = self.of(node.iter)
                yield node.target, f"{path}[]" if path else None
            case ast.arg(arg=name, annotation=ast.expr() as annotation):
                path = self.of(annotation)
                yield ast.Name(id=name), f"{path}()" if path else None
            case _:
                pass


def imported(node: ast.AST, module: str, *, is_package: bool) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with the dotted path it means."""
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                if alias.asname:
                    yield alias.asname, alias.name
                else:
                    top = alias.name.partition(".")[0]
                    yield top, top
        case ast.ImportFrom(names=aliases):
            source = imported_from(node, module, is_package=is_package)
            for alias in aliases:
                if alias.name != "*":
                    yield alias.asname or alias.name, f"{source}.{alias.name}"
        case _:
            pass


def imported_from(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    """Return the absolute name of the module in a `from` import."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    up = node.level - 1 if is_package else node.level
    above = parts[: len(parts) - up] if up else parts
    return ".".join([*above, *([node.module] if node.module else [])])
