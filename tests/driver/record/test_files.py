from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

import pytest
from slicefunc.driver.record.output_files import (
    OutputError,
    require_writable,
    write_file,
    write_or_keep,
    write_tree,
)
from slicefunc.slicer.model import EmittedFile


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    place = tmp_path / "script.py"
    place.write_bytes(b"old")
    place.chmod(0o750)
    write_file(place, b"new\r\n")
    assert place.read_bytes() == b"new\r\n"
    assert place.stat().st_mode & 0o777 == 0o750


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").touch()
    (tmp_path / "link.py").symlink_to("real.py")
    write_file(tmp_path / "link.py", b"new")
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"new"


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"new")
    reader.join()
    assert got == [b"new"]
    assert pipe.is_fifo()


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="does not exist"):
        write_file(tmp_path / "no/script.py", b"new")
    with pytest.raises(OutputError, match="does not exist"):
        write_tree(tmp_path / "no/tree", [])
    assert not list(tmp_path.iterdir())


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder"):
        write_file(tmp_path, b"new")


def test_a_null_byte_in_the_name_is_reported() -> None:
    with pytest.raises(OutputError, match="null"):
        write_file("a\0b", b"new")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "script.py"
    place.write_bytes(b"old")

    def half(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OutputError, match="No space left"):
        write_file(place, b"new and long")
    monkeypatch.undo()
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_tree_appears_whole(tmp_path: Path) -> None:
    write_tree(tmp_path / "out", [EmittedFile("a.py", b"1"), EmittedFile("p/q/b.py", b"2")])
    assert (tmp_path / "out/p/q/b.py").read_bytes() == b"2"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_tree_goes_into_an_empty_folder_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write_tree(out, [EmittedFile("a.py", b"1")])
    with pytest.raises(OutputError, match="not empty"):
        write_tree(out, [EmittedFile("b.py", b"2")])
    assert [p.name for p in out.iterdir()] == ["a.py"]


@pytest.mark.parametrize("path", ["../evil.py", "/evil.py", "a/../../evil.py"])
def test_a_tree_stays_inside_its_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError, match="outside"):
        write_tree(tmp_path / "out", [EmittedFile(path, b"1")])
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write /proc/x"):
        require_writable(Path("/proc/x"))
    require_writable(tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_a_result_is_kept_where_its_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = tmp_path / "gone" / "a.py"
    with pytest.raises(OutputError, match="gone does not exist") as found:
        write_or_keep(gone, lambda place: write_file(place, b"1"))
    (kept,) = tmp_path.glob("slice-func-*/a.py")
    assert kept.read_bytes() == b"1"
    assert str(kept) in found.value.advice
