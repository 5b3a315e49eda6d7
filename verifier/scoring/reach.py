"""Whether the original is installed where candidates run, so that one could simply call it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..executors.interface import Job
from .oracle import Runs
from .substitute import module_names

_LOOK = """\
import importlib.util, json, sys
for name in {names!r}:
    try:
        spec = importlib.util.find_spec(name)
        with open(spec.origin, encoding="utf-8") as file:
            text = file.read().replace("\\r\\n", "\\n")
    except Exception:
        continue
    if {text!r} in text:
        print(json.dumps(name))
"""


def installed_originals(run: Runs, path: str, definitions: Sequence[str]) -> tuple[str, ...]:
    """Names of installed modules that hold the target's own text.

    Args:
        run: runs a job, with the interpreter that candidates get.
        path: of the target's file in the repository.
        definitions: the target's texts, with line feeds alone.
    """
    names = list(module_names(path))
    found: dict[str, None] = {}
    for text in definitions:
        outcome = run(Job(_LOOK.format(names=names, text=text)))
        for line in outcome.stdout.decode("utf-8", "replace").splitlines():
            found[str(json.loads(line))] = None
    return tuple(found)
