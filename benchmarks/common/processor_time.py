"""Processor time of a whole program: its threads, and all that it starts, whoever waits for it.

The kernel's accounts of children miss what a sandbox runs, a control group of one's own does not.
The clock on the wall says nothing on a shared machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from pathlib import Path

_ACCOUNTS = Path("/sys/fs/cgroup/cpuacct")
_NANOSECONDS = 1e9

Clock = Callable[[], float]
"""Seconds so far."""


@contextlib.contextmanager
def accounted() -> Generator[Clock]:
    """Count what this process and all that it starts from here on use; gives a clock in seconds.

    Raises:
        OSError: no control group can be made.
    """
    group = _ACCOUNTS / f"benchmark-{os.getpid()}"
    group.mkdir()
    own = str(os.getpid())
    try:
        (group / "cgroup.procs").write_text(own)
        yield lambda: int((group / "cpuacct.usage").read_text()) / _NANOSECONDS
    finally:
        (_ACCOUNTS / "cgroup.procs").write_text(own)
        with contextlib.suppress(OSError):  # a process that was ended may count a moment longer
            group.rmdir()
