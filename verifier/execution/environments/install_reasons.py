"""Why a distribution cannot be installed: uv's messages as reason codes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ....slicer.syntax.requirement import normal

ReasonCode = Literal[
    "distribution-not-found",
    "no-such-version",
    "needs-compilation",
    "no-wheel-here",
    "conflicting-requirements",
    "direct-reference",
    "invalid-requirement",
    "install-failed",
]
"""The index lacks the distribution; no version as requested (by then); only a source distribution;
only wheels for other Pythons or platforms; conflicting versions; an address instead of a version;
an invalid requirement; anything else."""

_FRAME = " \u2502\u2570\u2500\u25b6\u00d7"
"""Blanks and box characters around messages in some versions."""

_NAME = r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"
_REQUIRED = re.compile(rf"\byou require ({_NAME})")
_AND = re.compile(rf"\byou require [^,]*? and ({_NAME})(?=[\[=<>~!,\s]|$)")
_ABSENT = re.compile(
    rf"({_NAME}) was not found in the (?:package registry|provided package locations)"
)
_WORDS: tuple[tuple[str, ReasonCode], ...] = (
    (r"not found in the (?:package registry|provided package locations)",
     "distribution-not-found"),
    (r"building from source is disabled|no source distribution.*no usable wheels",
     "needs-compilation"),
    (r"no wheels? with a matching|no usable wheels|does not satisfy Python|Python ABI tag",
     "no-wheel-here"),
    (r"there (?:is|are) no versions? of|filtered by `exclude-newer`|only the following versions",
     "no-such-version"),
    (r"Failed to (?:build|download and build)|Failed building", "needs-compilation"),
    (r"Couldn't parse requirement|Expected ", "invalid-requirement"),
    (r"No solution found|unsatisfiable", "conflicting-requirements"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """A requested distribution that is not installed as requested."""

    code: ReasonCode
    distribution: str
    requirement: str
    """The requirement."""
    detail: str
    """uv's message."""
    is_relaxed: bool = False
    """Whether another version is installed instead; otherwise it is not installable."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The parsed message of one failed resolution."""

    code: ReasonCode
    blamed: frozenset[str]
    """Normalised names of requested distributions in the explanation."""
    detail: str


def failure(messages: str) -> Failure:
    """Parse uv's explanation: the reason, and the requirements to blame."""
    text = " ".join(line.strip(_FRAME) for line in messages.splitlines())
    text = re.sub(r"\s+", " ", text).strip()
    explained, _, _ = text.partition(" hint: ")
    names = [*_REQUIRED.findall(explained), *_AND.findall(explained)]
    code: ReasonCode = "install-failed"
    for words, meaning in _WORDS:
        if re.search(words, text):
            code = meaning
            break
    return Failure(code, frozenset(normal(name) for name in names), text[:1000])


def not_found(messages: str) -> frozenset[str]:
    """Return normalised names of distributions that the index lacks."""
    text = re.sub(rf"[{_FRAME}\s]+", " ", messages)
    return frozenset(normal(name) for name in _ABSENT.findall(text))


def index_has_no_dates(messages: str) -> bool:
    """Whether uv ignored files because the index gives no upload dates."""
    return "missing an upload date" in messages
