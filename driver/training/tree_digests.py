"""Digests of the syntax trees of many texts, each computed once, and on all processors."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from ..datasets.deduplication.tree_digest import candidate_digest

_BATCH = 500
_LEAST = 4 * _BATCH
"""Texts for which starting processes pays off."""


class TreeDigests(dict[str, str]):
    """The digest of each text's tree; of a text that is no Python, one of the text."""

    def __missing__(self, text: str) -> str:
        """Compute the digest of a text that was not added."""
        found = self[text] = _digest(text)
        return found

    def add_all(self, texts: Iterable[str]) -> None:
        """Compute the digests of many texts at once."""
        wanted = [each for each in dict.fromkeys(texts) if each not in self]
        if len(wanted) < _LEAST:
            self.update((each, _digest(each)) for each in wanted)
            return
        spawning = multiprocessing.get_context("spawn")  # this process may have threads
        with ProcessPoolExecutor(os.cpu_count(), mp_context=spawning) as pool:
            self.update(zip(wanted, pool.map(_digest, wanted, chunksize=_BATCH), strict=True))


def _digest(text: str) -> str:
    found = candidate_digest(text)
    if found is not None:
        return found
    return hashlib.sha256(b"text\0" + text.encode("utf-8", "surrogatepass")).hexdigest()
