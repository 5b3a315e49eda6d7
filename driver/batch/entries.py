"""Entries: the outcome for one function in a run over a whole repository."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..record.reason_codes import Reason

if TYPE_CHECKING:
    from ...slicer.model import Slice, Target
    from ...verifier.mutation.case_strength import MutationScore
    from ..pipeline.passes import Compiled


@dataclass(frozen=True, slots=True)
class Entry:
    """The outcome for one function; fields that were not requested are `None`."""

    path: str
    qualname: str
    sliced: bool
    layout: str | None = None
    output: str | None = None
    """File or folder of the slice, relative to the output folder."""
    lines: int = 0
    definitions: int = 0
    gaps: dict[str, int] | None = None
    """Kind of gap → number."""
    runs: bool | None = None
    """Whether the script runs alone."""
    called: bool | None = None
    """Whether a case reaches the function."""
    stable: bool | None = None
    """Whether a case shows an effect, and the same one each time."""
    faithful: dict[str, Any] | None = None
    """Comparison with the repository itself: how many cases were compared, in how many both behave
    alike, and why the others were not compared; `None` if no case was left.
    """
    branches: float | None = None
    """Share of its branches that the cases take."""
    killed: float | None = None
    """Share of its mutants that the cases kill."""
    unseen_killed: float | None = None
    """Share of mutants killed that no case was made for, if they are enough to judge by."""
    cases: int | None = None
    passed: bool | None = None
    """Whether it reaches all thresholds, and so is an environment."""
    environment: str | None = None
    """Folder of the environment, relative to the folder of environments."""
    reasons: tuple[Reason, ...] = ()
    model_calls: dict[str, Any] | None = None
    """Model calls with purposes and usage; `None` if no model was used."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the entry as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Entry:
        """Return the entry that `to_json` wrote.

        Raises:
            TypeError: the row has another form.
        """
        fields = {name: value for name, value in row.items() if name != "reasons"}
        return cls(**fields, reasons=tuple(Reason(**reason) for reason in row["reasons"]))


def failed_entry(target: Target, reason: Reason) -> Entry:
    """Return the entry of a function with nothing but the reason for its failure."""
    return Entry(target.path, target.qualname, sliced=False, reasons=(reason,))


def sliced_entry(target: Target, result: Slice) -> Entry:
    """Return the entry of a function that was sliced."""
    return Entry(
        path=target.path,
        qualname=target.qualname,
        sliced=True,
        layout=result.manifest.layout,
        lines=sum(file.content.count(b"\n") for file in result.files),
        definitions=len(result.manifest.definitions),
        gaps=dict(sorted(Counter(gap.kind for gap in result.gaps).items())),
    )


def verified_fields(found: Compiled, *, has_cases: bool) -> dict[str, Any]:
    """Return the further fields of the entry of a function that was run.

    Args:
        found: the result of the passes.
        has_cases: whether cases were requested.
    """
    runs = not any(c.name == "runs alone" and not c.passed for c in found.verified.checks)
    fields: dict[str, Any] = {"runs": runs, "reasons": found.reasons}
    if found.model is not None:
        fields["model_calls"] = found.model.to_json()
    if not has_cases:
        return {**fields, "passed": found.verified.passed}
    faithful = found.verified.faithful
    oracle, strength = found.verified.oracle, found.verified.strength
    recorded = oracle.recorded if oracle else ()
    coverage = found.synthesis.coverage if found.synthesis else None
    return {
        **fields,
        "called": runs and (bool(recorded) or (coverage is not None and coverage.is_called)),
        "stable": runs and bool(recorded),
        "faithful": faithful.to_json() if faithful else None,
        "branches": found.verified.branch_share if recorded else None,
        "killed": strength.rate if strength and not strength.failure else None,
        "unseen_killed": _unseen_killed(strength),
        "cases": len(recorded),
        "passed": found.environment is not None and not found.reasons,
    }


def _unseen_killed(strength: MutationScore | None) -> float | None:
    is_known = strength is not None and not strength.failure and strength.has_enough_unseen
    return strength.unseen_rate if strength is not None and is_known else None
