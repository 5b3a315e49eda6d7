"""Read tables of import names from files beside the modules that use them."""

from __future__ import annotations

import os


def read_rows(module_file: str, name: str) -> list[list[str]]:
    """Return the rows of a tab-separated table; a line that begins with `#` is a comment.

    Args:
        module_file: the `__file__` of the module beside the table.
        name: the name of the table's file.
    """
    with open(os.path.join(os.path.dirname(module_file), name), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]
