"""Slice one function out of a repository: indexing, name resolution, closure and emission.

The package loads its modules on first use, because scoring candidates needs only its errors.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from .api import slice_function
    from .errors import (
        NotSupportedError,
        OptionError,
        RepositoryError,
        SliceFuncError,
        SourceError,
        TargetError,
    )
    from .model import (
        Definition,
        Edit,
        Emit,
        EmittedFile,
        External,
        Gap,
        LineMap,
        Manifest,
        Slice,
        SuggestedType,
        Target,
    )
    from .repo.repository import Repository

__all__ = [
    "Definition",
    "Edit",
    "Emit",
    "EmittedFile",
    "External",
    "Gap",
    "LineMap",
    "Manifest",
    "NotSupportedError",
    "OptionError",
    "Repository",
    "RepositoryError",
    "Slice",
    "SliceFuncError",
    "SourceError",
    "SuggestedType",
    "Target",
    "TargetError",
    "slice_function",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "slice_function":
        from . import api as home
    elif name == "Repository":
        from .repo import repository as home
    elif name.endswith("Error"):
        from . import errors as home
    else:
        from . import model as home

    return getattr(home, name)
