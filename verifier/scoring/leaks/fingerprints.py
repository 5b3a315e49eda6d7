"""Fingerprints of functions, which survive changes of layout and names.

A function is compiled: comments, layout, annotations, docstrings and assertions are gone, and
instructions, constants and names remain.
"""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import cast

_MOST_CHARACTERS = 8 << 20
"""Longest text in characters that is compiled as a whole; longer ones definition by definition."""
_TELLING_WORDS = 8
_TELLING_BYTES = 160
_NAME = re.compile(r"(?!(?:True|False|Ellipsis)$|_\w*__)[A-Za-z_]\w*", re.ASCII)
"""A name that comes from source text, not from a class or the compiler."""
_TEXT = re.compile(r"'[\w.-]+'", re.ASCII)
"""A constant with only one spelling in source text."""
_DEFINITION = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]+\w+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The fingerprint of one function."""

    qualname: str
    content: str
    """Its code; equal for the same function under another name."""
    words: frozenset[str]
    """Its names and constants."""
    is_telling: bool
    """Whether it is long enough that no other function matches by chance."""

    @property
    def name(self) -> str:
        """Return the function's own name."""
        return self.qualname.rpartition(".")[2]

    def likeness(self, other: Fingerprint) -> float:
        """Return the share of all words that both functions have."""
        return len(self.words & other.words) / max(len(self.words | other.words), 1)

    def share_in(self, text: bytes) -> float:
        """Return the share of its words that occur in a text as written."""
        present = sum(_as_written(word) in text for word in self.words)
        return present / max(len(self.words), 1)


def _as_written(word: str) -> bytes:
    """Return the spelling of a name or constant in source text; empty if there are several."""
    plain = word[1:-1] if _TEXT.fullmatch(word) else word if _NAME.fullmatch(word) else ""
    return plain.encode()


def fingerprints(text: str) -> Iterator[Fingerprint]:
    """Yield the functions in a text, which need not be valid Python as a whole."""
    code = _compiled(text) if len(text) <= _MOST_CHARACTERS else None
    if code is not None:
        yield from _of_code(code)
        return
    for block in _blocks(text):
        code = _compiled(block)
        if code is not None:
            yield from _of_code(code)


def _blocks(text: str) -> Iterator[str]:
    """Yield what looks like a definition, each with the indented lines below."""
    if _DEFINITION.search(text) is None:
        return
    lines = text.expandtabs().splitlines()
    for number, line in enumerate(lines):
        if _DEFINITION.match(line) is None:
            continue
        depth = len(line) - len(line.lstrip())
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or _depth(lines[end]) > depth):
            end += 1
        yield textwrap.dedent("\n".join(lines[number:end])) + "\n"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _compiled(text: str) -> CodeType | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(text, "", "exec", dont_inherit=True, optimize=2)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _of_code(code: CodeType) -> Iterator[Fingerprint]:
    for each in code.co_consts:
        if not isinstance(each, CodeType):
            continue
        if not each.co_name.startswith("<") and each.co_flags & _NEW_LOCALS:
            yield _fingerprint(each)
        yield from _of_code(each)


_NEW_LOCALS = 2
"""The flag in the code of functions that code of classes lacks."""


def _fingerprint(code: CodeType) -> Fingerprint:
    words = frozenset(_words(code))
    is_telling = len(words) >= _TELLING_WORDS or len(code.co_code) >= _TELLING_BYTES
    return Fingerprint(code.co_qualname, repr(_content(code)), words, is_telling)


def _content(code: CodeType) -> tuple[object, ...]:
    """Return all that a function does, without its own name and lines."""
    consts = tuple(_content(c) if isinstance(c, CodeType) else _plain(c) for c in code.co_consts)
    kind = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, consts, kind, names)


def _plain(const: object) -> object:
    """Return a constant in a form with a stable `repr`."""
    if not isinstance(const, frozenset):
        return const
    return ("set", *sorted(map(repr, cast("frozenset[object]", const))))


def _words(code: CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _words(const)
        elif const is not None:
            yield repr(_plain(const))
