"""How a text reads to who looks for copies in it: as code, and as the code in its comments."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable
from functools import lru_cache

Tokens = tuple[str, ...]
_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"(?m)(^|\s)#.*$")
_OTHER_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.S
)
_COMMENT_LINE = re.compile(r"[ \t]*(?:#+!?|>>>|\.\.\.(?=[ \t]))[ \t]?")
_OTHER_COMMENT_LINE = re.compile(r"[ \t]*(?://+!?|\*(?!/)|/\*+)[ \t]?")
_SKIPPED = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
)


@lru_cache(maxsize=1 << 14)  # the chunks of a repository are looked at for each of its targets
def views(text: str, *, is_python: bool) -> tuple[Tokens, ...]:
    """Return the tokens of a text without its comments, and of the code in its comment lines."""
    inner = code_in_comments(text, is_python=is_python)
    found = (code_tokens(text, is_python=is_python),)
    return (*found, code_tokens(inner, is_python=is_python)) if inner else found


def code_tokens(text: str, *, is_python: bool) -> Tokens:
    """Return the tokens of a text without comments."""
    if not is_python:
        return words(_OTHER_COMMENT.sub(lambda found: found[1] or " ", text))
    source = parsable(text)
    found = python_tokens(source, (1 if source is text else 2, 0))
    return words(_COMMENT.sub("", text) if found is None else found)


def code_in_comments(text: str, *, is_python: bool) -> str:
    """Return what the comment lines of a text say, and the examples in its docstrings."""
    mark = _COMMENT_LINE if is_python else _OTHER_COMMENT_LINE
    if not is_python:
        comments = (each for each in _OTHER_COMMENT.finditer(text) if each[1] is None)
        lines = [line for each in comments for line in each[0].removesuffix("*/").splitlines()]
    else:
        lines = [line for line in text.splitlines() if is_comment(line, is_python=True)]
    return "".join(f"{mark.sub('', line, count=1)}\n" for line in lines)


def without_block_comments(text: str, is_removed: Callable[[str], bool]) -> str:
    """Return a text of a language other than Python without some comments."""
    return _OTHER_COMMENT.sub(
        lambda found: "" if found[1] is None and is_removed(found[0]) else found[0], text
    )


def is_comment(line: str, *, is_python: bool) -> bool:
    """Whether a line is nothing but a comment, or an example in a docstring."""
    return (_COMMENT_LINE if is_python else _OTHER_COMMENT_LINE).match(line) is not None


def parsable(text: str) -> str:
    """Return a text that may be indented, as a statement of its own."""
    return f"if 1:\n{text}" if text[:1] in (" ", "\t") else text


def python_tokens(
    text: str, start: tuple[int, int], end: tuple[int, int] | None = None
) -> str | None:
    """Return the tokens of a program between two places, a blank between; `None` if it is none."""
    try:
        read = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    return " ".join(
        each.string
        for each in read
        if each.type not in _SKIPPED and each.start >= start and (end is None or each.end <= end)
    )


def words(text: str) -> Tokens:
    """Return the tokens of a text, without those that only part statements and lines."""
    return tuple(each for each in _TOKEN.findall(text) if each not in (";", "\\"))
