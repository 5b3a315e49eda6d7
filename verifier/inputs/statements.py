"""Statements that a case runs before its call. They leave the names of its objects open.

A case names its objects last, when it is written. Only this module knows how an open name is
spelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

RECEIVER = "it"
"""The holder that is the receiver; the others are called as their parameters."""
PARSED_RECEIVER = "__it__"
"""The receiver's name in texts that are parsed."""
_HOLDER = re.compile(r"\{(\w+)\}[.\[]")
_PARTS = re.compile(r"\{(\w+)\}(.*)", re.DOTALL)
_MEMBER = re.compile(r"\{\w+\}(?:\.\w+)*\.(\w+)")
_PRIVATE = re.compile(r"(\{\w+\}(?:\.\w+)*\.)(__\w+)\b(?<!__)")
_REMOVES = re.compile(r"(.*)\.pop\((.*), None\)")


@dataclass(frozen=True, slots=True)
class Statement:
    """Code that changes an object of the case or its environment."""

    text: str
    """One statement or several, a line each, with open names."""

    @classmethod
    def setting(cls, place: str, value: str) -> Statement:
        """Return the statement that gives a place a value."""
        return cls(f"{place} = {value}")

    @property
    def place(self) -> str:
        """Return the place that it sets; the whole text if it sets none."""
        return self.text.partition(" = ")[0]

    @property
    def value(self) -> str:
        """Return the expression that it sets a place to; empty if it sets none."""
        return self.text.partition(" = ")[2]

    @property
    def sets(self) -> bool:
        """Whether it sets a place."""
        return " = " in self.text

    @property
    def changed_place(self) -> str:
        """Return the place that it sets or removes, in one kind of quotes."""
        place = Statement(self.text.replace('"', "'"))
        removed = _REMOVES.fullmatch(place.text) if not self.sets else None
        return f"{removed[1]}[{removed[2]}]" if removed else place.place

    @property
    def names_receiver(self) -> bool:
        """Whether the receiver stands anywhere in it."""
        return on_receiver("") in self.text

    @property
    def is_on_receiver(self) -> bool:
        """Whether it begins with an attribute of the receiver."""
        return is_on_receiver(self.text)

    @property
    def is_on_object(self) -> bool:
        """Whether it begins with the receiver or an argument."""
        return self.text.startswith("{")

    @property
    def holder(self) -> str:
        """Return what it begins with: the receiver or a parameter; empty for anything else."""
        return holder_of(self.text)

    @property
    def member(self) -> tuple[str, bool]:
        """Return the last attribute that it begins with, and whether it calls it; else empty."""
        found = _MEMBER.match(self.text)
        return (found[1], self.text[found.end() :].startswith("(")) if found else ("", False)

    def with_value(self, change: Callable[[str], str]) -> Statement:
        """Return the statement with another value, if it sets a place."""
        return Statement.setting(self.place, change(self.value)) if self.sets else self

    def with_private_names(self, mangle: Callable[[str], str]) -> Statement:
        """Return the statement with private attributes mangled, for use outside of the class."""
        return Statement(_PRIVATE.sub(lambda found: found[1] + mangle(found[2]), self.text))


def place_of(holder: str, rest: str) -> str:
    """Return the place that attributes, items and calls lead to from a holder."""
    return f"{{{holder}}}{rest}"


def on_receiver(rest: str) -> str:
    """Return a place in the receiver."""
    return place_of(RECEIVER, rest)


def is_on_receiver(place: str, rest: str = ".") -> bool:
    """Whether a place begins with an attribute of the receiver: any, or one that begins so."""
    return place.startswith(on_receiver(rest))


def attribute_of(place: str) -> str:
    """Return an attribute of the receiver without it; other places as they are."""
    return place.removeprefix(on_receiver("."))


def holder_of(place: str) -> str:
    """Return what a place begins with: the receiver or a parameter; empty for anything else."""
    found = _HOLDER.match(place)
    return found[1] if found else ""


def parts_of(place: str) -> tuple[str, str]:
    """Return the holder of a place, and what leads from it; empty for places in nothing."""
    found = _PARTS.fullmatch(place)
    return (found[1], found[2]) if found else ("", "")


def named(text: str, name: str, holder: str = RECEIVER) -> str:
    """Return a text with the name of a holder filled in."""
    return text.replace(place_of(holder, ""), name)


def with_open_name(code: str, name: str = PARSED_RECEIVER) -> str:
    """Return code with the receiver's name left open: the reverse of `named`."""
    return code.replace(name, on_receiver(""))


def written(statements: Iterable[Statement], name: str, holder: str = RECEIVER) -> list[str]:
    """Return the lines of some statements, with the name of their holder filled in."""
    return [line for each in statements for line in named(each.text, name, holder).split("\n")]


def texts_of(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return the texts of some statements."""
    return tuple(each.text for each in statements)


def without(statements: Iterable[Statement], *places: str) -> tuple[Statement, ...]:
    """Return the statements that set none of the places."""
    return tuple(each for each in statements if not (each.sets and each.place in places))
