"""The fenced blocks of a model's answer, and the one that is scored."""

from __future__ import annotations

import ast
import warnings

from ...slicer.syntax.dedent import dedented
from ...verifier.scoring.candidates.candidate_text import FENCE


def fenced_blocks(answer: str) -> list[str]:
    """Return the texts of the fenced blocks of an answer; the last one may lack its end."""
    return [found["text"] for found in FENCE.finditer(answer)]


def code_of(answer: str, qualname: str = "") -> str:
    """Return the code in an answer: of several blocks the one that scoring reads.

    That is the last one that defines the target, since authors correct themselves further down.
    Where none does, or there is no target, it is the longest; without a block, the whole answer.

    Args:
        answer: the answer, in Markdown.
        qualname: qualified name of the function that was asked for.
    """
    blocks = fenced_blocks(answer)
    name = qualname.rpartition(".")[2]
    chosen = next((each for each in reversed(blocks) if name and _defines(each, name)), None)
    if chosen is None:
        chosen = max(blocks, key=len, default=answer)
    return dedented(chosen.lstrip("\n")).strip("\n") + "\n"


def _defines(block: str, name: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            tree = ast.parse(dedented(block))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        for node in ast.walk(tree)
    )
