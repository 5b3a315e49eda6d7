"""Pieces of code that are compared regardless of names: token runs, and syntax trees by shape."""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from token import EXACT_TOKEN_TYPES
from typing import cast

# ------------------------------------------------------------------------ tokens

LEAST_LINE = 5
"""Minimum number of tokens of a line that prose does not contain by chance."""
_LEAST_RUN = 8
_LEAST_RENAMED_RUN = 10
_LEAST_RENAMED_OPERATORS = 2
_PUNCTUATION = frozenset({",", ".", ":", ";"})
"""Operators that also occur in prose."""
STRING = '""'
"""Stands for every string literal: a body with other strings is leaked all the same."""
_OPERATORS = "|".join(map(re.escape, sorted(EXACT_TOKEN_TYPES, key=len, reverse=True)))
TOKEN = re.compile(
    r"(?P<string>(?<!\w)[bfrtuBFRTU]{0,2}"
    r"(?P<quote>[\"'])(?:\\.|(?!(?P=quote))[^\\\n])*(?P=quote)(?!\w))"
    rf"|[^\W\d]\w*|\d\w*(?:\.\d\w*)?|\.\d\w*|{_OPERATORS}|\S"
)
"""A tokenizer for prose with code, where apostrophes are no quotation marks."""
_VARIABLE = "#"
"""Stands for every name that could be renamed."""
BREAK = ""
"""Marks a gap between tokens."""
SEPARATOR = "\n"
"""Separates tokens; no token contains it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a docstring, or of a part of a body."""

    text: str
    start: int
    end: int
    is_kept: bool
    """Whether the token stays the same if variables are renamed."""

    @property
    def is_code(self) -> bool:
        """Whether it is an operator that does not occur in prose."""
        return is_code_sign(self.text)


def is_code_sign(word: str) -> bool:
    """Whether the word is an operator that does not occur in prose."""
    return word in EXACT_TOKEN_TYPES and word not in _PUNCTUATION


def tokens_of(text: str, known: frozenset[str], offset: int = 0) -> Iterator[Token]:
    """Yield the tokens of a text; the known names are those that cannot be renamed."""
    before = ""
    for found in TOKEN.finditer(text):
        word = word_of(found)
        is_variable = word.isidentifier() and not keyword.iskeyword(word) and word not in known
        is_kept = not is_variable or before == "."
        yield Token(word, found.start() + offset, found.end() + offset, is_kept)
        before = word


def word_of(found: re.Match[str]) -> str:
    """Return a token for comparison: one sign for strings, and one for assignments."""
    if found["string"]:
        return STRING
    return "=" if found[0] == ":=" else found[0]


def runs_of(tokens: Sequence[Token]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield first and last token, and the words, of each run that is long enough.

    A longer run is yielded once more, with one sign for all variables.
    """
    for first in range(len(tokens) - _LEAST_RUN + 1):
        run = tokens[first : first + _LEAST_RUN]
        if any(each.is_code for each in run):
            yield first, first + _LEAST_RUN - 1, tuple(each.text for each in run)
        run = tokens[first : first + _LEAST_RENAMED_RUN]
        is_whole = len(run) == _LEAST_RENAMED_RUN
        if is_whole and sum(each.is_code for each in run) >= _LEAST_RENAMED_OPERATORS:
            words = tuple(each.text if each.is_kept else _VARIABLE for each in run)
            yield first, first + _LEAST_RENAMED_RUN - 1, words


# ------------------------------------------------------------------------ trees

LEAST_STATEMENT = 6
LEAST_EXPRESSION = 8
LEAST_OF_ALL = 4
"""Minimum number of nodes of a recognised piece, also of half of a short body."""
LEAST_TOGETHER = 3
"""Number of smaller statements that together count as a leak; one alone does not."""
MOST_NODES = 100
"""Maximum number of nodes of a piece compared as a whole; larger ones are split."""
_UNCOUNTED = (ast.boolop, ast.cmpop, ast.unaryop)
_PASSED_OVER = frozenset("annotation ctx kind returns type_comment type_params".split())
"""Fields that do not affect what a piece of code does."""


class Identifier(str):
    """A name in a tree that could be renamed."""

    __slots__ = ()


def _flat(node: ast.AST) -> Iterator[object]:
    """Yield the parts of a tree in order; of a compound statement, only its head."""
    left: list[object] = [node]
    while left:
        at = left.pop()
        yield at
        if isinstance(at, ast.AST):
            fields = [(k, v) for k, v in ast.iter_fields(at) if k not in _PASSED_OVER]
            left += [leaf_of(at, k, v) for k, v in reversed(fields) if not _is_suite(v)]
        elif isinstance(at, list):
            left += reversed(cast("list[object]", at))


def leaf_of(node: ast.AST, field: str, value: object) -> object:
    """Return the value of a field; a name that could be renamed is an `Identifier`."""
    match node:
        case ast.Name() | ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
            is_name = field in ("id", "name")
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            is_name = field == "name"
        case ast.arg() | ast.MatchMapping():
            is_name = field in ("arg", "rest")
        case _:
            is_name = False
    return Identifier(value) if is_name and isinstance(value, str) else value


def _is_suite(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(each, ast.stmt | ast.ExceptHandler | ast.match_case)
        for each in cast("list[object]", value)
    )


def shape_of(node: ast.AST, known: frozenset[str]) -> str:
    """Return a text that is equal for all trees that differ only in layout and variable names."""
    numbers: dict[str, int] = {}
    parts: list[str] = []
    for each in _flat(node):
        match each:
            case Identifier() if each not in known:
                parts.append(f"#{numbers.setdefault(each, len(numbers))}")
            case ast.AST():
                parts.append(type(each).__name__)
            case list():
                parts.append(f"[{len(cast('list[object]', each))}")
            case int():
                parts.append(f"{type(each).__name__} {each:x}")  # decimal digits have a limit
            case _:
                parts.append(repr(each))
    return " ".join(parts)


def size_of(node: ast.AST, free: frozenset[ast.AST] = frozenset()) -> int:
    """Return the number of nodes that determine what it does; counting stops above the maximum."""
    nodes = (each for each in _flat(node) if isinstance(each, ast.AST))
    counted = (each for each in nodes if not isinstance(each, _UNCOUNTED) and each not in free)
    return sum(1 for _ in islice(counted, MOST_NODES + 1))


def pieces_of(trees: Iterable[ast.AST]) -> Iterator[ast.stmt | ast.expr]:
    """Yield every statement and expression, nested ones included."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt | ast.expr):
                yield node


def parsed_code(code: str) -> ast.Module | None:
    """Return the tree of a text; `None` if it is not code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
