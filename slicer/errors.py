"""Exceptions of the slicer, raised only where work cannot continue; expected failures are
values.
"""

from __future__ import annotations


class SliceFuncError(Exception):
    """Base of every error of this project: what was wrong, and what to do, a line each.

    `exit_status` is the exit status of the command line (docs/reference/command-line.md).
    """

    exit_status = 2
    advice = ""
    """What to do about every error of the class, where an error does not say it itself."""

    def __init__(self, problem: str, advice: str = "") -> None:
        """Args: what was wrong, with the place; what to do about it, where that is known."""
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
        """Args: as above; the version of Python that may read the file, `3.12`, where one may."""
        super().__init__(problem, advice)
        self.needs_python = needs_python


class OptionError(SliceFuncError):
    """Options that contradict one another, or name something that does not exist."""


class WrongTypeError(OptionError, TypeError):
    """A library call received a value of the wrong type."""


def expect(value: object, kinds: type | tuple[type, ...], what: str, advice: str) -> None:
    """Refuse a value of another type.

    Raises:
        WrongTypeError: the value is of none of these types.
    """
    if not isinstance(value, kinds):
        verb = "are" if what.endswith("s") else "is"
        raise WrongTypeError(f"{what} {verb} a {type(value).__name__}", advice)


class NotSupportedError(SliceFuncError):
    """A well-formed request that is not supported yet."""

    exit_status = 3
