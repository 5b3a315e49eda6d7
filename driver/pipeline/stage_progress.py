"""Progress messages for requests to the sandbox, as stages of the work on one target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...verifier.execution.executors.choose_executor import Choice
from ...verifier.execution.executors.interface import Capabilities, Executor, Job, Outcome, Profile
from ...verifier.search.exploration import Budget


def watched(choice: Choice, stage: Callable[[str], None]) -> Choice:
    """Return the same choice, whose executors report what they begin."""
    watch = _Watch(stage)
    return replace(choice, make=lambda: _Watched(choice.make(), watch))


@dataclass(slots=True)
class _Watch:
    """The requests so far, of all executors together."""

    stage: Callable[[str], None]
    drafts: int = 0

    def begin(self, job: Job) -> None:
        number = f"{len(job.cases)} case{'s' * (len(job.cases) != 1)}"
        match job.task:
            case "trials" if job.mutants:
                mutants = f"{len(job.mutants)} mutant{'s' * (len(job.mutants) != 1)}"
                self.stage(f"trying {mutants} on {number}")
            case "trials" if not job.instrumented:
                self.drafts += len(job.cases)
                most = Budget().drafts
                bound = f" of at most {most}" if self.drafts <= most else ""
                self.stage(f"searching for cases: {self.drafts}{bound} drafts")
            case "calls":
                self.stage("running the repository's own tests")
            case "paths":
                self.stage("asking the solver")
            case "cases" if job.cases:
                self.stage(f"{'recording' if self.drafts else 'running'} {number}")
            case "script" | "cases":
                self.stage("running the script")
            case _:  # an instrumented run: it belongs to the drafts before it
                pass


@dataclass(frozen=True, slots=True)
class _Watched:
    """An executor that reports what it begins."""

    executor: Executor
    watch: _Watch

    def start(self, profile: Profile) -> None:
        self.executor.start(profile)

    def run(self, job: Job) -> Outcome:
        self.watch.begin(job)
        return self.executor.run(job)

    def capabilities(self) -> Capabilities:
        return self.executor.capabilities()

    def close(self) -> None:
        self.executor.close()
