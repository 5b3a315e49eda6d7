"""Exceptions of the slicer, raised only where work cannot continue; expected failures are
values.
"""

from __future__ import annotations


class SliceFuncError(Exception):
    """Base class of all errors of this project: one line on the problem, one on what to do.

    `exit_status` is the exit status of the command line (docs/reference/command-line.md).
    """

    exit_status = 2
    advice = ""
    """Default advice of the class, for errors that bring none of their own."""

    def __init__(self, problem: str, advice: str = "") -> None:
        """Take one line on what was wrong, with its place, and one on what to do, if known."""
        super().__init__(problem, *([advice] if advice else []))  # as many as pickling hands back
        self.problem = problem
        if advice:
            self.advice = advice

    def __str__(self) -> str:
        return "; ".join(self.args)


class RepositoryError(SliceFuncError):
    """The repository cannot be used: it does not exist or is not a folder."""


class TargetError(SliceFuncError):
    """The target names no function or class, or not one that this command accepts."""


class SourceError(SliceFuncError):
    """A file that the slice needs cannot be read or parsed."""

    advice = "mend the file, or name a target that does not need it"

    def __init__(self, problem: str, advice: str = "", *, needs_python: str = "") -> None:
        """Take the two lines, and the version of Python that can parse the file (`3.12`),
        if any.
        """
        super().__init__(problem, advice)
        self.needs_python = needs_python


class OptionError(SliceFuncError):
    """Options that contradict one another, or name something that does not exist."""


class WrongTypeError(OptionError, TypeError):
    """A library call received a value of the wrong type."""


def expect(value: object, kinds: type | tuple[type, ...], what: str, advice: str) -> None:
    """Check the type of an argument.

    Raises:
        WrongTypeError: the value is of none of these types.
    """
    if not isinstance(value, kinds):
        verb = "are" if what.endswith("s") else "is"
        raise WrongTypeError(f"{what} {verb} a {type(value).__name__}", advice)


class NotSupportedError(SliceFuncError):
    """A well-formed request that is not supported yet."""

    exit_status = 3
