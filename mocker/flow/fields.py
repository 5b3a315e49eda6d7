"""Fields of a class that is made from its fields, and what the text of a class body declares."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass, attrs class, pydantic model, typed dictionary or named tuple."""

    name: str
    annotation: ast.expr | None
    """`None` if the field has no annotation."""
    value: ast.expr | None
    """What the class body assigns: the default, or a call such as `field(default=1)`."""

    @property
    def default(self) -> ast.expr | None:
        """The default, or `None` if it is unknown."""
        return self._options.get("default") if isinstance(self.value, ast.Call) else self.value

    def text_of(self, *options: str) -> str:
        """Return the text that the first of these options gives, as for `alias`; else empty."""
        for name, option in self._options.items():
            match option:
                case ast.Constant(value=str(text)) if name in options:
                    return text
                case _:
                    continue
        return ""

    @property
    def is_in_constructor(self) -> bool:
        """Whether the constructor takes the field: `init=False` excludes it."""
        match self._options.get("init"):
            case ast.Constant(value=False):
                return False
            case _:
                return True

    @property
    def is_needed(self) -> bool:
        """Whether the constructor requires the field."""
        match self.value:
            case None:
                return True
            case ast.Constant(value=value):
                return value is ...
            case ast.Call(func=func, args=args):
                if ast.unparse(func).split(".")[-1] not in ("Field", "field", "ib", "attrib"):
                    return False
                if self._options.keys() & {"default", "default_factory", "factory"}:
                    return False
                return not args or (isinstance(args[0], ast.Constant) and args[0].value is ...)
            case _:
                return False

    @property
    def _options(self) -> dict[str, ast.expr]:
        keywords = self.value.keywords if isinstance(self.value, ast.Call) else ()
        return {k.arg: k.value for k in keywords if k.arg}


def declared_in(body: Iterable[ast.stmt]) -> Iterator[Field]:
    """Yield what a class body annotates or assigns, each name by itself."""
    for node in body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                yield Field(name, annotation, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield Field(name, None, value)
            case _:
                continue
