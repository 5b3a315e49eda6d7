"""Observations of a slice and of its repository in the same words: names of globals, paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from ...observation.observation import Observation, Value
from ...sandbox.encoders.classes import SCRIPT
from ...sandbox.isolation.isolate import WORKING_FOLDER
from .in_place_script import InPlace

_DATA_FOLDER = re.compile(r"/tmp/slice-func-[a-z0-9_]{8}")  # noqa: S108 - where scripts lay data out
_CLASS_OF_CASE = re.compile(rf'"{SCRIPT}\.([^"]+ \(local\))"')
_TYPE = re.compile(r'"type":"([^"]+)"')
_SCRIPT_FILE = f"{WORKING_FOLDER}/script.py"


def text_of_slice(text: str) -> str:
    """An observation of the slice, in which the files that it carries lie in the working folder."""
    return _DATA_FOLDER.sub(WORKING_FOLDER, text)


def text_in_place(text: str, place: InPlace, path: str) -> str:
    """An observation in the repository, with paths as the slice has them.

    Args:
        text: as JSON.
        place: where it was made.
        path: the target's file in the repository.
    """
    folder = json.dumps(str(place.folder))[1:-1]
    own = json.dumps(str(place.folder / path))[1:-1]
    return text.replace(own, _SCRIPT_FILE).replace(folder, WORKING_FOLDER)


def with_classes_of_cases(text: str, sliced: str, place: InPlace) -> str:
    """An observation in the repository, where classes that a case makes are called as in the slice.

    A class takes the name of the module that it is made in, and cases run in the target's there.

    Args:
        text: as JSON.
        sliced: what is observed in the slice.
        place: where the first was made.
    """
    for name in sorted(set(_CLASS_OF_CASE.findall(sliced))):
        text = text.replace(f'"{place.module}.{name}"', f'"{SCRIPT}.{name}"')
    return text


def with_defining_modules(text: str, sliced: str, place: InPlace) -> str:
    """An observation in the repository, where classes are called by the module that defines them.

    A package may state itself as the module of what it exports (`cls.__module__ = "package"`), and
    that statement is no part of a slice that does without the package's own code.

    Args:
        text: as JSON.
        sliced: what is observed in the slice.
        place: where the first was made.
    """
    theirs, ours = set(_TYPE.findall(text)), set(_TYPE.findall(sliced))
    for label in sorted(ours - theirs):
        public = theirs.intersection(_public_names(label, place)) - ours
        if len(public) == 1:
            text = text.replace(f'"type":"{public.pop()}"', f'"type":"{label}"')
    return text


def _public_names(label: str, place: InPlace) -> Iterator[str]:
    """What a class of the slice is called where a package around its module exports it."""
    for module, _ in place.modules:
        is_script = place.is_merged or module == place.module
        owner = SCRIPT if is_script else module
        parts = module.split(".") if label.startswith(f"{owner}.") else []
        for depth in range(1, len(parts)):
            yield ".".join(parts[:depth]) + label[len(owner) :]


def aligned(
    sliced: Observation, original: Observation, place: InPlace
) -> tuple[Observation, Observation]:
    """Both observations, with changed globals under the same names.

    What only the repository tells changed does not count where it is another module's name for what
    that one imports.
    """
    ours = dict(_renamed(sliced.globals, place, is_slice=True))
    imported = set(place.imported)
    theirs = {
        name: value
        for label, (name, value) in zip(
            [each for each, _ in original.globals],
            _renamed(original.globals, place, is_slice=False),
            strict=True,
        )
        if name in ours or _owner(label, place) not in imported
    }
    return (
        replace(sliced, globals=tuple(ours.items()), text=""),
        replace(original, globals=tuple(theirs.items()), text=""),
    )


def _renamed(
    items: tuple[tuple[str, Value], ...], place: InPlace, *, is_slice: bool
) -> Iterator[tuple[str, Value]]:
    """Merged modules are the script; where they are not, the script is the target's module."""
    names = [] if is_slice else sorted(place.aliases, key=len, reverse=True)
    for label, value in items:
        found = label
        if place.is_merged:
            owner = next((each for each in names if label.startswith(f"{each}.")), None)
            found = SCRIPT + label[len(owner) :] if owner else label
        elif label.startswith(f"{SCRIPT}."):
            found = place.module + label[len(SCRIPT) :]
        yield found, value


def _owner(label: str, place: InPlace) -> str:
    """The module-level name that a label begins with, under the true name of its module."""
    if label.startswith(f"{SCRIPT}."):
        label = place.module + label[len(SCRIPT) :]
    for name, _ in place.modules:
        if label.startswith(f"{name}."):
            first = label[len(name) + 1 :].partition(".")[0]
            return f"{name}.{first}"
    return label
