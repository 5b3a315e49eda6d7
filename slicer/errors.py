"""Exceptions of the slicer. They are raised only where work cannot continue; expected failures are
values.
"""

from __future__ import annotations


class SliceFuncError(Exception):
    """Base of every error of this project; its text is one line for people.

    `exit_status` is what the command line exits with (docs/reference/command-line.md).
    """

    exit_status = 2


class RepositoryError(SliceFuncError):
    """The repository cannot be used: it does not exist or is not a folder."""


class TargetError(SliceFuncError):
    """The target names no function or class, or is not one this command can take."""


class SourceError(SliceFuncError):
    """A file that the slice needs cannot be read or parsed."""

    def __init__(self, message: str, needs_python: str = "") -> None:
        """Args: what is wrong; the version of Python that may read it, `3.12`, where one may."""
        super().__init__(message)
        self.needs_python = needs_python


class OptionError(SliceFuncError):
    """Options that do not fit together or name something that is not there."""


class WrongTypeError(OptionError, TypeError):
    """A call of the library with a value of another type than it takes."""


def expect(value: object, kinds: type | tuple[type, ...], what: str, advice: str) -> None:
    """Refuse a value of another type, in one line.

    Raises:
        WrongTypeError: it is of none of these types.
    """
    if not isinstance(value, kinds):
        verb = "are" if what.endswith("s") else "is"
        raise WrongTypeError(f"{what} {verb} a {type(value).__name__}: {advice}")


class NotSupportedError(SliceFuncError):
    """A well-formed request that is not supported yet."""

    exit_status = 3
