"""The result of RepoST's pipeline for a function: its stages, its script, and its quality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...slicer.errors import SliceFuncError
    from ...slicer.model import Slice
    from ...verifier.mutation.case_strength import MutationScore
    from ...verifier.same_code.aggregated_scripts import AggregatedVerdicts
    from ...verifier.script.branch_coverage import BranchCoverage
    from ..model.model_session import ModelPart


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline, with its outcome."""

    name: str
    passed: bool
    rounds: int
    detail: str = ""

    def __str__(self) -> str:
        """Format the result in the same layout as the verification report."""
        times = f" after {self.rounds} rounds" if self.rounds > 1 else ""
        return f"{'ok' if self.passed else 'FAILED'}: {self.name}{times}: {self.detail}"


@dataclass(frozen=True, slots=True)
class RepostResult:
    """The result of the pipeline for a function."""

    sliced: Slice
    """The repository's own text of the function and its dependencies."""
    script: str | None
    """The latest eval script, without a second version."""
    stages: tuple[Stage, ...]
    aggregated: AggregatedVerdicts | None
    """How the script treats the repository's definitions."""
    coverage: BranchCoverage | None
    strength: MutationScore | None
    """The mutation score of its test, with this project's mutants."""
    model: ModelPart
    error: SliceFuncError | None = None
    """Why it could not be finished."""

    @property
    def share(self) -> float:
        """Share of branches that the test takes, from 0 to 1."""
        return self.coverage.share if self.coverage else 0.0

    def passed(self, least: float) -> bool:
        """Whether every stage passed, and the test takes this percentage of the branches."""
        return all(stage.passed for stage in self.stages) and self.share * 100 >= least

    def lines(self) -> Iterator[str]:
        """Yield lines on changes to the repository's code, the test's strength, and the cost."""
        for each in self.aggregated.different if self.aggregated else ():
            yield f"not the repository's: {each}"
        if self.strength is not None and self.strength.rate is not None:
            yield f"our mutants killed: {self.strength.killed} of {self.strength.mutants}"
        yield self.model.format_account()

    def to_json(self) -> dict[str, Any]:
        """Return all fields except the texts."""
        rate = self.strength.rate if self.strength else None
        return {
            "target": asdict(self.sliced.manifest.targets[0]),
            "stages": [asdict(stage) for stage in self.stages],
            "different": [
                {"path": e.path, "qualname": e.qualname, "kind": e.kind, "detail": e.detail}
                for e in (self.aggregated.different if self.aggregated else ())
            ],
            "metrics": {
                "branch_coverage": self.share if self.coverage else None,
                "kill_rate": rate,
                "mutants": self.strength.mutants if self.strength else 0,
            },
            "passed_80": self.passed(80),
            "passed_100": self.passed(100),
            "model_calls": self.model.to_json(),
        }
