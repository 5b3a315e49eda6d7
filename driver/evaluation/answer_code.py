"""The code in a model's answer, for comparisons of text; scoring reads the whole answer itself."""

from __future__ import annotations

import re
from textwrap import dedent

_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.M | re.S)


def code_of(answer: str) -> str:
    """Return the longest fenced block of an answer; the whole answer if it has none."""
    blocks = [found[2] for found in _BLOCK.finditer(answer)]
    return dedent(max(blocks, key=len) if blocks else answer).strip("\n") + "\n"
