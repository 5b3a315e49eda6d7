"""Slice targets that come as lines on standard input, and write a line of JSON for each.

It runs with whatever state of the code its search path names, also with one that cannot explain.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import sys
import time
from typing import Any

_SHOWN = 5


def main(folder: str) -> None:
    """Slice until the input ends."""
    slicer = importlib.import_module("slicefunc.slicer")
    explains = "explain" in inspect.signature(slicer.slice_function).parameters
    options: dict[str, Any] = {"explain": True} if explains else {}
    repository = slicer.Repository(folder)
    for line in sys.stdin:
        target = line.rstrip("\n")
        began = time.process_time()
        try:
            sliced = slicer.slice_function(repository, target, **options)
        except Exception as error:  # noqa: BLE001  # anything it raises is a result here
            row: dict[str, Any] = {"why_not": f"{type(error).__name__}: {error}"[:300]}
        else:
            row = {
                "lines": sliced.source.count("\n"),
                "definitions": len(sliced.manifest.definitions),
                "hubs": _hubs(sliced) if explains else [],
            }
        row["seconds"] = round(time.process_time() - began, 3)
        print(json.dumps(row), flush=True)
        gc.collect()
        gc.freeze()  # what the repository has learned stays


def _hubs(sliced: Any) -> list[dict[str, Any]]:  # noqa: ANN401  # of another state of the code
    """The reasons on which most hangs, each with what is said of the definition kept for it."""
    hubs = importlib.import_module("slicefunc.driver.explanations.reason_hubs")
    kept = {hubs.label_of(each.path, each.qualname): each for each in sliced.manifest.definitions}
    found: list[dict[str, Any]] = []
    for hub in hubs.hubs_of(sliced)[:_SHOWN]:
        definition, asker = kept.get(hub.kept), kept.get(hub.by)
        found.append(
            {
                "by": hub.by,
                "kept": hub.kept,
                "falls": hub.falls,
                "reason": definition.reason if definition else "",
                "asker_kind": _kind(hub.by, asker),
                "kept_kind": _kind(hub.kept, definition),
            }
        )
    return found


def _kind(label: str, definition: Any) -> str:  # noqa: ANN401
    """What a label stands for: a kept definition, a statement, or all that changes an object."""
    if definition is not None:
        return definition.kind
    return "changes of an object" if label.startswith("what changes ") else "statement"


if __name__ == "__main__":
    main(sys.argv[1])
