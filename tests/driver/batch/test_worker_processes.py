from __future__ import annotations

import subprocess
import sys

# in a process of its own: a mask holds for one thread, and tests leave threads behind
INTERRUPTED = """
import os, signal, subprocess, sys
from slicefunc.driver.batch.worker_processes import _interrupts_wait
BLOCKED = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with _interrupts_wait():
        os.kill(os.getpid(), signal.SIGINT)
        subprocess.run([sys.executable, "-c", BLOCKED], check=True)
        print("started", flush=True)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_waits_while_a_worker_starts_and_then_reaches_the_parent_alone() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "started", "interrupted"], done.stderr
