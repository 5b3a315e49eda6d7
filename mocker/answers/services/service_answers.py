"""What services answer at the places where a slice reads it: inferred, or written by somebody.

All that is read of one service is one answer: an HTTP server sends one body to each address, a
program prints one text. What is written for one of its places so stands at the others, too; of
dictionaries that are read as JSON the entries are put together.
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
"""Variants that somebody has written are called `given 1`, `given 2` and so on."""
_ANY_TEXT = re.compile(r"text(-\d+)?")


@dataclass(frozen=True, slots=True)
class Answered:
    """What the slice gets at some places of one service."""

    variants: dict[str, object]
    """By name; `default` first, what somebody has written last."""
    is_said: bool
    """Whether the default is written, or follows from how it is read: else any text would do."""
    places: tuple[str, ...]
    """Those of the places that there are in the slice."""

    @property
    def written_variants(self) -> dict[str, object]:
        """The variants that somebody has written."""
        return {k: v for k, v in self.variants.items() if k.startswith(f"{_WRITTEN} ")}

    def listed(self, default: object) -> tuple[tuple[str, str], ...]:
        """The places for a mock's list, each with what stands there by default."""
        return tuple((place, repr(default)) for place in sorted(self.places))


def answered_at(border: Border, places: Sequence[str], kind: Kind) -> Answered:
    """What a service answers.

    Args:
        border: of the slice; its settings go before what is inferred.
        places: as `variants_at` takes them.
        kind: of what the places can give.
    """
    variants: dict[str, object] = {v.name: v.value for v in variants_at(border, *places, kind=kind)}
    follower = follower_of(border.repository, border.sliced)
    used = tuple(place for place in dict.fromkeys(places) if follower.places(place))
    # others read the same answer at other places: what they need of it stays
    joined = _joined if len(used) > 1 else _second
    said = list(_written(used, border.settings.answers, kind))
    variants["default"] = reduce(joined, reversed(said), variants["default"])
    for number, value in enumerate(_written(used, border.settings.variants, kind), 1):
        variants[f"{_WRITTEN} {number}"] = joined(variants["default"], value)
    return Answered(variants, bool(said) or has_known_format(variants["default"]), used)


def texts_at(
    border: Border, places: Sequence[str], parsers: Collection[str] = ("json.loads",)
) -> Answered:
    """The texts that a service sends, a program prints; of what a parser is given, JSON.

    Args:
        border: of the slice.
        places: where the slice gets the text.
        parsers: functions that may be given it.
    """
    found = answered_at(border, places, "text")
    called = [f"{each}()" for each in sorted(kept_code(border).called_names.intersection(parsers))]
    if found.is_said or not called:
        return found
    parsed = {v.name: json.dumps(v.value) for v in variants_at(border, *called, kind="json")}
    return Answered({**parsed, **found.written_variants}, is_said=True, places=found.places)


def output_texts(border: Border, found: Answered) -> dict[str, str]:
    """What a program prints, by variant; where any text would do, a number if one is read."""
    if found.is_said:
        return {name: as_text(text) for name, text in found.variants.items()}
    default = "1\n" if kept_code(border).called_names & {"int", "float"} else "done\n"
    return {
        "default": default,
        "empty": "",
        **{k: as_text(v) for k, v in found.written_variants.items()},
    }


def has_known_format(text: object) -> bool:
    """Whether a text has a form that follows from how it is read; any text would do else."""
    return bool(text) and not (isinstance(text, str) and _ANY_TEXT.fullmatch(text))


def as_text(value: object) -> str:
    """A text, or the text that bytes hold."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _second(_: object, other: object) -> object:
    return other


def _joined(value: object, other: object) -> object:
    """The other value; of two dictionaries the entries of both."""
    if isinstance(value, dict) and isinstance(other, dict):
        return {**cast("dict[object, object]", value), **cast("dict[object, object]", other)}
    return other


def _written(
    places: Sequence[str], written: Sequence[tuple[str, str]], kind: Kind
) -> Iterator[object]:
    """What is written for the places and can stand there; no service answers with a set."""
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
