"""Blocks of texts, and their changes in a form that is easily read."""

from __future__ import annotations

import textwrap

from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.mutation.operators.statement_operators import changes


def block(text: str, around: tuple[str, ...] = (), name: str = "") -> Block:
    """A block of the whole text."""
    text = textwrap.dedent(text).strip("\n") + "\n"
    return Block(text, 1, text.count("\n"), around, name)


def changed(text: str) -> list[str]:
    """Operator, text before and text after of each change that the operators give."""
    whole = block(text)
    return [f"{c.operator}: {whole.source(c.node)} -> {c.text}" for c in changes(whole)]


def only(operator: str, text: str) -> list[str]:
    """Text before and after of the changes by one operator."""
    return [each.partition(": ")[2] for each in changed(text) if each.startswith(f"{operator}: ")]


def mutated(text: str) -> list[str]:
    """Text before and after of each mutant that counts."""
    return [f"{made.before} -> {made.after}" for made in mutants_of(block(text)).records]
