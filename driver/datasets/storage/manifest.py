"""The form of a manifest: the tables and packs of a dataset, with sizes and digests, and counts."""

from __future__ import annotations

from itertools import chain
from typing import Any

_TABLES = ("environments", "functions", "repositories")
_COUNTED = ("splits", "licences", "reasons")


def is_manifest(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has what readers look for; anybody may have written it."""
    try:
        counts, tables = manifest["counts"], manifest["tables"]
        files = [*chain.from_iterable(tables[name] for name in _TABLES), *manifest["blobs"]]
        numbers = [each["bytes"] for each in files]
        numbers += [each["rows"] for name in _TABLES for each in tables[name]]
        numbers += [number for name in _COUNTED for number in counts[name].values()]
        texts = [each[name] for each in files for name in ("file", "sha256")]
        return (
            "schema" in manifest
            and tables.keys() == set(_TABLES)
            and all(isinstance(each, str) for each in texts)
            and all(isinstance(each, int) for each in (*numbers, counts["duplicates"]))
            and len({each["file"] for each in files}) == len(files)
            and all(counts[name] == sum(e["rows"] for e in tables[name]) for name in _TABLES)
        )
    except (AttributeError, KeyError, TypeError):
        return False
