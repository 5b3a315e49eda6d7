from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from slicefunc.driver.batch.worker_processes import _interrupts_wait

BLOCKED = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"


def test_an_interrupt_waits_while_a_worker_starts_and_then_reaches_the_parent_alone() -> None:
    def start() -> None:
        with _interrupts_wait():
            os.kill(os.getpid(), signal.SIGINT)
            command = [sys.executable, "-c", BLOCKED]
            told.append(subprocess.run(command, capture_output=True, check=True).stdout)

    told: list[bytes] = []
    with pytest.raises(KeyboardInterrupt):
        start()
    assert told == [b"True\n"]
