"""The chunks of a repository, and how well each fits a query by its words and by its vector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .bm25 import Bm25
from .chunk_store import stored_chunks
from .chunks import Chunk
from .embedders import Embedder
from .index_store import IndexStore
from .source_files import source_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CodeCorpus:
    """The chunks of one state of a repository."""

    def __init__(
        self, chunks: Sequence[Chunk], embedder: Embedder, store: IndexStore | None = None
    ) -> None:
        """Take the chunks, what turns their texts into vectors, and where indexes are kept."""
        self.chunks = tuple(chunks)
        self._embedder = embedder
        self._store = store

    @cached_property
    def texts(self) -> list[str]:
        """What a chunk is found by: its path, its name and its text."""
        return [f"{each.path} {each.name}\n{each.text}" for each in self.chunks]

    def by_words(self, query: str) -> NDArray[np.float32]:
        """Return the BM25 score of each chunk."""
        return self._bm25.scores(query)

    def by_vector(self, query: str) -> NDArray[np.float32]:
        """Return the cosine of each chunk's vector and the query's."""
        embedder, vectors = self._embedded
        (row,) = embedder.embed([query])
        return vectors @ row

    @cached_property
    def _bm25(self) -> Bm25:
        return self._store.bm25(self.texts) if self._store else Bm25(self.texts)

    @cached_property
    def _embedded(self) -> tuple[Embedder, NDArray[np.float32]]:
        embedder = self._embedder.fitted(self.texts)
        if self._store and embedder is self._embedder:  # it has learnt nothing from the texts
            return embedder, self._store.vectors(embedder, self.texts)
        return embedder, embedder.embed(self.texts)


def corpus_of(folder: Path, embedder: Embedder, store: IndexStore | None = None) -> CodeCorpus:
    """Return the corpus of a repository as it is now.

    Args:
        folder: the repository.
        embedder: turns texts into vectors.
        store: where indexes are kept, so that what has not changed is not indexed again.
    """
    files = {path: (folder / path).read_bytes() for path in source_files(folder)}
    return CodeCorpus(stored_chunks(files, store and store.chunks), embedder, store)
