"""What must not be retrieved: the text that a model is to write, and its copies.

A chunk is kept out where it holds the body of the target, whole or nearly so, wherever it stands:
as code or in comments, and with other names for what the body binds. Of a class, long methods are
looked for one by one, since short ones are alike in many classes, and all together.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .chunks import Chunk
from .code_views import Tokens, views
from .languages import language_of
from .written_parts import Part, python_parts, syntax_parts

_WORD = re.compile(r"\w+")
_SHORT = 6
"""Tokens below which a body, such as `return self.x`, says nothing of where it was copied from."""
_GRAM = 4
_NEARLY = 0.6
"""Share of a body's runs of four tokens from which on a text counts as a copy of it."""
_LONG_GRAM = 8
_NEARLY_RENAMED = 0.7
"""The same with other names, of runs of eight tokens: these say less."""
_LEAST_RENAMED = 16
"""Tokens below which a body with other names may well be another one."""
_LEAST_FIXED = 2
"""Different words beside keywords and bound names that such a body has."""
_PIECE = 24
"""Tokens from which on a comment that is nothing but a piece of a body gives it away."""
_LEAST_SHARED = 5
"""Names that it then has in common with the body."""
_WHOLLY = 0.9
"""Share of a comment's runs of tokens that a piece has in common with the body."""
_TELLING = 24
"""Tokens from which on a method of a class says which class it was copied from."""
_PYTHON_KEYWORDS = frozenset(keyword.kwlist)
_KEYWORDS = frozenset({
    *_PYTHON_KEYWORDS, "self", "cls", "new", "let", "const", "var", "mut", "this", "null", "true",
    "false", "final", "throw", "function", "fn", "func", "nil", "int", "public", "private",
})  # fmt: skip


class _Grams:
    """Runs of tokens, and how many of them a text with some words can hold at most."""

    def __init__(self, grams: Iterable[Tokens], share: float) -> None:
        self.grams = frozenset(grams)
        self.least = share * len(self.grams)
        self._bits: dict[str, int] = {}
        for number, gram in enumerate(sorted(self.grams)):
            for word in gram:
                if _WORD.fullmatch(word):
                    self._bits[word] = self._bits.get(word, 0) | 1 << number

    def can_be_in(self, words: frozenset[str]) -> bool:
        """Whether enough of them have no word that is missing."""
        missing = 0
        for word, bits in self._bits.items():
            if word not in words:
                missing |= bits
        return len(self.grams) - missing.bit_count() >= self.least

    def are_in(self, grams: Iterable[Tokens]) -> bool:
        return len(self.grams.intersection(grams)) >= self.least


class _Searched:
    """A part of the target, made ready to be looked for."""

    def __init__(self, part: Part) -> None:
        self.tokens = part.tokens
        self.plain = _Grams(_grams(part.tokens, _GRAM), _NEARLY)
        places = list(enumerate(part.tokens))
        self.free = frozenset(
            each for _, each in places if each not in part.bound and _is_name(each)
        )
        fixed = self.free | {
            each for n, each in places if _is_fixed(part.tokens, n) and _WORD.fullmatch(each)
        }
        self.is_renamable = (
            bool(part.bound)
            and len(part.tokens) >= _LEAST_RENAMED
            and len(fixed - _KEYWORDS) >= _LEAST_FIXED
        )

    @cached_property
    def renamed(self) -> _Grams:
        return _Grams(_renamed_grams(self.tokens, self.free), _NEARLY_RENAMED)

    def is_in(self, text: str, *, is_python: bool) -> bool:
        """Whether a text holds a copy."""
        known = _words_of(text)
        is_plain = self.plain.can_be_in(known)
        is_renamed = self.is_renamable and self.renamed.can_be_in(known)
        if not is_plain and not is_renamed:
            return self._is_piece(text, known, is_python=is_python)
        for tokens in views(text, is_python=is_python):
            if is_plain and (
                _holds(tokens, self.tokens) or self.plain.are_in(_grams(tokens, _GRAM))
            ):
                return True
            if is_renamed and self.renamed.are_in(_renamed_grams(tokens, self.free)):
                return True
        return self._is_piece(text, known, is_python=is_python)

    def _is_piece(self, text: str, known: frozenset[str], *, is_python: bool) -> bool:
        """Whether the comments of a text are a piece of a long body, which has been cut."""
        if len(self.tokens) < 2 * _PIECE or len(known & self.free) < _LEAST_SHARED:
            return False
        for tokens in views(text, is_python=is_python)[1:]:
            grams = set(_grams(tokens, _GRAM))
            if len(tokens) >= _PIECE:
                return len(grams & self.plain.grams) >= _WHOLLY * len(grams)
        return False


