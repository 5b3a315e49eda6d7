"""The examples of mock families: small programs, in `examples.toml` beside each `family.py`."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import slicefunc.mocker.families
from slicefunc.mocker.families import FamilyEntry

FAMILIES_FOLDER = Path(slicefunc.mocker.families.__file__).parent


@dataclass(frozen=True, slots=True)
class Example:
    """A small program, and what its slice does with nothing but mocks around it."""

    title: str
    target: str
    """Qualified name in `example.py`."""
    call: str
    """Expression that is evaluated in the script; `await` is allowed at its top."""
    gives: str
    """`repr` of its value, or the name of the exception's class."""
    source: str
    """Text of the file `example.py`."""
    effects: tuple[str, ...] = ()
    """`kind target` of each effect, in order."""
    files: tuple[tuple[str, str], ...] = ()
    """Further files of the repository: path and text."""
    needs: tuple[str, ...] = ()
    """Modules that must be installed for it to run, where they are too large for every machine."""

    def write(self, folder: Path) -> None:
        """Write the repository of the example."""
        for path, text in (("example.py", self.source), *self.files):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")


_REQUIRED = {field.name for field in fields(Example) if field.default is MISSING}
_LISTS = {"effects", "needs"}
_KINDS = {str: "a string", list: "a list of strings", dict: "a table of paths and texts"}


def examples_of(listed: FamilyEntry) -> tuple[Example, ...]:
    """All examples of a family, in the order of its file."""
    return read_examples(FAMILIES_FOLDER.joinpath(*listed.module.split("."), "examples.toml"))


def read_examples(file: Path) -> tuple[Example, ...]:
    """The examples of a file.

    Raises:
        ValueError: what is wrong with the file, and where.
    """
    try:
        tables: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    match tables:
        case {"example": [*found], **rest} if not rest:
            return tuple(_example(table, file) for table in found)
        case _:
            raise ValueError(f"{file}: only tables [[example]] may stand here")


def _example(table: dict[str, Any], file: Path) -> Example:
    title = f"{file}: example {table.get('title', 'without a title')!r}"
    if missing := sorted(_REQUIRED - table.keys()):
        raise ValueError(f"{title} lacks {', '.join(missing)}")
    if unknown := sorted(table.keys() - {field.name for field in fields(Example)}):
        raise ValueError(f"{title} has unknown keys: {', '.join(unknown)}")
    for key, value in table.items():
        kind = dict if key == "files" else list if key in _LISTS else str
        texts = value.values() if kind is dict and isinstance(value, dict) else value
        if not isinstance(value, kind) or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"{title}: {key} must be {_KINDS[kind]}")
    lists = {key: tuple(table[key]) for key in _LISTS & table.keys()}
    return Example(**{**table, **lists, "files": tuple(table.get("files", {}).items())})
