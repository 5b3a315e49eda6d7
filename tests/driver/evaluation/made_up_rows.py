"""Environments that tests make up: what a model reads of them, and no cases."""

from __future__ import annotations

from typing import Any

from slicefunc.driver.datasets.storage.columns import EnvironmentRow

SIGNATURE = "def larger(left, right):"


def file_text(docstring: str | None, signature: str = SIGNATURE, space: str = "") -> str:
    """The text of a file with a hole, and another function above it that has one, too."""
    quoted = f"{space}    {quoted_text(docstring)}\n" if docstring else ""
    return f"def other():\n    ...\n\n\n{space}{signature}\n{quoted}{space}    ...\n\n\nLAST = 1\n"


def quoted_text(docstring: str) -> str:
    """A docstring as it stands in the prompts of environments."""
    inner = docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{inner}{" " if inner.endswith(chr(34)) else ""}"""'


def row_of(
    docstring: str | None, prompt: str, *, signature: str = SIGNATURE, qualname: str = "larger"
) -> EnvironmentRow:
    """The row of an environment."""
    return EnvironmentRow(
        id="0" * 64, repo="shop/one", commit=None, licence=None, created=None, path="one.py",
        qualname=qualname, split="train", signature=signature, docstring=docstring, prompt=prompt,
        code="def larger(left, right):\n    return max(left, right)\n", layout="flat",
        python="3.11", requirements=(), mocks=(), branch_coverage=1.0, kill_rate=1.0,
        unseen_kill_rate=1.0, mutants=1, cases=1, hidden=1, compared=1, same=1, lines=2,
        tool_version="0", record="{}", files=(),
    )  # fmt: skip


def record_of(text: str, docstring: str | None, **prompt: Any) -> dict[str, Any]:
    """The part of a record that regimes read."""
    return {
        "prompt": {"context": text, "file_with_hole": text, "docstring": docstring, **prompt},
        "cases": [],
    }
