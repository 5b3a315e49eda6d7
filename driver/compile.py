"""The passes, read top to bottom: from a repository and targets to one slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..slicer import slice_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..slicer import Repository
    from ..slicer.model import Emit, Slice


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose about a slice."""

    emit: Emit = "script"
    """Layout that is asked for."""
    keep: tuple[str, ...] = ()
    """Definitions to keep beside what the targets reach, each as `path::qualname`."""


def compile_slice(
    repository: Repository, targets: Sequence[str], options: Options | None = None
) -> Slice:
    """The slice of `targets`, which share one closure.

    Raises:
        SliceFuncError: a target, an option or a source that cannot be used.
    """
    options = options or Options()
    # slice: each target and everything that it needs from the repository, in the layout asked for
    return slice_function(repository, tuple(targets), emit=options.emit, keep=options.keep)
