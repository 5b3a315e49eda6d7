"""Rivals: other definitions of a target, run in its place like mutants.

Whether a rival is right or wrong is its author's claim. Nothing follows from the claim alone.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass

from ..execution.executors.interface import Mutant
from .mutated_block import Block

_LONGEST = 20_000
"""Longest definition in characters."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A definition of the target's name, and what its author claims about it."""

    text: str
    is_right: bool
    """Whether it is claimed to behave like the original."""
    what: str
    """The claimed difference, for people."""


def rival_mutant(block: Block, rival: Rival, name: str) -> Mutant | None:
    """Return the rival as a mutant of the block; `None` unless it only defines the target.

    Args:
        block: the target's text.
        rival: the other definition, not indented.
        name: name of the mutant.
    """
    if block.name or len(block.functions) != 1 or len(rival.text) > _LONGEST:
        return None
    (target,) = block.functions
    text = textwrap.dedent(rival.text).strip("\n")
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match body:
        case [ast.FunctionDef() | ast.AsyncFunctionDef() as made] if type(made) is type(
            target
        ) and made.name == getattr(target, "name", None):
            first = block.lines[0].decode()
            indent = first[: len(first) - len(first.lstrip())]
            lines = textwrap.indent(text, indent).encode("utf-8", "surrogatepass").split(b"\n")
            return Mutant(name, block.standing(tuple(lines)))
        case _:
            return None
