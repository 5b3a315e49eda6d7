"""Whether the original lies where candidates run, so that one could simply call it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..executors.interface import Job
from .oracle import Runs
from .substitute import module_names

_LOOK = """\
import importlib.util, json, sys
for name in {names!r}:
    try:
        origin = name if name[:1] == "/" else importlib.util.find_spec(name).origin
        with open(origin, encoding="utf-8") as file:
            text = file.read().replace("\\r\\n", "\\n")
    except Exception:
        continue
    if {text!r} in text:
        print("\\n{mark}" + json.dumps(name))
"""
_MARK = "in reach: "
"""Before what we say ourselves: packages print when they are imported, too."""


def originals_in_reach(
    run: Runs, path: str, definitions: Sequence[str], folder: Path
) -> tuple[str, ...]:
    """Names of installed modules that hold the target's own text, or its file itself.

    Args:
        run: runs a job, with the interpreter that candidates get.
        path: of the target's file in the repository.
        definitions: the target's texts, with line feeds alone.
        folder: the repository, which may lie where an interpreter does.
    """
    names = [*module_names(path), str(folder.resolve() / path)]
    found: dict[str, None] = {}
    for text in definitions:
        outcome = run(Job(_LOOK.format(names=names, text=text, mark=_MARK)))
        for line in outcome.stdout.decode("utf-8", "replace").splitlines():
            for name in names:
                if line == f"{_MARK}{json.dumps(name)}":
                    found[name] = None
    return tuple(found)
