"""The protocol of the children; standard library only."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any


def answer(answer_of: Callable[[dict[str, Any]], Any]) -> None:
    """Answer each case in a process of its own, with a limit of `limit` CPU seconds if it says so.

    Args:
        answer_of: gives a list of edges, or a dictionary of other findings, for a case.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    out, sys.stdout = sys.stdout, sys.stderr  # tools print
    for case in json.load(sys.stdin):
        out.flush()
        child = os.fork()  # tools keep state, in `sys.modules` for one
        if child:
            _, status, used = os.wait4(child, 0)
            if status:
                out.write(json.dumps(_ended(case, status, used)) + "\n")
            continue
        if "limit" in case:
            resource.setrlimit(resource.RLIMIT_CPU, (case["limit"], case["limit"] + 5))
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


def _ended(case: dict[str, Any], status: int, used: resource.struct_rusage) -> dict[str, Any]:
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    limit = case.get("limit")
    return {
        "error": f"not done in {limit} s" if limit and late else f"ended with status {status}",
        "seconds": round(used.ru_utime + used.ru_stime, 3),
        "peak_mb": round(used.ru_maxrss / 1024, 1),
    }
