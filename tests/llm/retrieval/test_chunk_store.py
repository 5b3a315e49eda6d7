"""Chunks on disk: what has not changed is not cut again."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval import chunk_store
from slicefunc.llm.retrieval.chunk_store import stored_chunks
from slicefunc.llm.retrieval.chunks import Chunk

FILES = {
    "b.py": b"import a\n\ndef f():\n    return a.g()\n",
    "a.py": b"class A:\n    def g(self):\n        return 1\n",
    "c.go": b"package c\n\nfunc main() {\n}\n",
}


class CutAgainError(Exception):
    """A file was cut that should be known."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "chunks.sqlite"


@pytest.fixture
def no_cutting(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, *_: object) -> None:
        raise CutAgainError(path)

    monkeypatch.setattr(chunk_store, "chunks_of", fail)


@pytest.fixture
def known(store: Path) -> list[Chunk]:
    """Chunks of files that were cut before the test."""
    return stored_chunks(FILES, store)


def test_chunks_come_by_path_and_in_the_order_of_each_file() -> None:
    found = [(each.path, each.name) for each in stored_chunks(FILES, None)]
    assert found == [
        ("a.py", "A"), ("a.py", "A.g"), ("b.py", ""), ("b.py", "f"), ("c.go", ""), ("c.go", "main"),
    ]  # fmt: skip


def test_a_store_changes_no_chunk(known: list[Chunk]) -> None:
    assert known == stored_chunks(FILES, None)


@pytest.mark.usefixtures("no_cutting")
def test_without_a_store_all_is_cut_each_time() -> None:
    with pytest.raises(CutAgainError):
        stored_chunks(FILES, None)


def test_what_is_known_is_not_cut_again(
    known: list[Chunk], store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_store, "chunks_of", None)
    assert stored_chunks(FILES, store) == known


@pytest.mark.usefixtures("known", "no_cutting")
def test_a_changed_file_is_cut_again(store: Path) -> None:
    changed = {**FILES, "b.py": FILES["b.py"] + b"\n"}
    with pytest.raises(CutAgainError, match=r"^b\.py$"):
        stored_chunks(changed, store)


@pytest.mark.usefixtures("known")
def test_a_changed_file_has_its_new_chunks(store: Path) -> None:
    changed = {**FILES, "b.py": b"def h():\n    return 2\n"}
    names = [each.name for each in stored_chunks(changed, store) if each.path == "b.py"]
    assert names == ["h"]


def test_a_moved_file_is_known_under_its_new_path(
    known: list[Chunk], store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_store, "chunks_of", None)
    moved = stored_chunks({"deep/z.py": FILES["a.py"]}, store)
    assert moved == [replace(each, path="deep/z.py") for each in known if each.path == "a.py"]


def test_the_same_content_at_two_paths_has_chunks_at_both(store: Path) -> None:
    twice = {"one.py": FILES["a.py"], "two.py": FILES["a.py"]}
    for _ in range(2):
        paths = [each.path for each in stored_chunks(twice, store)]
        assert paths == ["one.py", "one.py", "two.py", "two.py"]


def test_the_same_content_in_another_language_is_cut_for_itself(store: Path) -> None:
    content = b"def f():\n    return 1\n"
    stored_chunks({"a.py": content}, store)
    (other,) = stored_chunks({"a.js": content}, store)
    assert other.kind == "block"


def test_files_of_other_languages_have_no_chunks(store: Path) -> None:
    assert stored_chunks({"README.md": b"# def f(): pass", "Makefile": b"all:"}, store) == []


def test_more_files_than_one_question_takes_are_known(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"f{number}.py": b"x = %d\n" % number for number in range(1200)}
    first = stored_chunks(files, store)
    monkeypatch.setattr(chunk_store, "chunks_of", None)
    assert stored_chunks(files, store) == first
    assert len(first) == 1200


def test_many_threads_may_write_one_store(store: Path) -> None:
    start = threading.Barrier(8)

    def cut(number: int) -> list[Chunk]:
        files = {**FILES, f"own{number}.py": b"y = %d\n" % number}
        start.wait(60)
        return stored_chunks(files, store)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(cut, range(8)))
    assert all(len(each) == 7 for each in found)


@given(st.dictionaries(st.sampled_from(["a.py", "b.js", "c.rs"]), st.binary(max_size=60)))
def test_any_file_has_the_same_chunks_from_the_store(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    store = tmp_path_factory.mktemp("store") / "chunks.sqlite"
    fresh = stored_chunks(files, None)
    assert stored_chunks(files, store) == stored_chunks(files, store) == fresh
