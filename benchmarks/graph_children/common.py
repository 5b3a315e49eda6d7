"""The protocol of the children; standard library only."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any


def answer(answer_of: Callable[[dict[str, Any]], Any]) -> None:
    """Answer each case in a process of its own.

    Args:
        answer_of: gives a list of edges, or a dictionary of other findings, for a case.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    out, sys.stdout = sys.stdout, sys.stderr  # tools print
    for case in json.load(sys.stdin):
        out.flush()
        child = os.fork()  # tools keep state, in `sys.modules` for one
        if child:
            _, status = os.waitpid(child, 0)
            if status:
                out.write(json.dumps({"error": f"ended with status {status}"}) + "\n")
            continue
        record = {}
        try:
            found = answer_of(case)
            record = found if isinstance(found, dict) else {"edges": sorted(set(found))}
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its result
            record["error"] = f"{type(error).__name__}: {error}"[:300]
        record["seconds"] = round(time.process_time(), 3)
        record["peak_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
        out.write(json.dumps(record) + "\n")
        out.flush()
        os._exit(0)
