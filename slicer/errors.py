"""Exceptions of the slicer, raised only where work cannot continue; expected failures are
values.
"""

from __future__ import annotations


class SliceFuncError(Exception):
    """Base class of all errors of this project. Its text is one line for people.

    `exit_status` is the exit status of the command line (docs/reference/command-line.md).
    """

    exit_status = 2


class RepositoryError(SliceFuncError):
    """The repository cannot be used: it does not exist or is not a folder."""


class TargetError(SliceFuncError):
    """The target names no function or class, or not one that this command accepts."""


class SourceError(SliceFuncError):
    """A file that the slice needs cannot be read or parsed."""

    def __init__(self, message: str, needs_python: str = "") -> None:
        """Take the message, and the version of Python that can parse the file (`3.12`), if any."""
        super().__init__(message)
        self.needs_python = needs_python


class OptionError(SliceFuncError):
    """Options that contradict one another, or name something that does not exist."""


class WrongTypeError(OptionError, TypeError):
    """A library call received a value of the wrong type."""


def expect(value: object, kinds: type | tuple[type, ...], what: str, advice: str) -> None:
    """Check the type of an argument, and refuse a wrong one with a message of one line.

    Raises:
        WrongTypeError: the value is of none of these types.
    """
    if not isinstance(value, kinds):
        verb = "are" if what.endswith("s") else "is"
        raise WrongTypeError(f"{what} {verb} a {type(value).__name__}: {advice}")


class NotSupportedError(SliceFuncError):
    """A well-formed request that is not supported yet."""

    exit_status = 3
