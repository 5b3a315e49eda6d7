"""Answers of services at the places where a slice reads them: inferred, or written by the user.

All places of one service share one answer: an HTTP server sends one body to each address, a program
prints one text. An answer written for one place therefore applies to the others, too; dictionaries
read as JSON are merged.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import cast

from ...contacts import Border
from ...shapes.answer_shape import Kind, follower_of, variants_at
from ...source.kept_code import kept_code

_WRITTEN = "given"
"""Variants written by the user are named `given 1`, `given 2` and so on."""
_ANY_TEXT = re.compile(r"text(-\d+)?")


@dataclass(frozen=True, slots=True)
class ServiceAnswers:
    """The answers that the slice gets at some places of one service."""

    variants: dict[str, object]
    """Variants by name; `default` first, the user's last."""
    is_user_declared: bool
    """Whether the default is the user's, or follows from how it is read; otherwise any text would
    do."""
    places: tuple[str, ...]
    """The places that occur in the slice."""

    @property
    def written_variants(self) -> dict[str, object]:
        """Return the user's variants."""
        return {k: v for k, v in self.variants.items() if k.startswith(f"{_WRITTEN} ")}

    def listed(self, default: object) -> tuple[tuple[str, str], ...]:
        """Return the places for a mock's list, each with its default as a Python literal."""
        return tuple((place, repr(default)) for place in sorted(self.places))


def answered_at(border: Border, places: Sequence[str], kind: Kind) -> ServiceAnswers:
    """Return the answers of a service.

    Args:
        border: the border of the slice; its settings take precedence over inference.
        places: places in the notation of `variants_at`.
        kind: the kind of value at the places.
    """
    variants: dict[str, object] = {v.name: v.value for v in variants_at(border, *places, kind=kind)}
    follower = follower_of(border.repository, border.sliced)
    used = tuple(place for place in dict.fromkeys(places) if follower.places(place))
    # others read the same answer at other places, so the entries they need stay
    joined = _joined if len(used) > 1 else _second
    written = list(_written(used, border.settings.answers, kind))
    variants["default"] = reduce(joined, reversed(written), variants["default"])
    for number, value in enumerate(_written(used, border.settings.variants, kind), 1):
        variants[f"{_WRITTEN} {number}"] = joined(variants["default"], value)
    return ServiceAnswers(variants, bool(written) or has_known_format(variants["default"]), used)


def texts_at(
    border: Border, places: Sequence[str], parsers: Collection[str] = ("json.loads",)
) -> ServiceAnswers:
    """Return the texts that a service sends or a program prints: JSON if a parser is called.

    Args:
        border: the border of the slice.
        places: where the slice gets the text.
        parsers: functions that may parse it.
    """
    found = answered_at(border, places, "text")
    called = [f"{each}()" for each in sorted(kept_code(border).called_names.intersection(parsers))]
    if found.is_user_declared or not called:
        return found
    parsed = {v.name: json.dumps(v.value) for v in variants_at(border, *called, kind="json")}
    return ServiceAnswers(
        {**parsed, **found.written_variants}, is_user_declared=True, places=found.places
    )


def output_texts(border: Border, found: ServiceAnswers) -> dict[str, str]:
    """Return a program's output by variant; if any text will do, a number if one is read."""
    if found.is_user_declared:
        return {name: as_text(text) for name, text in found.variants.items()}
    default = "1\n" if kept_code(border).called_names & {"int", "float"} else "done\n"
    return {
        "default": default,
        "empty": "",
        **{k: as_text(v) for k, v in found.written_variants.items()},
    }


def has_known_format(text: object) -> bool:
    """Whether the form of a text follows from how it is read; otherwise any text would do."""
    return bool(text) and not (isinstance(text, str) and _ANY_TEXT.fullmatch(text))


def as_text(value: object) -> str:
    """Return a text, or bytes decoded as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _second(_: object, other: object) -> object:
    return other


def _joined(value: object, other: object) -> object:
    """Return the other value; two dictionaries are merged."""
    if isinstance(value, dict) and isinstance(other, dict):
        return {**cast("dict[object, object]", value), **cast("dict[object, object]", other)}
    return other


def _written(
    places: Sequence[str], written: Sequence[tuple[str, str]], kind: Kind
) -> Iterator[object]:
    """Yield the user's answers at the places, as far as they are valid there: never sets."""
    for place in places:
        for named, text in written:
            if named == place:
                value: object = ast.literal_eval(text)
                if kind == "text" and isinstance(value, str | bytes):
                    yield value
                    continue
                try:
                    encoded = json.dumps(value, allow_nan=False)
                except (TypeError, ValueError):
                    continue
                yield encoded if kind == "text" else json.loads(encoded)
