"""Fixtures: what `fixtures/<name>/expected.toml` may say, and where its files are.

A fixture is a tiny repository that shows one construct. Nothing in it is a hand-written result of
a call: `calls` are run in the original repository and in its slice, and must agree.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"

LOADER = re.compile(r"^def _slice_func\(.*?^(?=_slice_func\()", re.DOTALL | re.MULTILINE)
"""The loader that a script of carried modules brings; its text follows from the call of it."""

Table = dict[str, object]
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that the test writes, since it is too large to be committed."""

    path: str
    text: str
    """Text of the file; `{n}` is the number of the repetition."""
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link that the test makes, since not every checkout can hold one."""

    path: str
    to: str


@dataclass(frozen=True, slots=True)
class ExpectedTarget:
    """One slice that is asked of the repository, and what it must hold."""

    target: tuple[str, ...]
    """`path::qualname`; several make one slice with a shared closure."""
    keep: tuple[str, ...] = ()
    """What `--with` names."""
    calls: tuple[str, ...] = ()
    """Expressions that return in the original; the slice must return and print the same."""
    raises: tuple[str, ...] = ()
    """Expressions that raise in the original; the slice must raise the same."""
    kept: tuple[str, ...] = ()
    """`path::qualname` of definitions that must be in the manifest."""
    pruned: tuple[str, ...] = ()
    """`path::qualname` of definitions that must not be in the manifest."""
    externals: tuple[str, ...] | None = None
    """All modules that the slice imports from outside; `None` leaves that unchecked."""
    gaps: tuple[str, ...] = ()
    """All kinds of gap."""
    warnings: tuple[str, ...] = ()
    """Regular expressions, each of which finds a warning."""
    suggested: tuple[str, ...] = ()
    """`parameter = path::qualname` for each class that must be among `suggested_types`."""
    data_files: tuple[str, ...] = ()
    """All data files of the repository that are carried along."""
    layout: str = ""
    """The layout that `script` takes; empty leaves that unchecked."""
    error: str = ""
    """Regular expression that the one-line message of the expected error matches."""
    exit_status: int = 2
    """Exit status that belongs to the expected error."""

    @property
    def file_name(self) -> str:
        """Name of the golden slice, as `pkg.mod.C.m.py`."""
        names = [t.replace(".py::", ".").replace("/", ".").replace(" ", "_") for t in self.target]
        return "+".join(names) + ".py"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One folder of `fixtures/`."""

    name: str
    description: str
    """What the fixture is for, and why it matters."""
    targets: tuple[ExpectedTarget, ...]
    roots: tuple[str, ...] = ()
    """What `--root` names."""
    import_roots: tuple[str, ...] = (".",)
    """Folders on `sys.path` when the original runs; in the pruned tree of the slice as well."""
    min_python: str = "3.11"
    max_python: str = ""
    """Last version on which the fixture makes sense; empty for no bound."""
    written: tuple[WrittenFile, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def folder(self) -> Path:
        """The fixture's own folder."""
        return FIXTURES / self.name

    @property
    def runs_here(self) -> bool:
        """Whether this interpreter is one that the fixture is meant for."""
        here = sys.version_info[:2]
        last = _version(self.max_python) if self.max_python else here
        return _version(self.min_python) <= here <= last

    def repository(self, scratch: Path) -> Path:
        """The repository: in place, or completed in `scratch` where the test writes some of it."""
        if not self.written and not self.links:
            return self.folder / "repo"
        copy = scratch / "repo"
        shutil.copytree(self.folder / "repo", copy)
        for file in self.written:
            lines = "".join(file.text.replace("{n}", str(n)) for n in range(file.repeat))
            (copy / file.path).parent.mkdir(parents=True, exist_ok=True)
            (copy / file.path).write_text(lines, encoding="utf-8", newline="")
        for link in self.links:
            (copy / link.path).symlink_to(link.to)
        return copy

    def module_of(self, path: str) -> str:
        """The name under which the original imports the file at `path`."""
        inside = [r for r in self.import_roots if r == "." or path.startswith(r + "/")]
        root = max(inside, key=len)
        relative = path if root == "." else path.removeprefix(root + "/")
        return relative.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def load_fixture(name: str) -> Fixture:
    """The fixture in `fixtures/<name>`.

    Raises:
        ValueError: `expected.toml` has a key that means nothing, or no targets.
    """
    table: Table = tomllib.loads((FIXTURES / name / "expected.toml").read_text(encoding="utf-8"))
    if not table.get("targets"):
        message = f"{name}: no [[targets]]"
        raise ValueError(message)
    table["name"] = name
    table["targets"] = tuple(_target(name, t) for t in _tables(table.pop("targets")))
    table["written"] = tuple(_record(WrittenFile, name, t) for t in _tables(table.get("written")))
    table["links"] = tuple(_record(Link, name, t) for t in _tables(table.get("links")))
    return _record(Fixture, name, table)


def all_fixtures() -> tuple[Fixture, ...]:
    """Every fixture, by name."""
    return tuple(load_fixture(p.parent.name) for p in sorted(FIXTURES.glob("*/expected.toml")))


def golden_text(source: str) -> str:
    """A slice as its golden holds it: one line stands for the loader."""
    return LOADER.sub("...  # the loader\n", source)


def _target(name: str, table: Table) -> ExpectedTarget:
    target = table["target"]
    table["target"] = target if isinstance(target, list) else [target]
    return _record(ExpectedTarget, name, table)


def _record(kind: type[Record], name: str, table: Table) -> Record:
    known = {f.name for f in fields(kind)}  # pyright: ignore[reportArgumentType]
    if unknown := sorted(set(table) - known):
        message = f"{name}: {kind.__name__} has no {', '.join(unknown)}"
        raise ValueError(message)
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})


def _tables(value: object) -> list[Table]:
    return list(value) if isinstance(value, list) else []  # pyright: ignore[reportUnknownArgumentType]


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
