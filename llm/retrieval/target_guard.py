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
from functools import lru_cache

from .chunks import Chunk

_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"(?m)(^|\s)#.*$")
_SKIPPED = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
)
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
    body = tuple(_words(_python_tokens(_parsable(text), _body_start(text)) or text))
    return HiddenTarget(path, first, last, name, body, frozenset(_grams(body)))


def _parsable(text: str) -> str:
    """Return a text that may be indented, as a statement of its own."""
    return f"if 1:\n{text}" if text[:1] in (" ", "\t") else text


def _body_start(text: str) -> tuple[int, int]:
    """Return line and column of the first statement after a definition's head and docstring."""
    try:
        (node,) = ast.parse(_parsable(text)).body
    except (SyntaxError, ValueError):
        return 1, 0
    if isinstance(node, ast.If):
        (node, *_) = node.body
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.lineno, 0
    body = node.body
    if len(body) > 1 and ast.get_docstring(node, clean=False) is not None:
        body = body[1:]
    first = body[0]
    decorators: list[ast.expr] = getattr(first, "decorator_list", [])
    place = min([(first.lineno, first.col_offset), *((d.lineno, 0) for d in decorators)])
    line = _parsable(text).splitlines()[place[0] - 1]
    return place[0], len(line.encode()[: place[1]].decode("utf-8", "ignore"))


@lru_cache(maxsize=1 << 14)  # the chunks of a repository are looked at for each of its targets
def _tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a text without comments."""
    found = _python_tokens(_parsable(text), (1, 0))
    return tuple(_words(_COMMENT.sub("", text) if found is None else found))


def _python_tokens(text: str, start: tuple[int, int]) -> str | None:
    """Return the tokens of a program from a place on, a blank between; `None` if it is none."""
    try:
        read = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    return " ".join(
        each.string for each in read if each.type not in _SKIPPED and each.start >= start
    )


def _words(text: str) -> list[str]:
    """Return the tokens of a text, without those that only part statements and lines."""
    return [each for each in _TOKEN.findall(text) if each not in (";", "\\")]


def _holds(text: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(text)} "


def _grams(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    count = max(1, len(tokens) - _GRAM + 1)
    return (tuple(tokens[start : start + _GRAM]) for start in range(count))