@dataclass(frozen=True, slots=True)
class HiddenTarget:
    """A function or class that is to be written."""

    path: str
    first: int
    last: int
    name: str
    """Last part of its qualified name."""
    body: Tokens
    """The tokens of a function's body, without its docstring; empty for a class."""
    parts: tuple[_Searched, ...]
    """The function's body, or what a class has."""
    telling: tuple[_Searched, ...]
    """Those that are looked for one by one."""

    def is_in(self, chunk: Chunk) -> bool:
        """Whether a chunk gives the target away."""
        overlaps = chunk.path == self.path and chunk.first <= self.last and self.first <= chunk.last
        if overlaps and chunk.kind != "class":
            return True
        name = self.name if overlaps else chunk.name.rpartition(".")[2]
        return self.is_copied_in(chunk.path, chunk.text, name)

    @property
    def is_short(self) -> bool:
        """Whether it is a function whose copies are known only by their name."""
        return 0 < len(self.body) < _SHORT

    def is_copied_in(self, path: str, text: str, name: str = "") -> bool:
        """Whether a text of a file holds a copy; a short body only in a function of its name."""
        is_python = _is_python(path)
        if self.is_short:
            return name == self.name and _holds(views(text, is_python=is_python)[0], self.body)
        return any(each.is_in(text, is_python=is_python) for each in self.telling)

    def is_class_in(self, path: str, text: str) -> bool:
        """Whether a text of a file holds a copy of the target, which is a class, nearly as such."""
        sizes = [len(each.tokens) for each in self.parts]
        if self.body or sum(sizes) < _TELLING:
            return False
        is_python = _is_python(path)
        found = (each.is_in(text, is_python=is_python) for each in self.parts)
        return sum(size for size, is_in in zip(sizes, found, strict=True) if is_in) >= (
            _NEARLY * sum(sizes)
        )


def hidden_target(path: str, first: int, last: int, name: str, text: str) -> HiddenTarget:
    """Return what must not be retrieved for a definition.

    Args:
        path: its file.
        first: its first line, decorators included.
        last: its last line; before the first one where the file no longer holds it.
        name: last part of its qualified name.
        text: its text.
    """
    language = language_of(path)
    if language is None or language.name == "python":
        found, is_class = python_parts(text)
    else:
        found, is_class = syntax_parts(text, language)
    body = () if is_class else found[0].tokens
    parts = tuple(_Searched(each) for each in found if len(each.tokens) >= _SHORT)
    telling = tuple(each for each in parts if not is_class or len(each.tokens) >= _TELLING)
    return HiddenTarget(path, first, last, name, body, parts, telling)


def _is_python(path: str) -> bool:
    language = language_of(path)
    return language is None or language.name == "python"


@lru_cache(maxsize=1 << 14)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _holds(text: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(text)} "


def _grams(tokens: Tokens, size: int) -> Iterator[Tokens]:
    count = max(1, len(tokens) - size + 1)
    return (tokens[start : start + size] for start in range(count))


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _is_fixed(tokens: Tokens, number: int) -> bool:
    """Whether a token is no name, or one of an attribute or of a named argument."""
    if not _is_name(tokens[number]) or (number and tokens[number - 1] == "."):
        return True
    return (
        0 < number < len(tokens) - 2
        and tokens[number - 1] in ("(", ",")
        and tokens[number + 1] == "="
        and tokens[number + 2] != "="
    )


def _renamed_grams(tokens: Tokens, free: frozenset[str]) -> Iterator[Tokens]:
    """Yield runs of tokens with names that are not free replaced by their order in the run."""
    kept = [
        each in free or each in _PYTHON_KEYWORDS or _is_fixed(tokens, n)
        for n, each in enumerate(tokens)
    ]
    for start in range(max(1, len(tokens) - _LONG_GRAM + 1)):
        order: dict[str, str] = {}
        end = min(len(tokens), start + _LONG_GRAM)
        yield tuple(
            tokens[n] if kept[n] else order.setdefault(tokens[n], f"${len(order)}")
            for n in range(start, end)
        )
