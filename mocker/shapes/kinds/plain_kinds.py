"""Texts, numbers and booleans: the kind of one, and the value that the tests want."""

from __future__ import annotations

from ...flow import Uses
from ..sample_texts import sample
from ..shape import Anything, Plain, Shape
from ..texts.satisfying_scalars import Test, have_same_outcomes, solve, tests_of


def plain(kind: str, uses: Uses, name_hint: str) -> Shape:
    """Return a plain value for which the tests have the wanted outcomes; any kind if ""."""
    tests = tests_of(uses)
    if not kind:
        kind = _kind_of(tests, uses)
    if not tests:
        return Plain(kind, name_hint) if kind else Anything(name_hint)  # type: ignore[arg-type]
    first = sample(kind, name_hint, 1)
    pool = [first, *_usual(kind or _name_of(first)), *_usual(kind)]
    values = solve(tests, pool, lambda v: _is_of(v, kind))
    free = values[:1] == (first,) and have_same_outcomes(
        tests, [first, *(sample(kind, name_hint, n) for n in (2, 3))]
    )
    shape_kind = kind or _name_of(values[0] if values else first)
    return Plain(shape_kind, name_hint, values, is_free=free)  # type: ignore[arg-type]


def _usual(kind: str) -> list[object]:
    match kind:
        case "int":
            return [1, 0, 10, 100, -1]
        case "number":
            return [1.5, 0.0, 10.0, 100.0, 0.5, -1.0]
        case "bool":
            return [True, False]
        case "text":
            return [""]
        case "char":
            return ["a", "1", "", " "]
        case "bytes":
            return [b""]
        case _:
            return ["", 0, None]


def _kind_of(tests: list[Test], uses: Uses) -> str:
    converts = [f.value for f in uses.facts if f.kind == "convert"]
    kinds = [_name_of(c) for test in tests for c in test.candidates if c is not None]
    if converts:
        return {"int": "int", "float": "number"}.get(str(converts[0]), "")
    return kinds[0] if kinds else ""


def _name_of(value: object) -> str:
    match value:
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "number"
        case bytes():
            return "bytes"
        case None:
            return "none"
        case _:
            return "text"


def _is_of(value: object, kind: str) -> bool:
    name = _name_of(value)
    if not kind:
        return True
    if kind == "char":
        return isinstance(value, str) and len(value) <= 1
    return name == kind or (kind in ("number", "float") and name == "int") or name == "none"
