"""Repair a slice that its repository shows to be wrong, if both then behave alike: by the names of
its modules, or by definitions observed to run there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....slicer.errors import SliceFuncError
from ....verifier.evidence.faithfulness import Faithfulness, single_run_oracle
from ....verifier.evidence.in_place.state_cases import read_names, state_cases
from ....verifier.evidence.repair.missing_names import missing_names
from ....verifier.evidence.repair.observed_execution import Execution, Place, execution
from ....verifier.evidence.repair.slice_repair import RepairContext, additions
from ....verifier.inputs.target_functions import targeted_functions
from ....verifier.scoring.oracle.oracle import Oracle
from ....verifier.script.carried_names import in_script
from ..slice_passes import compile_slice

if TYPE_CHECKING:
    from ....slicer.model import Slice
    from ....verifier.execution.executors.interface import Case, Determinism
    from ....verifier.scoring.oracle.oracle import OracleCase
    from ...settings.options import Options
    from .repository_runs import RepositoryRuns


def repair_slice(
    runs: RepositoryRuns, cases: Sequence[Case], options: Options, determinism: Determinism
) -> tuple[Options, Slice] | None:
    """Return the repaired slice that behaves like the repository in these cases, with its options.

    Return `None` if the slice already does, cannot be compared, or nothing helps.

    Args:
        runs: runs cases in the repository.
        cases: calls of the target.
        options: options of the slice.
        determinism: determinism of the runs.

    Raises:
        SandboxError: the sandbox fails.
    """
    state = state_cases(cases, tuple(_globals_read(runs)))
    work = _Work(runs, (*cases, *state), options, determinism)
    first = work.compared(runs.sliced)
    names = {case.name for case in state}
    if state and any(each.case not in names for each in first.unlike):
        # differing calls come first: additions count only if they repair all of them
        work = _Work(runs, tuple(cases), options, determinism)
        first = work.compared(runs.sliced)
    if not first.unlike or work.compared(runs.sliced) != first:
        return None
    if (named := work.with_modules()) is not None:
        return named
    found = additions(
        RepairContext(work.again, work.compared, work.executed, work.named), runs.sliced, first
    )
    sliced = work.again(found) if found else None
    return (work.options_with(found), sliced) if sliced is not None else None


def _globals_read(runs: RepositoryRuns) -> Iterator[str]:
    """Yield globals that the target reads and that the script has under the same name."""
    for function in targeted_functions(runs.repository, runs.sliced):
        path = function.module.path
        for name in read_names(function.node):
            if in_script(runs.repository, runs.sliced, path, name) == name:
                yield name


@dataclass(frozen=True, slots=True)
class _Work:
    """The inputs for making and trying slices of one target."""

    runs: RepositoryRuns
    cases: tuple[Case, ...]
    options: Options
    determinism: Determinism

    def options_with(self, places: Sequence[str]) -> Options:
        """Return the options that keep these places, too."""
        return replace(self.options, observed=(*self.options.observed, *places))

    def with_modules(self) -> tuple[Options, Slice] | None:
        """Return the slice with each module under its own name, which the text of a class shows.

        Return `None` if it has them already, or another layout was asked for, or they do not help.
        """
        manifest = self.runs.sliced.manifest
        if manifest.layout != "flat" or self.options.emit != "script":
            return None
        options = replace(self.options, emit="modules")
        sliced = self._made(options)
        if sliced is None:
            return None
        sliced = replace(
            sliced, manifest=replace(sliced.manifest, layout_reason="a call shows a module's name")
        )
        found = self.compared(sliced)
        return (options, sliced) if found.compared and not found.unlike else None

    def again(self, places: Sequence[str]) -> Slice | None:
        """Return the slice with these places kept."""
        return self._made(self.options_with(places))

    def _made(self, options: Options) -> Slice | None:
        targets = tuple(map(str, self.runs.sliced.manifest.targets))
        try:
            return compile_slice(self.runs.repository, targets, options)
        except SliceFuncError:
            return None

    def compared(self, sliced: Slice) -> Faithfulness:
        """Compare the runs of the cases in the slice and in the repository."""
        oracle = self._seen(sliced)
        return self.runs(oracle, sliced) if oracle.recorded else Faithfulness()

    def executed(self, sliced: Slice, found: Faithfulness) -> Execution:
        """Return what ran in the repository in the differing cases, and is missing in the slice."""
        script = self.runs.script_of(sliced)
        if script is None:
            return Execution()
        cases = [each.case for each in self._unlike(sliced, found)]
        with self.runs.running(script.folder) as run:
            return execution(run, script, sliced.manifest, cases, self.determinism)

    def named(self, sliced: Slice, found: Faithfulness) -> Sequence[Place]:
        """Return the definitions of names that the differing cases fail to find."""
        script = self.runs.script_of(sliced)
        unlike = self._unlike(sliced, found)
        if script is None:
            return ()
        return missing_names(self.runs.repository, script, unlike, found.unlike)

    def _seen(self, sliced: Slice) -> Oracle:
        (target, *_) = sliced.manifest.targets
        bare = Oracle(sliced.source, target.path, target.qualname, (), determinism=self.determinism)
        with self.runs.running() as run:
            return single_run_oracle(run, bare, self.cases)

    def _unlike(self, sliced: Slice, found: Faithfulness) -> list[OracleCase]:
        names = {each.case for each in found.unlike}
        return [each for each in self._seen(sliced).recorded if each.case.name in names]
