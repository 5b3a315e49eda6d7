"""Why a repository's module cannot be compared with its slice, by the error of its import."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Code = Literal[
    "missing_module", "missing_name", "own_module", "missing_library", "python_version",
    "needs_gpu", "needs_display", "needs_network", "needs_file", "ends", "too_slow",
    "import_fails", "unstable", "not_run",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing could be compared."""

    code: Code
    detail: str


_SIGNS: tuple[tuple[Code, re.Pattern[str]], ...] = (
    (
        "missing_library",
        re.compile(r"cannot open shared object|\b[\w-]+\.(?:so|dll|dylib)\b|undefined symbol"),
    ),
    ("missing_name", re.compile(r"cannot import name")),
    ("missing_module", re.compile(r"ModuleNotFoundError|ImportError")),
    (
        "python_version",
        re.compile(r"SyntaxError|requires Python|[Pp]ython (?:\d\.\d+ )?or (?:newer|later|higher)"),
    ),
    ("needs_gpu", re.compile(r"\bCUDA\b|\bNVIDIA\b|\bGPUs?\b|\bcuda\b")),
    ("needs_display", re.compile(r"\$DISPLAY|(?:no|open) display|DisplayConnection")),
    ("needs_network", re.compile(r"Connection\w*Error|Name or service not known|getaddrinfo")),
    ("needs_file", re.compile(r"FileNotFoundError|No such file or directory|Read-only file")),
    ("ends", re.compile(r"SystemExit|exit status|not as agreed")),
    ("too_slow", re.compile(r"^more than [\d.]+ s")),
)
"""Patterns in an error text with the cause that each shows; the first match counts."""

_MODULE = re.compile(r"No module named ['\"]?([\w.]+)")
_FROM = re.compile(
    r"cannot import name ['\"]?\w+['\"]? from (?:partially initialized module )?['\"]?([\w.]+)"
)


def refused(detail: str, own: frozenset[str]) -> Refusal:
    """Return the reason that a failed import gives.

    Args:
        detail: text of the error.
        own: top-level names of the repository's modules.
    """
    code = _code(detail)
    module = missing_module(detail)
    if code in ("missing_module", "missing_name") and module.partition(".")[0] in own:
        code = "own_module"
    return Refusal(code, detail)


def _code(detail: str) -> Code:
    for code, sign in _SIGNS:
        if sign.search(detail):
            return code
    return "import_fails"


def missing_module(detail: str) -> str:
    """Return the module that a failed import asks for; empty if none."""
    found = _MODULE.search(detail) or _FROM.search(detail)
    return found[1] if found else ""
