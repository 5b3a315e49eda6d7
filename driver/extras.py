"""Optional parts of the package: what is missing is named with the command that installs it."""

from __future__ import annotations

from importlib.util import find_spec

from ..slicer.errors import SliceFuncError


class MissingExtraError(SliceFuncError):
    """A command needs a library that is not installed."""


def require(extra: str, *modules: str) -> None:
    """Check that the libraries of an optional part are installed.

    Args:
        extra: name of the part, as in `slice-func[extra]`.
        modules: import names that the caller needs.

    Raises:
        MissingExtraError: one is not installed.
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtraError(
                f"{module} is not installed", f"pip install 'slice-func[{extra}]'"
            )
