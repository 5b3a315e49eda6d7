"""Data classes of the slicer: a slice, its manifest, and their parts.

Field names follow docs/reference/manifest.md; `Manifest.to_json` returns exactly what other
programs read.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from typing import Any, Literal, cast

Emit = str
"""The name of a layout, or `script` for the first that is one script and can be written."""
DefinitionKind = Literal["function", "class", "method", "variable", "import", "statement"]
Treatment = Literal["real", "faked", "stubbed", "gap"]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to write a slice, with the properties of its output that others may rely on.

    The folder of its name in `emission/layouts` writes it.
    """

    name: str
    gives: str
    """What it gives, for the table in the manual."""
    use: str
    """When to take it, for the same table."""
    is_tree: bool = False
    """Whether it is a folder of files at their original paths, and not one script."""
    is_merged: bool = False
    """Whether the script's own namespace holds the names of all modules."""
    carries_modules: bool = False
    """Whether the script carries modules as texts, and loads them under their own names."""
    may_refuse: bool = False
    """Whether some slices cannot be written so."""


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A function, method or class that the user wants to slice."""

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
    """Qualified name; `<line N>` for a statement that binds no name."""
    kind: DefinitionKind
    first_line: int
    """First line in the repository's file, decorators included, counted from 1."""
    last_line: int
    reason: str
    """Why it is kept: the definition and the reference that reached it."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A definition that the analysis did not reach, but a run of the repository did."""

    path: str
    first_line: int
    last_line: int
    qualname: str
    kind: DefinitionKind


@dataclass(frozen=True, slots=True)
class Edit:
    """A place where the emitted text differs from the repository's own."""

    path: str
    line: int
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class External:
    """A module from outside the repository that the slice imports."""

    module: str
    distribution: str | None
    """Name on the package index; `None` if no distribution provides the module."""
    names: tuple[str, ...]
    treatment: Treatment = "real"
    reason: str = ""
    """Why the module is handled in this way; empty for modules that are used unchanged."""

    @property
    def is_standard(self) -> bool:
        """Whether it needs no installation: it is in the standard library, or is `__main__`."""
        return self.module.partition(".")[0] in sys.stdlib_module_names | {"__main__"}


@dataclass(frozen=True, slots=True)
class Reference:
    """External names that one kept definition uses, builtins included."""

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
    """Name of the mock family that replaces it."""
    contacts: tuple[str, ...]
    """Uses that need the mock: external name and place, as `requests.get (api.py:12)`."""
    requirements: tuple[str, ...] = ()
    """Requirements of fake libraries that the mock needs installed."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places where the mock supplies data, each with its value; empty where it is unknown."""


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
    """The contents of a slice with reasons: the machine-readable half of a result."""

    targets: tuple[Target, ...]
    layout: str
    layout_reason: str
    """Why this layout was chosen."""
    definitions: tuple[Definition, ...]
    edits: tuple[Edit, ...]
    externals: tuple[External, ...]
    inputs: tuple[str, ...]
    """Inputs from outside the repository that the slice reads."""
    lines: tuple[LineMap, ...]
    gaps: tuple[Gap, ...]
    suggested_types: tuple[SuggestedType, ...]
    warnings: tuple[str, ...]
    files_read: tuple[str, ...]
    data_files: tuple[str, ...]
    """Data files of the repository that the slice carries."""
    seconds: float
    requirements: tuple[str, ...] = ()
    """Requirements of the script, as its header lists them (PEP 508)."""
    requires_python: str = ""
    """Versions of Python that the repository requires; empty for any."""
    mocks: tuple[Mocked, ...] = ()
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules with the requirement that provides each, as the user or the repository says."""
    observed: tuple[Observed, ...] = ()
    """Definitions kept because a run of the repository showed them; empty without `--verify`."""

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as plain JSON values, with the keys of docs/reference/manifest.md."""
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
    """The script; in the `package` layout, the target's own file."""
    files: tuple[EmittedFile, ...]
    """All files: one for a script, the whole pruned tree for `package`."""
    manifest: Manifest
    references: tuple[Reference, ...] = ()
    """External names that its definitions use."""
    edges: tuple[tuple[str, str], ...] = ()
    """Every reason, as a pair of user and kept definition (`path::qualname`), if requested."""

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Everything that could not be decided statically."""
        return self.manifest.gaps
