"""Texts about an object that a case makes, while it has no name yet: `{it}.size = 3`."""

from __future__ import annotations

import re
from dataclasses import dataclass

RECEIVER = "it"
"""The holder that is the receiver; the others are called as their parameters."""
_PLACE = f"{{{RECEIVER}}}"
_HOLDER = re.compile(r"\{(\w+)\}[.\[]")


@dataclass(frozen=True, slots=True)
class StateTemplate:
    """A statement or expression in which the name of an object is left open."""

    text: str
    """The text, with `{it}` for the receiver and `{parameter}` for an argument."""

    @property
    def names_receiver(self) -> bool:
        """Whether the receiver stands anywhere in it."""
        return _PLACE in self.text

    @property
    def is_on_receiver(self) -> bool:
        """Whether it begins with an attribute of the receiver."""
        return self.text.startswith(f"{_PLACE}.")

    @property
    def attribute(self) -> str:
        """Return the text after `{it}.`, or all of it where it begins with something else."""
        return self.text.removeprefix(f"{_PLACE}.")

    @property
    def holder(self) -> str:
        """Return what it begins with: the receiver or a parameter; empty for anything else."""
        found = _HOLDER.match(self.text)
        return found[1] if found else ""

    def filled(self, name: str, holder: str = RECEIVER) -> str:
        """Return the text with a name in the holder's place."""
        return self.text.replace(f"{{{holder}}}", name)


def on_receiver(rest: str) -> str:
    """Return the text of a template that begins with the receiver."""
    return _PLACE + rest


def left_open(text: str, name: str, holder: str = RECEIVER) -> str:
    """Return the text of a template: a text with the name of its object left open."""
    return text.replace(name, f"{{{holder}}}")
