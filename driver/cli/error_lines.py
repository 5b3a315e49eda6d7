"""Error messages for people: what was wrong, what to do, and the exit status."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from difflib import get_close_matches

from ...slicer.errors import RepositoryError, SliceFuncError
from ..settings.cache_folders import cache_folder
from ..settings.extras import missing_extra
from .commands import FIRST_WORDS
from .parser import UsageError

WRONG_INPUT = 2
INTERNAL_ERROR = 70
_ADVICE = {
    errno.ENOENT: "check the name, and the folder that it is looked for in",
    errno.EACCES: "ask for the right to it, or name another",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "name a folder",
    errno.ENOSPC: "make room on that disk, or write elsewhere",
    errno.EDQUOT: "make room on that disk, or write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.EBADF: "open the stream, or name a file with -o",
    errno.ETIMEDOUT: "write to the pipe, or name a file",
}
"""Error number of the operating system → what to do."""
_OTHER_ADVICE = "look at what the system says, or name another place"


def describe(error: Exception, words: Sequence[str] = ()) -> tuple[str, str, int]:
    """Return what went wrong and what to do, one line each, and the exit status.

    Args:
        error: the exception.
        words: the command line.
    """
    if isinstance(error, ModuleNotFoundError):
        error = missing_extra(error) or error
    match error:
        case UsageError():
            return str(error), error.advice, WRONG_INPUT
        case RecursionError() | MemoryError():
            problem = "the source is nested too deeply, or too large, to be analysed"
            return problem, "name a smaller target", WRONG_INPUT
        case OSError():
            place = f"{_path(error)}: " if _path(error) else ""
            return f"{place}{error.strerror or error}", _advice(error), WRONG_INPUT
        case SliceFuncError():
            likely_command = _likely_command(words) if isinstance(error, RepositoryError) else ""
            return error.problem, likely_command or error.advice, error.exit_status
        case _:
            problem = f"internal: {type(error).__name__}: {error}"
            advice = "this is a bug in slice-func: report it, with what SLICE_FUNC_DEBUG=1 prints"
            return problem, advice, INTERNAL_ERROR


def _path(error: OSError) -> str:
    """Return the path that the system refused; empty for none, and for a number of a file."""
    name: object = error.filename
    if isinstance(name, bytes):
        return os.fsdecode(name)
    return "" if name is None or isinstance(name, int) else str(name)


def _advice(error: OSError) -> str:
    if _path(error).startswith(str(cache_folder())):
        return "this is the cache: name a folder that can be written with SLICE_FUNC_CACHE"
    return _ADVICE.get(error.errno or 0, _OTHER_ADVICE)


def _likely_command(words: Sequence[str]) -> str:
    """Return the command that a first word seems to mean, if it is no repository."""
    word = words[0] if words else ""
    if word == "all":
        return "did you mean slice-func REPO --all?"
    near = [] if word in FIRST_WORDS else get_close_matches(word, FIRST_WORDS, 1, 0.7)
    return f"did you mean slice-func {near[0]}?" if near else ""
