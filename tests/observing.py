"""Calls of an original or of a slice, observed in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

OBSERVER = Path(__file__).with_name("observe_calls.py")


def observed(request: Mapping[str, object], cwd: Path, seconds: int = 60) -> object:
    """What the calls of a request do, as `observe_calls` documents it."""
    server = _server()
    assert server.stdin
    assert server.stdout
    asked = {"request": request, "cwd": str(cwd), "seconds": seconds}
    server.stdin.write(json.dumps(asked) + "\n")
    server.stdin.flush()
    done = json.loads(server.stdout.readline())
    answer = done["out"].partition("\n")[0]
    return json.loads(answer) if answer else {"process_failed": done["err"]}


@lru_cache(maxsize=1)
def _server() -> subprocess.Popen[str]:
    """What forks those processes: to start Python anew for each would be most of the time."""
    return subprocess.Popen(
        [sys.executable, "-I", "-B", str(OBSERVER)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
