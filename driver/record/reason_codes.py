"""Reason codes: why a function has no environment, and what to do about it."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass

from ...slicer.errors import SliceFuncError

ADVICE: dict[str, str] = {
    # it cannot be sliced
    "source": "mend the file, or leave it out of what the target needs",
    "target": "name a function, method or property that a module or class binds",
    "not_supported": "take another layout or target",
    "too_deep": "the source is nested too deeply, or too large, to be analysed",
    "internal": "a bug in slice-func: please report it",
    # its script does not run
    "install": "look at the index, or use --no-install",
    "sandbox": "the executor failed: try again, or name another with --executor",
    "does_not_run": "run the script by hand: slice-func REPO TARGET -o script.py",
    "missing_module": "install it and use --no-install, or replace it with --stub",
    "missing_name": "install another version of it and use --no-install, or replace it with --stub",
    "needs_gpu": "no sandbox has a GPU: replace the library with --stub",
    "needs_display": "no sandbox has a display: replace the library with --stub",
    "needs_network": "what answers is not mocked: replace the client with --stub",
    "needs_file": "carry the file in the repository, or write a case that makes it (--cases)",
    # no case calls it
    "no_function": "only functions, methods and properties are called",
    "constructor": "write a case that makes such an object (--cases)",
    "not_called": "write a case that calls it (--cases)",
    "gap": "put what is missing into the repository, or name it with --with",
    "not_reached": "write a case that reaches it (--cases)",
    "only_accidents": "write a case with arguments that it is meant for (--cases)",
    "too_slow": "write a case that ends within a second (--cases)",
    # what it does cannot be compared
    "case_fails": "write a case whose process ends as usual (--cases)",
    "case_invalid": "write cases with exactly one call of the target (--cases)",
    "unstable": "what it gives must depend on its arguments alone: fix seeds, clocks and addresses",
    "only_logs": "a log line is its only effect, which no candidate is judged by",
    "opaque": "what shows none of its state, such as threads, sockets and some objects made in C, "
    "cannot be told from another: take a target that returns what it holds",
    "shows_nothing": "it returns nothing, changes nothing that is seen, and prints nothing",
    # its cases are too weak
    "few_branches": "write a case that goes there (--cases), or lower --min-branches",
    "few_mutants": "write a case that tells them apart (--cases), or lower --min-killed",
    "few_unseen": "write a case that tells them apart (--cases), or lower --min-unseen",
    "cheap_solution": "write a case that such a solution fails (--cases)",
    # it could not be trusted
    "other_code": "a bug in slice-func: what was kept is not the repository's own",
    "unfaithful": "the repository does something else: name what is missing with --with",
    "original_fails": "its own text does not pass as a candidate",
    "original_in_reach": "candidates could read it: take an interpreter without the repository",
    "no_hole": "no candidate can take its place in the script",
    # the run itself
    "search_cut": "time has ended the search for cases: give it longer with --function-seconds",
    "out_of_time": "give it longer with --function-seconds",
    "worker_died": "its process was ended, of memory perhaps: use fewer --jobs",
    "disk_full": "make room on that disk",
}
"""Code → what to do, or what it means if nothing can be done."""

_SIGNS = (
    ("needs_gpu", re.compile(r"\bCUDA\b|cuDNN|\bNVIDIA\b|\bGPUs?\b|libcuda|\bcuda\b")),
    ("needs_display", re.compile(r"\$DISPLAY|(?:no|open) display|video device|DisplayConnection")),
    (
        "needs_network",
        re.compile(
            r"Connection(?:Refused|Reset)?Error|ConnectError|Name or service not known"
            r"|Temporary failure in name resolution|Network is unreachable|getaddrinfo"
        ),
    ),
    ("missing_name", re.compile(r"cannot import name")),
    ("missing_module", re.compile(r"ModuleNotFoundError|ImportError")),
    ("needs_file", re.compile(r"FileNotFoundError|No such file or directory")),
)
"""Patterns of error texts that show what is missing; the first match counts."""

FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of a full disk, and of a user's share of it."""
_FULL_TEXT = re.compile(r"No space left on device|[Dd]isk quota exceeded|disk is full")
"""What programs say then."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a function has no environment."""

    code: str
    path: str
    line: int | None
    hint: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.code}: {self.hint}"


def reason(code: str, path: str, line: int | None, detail: str) -> Reason:
    """Return a reason, with what was observed and what to do."""
    advice = ADVICE.get(code, "")
    hint = f"{detail} ({advice})" if detail and advice else detail or advice
    return Reason(code, path, line, hint)


def needed(code: str, detail: str) -> str:
    """Return the more specific code of a failure whose text shows what was missing."""
    return next((sign for sign, pattern in _SIGNS if pattern.search(detail)), code)


def of_error(error: Exception, path: str) -> Reason:
    """Return the reason for an error that ended the work; a bug of this tool is `internal`."""
    if isinstance(error, OSError) and error.errno in FULL_DISK:
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return reason("disk_full", path, None, f"{place}{error.strerror}")
    if isinstance(error, SliceFuncError) and _FULL_TEXT.search(str(error)):
        return reason("disk_full", path, None, str(error))
    if isinstance(error, SliceFuncError):
        return Reason(_named(error), path, None, str(error))
    code = "too_deep" if isinstance(error, RecursionError | MemoryError) else "internal"
    return reason(code, path, None, repr(error))


def _named(error: SliceFuncError) -> str:
    """Return the reason code for an exception class."""
    name = type(error).__name__.removesuffix("Error")
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
