"""The standard streams: messages to standard error, results to standard output.

Either stream may be closed, or unable to write what is given; neither may cause a traceback.
"""

from __future__ import annotations

import errno
import sys


class _Voice:
    """The verbosity of the process."""

    is_quiet = False


def be_quiet(*, is_wanted: bool) -> None:
    """Set whether only errors are shown, without progress."""
    _Voice.is_quiet = is_wanted


def is_quiet() -> bool:
    """Whether only errors are shown."""
    return _Voice.is_quiet


def say(message: str) -> None:
    """Write one line of progress or warning on standard error, if there is one."""
    if not is_quiet():
        show(f"slice-func: {message}")


def say_error(problem: str, advice: str) -> None:
    """Write what was wrong and what to do, even if only errors are shown."""
    show(f"slice-func: error: {problem}")
    show(f"slice-func: hint: {advice}")


def show(line: str) -> None:
    """Write one line of text for people on standard error, if there is one."""
    if sys.stderr is not None:
        try:
            print(printable(line), file=sys.stderr, flush=True)
        except OSError:  # full, or no longer read: the result counts all the same
            return


def printable(text: str) -> str:
    """Return the text on one line, with control characters escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write_stdout(content: bytes) -> None:
    """Write the bytes unchanged, whatever the encoding of the stream.

    Raises:
        OSError: standard output is closed, full, or no longer read.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a caller's StringIO has no bytes underneath
        sys.stdout.write(content.decode("utf-8", "backslashreplace"))
    else:
        left = memoryview(content)
        while left:  # an unbuffered stream (PYTHONUNBUFFERED) may accept only a part
            left = left[stream.write(left) or 0 :]
    sys.stdout.flush()


def write_json(record: object) -> None:
    """Write a result as JSON on standard output.

    Raises:
        OSError: standard output is closed, full, or no longer read.
    """
    import json

    # ASCII only: every stream accepts it, and undecodable file names survive
    write_stdout(json.dumps(record, indent=2).encode() + b"\n")
