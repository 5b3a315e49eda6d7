"""Vectors of hashed words, weighted by how rare they are: no model, nothing to download.

Feature hashing with random signs (Weinberger et al., 2009) of TF-IDF weights. It finds shared words
and parts of words, not meaning.
"""

from __future__ import annotations

import math
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

        found = np.zeros((len(texts), _WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            for word, count in Counter(words_of(text)).items():
                place = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                weight = (1 + math.log(count)) * math.log(
                    (1 + self._documents) / (1 + self._known.get(word, 0)) + 1
                )
                found[row, place % _WIDTH] += weight if place >> 31 else -weight
        return unit_rows(found)
