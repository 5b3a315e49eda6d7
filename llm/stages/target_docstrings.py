"""Docstrings that a model writes for targets, and the check that they do not leak the body.

With a generated docstring, more models reimplement the function correctly: RepoST (Xie et al.,
2025), section 5. The docstring must describe the function from outside, so it is searched for code
of the body: lines, statements and expressions, whatever their names, and token runs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from ..checks.leakage import body_of, leaked_places, levelled, on_one_line
from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages, question

LEAST_CHARACTERS = 20
MOST_CHARACTERS = 4_000
"""Maximum number of characters of a docstring, also stated in the prompt."""
_MOST_CONTEXT = 24_000
"""Maximum number of characters of the script; the prompt says that the rest is left out."""
_MOST_LISTED = 5
"""Maximum number of leaks, and of other faults, that the next question lists."""
_MOST_QUOTED = 80
"""Maximum number of characters of one quoted place."""


class Docstring(BaseModel):
    """What a model answers."""

    docstring: str


@dataclass(frozen=True, slots=True)
class UndocumentedFunction:
    """The prompt's data on a function that needs a docstring."""

    function: str
    """The function's text."""
    context: str
    """The text of the slice."""
    signature: str
    original: str | None
    """The function's present docstring."""
    purpose: str


def docstring_request(gap: UndocumentedFunction, settings: Settings) -> Request[Docstring]:
    """Return the question for a docstring.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {
        "function": gap.function,
        "context": bounded(gap.context, _MOST_CONTEXT),
        "signature": gap.signature,
        "original": gap.original or "It has none.",
    }
    return Request(messages("docstring", parts, settings.prompts), Docstring, gap.purpose)


def docstring_again_request(
    request: Request[Docstring], answer: str, wrong: Sequence[str], settings: Settings
) -> Request[Docstring]:
    """Return the same question, with the faults of an answer.

    Args:
        request: the request that was answered.
        answer: the text of the answer.
        wrong: its faults, or why it could not be read.
        settings: the user's settings.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"wrong": "\n".join(wrong)}
    known = "".join(message.text for message in request.messages) + answer
    return request.after(
        answer, question("docstring_again", parts, settings.prompts, context=known)
    )


def faults(docstring: str, function_source: str) -> tuple[str, ...]:
    """Return why a docstring is not usable for the function; each fault is one line.

    These are no faults: text of the function's own docstring or signature, names, types, string
    literals, displays and formats of those only, exceptions, and examples of calls.

    Args:
        docstring: its value, without quotation marks.
        function_source: the function, with its docstring if it has one, at any indentation; or
            a class or an assignment.
    """
    if unfit := tuple(_faults_of_length(docstring)):
        return unfit
    body = body_of(function_source)
    if body is None:
        return ("the function cannot be parsed, so nobody can say what would give it away",)
    text = levelled(docstring)
    found = [*_faults_of_form(docstring, text, body.name), *_addresses(text, function_source)]
    places = map(_quoted, leaked_places(text, body))
    leaks = [f"it gives the body away: `{place}` is code of it" for place in places]
    more = len(leaks) - _MOST_LISTED
    rest = [f"it gives the body away in {more} more places"] if more > 0 else []
    return tuple(dict.fromkeys((*found[:_MOST_LISTED], *leaks[:_MOST_LISTED], *rest)))


# ------------------------------------------------------------------------ form

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n?(.*?)(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE_BLOCK = re.compile(
    r"^([ \t]*)\.\. (?:code|code-block|sourcecode)::[^\n]*\n"
    r"((?:[ \t]*\n|\1[ \t]+[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?:[ \t][^\n]*)?$", re.MULTILINE)
_DEFINITION = re.compile(
    r"\bdef\s+\w+\s*\(|^[^\w\n]*class\s+\w+\s*(?:\([^)\n]*\))?:\s*$", re.MULTILINE
)
_ADDRESS = re.compile(
    r"""</?data-[0-9a-f]{6,}[^>]*> | <\|\w+\|>
    | \b(?:ignore|disregard|forget)\s+(?:\w+\s+){0,3}(?:instructions?|prompts?)\b
    | \b(?:as|I\s+am|you\s+are)\s+an?\s+(?:\w+\s+){0,2}(?:AI|assistant|language\s+model)\b
    | \b(?:code|body|source|script|material)\s+(?:that\s+)?(?:is\s+|was\s+|you\s+were\s+)?
      (?:shown|given|provided)\s+(?:above|below|here|to\s+(?:me|you)|between)\b
    | \bhere\s+is\s+(?:the|a|your)\s+docstring\b
    | (?:^|[.!?]\s+|\byou\s+(?:can|may|must|should)\s+)
      (?:re)?implement\s+(?:this|it)\s+(?:function\s+)?(?:as|by|using|with)\b
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
"""Text that refers to the question, or addresses the writer of the function."""
_UNSEEN = frozenset("Cc Cf Cs Co".split())
"""Unicode categories of characters that are invisible or cannot be stored."""


def _faults_of_length(docstring: str) -> Iterator[str]:
    length = len(docstring.strip())
    if length < LEAST_CHARACTERS or sum(map(str.isalpha, docstring)) < LEAST_CHARACTERS / 2:
        yield f"it says nothing: write at least {LEAST_CHARACTERS} characters, in words"
    if length > MOST_CHARACTERS:
        yield f"it has {length} characters, more than {MOST_CHARACTERS}"


def _faults_of_form(docstring: str, text: str, name: str) -> Iterator[str]:
    if '"""' in docstring or "'''" in docstring:
        yield "it holds triple quotes"
    for sign in sorted({each for each in docstring if each not in "\n\t"}):
        if unicodedata.category(sign) in _UNSEEN:
            yield f"it holds U+{ord(sign):04X}, which nobody sees"
    blocks = [found[2] for found in (*_FENCE.finditer(text), *_CODE_BLOCK.finditer(text))]
    if not all(map(_is_example, blocks)):
        yield "it holds a block of code: only examples, in lines that begin with >>>, may stand so"
    own = re.search(rf"\b(?:def|class)\s+{re.escape(name)}\s*[(:]", text) if name else None
    for found in filter(None, (own, _DEFINITION.search(_EXAMPLE.sub("", text)))):
        yield f"it holds a definition: `{_quoted(found[0])}`"


def _is_example(block: str) -> bool:
    return bool(re.match(r"(?:[ \t]*\n)*[ \t]*>>> ", block))


def _addresses(text: str, function_source: str) -> Iterator[str]:
    """Yield text that addresses a reader, unless the function itself contains such words."""
    own = " ".join(function_source.casefold().split())
    for found in _ADDRESS.finditer(text):
        if " ".join(found[0].casefold().split()) not in own:
            yield f"it speaks of the question, or to its reader: `{_quoted(found[0])}`"


def _quoted(place: str) -> str:
    line = on_one_line(place)
    return line if len(line) <= _MOST_QUOTED else f"{line[: _MOST_QUOTED - 1]}…"
