"""Runs of CrossHair, as a source of drafts for the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...verifier.errors import SandboxError
from ...verifier.execution.environments import InstallError
from ...verifier.execution.executors.interface import Profile
from ...verifier.search.strategies.crosshair import is_absent, job_of, solved, symbolic
from ..places.script_environment import provided_for

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ...verifier.execution.batched_trials import Trial
    from ...verifier.execution.executors.choose_executor import Choice
    from ...verifier.inputs.argument_pools import Inputs
    from ...verifier.search.drafts.drafts import Draft
    from ..places.repository_origin import Origin
    from ..places.script_environment import Provision

_NEEDED = (
    "crosshair-tool", "z3-solver", "typeshed-client", "pygls", "lsprotocol", "cattrs", "attrs",
    "packaging", "typing-inspect", "typing-extensions", "mypy-extensions",
)  # fmt: skip
"""CrossHair and its requirements, which may be younger than the repository's commit."""


@dataclass(frozen=True, slots=True)
class Solver:
    """Runs CrossHair in an environment with the slice's imports."""

    repository: Repository
    sliced: Slice
    origin: Origin
    place: Provision
    choice: Choice
    installs: bool
    """Whether CrossHair is installed there; if not, the current interpreter must have it."""
    report: Callable[[str], None]

    def drafts(self, trial: Trial, inputs: Inputs, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
        """Return the same calls with other arguments, each of which takes another path."""
        found = symbolic(inputs, drafts)
        if not found:
            return ()
        executor = self.choice.make()
        try:
            executor.start(self._profile())
            outcome = executor.run(job_of(trial, inputs, found))
        except (SandboxError, InstallError) as error:
            self.report(f"CrossHair does not run: {error}")
            return ()
        finally:
            executor.close()
        if is_absent(outcome):
            self.report("CrossHair is not installed: pip install 'slice-func[crosshair]'")
        return solved(outcome, found)

    def _profile(self) -> Profile:
        if not self.installs:
            return self.place.profile
        wanted = (*self.place.requirements, _NEEDED[0])
        manifest = self.sliced.manifest
        made = provided_for(self.repository, manifest, self.origin, wanted, _NEEDED)
        return Profile(python=made.environment.python)
