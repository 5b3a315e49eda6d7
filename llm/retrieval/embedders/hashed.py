"""Vectors of hashed words, weighted by how rare they are: no model, nothing to download.

Feature hashing with random signs (Weinberger et al., 2009) of TF-IDF weights. It finds shared words
and parts of words, not meaning.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..words import words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDTH = 1024


class HashedEmbedder:
    """Turns texts into vectors of hashed words."""

    name = f"hashed-{_WIDTH}"

    def __init__(self) -> None:
        """Know nothing of words yet: all are worth the same."""
        self._documents = 0
        self._known: Counter[str] = Counter()

    def fit(self, texts: Sequence[str]) -> None:
        """Count in how many texts each word occurs."""
        self._documents = len(texts)
        for text in texts:
            self._known.update(set(words_of(text)))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row of length 1 for each text; of zeros for one without words."""
        import numpy as np

        found = np.zeros((len(texts), _WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            for word, count in Counter(words_of(text)).items():
                place = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                weight = (1 + np.log(count)) * np.log(
                    (1 + self._documents) / (1 + self._known[word]) + 1
                )
                found[row, place % _WIDTH] += weight if place >> 31 else -weight
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(norms == 0, 1, norms)
