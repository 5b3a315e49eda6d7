"""The table of families in docs/reference/mocks.md; run as a module to write it anew."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from slicefunc.mocker.contacts import Family
from slicefunc.mocker.families import FAMILIES

DOCS = Path(__file__).parent.parent.parent / "docs/reference/mocks.md"
BEGIN, END = "<!-- families -->\n", "<!-- end of families -->\n"


def table() -> str:
    """A row for each family, in the order in which they are asked: from their own docstrings."""
    rows = "".join(
        f"| {family.name} | {_summary(_module(family).__doc__)} | {_summary(family.stub.__doc__)}"
        f" | {', '.join(dict.fromkeys(_fakes(family)))} |\n"
        for family in (listed.family() for listed in FAMILIES)
    )
    return f"| family | what it is for | what there is instead | fakes |\n|---|---|---|---|\n{rows}"


def _module(family: Family):
    return sys.modules[family.stub.__module__]


def _summary(docstring: str | None) -> str:
    return " ".join((docstring or "").partition("\n\n")[0].split()).replace("|", r"\|")


def _fakes(family: Family) -> Iterator[str]:
    """Names of what its scripts need installed, as its source has them."""
    for node in ast.walk(ast.parse(inspect.getsource(_module(family)))):
        if isinstance(node, ast.keyword) and node.arg == "requirements":
            for text in ast.walk(node.value):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield f"`{text.value.partition('>')[0].partition('[')[0]}`"


def with_table(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, behind = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{behind}"


if __name__ == "__main__":
    DOCS.write_text(with_table(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
