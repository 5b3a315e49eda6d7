"""How alike two texts of code are: measures that earlier benchmarks report.

They say little of behaviour; a verdict does. They are here so that figures can be compared.
"""

from __future__ import annotations

import ast
import re
from textwrap import dedent


def is_exact_match(code: str, original: str) -> bool:
    """Whether two definitions are the same but for indentation, blank lines and comments."""
    first, second = _tree(code), _tree(original)
    if first is None or second is None:
        return _lines(code) == _lines(original)
    return first == second


def edit_similarity(code: str, original: str) -> float:
    """Return 1 less the Levenshtein distance over the length of the longer text."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(_lines(code), _lines(original))


def _lines(code: str) -> str:
    return "\n".join(
        line.rstrip() for line in dedent(code).strip("\n").splitlines() if line.strip()
    )


def _tree(code: str) -> str | None:
    try:
        return ast.dump(ast.parse(dedent(re.sub(r"\A\n+", "", code))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
