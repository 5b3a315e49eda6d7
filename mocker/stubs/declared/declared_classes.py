"""Generates declared classes: their bases, and the members that a slice uses."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ..interfaces import Found, Reader, line_of, members_of
from ..interfaces.declared_members import derives_from_unread, exception_named
from ..interfaces.declared_signatures import short_literal

_ENUMS = tuple(f"enum.{name}" for name in ("Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"))
_MOST = 64
"""The most members of an enumeration that are considered."""


def class_text(name: str, path: str, bases: Sequence[str], members: Iterable[str]) -> str:
    """Return a class with the text of its members, which are already indented."""
    head = f'class {name}({", ".join(bases)}):\n    """Stands in for {path}."""\n'
    return "\n".join([head, *(f"{member}\n" for member in members)]).rstrip("\n") + "\n"


def is_enum(reader: Reader, found: Found) -> bool:
    """Whether a class is an enumeration."""
    return derives_from_unread(reader, found, *_ENUMS)


def enum_text(
    reader: Reader, found: Found, name: str, path: str, used: Sequence[str], *, is_whole: bool
) -> str | None:
    """Return an enumeration with the used members; `None` if it lacks one of them.

    Args:
        reader: the reader of its module.
        found: the class.
        name: the name of the class in its stub.
        path: its dotted name there.
        used: names that the slice reads from it.
        is_whole: whether all members are included.
    """
    line = line_of(reader, found)
    kind = next(each.path for each in line if each.path in _ENUMS)
    mixin = next((e.name for e in line if e.module == "builtins" and e.name in ("str", "int")), "")
    values = _values(found)
    if not values or not {*used} <= {*values}:
        return None
    kept = [n for n in values if n in used or is_whole] if used or is_whole else [*values]
    lines = [
        f"    {n} = {values[n] or (repr(n.lower()) if mixin == 'str' else 'enum.auto()')}"
        for n in kept
        if n in used or n in kept[:_MOST]
    ]
    bases = [mixin, kind] if mixin else [kind]
    return class_text(name, path, bases, ["\n".join(lines)])


def _values(found: Found) -> dict[str, str | None]:
    values: dict[str, str | None] = {}
    for member in members_of(found):
        match member.nodes[0]:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                values[member.name] = short_literal(value)
            case ast.AnnAssign():
                values[member.name] = None
            case _:
                pass
    return {name: text for name, text in values.items() if not name.startswith("_")}


def roots_of_errors(reader: Reader, found: Found) -> tuple[str, ...]:
    """Return the bases of an exception's stub besides other stubs."""
    named = [e for e in line_of(reader, found) if exception_named(e)]
    kinds = [kind for each in named for kind in [exception_named(each)] if kind]
    lowest = [
        k for k in kinds if not any(other is not k and issubclass(other, k) for other in kinds)
    ]
    if any(not issubclass(kind, Exception) for kind in lowest):
        return tuple(kind.__name__ for kind in lowest[:1])
    others = tuple(k.__name__ for k in lowest if k is not Exception and not _is_particular(k))
    return ("StubError", *others[:1])


def _is_particular(kind: type[BaseException]) -> bool:
    """Whether an exception cannot be made with arbitrary arguments."""
    return issubclass(kind, (UnicodeError, BaseExceptionGroup, SyntaxError))


def in_order(bases: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return classes ordered after their bases, without bases that Python would refuse.

    Args:
        bases: dotted name of a class → those of its declared bases.
    """
    made: dict[str, type] = {}
    kept: dict[str, tuple[str, ...]] = {}
    busy: set[str] = set()

    def add(path: str) -> None:
        busy.add(path)
        for base in bases[path]:
            if base not in made and base not in busy:
                add(base)
        known = [base for base in dict.fromkeys(bases[path]) if base in made]
        while True:
            try:
                made[path] = type("C", tuple(made[base] for base in known) or (object,), {})
                break
            except TypeError:
                known.pop()
        kept[path] = tuple(known)

    for path in sorted(bases):
        if path not in made:
            add(path)
    return kept
