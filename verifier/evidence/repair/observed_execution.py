"""Observe which code runs in the repository and is missing in the slice, likeliest first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from ...execution.executors.interface import Case, Determinism, Job
from ...scoring.oracle.oracle import Runs
from ..faithfulness import LIMITS
from ..in_place import in_place_script
from ..in_place.case_names import in_own_namespaces
from ..in_place.in_place_script import InPlace, carried_function

if TYPE_CHECKING:
    from ....slicer.model import Manifest

_MARK = ">>> execution: "
_WATCHED = frozenset({"variable", "class", "statement"})

Place = tuple[str, int]
"""A file of the repository, and a line."""


@dataclass(frozen=True, slots=True)
class Execution:
    """Statements and functions that ran in the repository and that the slice lacks."""

    functions: tuple[Place, ...] = ()
    """Functions that calls of the target ran."""
    wrote: tuple[Place, ...] = ()
    """Statements that changed what the slice reads, while the target's module was imported."""
    ran: tuple[Place, ...] = ()
    """All other statements that ran then, except those that only bind names."""


def execution(
    run: Runs,
    place: InPlace,
    manifest: Manifest,
    cases: Sequence[Case],
    determinism: Determinism,
) -> Execution:
    """Run the cases in the repository, and record what runs.

    Args:
        run: runs a job where the repository can be read.
        place: the script that runs there.
        manifest: the slice's manifest.
        cases: calls of the target.
        determinism: settings of the run.
    """
    texts = [
        in_own_namespaces(each.renamed("the_case"), dict(place.elsewhere)).code for each in cases
    ]
    kept: dict[str, list[tuple[int, int]]] = {}
    for each in manifest.lines:
        kept.setdefault(each.path, []).append((each.line, each.line + each.count - 1))
    noting = (files(in_place_script.__package__ or "") / "execution_in_place.py").read_text(
        encoding="utf-8"
    )
    called = (
        f"_note_execution({str(place.folder)!r}, {kept!r}, {list(_roots(place, manifest))!r},"
        f" lambda: {place.call}, {texts!r})\n"
    )
    script = f"{place.head}{carried_function(noting)}\n\n{called}"
    outcome = run(Job(script, determinism=determinism, limits=LIMITS))
    return _read(outcome.stdout.decode("utf-8", "replace"))


def _roots(place: InPlace, manifest: Manifest) -> Iterable[tuple[str, str]]:
    """Yield module and name of the mutable definitions in the slice."""
    named = {path: module for module, path in place.modules}
    for each in manifest.definitions:
        if each.kind in _WATCHED and "." not in each.qualname and not each.qualname.startswith("<"):
            yield from ((named[each.path], name) for name in each.qualname.split(", "))


def _read(text: str) -> Execution:
    """Decode the untrusted report of a run; anything but lists of places is ignored."""
    lines = [line for line in text.splitlines() if line.startswith(_MARK)]
    try:
        decoded: object = json.loads(lines[-1].removeprefix(_MARK)) if lines else {}
    except ValueError:
        return Execution()
    record = cast("dict[str, object]", decoded) if isinstance(decoded, dict) else {}
    return Execution(*(tuple(_places(record.get(k))) for k in ("functions", "wrote", "ran")))


def _places(value: object) -> Iterable[Place]:
    for item in cast("list[object]", value) if isinstance(value, list) else ():
        match item:
            case [str() as path, int() as line]:
                yield path, line
            case _:
                continue
