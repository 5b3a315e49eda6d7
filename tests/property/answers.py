"""Answers from outside for generated programs: what is inferred, and what comes of one."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slicefunc.mocker.core.border import find_border
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.shapes.answer_shape import Kind, Variant, variants_at
from slicefunc.slicer import Repository, slice_function

if TYPE_CHECKING:
    from collections.abc import Iterator

ABSENT = object()


def variants(source: str, kind: Kind = "json") -> tuple[Variant, ...]:
    """What `outside.fetch()` can give to a program."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(source)
        repository = Repository(folder)
        sliced = slice_function(repository, "program.py::Task.run")
        border = find_border(repository, sliced, Settings())
        return variants_at(border, "outside.fetch()", kind=kind)


def run(source: str, answer: object) -> object:
    """What `Task.run` returns when `outside.fetch()` gives this."""
    module = types.ModuleType("outside")
    module.fetch = lambda: answer
    sys.modules["outside"] = module
    try:
        names: dict[str, object] = {}
        exec(compile(source, "program.py", "exec"), names)
        return names["Task"]().run()
    finally:
        del sys.modules["outside"]


@dataclass(frozen=True)
class Change:
    """A place at which two answers differ."""

    path: tuple[object, ...]
    before: object
    after: object


def changes(before: object, after: object, path: tuple[object, ...] = ()) -> Iterator[Change]:
    """Where two answers differ; what is written as JSON is looked into."""
    old, new = before, after
    if isinstance(before, str) and isinstance(after, str):
        with contextlib.suppress(ValueError):
            old, new = json.loads(before), json.loads(after)
    match old, new:
        case dict(), dict() if new or len(old) == 1:
            for key in dict.fromkeys((*old, *new)):
                yield from changes(old.get(key, ABSENT), new.get(key, ABSENT), (*path, key))
        case list(), list() if len(old) == len(new):
            for place, (one, other) in enumerate(zip(old, new, strict=True)):
                yield from changes(one, other, (*path, place))
        case _ if old != new or type(old) is not type(new):
            yield Change(path, old, new)
        case _:
            pass
