"""The fenced blocks of a model's answer. Scoring of definitions reads the whole answer itself."""

from __future__ import annotations

import re

from ...slicer.syntax.dedent import dedented

_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.M | re.S)


def fenced_blocks(answer: str) -> list[str]:
    """Return the texts of the fenced blocks of an answer; the last one may lack its end."""
    return [found[2] for found in _BLOCK.finditer(answer)]


def code_of(answer: str) -> str:
    """Return the longest fenced block of an answer; the whole answer if it has none."""
    return dedented(max(fenced_blocks(answer), key=len, default=answer)).strip("\n") + "\n"
