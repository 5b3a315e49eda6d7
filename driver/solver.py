"""Where CrossHair runs, and the drafts that it finds: a source for who asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..verifier.environments import InstallError
from ..verifier.errors import SandboxError
from ..verifier.executors.interface import Profile
from ..verifier.search.solved import is_absent, job_of, solved, symbolic
from .provision import provided_for

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Slice
    from ..verifier.executors.choose import Choice
    from ..verifier.inputs.pools import Inputs
    from ..verifier.search.drafts import Draft
    from ..verifier.trials import Trial
    from .origin import Origin
    from .provision import Provision

_NEEDED = (
    "crosshair-tool", "z3-solver", "typeshed-client", "pygls", "lsprotocol", "cattrs", "attrs",
    "packaging", "typing-inspect", "typing-extensions", "mypy-extensions",
)  # fmt: skip
"""It, and what it needs: younger than the code as they may be."""


@dataclass(frozen=True, slots=True)
class Solver:
    """CrossHair, beside what a slice imports."""

    repository: Repository
    sliced: Slice
    origin: Origin
    place: Provision
    choice: Choice
    installs: bool
    """Whether it is installed there; else the interpreter at hand must have it."""
    tell: Callable[[str], None]

    def drafts(self, trial: Trial, inputs: Inputs, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
        """The same calls with other arguments, of which each takes another way."""
        found = symbolic(inputs, drafts)
        if not found:
            return ()
        executor = self.choice.make()
        try:
            executor.start(self._profile())
            outcome = executor.run(job_of(trial, inputs, found))
        except (SandboxError, InstallError) as error:
            self.tell(f"CrossHair does not run: {error}")
            return ()
        finally:
            executor.close()
        if is_absent(outcome):
            self.tell("CrossHair is not installed: pip install 'slice-func[crosshair]'")
        return solved(outcome, found)

    def _profile(self) -> Profile:
        if not self.installs:
            return self.place.profile
        wanted = (*self.place.requirements, _NEEDED[0])
        manifest = self.sliced.manifest
        made = provided_for(self.repository, manifest, self.origin, wanted, _NEEDED)
        return Profile(python=made.environment.python)
