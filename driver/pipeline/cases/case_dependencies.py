"""The slice extended with what its cases need: classes, constructors, and mutators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....slicer.errors import SliceFuncError, SourceError
from ...settings.options import Options
from ..slice_passes import compile_slice

if TYPE_CHECKING:
    from ....slicer import Repository
    from ....slicer.model import Slice
    from ....verifier.evidence.recordings.recorded_calls import RecordedCall

_MOST_LINES = 4000
"""Maximum number of lines that classes of recorded values may add to a script."""
_MOST_OF_MUTATORS = 300
"""Maximum number of lines that methods which fill an instance, and subclasses, may add."""


def with_recorded(
    repository: Repository,
    target: str,
    sliced: Slice,
    options: Options | None,
    recorded: Sequence[RecordedCall],
) -> tuple[Slice, Options | None]:
    """Return the slice that can construct the recorded values, with its options.

    If all classes together add too much, each is tried alone.
    """
    from ....verifier.evidence.recordings.carving import lacking

    names = lacking(recorded, sliced)
    known = options or Options()
    most = _lines(sliced) + _MOST_LINES
    for each in (names, *((name,) for name in names)) if len(names) > 1 else (names,):
        keeping = replace(known, recorded=tuple(dict.fromkeys((*known.recorded, *each))))
        if not each or keeping == known:
            continue
        try:
            found = compile_slice(repository, (target,), keeping)
        except SliceFuncError:
            continue
        if _lines(found) <= most:
            sliced, known = found, keeping
            if each == names:
                break
    return sliced, known if known.recorded else options


def _keeping(options: Options | None, *names: str) -> Options:
    """Return the options with further definitions to keep, as `path::qualname`."""
    known = options or Options()
    return replace(known, keep=tuple(dict.fromkeys((*known.keep, *names))))


def _lines(sliced: Slice) -> int:
    return sliced.source.count("\n")


def with_constructors(
    repository: Repository, target: str, sliced: Slice, options: Options | None
) -> tuple[Slice, Options | None]:
    """Return the slice that can construct the classes its target tests for, with its options.

    It is unchanged if that needs a file that does not parse.
    """
    from ....verifier.inputs import isinstance_classes

    classes = isinstance_classes(repository, sliced)
    if not classes:
        return sliced, options
    keeping = _keeping(options, *classes)
    try:
        return compile_slice(repository, (target,), keeping), keeping
    except SourceError:
        return sliced, options


def with_mutators(
    repository: Repository, target: str, sliced: Slice, options: Options | None
) -> tuple[Slice, Options | None]:
    """Return the slice with small methods that fill an instance, with its options.

    Subclasses that override what the target reads are added too.
    """
    from ....verifier.inputs import missing_mutators, missing_subclasses

    most = _lines(sliced) + _MOST_OF_MUTATORS
    for name in (*missing_mutators(repository, sliced), *missing_subclasses(repository, sliced)):
        keeping = _keeping(options, name)
        try:
            found = compile_slice(repository, (target,), keeping)
        except SliceFuncError:
            continue
        if _lines(found) <= most:
            sliced, options = found, keeping
    return sliced, options
