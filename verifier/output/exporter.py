"""What an exporter is: it writes one more file for people into an environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...slicer.model import Target
from ..execution.executors.interface import Case


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case, and what the original does in it."""

    case: Case
    observation: str
    """The observation as JSON."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What is exported of a slice."""

    script: str
    """The slice, as one script."""
    target: Target
    cases: Sequence[RecordedCase]
    left_out: Sequence[str] = ()
    """Names of further cases, in which the exported text does not pass."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A kind of file. The module that holds it has the name of its field in the record."""

    what: str
    """What it is called in messages."""
    description: str
    """What the schema says of its field."""
    write: Callable[[Exported], str]
    """Writes its text; raises `NoHoleError` where the target cannot be exchanged in the script."""
    program: Callable[[Exported, str], str]
    """Returns a program for the sandbox, which ends with status 0 where the text is right."""
    tells: Callable[[str], bool] | None = None
    """Whether a text that is written of one case tells anything; by default it does."""
