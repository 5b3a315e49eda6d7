"""Indexes on disk: the same answers as without, and nothing counted or embedded again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval import index_store
from slicefunc.llm.retrieval.bm25 import Bm25
from slicefunc.llm.retrieval.chunk_store import stored_chunks
from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.code_corpus import CodeCorpus
from slicefunc.llm.retrieval.index_store import IndexStore

TEXTS = ["area of a shape", "volume of a body", "read tokens of a file", "area of a file"]
words = st.sampled_from(["area", "shape", "body", "file", "read", "self", ""])
texts = st.lists(st.lists(words, max_size=5).map(" ".join), max_size=6)


class CountedAgainError(Exception):
    """Something was indexed that should be known."""


class Lengths:
    """A model whose vectors tell the length of a text; it remembers what it was asked."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fitted(self, texts: Sequence[str]) -> Lengths:
        return self

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([[len(each), 1] for each in texts], dtype=np.float32).reshape(-1, 2)


@given(texts, words)
def test_a_stored_index_scores_as_a_new_one(
    tmp_path_factory: pytest.TempPathFactory, found: list[str], query: str
) -> None:
    store = IndexStore(tmp_path_factory.mktemp("store"))
    for index in (store.bm25(found), store.bm25(found)):
        assert index.scores(query).tolist() == Bm25(found).scores(query).tolist()


def test_texts_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    IndexStore(tmp_path).bm25(TEXTS)

    class Failing(Bm25):
        def __init__(self, texts: Sequence[str]) -> None:
            if texts:
                raise CountedAgainError
            super().__init__(texts)

    monkeypatch.setattr(index_store, "Bm25", Failing)
    assert IndexStore(tmp_path).bm25(TEXTS).nearest("volume", 1) == [1]
    with pytest.raises(CountedAgainError):
        IndexStore(tmp_path).bm25(TEXTS[:2])


@pytest.mark.parametrize("broken", ["about.json", "vocab.index.json", "data.csc.index.npy"])
def test_an_index_that_is_not_whole_is_made_again(tmp_path: Path, broken: str) -> None:
    IndexStore(tmp_path).bm25(TEXTS)
    (file,) = tmp_path.glob(f"bm25/*/{broken}")
    for damage in (lambda: file.write_bytes(b"{"), file.unlink):
        damage()
        assert IndexStore(tmp_path).bm25(TEXTS).nearest("volume", 1) == [1]
        assert IndexStore(tmp_path).bm25(TEXTS).nearest("volume", 1) == [1]
        assert file.stat().st_size > 1


def test_the_index_that_was_read_longest_ago_goes(tmp_path: Path) -> None:
    store = IndexStore(tmp_path)
    places: list[Path] = []
    for number in (1, 2, 3):
        known = {*places}
        store.bm25(TEXTS[:number])
        places += {*tmp_path.glob("bm25/*")} - known
        os.utime(places[-1], (number, number))
    store.bm25(TEXTS[:1])  # is read, and so the newest
    size = sum(file.stat().st_size for file in tmp_path.glob("bm25/*/*"))
    IndexStore(tmp_path, most_bytes=size).bm25(TEXTS)
    assert [place.exists() for place in places[:2]] == [True, False]
    assert sum(file.stat().st_size for file in tmp_path.glob("bm25/*/*")) <= size


def test_an_index_larger_than_the_bound_is_used_all_the_same(tmp_path: Path) -> None:
    assert IndexStore(tmp_path, most_bytes=1).bm25(TEXTS).nearest("volume", 1) == [1]


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    model = Lengths()
    first = IndexStore(tmp_path).vectors(model, [*TEXTS, TEXTS[0]])
    again = IndexStore(tmp_path).vectors(model, ["new", *TEXTS])
    assert model.asked == [*TEXTS, "new"]
    assert first[:, 0].tolist() == [*map(len, TEXTS), len(TEXTS[0])]
    assert again[:, 0].tolist() == [3, *map(len, TEXTS)]
    assert IndexStore(tmp_path).vectors(model, []).shape == (0, 2)


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    one, other = Lengths(), Lengths()
    other.name = "other"
    for model in (one, other):
        IndexStore(tmp_path).vectors(model, TEXTS)
    assert other.asked == TEXTS


def test_what_was_embedded_before_a_failure_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_store, "_BATCH", 2)

    class Failing(Lengths):
        def embed(self, texts: Sequence[str]) -> Any:
            if self.asked:
                raise ConnectionError
            return super().embed(texts)

    with pytest.raises(ConnectionError):
        IndexStore(tmp_path).vectors(Failing(), TEXTS)
    model = Lengths()
    IndexStore(tmp_path).vectors(model, TEXTS)
    assert model.asked == TEXTS[2:]


@pytest.mark.parametrize("content", [b"no database at all, but text" * 99, b""])
def test_a_damaged_store_is_made_anew(tmp_path: Path, content: bytes) -> None:
    files = {"a.py": b"def f():\n    pass\n"}
    for name in ("vectors.sqlite", "chunks.sqlite"):
        (tmp_path / name).write_bytes(content)
    store = IndexStore(tmp_path)
    assert store.vectors(Lengths(), TEXTS)[:, 0].tolist() == list(map(len, TEXTS))
    assert [each.name for each in stored_chunks(files, store.chunks)] == ["f"]
    assert [each.name for each in stored_chunks(files, store.chunks)] == ["f"]


def test_threads_share_a_store(tmp_path: Path) -> None:
    def nearest(_: int) -> tuple[list[int], list[float]]:
        store = IndexStore(tmp_path)
        return store.bm25(TEXTS).nearest("volume", 1), store.vectors(Lengths(), TEXTS)[0].tolist()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(nearest, range(16))) == [([1], [15.0, 1.0])] * 16
    assert len(list(tmp_path.glob("bm25/*"))) == 1
    assert not list(tmp_path.glob("bm25/.new-*"))


def test_a_corpus_keeps_its_indexes(tmp_path: Path) -> None:
    model = Lengths()
    chunks = [Chunk("a.py", n, n, "block", "", text) for n, text in enumerate(TEXTS, 1)]
    for _ in range(2):
        corpus = CodeCorpus(chunks, model, IndexStore(tmp_path))
        assert corpus.by_words("volume").argmax() == 1
        assert corpus.by_vector("long") is not None
    assert len(model.asked) == len(TEXTS) + 2  # and the two queries
