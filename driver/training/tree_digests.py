"""Digests of the syntax trees of many texts, on all processors."""

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


def tree_digests(texts: Iterable[str]) -> dict[str, str]:
    """Return the digest of each text's tree; of a text that is no Python, one of the text."""
    wanted = list(dict.fromkeys(texts))
    if len(wanted) < _LEAST:
        return {each: _digest(each) for each in wanted}
    spawning = multiprocessing.get_context("spawn")  # this process may have threads
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawning) as pool:
        return dict(zip(wanted, pool.map(_digest, wanted, chunksize=_BATCH), strict=True))


def _digest(text: str) -> str:
    found = candidate_digest(text)
    if found is not None:
        return found
    return hashlib.sha256(b"text\0" + text.encode("utf-8", "surrogatepass")).hexdigest()
