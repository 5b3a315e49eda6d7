"""Align observations of a slice and its repository: the same names of globals, the same paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from ...observation.observation import Observation, Value
from ...sandbox.encoders.classes import SCRIPT
from ...sandbox.isolation.isolate import WORKING_FOLDER
from .in_place_script import InPlace

_DATA_FOLDER = re.compile(r"(/tmp/slice-func-\d+)?/tmp/slice-func-[a-z0-9_]{8}")
"""Where scripts lay data out; with mocked files that is below the folder in place of the world."""
_CLASS_OF_CASE = re.compile(rf'"{SCRIPT}\.([^"]+ \(local\))"')
_TYPE = re.compile(r'"type":"([^"]+)"')
_SCRIPT_FILE = f"{WORKING_FOLDER}/script.py"


def text_of_slice(text: str) -> str:
    """Return an observation of the slice, with its data files in the working folder."""
    return _DATA_FOLDER.sub(WORKING_FOLDER, text)


def text_in_place(text: str, place: InPlace, path: str) -> str:
    """Return an observation in the repository, with paths as in the slice.

    Args:
        text: the observation as JSON.
        place: the script that made it.
        path: the target's file in the repository.
    """
    folder = json.dumps(str(place.folder))[1:-1]
    own = json.dumps(str(place.folder / path))[1:-1]
    return text.replace(own, _SCRIPT_FILE).replace(folder, WORKING_FOLDER)


def with_classes_of_cases(text: str, sliced: str, place: InPlace) -> str:
    """Return an observation in the repository, with classes of the case named as in the slice.

    A class is named after the module that defines it, and cases run in the target's module there.

    Args:
        text: the observation as JSON.
        sliced: the observation in the slice.
        place: the script that made the first.
    """
    for name in sorted(set(_CLASS_OF_CASE.findall(sliced))):
        text = text.replace(f'"{place.module}.{name}"', f'"{SCRIPT}.{name}"')
    return text


def with_defining_modules(text: str, sliced: str, place: InPlace) -> str:
    """Return an observation in the repository, with classes named by their defining module.

    A package may set itself as the module of its exports (`cls.__module__ = "package"`). A slice
    without the package's own code lacks that statement.

    Args:
        text: the observation as JSON.
        sliced: the observation in the slice.
        place: the script that made the first.
    """
    theirs, ours = set(_TYPE.findall(text)), set(_TYPE.findall(sliced))
    for label in sorted(ours - theirs):
        public = theirs.intersection(_public_names(label, place)) - ours
        if len(public) == 1:
            text = text.replace(f'"type":"{public.pop()}"', f'"type":"{label}"')
    return text


def _public_names(label: str, place: InPlace) -> Iterator[str]:
    """Yield the names of a class if packages around its module export it."""
    for module, _ in place.modules:
        is_script = place.is_merged or module == place.module
        owner = SCRIPT if is_script else module
        parts = module.split(".") if label.startswith(f"{owner}.") else []
        for depth in range(1, len(parts)):
            yield ".".join(parts[:depth]) + label[len(owner) :]


def aligned(
    sliced: Observation, original: Observation, place: InPlace
) -> tuple[Observation, Observation]:
    """Return both observations, with changed globals under the same names.

    A change that only the repository shows does not count if the name merely imports another
    module's.
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
    """Yield globals with merged modules, or else the target's module, under one name."""
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
    """Return the module-level name that a label begins with, under its true module name."""
    if label.startswith(f"{SCRIPT}."):
        label = place.module + label[len(SCRIPT) :]
    for name, _ in place.modules:
        if label.startswith(f"{name}."):
            first = label[len(name) + 1 :].partition(".")[0]
            return f"{name}.{first}"
    return label
