"""Stores that fail now and then."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from slicefunc.driver.datasets.storage.store import Store, StoreError, new_store


class Flaky:
    """A file system of a folder in which every so many calls fail."""

    def __init__(self, inner: Any, every: int, error: Exception) -> None:
        self.inner, self.every, self.error, self.calls = inner, every, error, 0
        self.protocol = "flaky"

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)

        def call(*arguments: Any, **options: Any) -> Any:
            self.calls += 1
            if self.calls % self.every == 0:
                raise self.error
            return found(*arguments, **options)

        return call


def _flaky(folder: Path, every: int, error: Exception) -> tuple[Store, list[float]]:
    waits: list[float] = []
    inner = Store.at(f"local://{folder}")
    folder.mkdir(exist_ok=True)
    return Store(str(folder), Flaky(inner.system, every, error), str(folder), waits.append), waits


def test_a_call_that_fails_now_and_then_is_tried_again(tmp_path: Path) -> None:
    store, waits = _flaky(tmp_path / "s", 2, ConnectionResetError("reset"))
    for number in range(10):
        store.write(f"{number}", b"x")
        assert store.read(f"{number}") == b"x"
    assert waits
    assert all(0 < wait < 1 for wait in waits)


def test_a_call_that_always_fails_is_one_error_with_advice(tmp_path: Path) -> None:
    store, waits = _flaky(tmp_path / "s", 1, ConnectionResetError("reset"))
    with pytest.raises(StoreError, match="ConnectionResetError: reset") as caught:
        store.read("a")
    assert "--resume" in caught.value.advice
    assert len(waits) == 7


def test_what_another_try_does_not_mend_is_told_at_once(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    store, waits = _flaky(tmp_path / "s", 1, full)
    with pytest.raises(OSError, match="No space left"):
        store.write("a", b"x")
    assert waits == []


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    store = Store.at(str(tmp_path / "s"))
    store.write("a/b", b"1")
    (tmp_path / "s/a/c").mkdir()
    with pytest.raises(OSError, match="directory"):
        store.write("a/c", b"2")
    assert store.names() == ["a/b"]
    assert [each.name for each in sorted((tmp_path / "s/a").iterdir())] == ["b", "c"]


def test_what_is_removed_is_gone(tmp_path: Path) -> None:
    store = Store.at(str(tmp_path / "s"))
    store.write("a/b", b"1")
    store.remove("a")
    store.remove("never")
    assert store.names() == []
    with pytest.raises(FileNotFoundError):
        store.read("a/b")


def test_a_new_store_is_empty(tmp_path: Path) -> None:
    assert new_store(str(tmp_path / "absent")).names() == []
    (tmp_path / "a").write_text("")
    with pytest.raises(StoreError, match="is not empty"):
        new_store(str(tmp_path))


def test_an_unknown_protocol_is_one_line() -> None:
    with pytest.raises(StoreError, match="nowhere"):
        Store.at("nowhere://bucket")


def test_files_can_be_read_at_any_position(tmp_path: Path) -> None:
    store = Store.at(str(tmp_path))
    store.write("a", b"0123456789")
    file: BinaryIO
    with store.open("a") as file:
        file.seek(4)
        assert file.read(2) == b"45"
