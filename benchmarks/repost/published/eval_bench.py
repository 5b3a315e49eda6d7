"""One published eval script: its environment, its verdict, and the coverage of the candidate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from slicefunc.driver.places.preloaded_modules import with_preload
from slicefunc.verifier.execution.environments import (
    Cache,
    Environment,
    Policy,
    ProvidedEnvironment,
    RepairedRun,
    provide_merged,
    read_lock,
    run_with_repairs,
)
from slicefunc.verifier.execution.executors.choose_executor import Choice
from slicefunc.verifier.execution.executors.interface import (
    Case,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)
from slicefunc.verifier.observation import run_records as observed

from ...common.report import normalised
from ..data.examples import Example, find_home
from ..data.script_environments import (
    MOST_BYTES,
    Names,
    heavy,
    imported_names,
    names_of,
    requirements,
    size_of,
)
from .eval_candidate import KINDS, Filled, Kind, NoPlaceError, fill
from .eval_coverage import measures

LIMITS = Limits(wall_seconds=300, cpu_seconds=60)
"""CPU time is what bounds a run: the wall's depends on what else the machine does."""
Record = dict[str, Any]


class TooLargeError(Exception):
    """An environment of more than is allowed."""


@dataclass(slots=True)
class Bench:
    """The executor, started for one environment after another."""

    choice: Choice
    work: Path
    policy: Policy
    preloads: bool = False
    """Whether what a script imports and is slow to import is imported once for all its runs."""
    _cache: Cache = field(init=False)
    _executor: Executor = field(init=False)
    _profile: Profile | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._cache = Cache(self.work / "environments")
        self._executor = self.choice.make()

    def close(self) -> None:
        """End the executor."""
        self._executor.close()

    def record(self, example: Example) -> Record:
        """All that is found about one script."""
        names = names_of(example, find_home(example, None, self.work / "contexts"))
        try:
            filled = _filled(example)
        except NoPlaceError as error:
            return {**_head(example), "unfit": str(error)}
        wanted = requirements(example.eval_script, names)
        too_large = heavy(wanted, self._cache, self.policy)
        if too_large:
            return {**_head(example), "requirements": wanted, "too_large": too_large}
        try:
            return {**_head(example), **self._measured(filled, wanted, names)}
        except TooLargeError as error:
            return {**_head(example), "requirements": wanted, "too_large": str(error)}

    def environment(self, example: Example) -> Environment:
        """What the script runs in.

        Raises:
            NoPlaceError: the script does not hold the function, or no test.
            TooLargeError: more would be installed than is allowed.
        """
        names = names_of(example, find_home(example, None, self.work / "contexts"))
        filled = _filled(example)["copy"]
        wanted = requirements(example.eval_script, names)
        too_large = heavy(wanted, self._cache, self.policy)
        if too_large:
            raise TooLargeError(too_large)
        return self._repaired(filled, wanted, names).provided.environment

    def run(self, environment: Environment, text: str, limits: Limits = LIMITS) -> Outcome:
        """One run of a script in an environment."""
        return self._run(environment, Job(text, limits=limits))

    def coverage(self, example: Example, environment: Environment) -> float:
        """From 0 to 1: the candidate's branches that the script's test takes, with its own copy."""
        found = self._covered(_filled(example)["repository"], environment)
        return found["coverage"]["branches"] if "coverage" in found else 0.0

    def merged(self, locks: Sequence[str]) -> dict[str, Environment]:
        """The few environments that serve scripts with these locks, by the lock."""
        read = [read_lock(lock) for lock in locks]
        merged, environments = provide_merged(read, self._cache, self.policy)
        return {lock: environments[place] for lock, place in zip(locks, merged.of, strict=True)}

    def verdicts(self, example: Example, environment: Environment) -> dict[str, str]:
        """What comes of the script in another environment."""
        jobs = {kind: Job(each.text, limits=LIMITS) for kind, each in _filled(example).items()}
        return {kind: verdict_of(self._run(environment, job))[0] for kind, job in jobs.items()}

    def _measured(
        self, filled: dict[Kind, Filled], wanted: tuple[str, ...], names: Names
    ) -> Record:
        repaired = self._repaired(filled["copy"], wanted, names)
        environment = repaired.provided.environment
        return {
            "requirements": wanted,
            "additions": [asdict(each) for each in repaired.additions],
            "problems": [(p.code, p.distribution) for p in repaired.provided.problems],
            "notes": repaired.provided.notes,
            "lock": environment.lock.text(),
            "environment": environment.lock.digest[:12],
            "packages": len(environment.lock.packages),
            "megabytes": size_of(environment) // 1_000_000,
            "brings_own": filled["copy"].brings_own,
            "is_rewritten": filled["copy"].is_rewritten,
            "runs": {
                "repository": self._ran(filled["repository"], environment),
                "copy": self._ran(filled["copy"], environment, repaired.result),
            },
        }

    def _repaired(
        self, filled: Filled, wanted: tuple[str, ...], names: Names
    ) -> RepairedRun[Outcome]:
        """The environment after what the run itself asks for was added."""

        def run(provided: ProvidedEnvironment) -> Outcome:
            size = size_of(provided.environment)
            if size > MOST_BYTES:
                raise TooLargeError(f"{size // 1_000_000} MB")
            return self._run(provided.environment, Job(filled.text, limits=LIMITS))

        def lacking(module: str) -> str | None:
            found = names.distribution(module)
            fits = found and not heavy((*wanted, found), self._cache, self.policy)
            return found if fits else None

        return run_with_repairs(
            wanted, run, _error, lacking, cache=self._cache, policy=self.policy
        )  # fmt: skip

    def _ran(
        self, filled: Filled, environment: Environment, outcome: Outcome | None = None
    ) -> Record:
        """The verdict, and the coverage of the candidate; `outcome` if it has run there already."""
        outcome = outcome or self._run(environment, Job(filled.text, limits=LIMITS))
        verdict, reason = verdict_of(outcome)
        return {
            "verdict": verdict,
            "reason": reason,
            "seconds": round(outcome.wall_seconds, 3),
            "megabytes": outcome.peak_bytes // 1_000_000,
            **self._covered(filled, environment),
        }

    def _covered(self, filled: Filled, environment: Environment) -> Record:
        test = filled.test
        job = Job(
            filled.text, task="cases", target=test, limits=LIMITS,
            cases=(Case("case_1", f"def case_1():\n    {test}()\n"),),
            trace=filled.candidate,
        )  # fmt: skip
        outcome = self._run(environment, job)
        run = observed.decode_run(outcome.records, ("case_1",), has_arcs=True)
        if not isinstance(run, observed.Run) or run.arcs is None:
            return {"as_case": outcome.end if isinstance(run, observed.Run) else str(run)}
        return {
            "as_case": run.observations[0][1].outcome,
            "coverage": asdict(measures(filled.text, filled.candidate, run.arcs)),
        }

    def _run(self, environment: Environment, job: Job) -> Outcome:
        profile = Profile(python=environment.python)
        if self.preloads:
            profile = with_preload(profile, imported_names(job.source))
        if self._profile != profile:
            self._executor.start(profile)
            self._profile = profile
        return self._executor.run(job)


def verdict_of(outcome: Outcome) -> tuple[str, str]:
    """What a run says of the candidate, and the reason under which like runs are counted."""
    if outcome.end != "exited":
        return outcome.end, outcome.detail or f"signal {outcome.signal}"
    if outcome.exit_status == 0:
        return "passed", ""
    lines = outcome.stderr.decode("utf-8", "replace").splitlines()
    last = [re.match(r"([A-Za-z_][\w.]*)(?:: (.*))?$", line) for line in lines]
    named = [found for found in last if found]
    if not named:
        return "error", f"exit status {outcome.exit_status}"
    name, message = named[-1][1].rpartition(".")[2], named[-1][2] or ""
    return ("failed" if name == "AssertionError" else "error"), normalised(name, message)


def _filled(example: Example) -> dict[Kind, Filled]:
    script, function = example.eval_script, example.published
    return {kind: fill(script, example.qualname, function, kind) for kind in KINDS}


def _error(outcome: Outcome) -> str:
    return "" if verdict_of(outcome)[0] == "passed" else outcome.stderr.decode("utf-8", "replace")


def _head(example: Example) -> Record:
    return {
        "number": example.number,
        "repository": example.repository,
        "target": example.target,
        "is_method": "." in example.qualname,
    }
