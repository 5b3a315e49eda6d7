"""The name under which a script carries a module: as what needs it imports it.

A file of a folder without `__init__.py` does not say by itself what it is called.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..slicer import Repository
from ..slicer.model import Slice


def carried_name(repository: Repository, sliced: Slice, path: str) -> str:
    """The name of a file's module in the script; its own where the script does not carry it.

    Args:
        repository: where the slice is from.
        sliced: the slice.
        path: of the file.
    """
    return _carried(sliced.source).get(path) or repository.module_name(path)


@lru_cache(maxsize=4)
def _carried(script: str) -> dict[str, str]:
    """Path of each file that the script carries → the first name under which it does."""
    found = re.findall(r"^'([\w.]+)': \('([^'\n]+)', (?:True|False), \(", script, re.MULTILINE)
    return {path: name for name, path in reversed(found)}
