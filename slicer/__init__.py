"""Slicing one function out of a repository: index, resolution, closure and emission."""

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
from .repository import Repository
from .slicing import slice_function

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
