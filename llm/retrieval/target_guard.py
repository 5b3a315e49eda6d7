"""What must not be retrieved: the text that a model is to write, and its copies.

A chunk is kept out where it holds the body of the target, whole or nearly so, wherever it stands.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

from .chunks import Chunk

_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHORT = 6
"""Tokens below which a body, such as `return self.x`, says nothing of where it was copied from."""
_GRAM = 4
_NEARLY = 0.6
"""Share of a body's runs of four tokens from which on a text counts as a copy of it."""


@dataclass(frozen=True, slots=True)
class HiddenTarget:
    """A definition that is to be written."""

    path: str
    first: int
    last: int
    name: str
    """Last part of its qualified name."""
    body: tuple[str, ...]
    """The tokens of its body, without its docstring."""
    grams: frozenset[tuple[str, ...]]

    def is_in(self, chunk: Chunk) -> bool:
        """Whether a chunk gives the target away."""
        overlaps = chunk.path == self.path and chunk.first <= self.last and self.first <= chunk.last
        if overlaps and chunk.kind != "class":
            return True
        found = _tokens(chunk.text)
        if len(self.body) < _SHORT:
            is_same_name = chunk.name.rpartition(".")[2] == self.name or overlaps
            return is_same_name and _holds(found, self.body)
        if _holds(found, self.body):
            return True
        grams = set(_grams(found))
        return len(self.grams & grams) >= _NEARLY * len(self.grams)


def hidden_target(path: str, first: int, last: int, name: str, text: str) -> HiddenTarget:
    """Return what must not be retrieved for a definition.

    Args:
        path: its file.
        first: its first line, decorators included.
        last: its last line.
        name: last part of its qualified name.
        text: its text.
    """
    body = tuple(_tokens(_body_of(text)))
    return HiddenTarget(path, first, last, name, body, frozenset(_grams(body)))


def _body_of(text: str) -> str:
    """Return the statements of a definition after its head and docstring."""
    code = dedent(text)
    try:
        (node,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return code.partition("\n")[2]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return code
    body = node.body
    if ast.get_docstring(node, clean=False) is not None:
        body = body[1:]
    return "\n".join(filter(None, (ast.get_source_segment(code, each) for each in body)))


def _tokens(text: str) -> list[str]:
    """Return the tokens of a text, without comments where it can be read as Python."""
    skipped = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    }  # fmt: skip
    if "#" not in text:
        return _TOKEN.findall(text)
    try:
        read = tokenize.generate_tokens(io.StringIO(dedent(text)).readline)
        code = " ".join(each.string for each in read if each.type not in skipped)
    except (tokenize.TokenError, SyntaxError):
        code = text
    return _TOKEN.findall(code)


def _holds(text: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(text)} "


def _grams(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    count = max(1, len(tokens) - _GRAM + 1)
    return (tuple(tokens[start : start + _GRAM]) for start in range(count))
