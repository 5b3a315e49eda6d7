"""Data classes of the slicer: a slice, its manifest, and their parts.

Field names follow docs/reference/manifest.md; `Manifest.to_json` returns exactly what other
programs read.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

Emit = Literal["script", "flat", "modules", "package"]
LAYOUTS = get_args(Emit)
Layout = Literal["flat", "modules", "package"]
DefinitionKind = Literal["function", "class", "method", "variable", "import", "statement"]
Treatment = Literal["real", "faked", "stubbed", "gap"]


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """What the user asked for."""

    path: str
    """File inside the repository, with forward slashes."""
    qualname: str
    """Qualified name inside the file, as `Class.method`."""

    def __str__(self) -> str:
        return f"{self.path}::{self.qualname}"


@dataclass(frozen=True, slots=True)
class Definition:
    """One kept definition: a top-level statement, or a member of a kept class."""

    path: str
    qualname: str
    """Qualified name; of a statement that binds nothing, `<line N>`."""
    kind: DefinitionKind
    first_line: int
    """First line in the repository's file, decorators included, counted from 1."""
    last_line: int
    reason: str
    """Why it is kept: the definition and the reference that reached it."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What only a run of the repository showed to be needed: the analysis did not reach it."""

    path: str
    first_line: int
    last_line: int
    qualname: str
    kind: DefinitionKind


@dataclass(frozen=True, slots=True)
class Edit:
    """A place where the kept text is not the repository's own."""

    path: str
    line: int
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class External:
    """A module from outside the repository that the slice imports."""

    module: str
    distribution: str | None
    """Name on the package index; `None` where no distribution provides the module: the standard
    library, Python 2, a host application."""
    names: tuple[str, ...]
    treatment: Treatment = "real"
    reason: str = ""
    """Why it is treated so; empty for what is real as a matter of course."""

    @property
    def comes_with_python(self) -> bool:
        """Whether it needs no installing: the standard library, and the program that runs."""
        return self.module.partition(".")[0] in sys.stdlib_module_names | {"__main__"}


@dataclass(frozen=True, slots=True)
class Reference:
    """What one kept definition names from outside the repository, builtins included."""

    path: str
    qualname: str
    line: int
    """First line of the definition in the repository's file."""
    names: tuple[str, ...]
    """Dotted names, as `requests.get` and `builtins.open`, sorted."""


@dataclass(frozen=True, slots=True)
class Mocked:
    """A part of the outside world that is replaced in the script."""

    family: str
    """What stands in, as the tool calls it."""
    contacts: tuple[str, ...]
    """What calls for it: outside name and place, as `requests.get (api.py:12)`."""
    requirements: tuple[str, ...] = ()
    """Fakes that it needs installed."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places that give data, with what stands there; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that could not be decided statically."""

    kind: str
    path: str
    line: int
    detail: str
    filled_by: str | None = None


@dataclass(frozen=True, slots=True)
class SuggestedType:
    """A class that a parameter of the target may take and that the slice does not hold."""

    parameter: str
    path: str
    qualname: str
    why: str


@dataclass(frozen=True, slots=True)
class LineMap:
    """A run of script lines that are the repository's own lines."""

    script_line: int
    """First line in the script, counted from 1."""
    path: str
    line: int
    """First line in the repository's file."""
    count: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in a slice and why; the machine-readable half of the answer."""

    targets: tuple[Target, ...]
    layout: Layout
    layout_reason: str
    """Why this layout was taken."""
    definitions: tuple[Definition, ...]
    edits: tuple[Edit, ...]
    externals: tuple[External, ...]
    inputs: tuple[str, ...]
    """What was read from outside the repository."""
    lines: tuple[LineMap, ...]
    gaps: tuple[Gap, ...]
    suggested_types: tuple[SuggestedType, ...]
    warnings: tuple[str, ...]
    files_read: tuple[str, ...]
    data_files: tuple[str, ...]
    """Data files of the repository that are carried along."""
    seconds: float
    requirements: tuple[str, ...] = ()
    """What the script needs to be installed, as its header names it (PEP 508)."""
    requires_python: str = ""
    """Versions of Python that the repository asks for; empty for any."""
    mocks: tuple[Mocked, ...] = ()
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules, each with the requirement that provides it, where somebody says so."""
    observed: tuple[Observed, ...] = ()
    """What is kept because it was seen to run in the repository; empty without `--verify`."""

    def to_json(self) -> dict[str, Any]:
        """The manifest as plain JSON values, under the names of docs/reference/manifest.md."""
        first, *_ = self.targets
        record: dict[str, Any] = {"target": dataclasses.asdict(first)}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                items = cast("tuple[object, ...]", value)
                record[field.name] = [_plain(item) for item in items]
            else:
                record[field.name] = value
        return record


def _plain(item: object) -> object:
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.asdict(item)
    return item


@dataclass(frozen=True, slots=True)
class EmittedFile:
    """One file of a slice: the script, or a file of a pruned tree."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Slice:
    """A function and everything that it needs from its repository."""

    source: str
    """The script; of the `package` layout, the target's own file."""
    files: tuple[EmittedFile, ...]
    """All files: one for a script, the whole pruned tree for `package`."""
    manifest: Manifest
    references: tuple[Reference, ...] = ()
    """What its definitions name from outside the repository."""
    edges: tuple[tuple[str, str], ...] = ()
    """Every reason, as what asks and what is kept for it (`path::qualname`), if asked for."""

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What could not be decided statically."""
        return self.manifest.gaps
