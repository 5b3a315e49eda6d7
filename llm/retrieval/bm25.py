# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""BM25 (Robertson and Zaragoza, 2009) over chunks; the library has no types."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from .words import words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ABOUT = "about.json"
_K1 = 1.2
_B = 0.75


class Bm25:
    """An index of texts, which are numbered by their position."""

    def __init__(self, texts: Sequence[str], words: Sequence[Sequence[str]] | None = None) -> None:
        """Count the words of the texts; they are given where they are known already."""
        import bm25s

        tokens = [list(words_of(text)) for text in texts] if words is None else list(words)
        self._count = len(tokens)
        self._index = bm25s.BM25(method="lucene", k1=_K1, b=_B)
        self._is_empty = not any(tokens)
        if not self._is_empty:
            self._index.index(tokens, show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read an index that was saved.

        Raises:
            OSError: there is none.
            ValueError: it is not whole.
        """
        import bm25s

        about = json.loads((folder / _ABOUT).read_text("utf-8"))
        found = cls(())
        found._count, found._is_empty = about["count"], about["is_empty"]
        if not found._is_empty:
            found._index = bm25s.BM25.load(str(folder), show_progress=False)
        return found

    def save(self, folder: Path) -> None:
        """Write the index into a folder."""
        if not self._is_empty:
            self._index.save(str(folder), show_progress=False)
        about = {"count": self._count, "is_empty": self._is_empty}
        (folder / _ABOUT).write_text(json.dumps(about), "utf-8")

    def scores(self, query: str) -> NDArray[np.float32]:
        """Return how well each text fits a query, 0 where they share no word."""
        import numpy as np

        words = [each for each in dict.fromkeys(words_of(query)) if self._knows(each)]
        if not words:
            return np.zeros(self._count, dtype=np.float32)
        return self._index.get_scores(words)

    def nearest(self, query: str, count: int) -> list[int]:
        """Return the texts that share words with the query, the most similar first."""
        import numpy as np

        scores = np.round(self.scores(query), 6)
        order: list[int] = np.argsort(-scores, kind="stable")[:count].tolist()
        return [number for number in order if scores[number] > 0]

    def _knows(self, word: str) -> bool:
        return not self._is_empty and word in self._index.vocab_dict
