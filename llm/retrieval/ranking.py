"""Rankings of chunks for a query, and the first ones that may be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .chunks import Chunk
from .code_corpus import CodeCorpus
from .target_guard import HiddenTarget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched."""

    text: str
    """Words or code."""
    target: HiddenTarget | None = None
    """What is to be written: neither it nor a copy is found."""
    other_files: bool = False
    """Whether only files beside the target's count."""


Ranker = Callable[[CodeCorpus, Query], "NDArray[np.float32]"]
"""Returns a score for each chunk."""
Reranker = Callable[[Query, list[Chunk]], list[Chunk]]
"""Returns the chunks in another order."""


def bm25(corpus: CodeCorpus, query: Query) -> NDArray[np.float32]:
    """Rank by shared words."""
    return corpus.by_words(query.text)


def dense(corpus: CodeCorpus, query: Query) -> NDArray[np.float32]:
    """Rank by the cosine of vectors."""
    return corpus.by_vector(query.text)


def hybrid(weight: float) -> Ranker:
    """Rank by a weighted mean of both, each scaled to 1 at its best chunk.

    Args:
        weight: that of the vectors, from 0 to 1.
    """
    import numpy as np

    def rank(corpus: CodeCorpus, query: Query) -> NDArray[np.float32]:
        near, shared = scaled(dense(corpus, query)), scaled(bm25(corpus, query))
        return (weight * near + (1 - weight) * shared).astype(np.float32)

    return rank


def scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return scores divided by the highest one."""
    best = float(scores.max()) if len(scores) else 0.0
    return (scores / best).astype(scores.dtype) if best > 0 else scores


def best_chunks(
    corpus: CodeCorpus,
    query: Query,
    ranker: Ranker,
    count: int,
    reranker: Reranker | None = None,
) -> list[Chunk]:
    """Return the first chunks of a ranking that may be shown, without repetitions.

    Args:
        corpus: the repository.
        query: what is searched.
        ranker: gives scores.
        count: maximum number of chunks.
        reranker: orders four times as many, of which the first are returned.
    """
    scores = ranker(corpus, query)
    wanted = 4 * count if reranker else count
    found: list[Chunk] = []
    for chunk in _allowed(corpus, scores, query):
        found.append(chunk)
        if len(found) >= wanted:
            break
    return reranker(query, found)[:count] if reranker else found


def _allowed(corpus: CodeCorpus, scores: NDArray[np.float32], query: Query) -> Iterator[Chunk]:
    """Yield chunks with a score above 0, the best first; of equal texts or symbols only one."""
    import numpy as np

    texts: set[str] = set()
    symbols: set[tuple[str, str, str]] = set()
    order: list[int] = np.argsort(-np.round(scores, 6), kind="stable").tolist()
    for number in order:
        if scores[number] <= 0:
            return
        chunk, target = corpus.chunks[number], query.target
        if target is not None:
            if query.other_files and chunk.path == target.path:
                continue
            if target.is_in(chunk):
                continue
        head = chunk.text.lstrip().partition("\n")[0]
        text, symbol = " ".join(chunk.text.split()), (chunk.path, chunk.name, head)
        if text in texts or (chunk.kind != "block" and symbol in symbols):
            continue
        texts.add(text)
        symbols.add(symbol)
        yield chunk
