"""The first passes: from a repository and targets to one slice, mocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...mocker import mock_slice, read_settings
from ...slicer import Repository, slice_function
from ...slicer.errors import expect
from ..settings.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...slicer.model import Slice


def compile_slice(
    repository: Repository, targets: str | Sequence[str], options: Options | None = None
) -> Slice:
    """Return the slice of one target, or of several, which share one closure.

    Raises:
        SliceFuncError: a target, an option or a source cannot be used.
    """
    expect(repository, Repository, "the repository", "write Repository(folder)")
    expect(options, (Options, type(None)), "the options", "write Options(...)")
    options = options or Options()
    # slice: each target and everything that it needs from the repository, in the requested layout
    sliced = slice_function(
        repository,
        targets,
        emit=options.emit,
        keep=(*options.keep, *((each, "recorded") for each in options.recorded)),
        distributions=options.distributions,
        explain=options.explain,
        observed=options.observed,
    )
    # mock: replace the outside world at its border
    settings = read_settings(
        repository, mock=options.mock, stubs=options.stubs, variants=options.variants
    )
    return mock_slice(repository, sliced, settings)
