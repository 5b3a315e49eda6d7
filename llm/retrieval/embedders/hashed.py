"""Vectors of hashed words, weighted by how rare they are: no model, nothing to download.

Feature hashing with random signs (Weinberger et al., 2009) of TF-IDF weights. It finds shared words
and parts of words, not meaning.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..words import words_of
from .unit_rows import unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDTH = 1024
_BLOCK = 4096
"""Texts whose rows are summed at once."""


class HashedEmbedder:
    """Turns texts into vectors of hashed words."""

    name = f"hashed-{_WIDTH}"

    def __init__(self, documents: int = 0, known: Mapping[str, int] | None = None) -> None:
        """Take in how many of so many texts each word occurs; of none, all are worth the same."""
        self._documents = documents
        self._known = known or {}

    def fitted(self, texts: Sequence[str]) -> HashedEmbedder:
        """Return an embedder that has counted in how many texts each word occurs."""
        known: Counter[str] = Counter()
        for text in texts:
            known.update(set(words_of(text)))
        return HashedEmbedder(len(texts), known)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text; of zeros for one without words."""
        import numpy as np

        blocks = [self._block(texts[i : i + _BLOCK]) for i in range(0, len(texts), _BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros((0, _WIDTH), dtype=np.float32)

    def _block(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        numbers: dict[str, int] = {}
        rows: list[int] = []
        words: list[int] = []
        for row, text in enumerate(texts):
            found = [numbers.setdefault(word, len(numbers)) for word in words_of(text)]
            words += found
            rows += [row] * len(found)
        hashes = np.array([zlib.crc32(w.encode("utf-8", "surrogatepass")) for w in numbers], "u4")
        signs = np.where(hashes >> 31, 1.0, -1.0)
        known = np.array([self._known.get(word, 0) for word in numbers], dtype=np.float64)
        rarity = np.log((1 + self._documents) / (1 + known) + 1)
        size = max(1, len(numbers))
        pairs, counts = np.unique(
            np.array(rows, dtype=np.int64) * size + np.array(words, dtype=np.int64),
            return_counts=True,
        )
        row, word = pairs // size, pairs % size
        sums = np.bincount(
            row * _WIDTH + hashes[word] % _WIDTH,
            weights=(1 + np.log(counts)) * rarity[word] * signs[word],
            minlength=len(texts) * _WIDTH,
        )
        return unit_rows(sums.reshape(len(texts), _WIDTH))
