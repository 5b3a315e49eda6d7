"""The journal of a build."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.journal import HEADER, Journal
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.slicer.errors import OptionError

_HOLDS = """
import fcntl, sys
lock = open(sys.argv[1], "ab")
fcntl.lockf(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_two_builds_do_not_write_to_one_place(tmp_path: Path) -> None:
    store = Store.at(str(tmp_path / "dataset"))
    store.write(HEADER, b"{}")
    words = [sys.executable, "-c", _HOLDS, tmp_path / "dataset/.build/lock"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(OptionError, match="another process writes to"):
            Journal.open(store, {}, resumes=True)
        other.kill()
    Journal.open(store, {}, resumes=True)


@pytest.mark.parametrize("text", [b"", b"[", b"[1]"])
def test_a_damaged_header_is_named(tmp_path: Path, text: bytes) -> None:
    store = Store.at(str(tmp_path / "dataset"))
    store.write(HEADER, text)
    with pytest.raises(OptionError, match="is damaged"):
        Journal.open(store, {}, resumes=True)
