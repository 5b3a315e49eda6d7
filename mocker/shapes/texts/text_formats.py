"""Texts in the format that the slice parses, with the values that it reads from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...flow import Label, Uses
from ..sample_texts import BROKEN
from ..shape import Anything, Either, Entry, Holding, Mapping, Plain, Sequence, Shape
from ..table_columns import columns
from .markup import markup
from .pattern_matches import example
from .satisfying_scalars import pattern_constants, solve, tests_of, uses_text_method

Infer = Callable[..., Shape]
_ORDER = ("json", "yaml", "toml", "python", "csv", "html", "xml", "feed", "date", "base64", "hex",
          "url", "uuid", "ip", "match", "int", "float", "split")  # fmt: skip
_DOCUMENTS = frozenset({"json", "yaml", "csv", "html", "xml"})


def parseable_text(
    parsed: dict[tuple[object, ...], Uses], uses: Uses, name_hint: str, infer: Infer
) -> Shape | None:
    """Return the text that satisfies the parsers of a value; `None` if there are none.

    A text parsed as documents of several formats, by different readers, is one of each.
    """
    ranked = sorted(parsed, key=lambda form: _rank(str(form[0])))
    for at, form in enumerate(ranked):
        shape = _holding(form, parsed[form], uses, name_hint, infer)
        if shape is not None:
            rest = [each for each in ranked[at + 1 :] if {form[0], each[0]} <= _DOCUMENTS]
            others = {
                f"as_{each[0]}": _holding(each, parsed[each], uses, name_hint, infer)
                for each in rest
                if each[0] != form[0]
            }
            known = tuple((name, other) for name, other in others.items() if other is not None)
            return Either(shape, known) if known else shape
    return None


def _rank(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _holding(
    form: tuple[object, ...], inner: Uses, uses: Uses, name_hint: str, infer: Infer
) -> Shape | None:
    is_bytes = any(f.kind == "type" and f.value == "bytes" for f in uses.facts)
    is_tested = any(f.kind == "caught" and f.value == form[0] for f in uses.facts)
    match form:
        case ("json" | "yaml" | "toml" | "python" as name, *rest):
            if "frame" in rest:
                shape: Shape = Sequence(infer(columns(inner), name_hint))
            else:
                shape = infer(inner, name_hint)
            return Holding((name,), shape, name_hint, is_bytes, is_tested)
        case ("csv", how):
            return Holding(
                ("csv", how), _table(str(how), inner, infer), name_hint, is_bytes, is_tested
            )
        case ("html", *_) | ("xml",):
            return markup(inner, infer, is_xml=form[0] == "xml")
        case ("date", layout):
            texts = [layout] if isinstance(layout, str) else _constants(uses, layout)
            if texts:
                return Holding(
                    ("date", texts[0]), Anything(name_hint), name_hint, is_tested=is_tested
                )
        case ("base64" | "hex" as name, *_):
            return Holding((name,), infer(inner, name_hint, "text"), name_hint, is_bytes)
        case ("url" | "uuid" | "ip" as name, *_):
            return Holding((name,), Anything(name_hint), name_hint)
        case ("int" | "float" as name,):
            number = _number(str(name), inner, uses, name_hint)
            is_checked = is_tested or uses_text_method(uses)
            broken = Plain("text", name_hint, (BROKEN,), is_free=False)
            return Either(number, ((f"not_{name}", broken),)) if is_checked else number
        case ("split", separator, usual, how):
            return _split(uses, separator, usual, str(how), inner, name_hint, infer)
        case ("match", how, node):
            return _matching(uses, str(how), cast("int | None", node), name_hint)
        case _:
            return None
    return None


def _constants(uses: Uses, node: object) -> list[str]:
    if uses.follower is None or not isinstance(node, int):
        return []
    return [c for c in uses.follower.constants(node) if isinstance(c, str)]


def _table(how: str, inner: Uses, infer: Infer) -> Shape:
    if how == "frame":
        return Sequence(infer(columns(inner), "row"))
    rows = inner.below.get(("item",))
    shape = infer(rows, "row") if rows else Mapping()
    first = any(f.kind == "length" and f.value == 1 for f in inner.facts)
    return Sequence(shape, (), 3 if first else 2)


def _number(kind: str, inner: Uses, uses: Uses, name_hint: str) -> Shape:
    """Return the value passed to `int` or `float`: a number, or its text if required."""
    tests = tests_of(inner)
    is_text = (
        any(f.kind == "type" and f.value == "str" for f in uses.facts)
        or any(label[0] == "parse" and label[1] in ("split", "match") for label in uses.below)
        or uses_text_method(uses)
    )
    samples: list[object] = [1, 2, 10, 0, -1] if kind == "int" else [1.5, 10.5, 0.5, 0.0, 100.0]
    values = solve(tests, samples, lambda v: isinstance(v, (int, float)))
    values = tuple(int(cast("float", v)) if kind == "int" else v for v in values) if tests else ()
    name = "int" if kind == "int" else "number"
    number = Plain(name, name_hint, values, is_free=not tests)
    return Holding((kind,), number, name_hint) if is_text else number


def _split(
    uses: Uses,
    separator: object,
    usual: object,
    how: str,
    inner: Uses,
    name_hint: str,
    infer: Infer,
) -> Shape:
    separators = _constants(uses, separator) or [str(usual) if usual else " "]
    wanted = [c for test in tests_of(uses) if test.outcome for c in test.candidates]
    if wanted:
        return Plain("text", name_hint, tuple(dict.fromkeys(wanted)), is_free=False)
    parts = infer(inner, name_hint, "any")
    if not isinstance(parts, Sequence):
        parts = Sequence(Plain("text", name_hint), (), 3 if "partition" in how else 2)
    return Holding(("split", separators[0]), parts, name_hint)


def _matching(uses: Uses, how: str, node: int | None, name_hint: str) -> Shape | None:
    del how
    tests = tests_of(uses)
    texts = [t for p in pattern_constants(uses, node) if (t := example(p)) is not None]
    if not texts:
        return None
    values = solve(tests, [*texts, "text"], lambda v: isinstance(v, str))
    return Plain("text", name_hint, values, is_free=False)


__all__ = ["Entry", "Label", "parseable_text"]
