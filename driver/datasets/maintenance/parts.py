"""Ways to split a dataset: name of each part → ids of its environments."""

from __future__ import annotations

import hashlib
import re

from ..storage.dataset import Dataset

_NAME = re.compile(r"[^\w.-]+")


def by_column(dataset: Dataset, column: str) -> dict[str, frozenset[str]]:
    """Return a part for each value of a column; its name is the value, fit for a folder."""
    parts: dict[str, set[str]] = {}
    for row in dataset.rows():
        value = str(getattr(row, column) or "unknown")
        parts.setdefault(_NAME.sub("-", value).strip(".-") or "other", set()).add(row.id)
    return {name: frozenset(ids) for name, ids in sorted(parts.items())}


def by_fraction(dataset: Dataset, fraction: float, seed: int) -> dict[str, frozenset[str]]:
    """Return `train` and `eval`; which a repository is in hangs on its name and the seed alone.

    So a repository stays where it is when others join.
    """

    def is_eval(repo: str) -> bool:
        digest = hashlib.sha256(f"{seed}\0{repo}".encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8], "big") < fraction * 2**64

    rows = [(row.id, is_eval(row.repo)) for row in dataset.rows()]
    parts = {
        "eval": frozenset(identity for identity, evaluates in rows if evaluates),
        "train": frozenset(identity for identity, evaluates in rows if not evaluates),
    }
    return {name: ids for name, ids in parts.items() if ids}
