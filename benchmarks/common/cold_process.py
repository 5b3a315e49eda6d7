"""Processes that are started cold, with the CPU time and memory that they take."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

SLICE_WITHOUT_COLLECTOR = """
import gc, sys
gc.disable()
gc.enable = lambda: None
from slicefunc.driver.cli.command import main
sys.exit(main())
"""
PARSE_WITHOUT_COLLECTOR = """
import ast, gc, sys
gc.disable()
for name in sys.stdin.read().splitlines():
    with open(name, "rb") as file:
        ast.parse(file.read())
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a process gave, and what it took."""

    exit: int
    output: str
    seconds: float
    """CPU time, user and system."""
    peak_mb: float


def measured(command: Sequence[str], stdin: str = "") -> Measured:
    """Run a command and take its resource usage from the kernel."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
        given.write(stdin.encode())
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Measured(
            process.returncode,
            output.read().decode(),
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024 / 1e6,
        )
