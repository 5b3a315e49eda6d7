"""The passes, read top to bottom: from a repository and targets to one slice, or an environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..slicer import slice_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..slicer import Repository
    from ..slicer.model import Emit, Slice
    from .checks import Verified
    from .environment import Environment


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose about a slice."""

    emit: Emit = "script"
    """Layout that is asked for."""
    keep: tuple[str, ...] = ()
    """Definitions to keep beside what the targets reach, each as `path::qualname`."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the user may choose about verifying."""

    cases: str | None = None
    """File of cases."""
    min_branches: int = 80
    """Of the target's branches, in per cent."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A slice, what was found out about it, and the record of both."""

    sliced: Slice
    verified: Verified
    environment: Environment | None
    """Only where there are cases, and the target can be cut out of its script."""


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


def compile_environment(
    repository: Repository,
    target: str,
    options: Options | None = None,
    verification: Verification | None = None,
) -> Compiled:
    """The slice of a target, verified, and with cases the environment that scores candidates.

    Raises:
        SliceFuncError: something that cannot be used, or no sandbox.
        OSError: the file of cases cannot be read.
    """
    from .cases import read_cases
    from .checks import verify
    from .record import environment_record

    verification = verification or Verification()
    # slice
    sliced = compile_slice(repository, (target,), options)
    # cases: the calls of the target that somebody wrote
    cases = read_cases(verification.cases, sliced) if verification.cases else ()
    # verify: same trees, runs alone, observed alike each time, branches taken
    verified = verify(repository.path, sliced, cases, verification.min_branches)
    # record: all that a scorer and a writer of candidates need
    environment = environment_record(repository.path, sliced, verified)
    return Compiled(sliced, verified, environment)
