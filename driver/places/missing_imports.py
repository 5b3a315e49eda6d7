"""Missing modules of a slice and its cases, found by a run and its failed imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...slicer.model import Slice
from ...verifier.errors import SandboxError
from ...verifier.execution.executors.interface import Case, Executor, Job, Limits, Outcome, Profile
from ...verifier.observation.observation import Malformed, Node, Observation
from ...verifier.observation.run_records import decode_run
from ...verifier.observation.short_text import referent, short
from ...verifier.scoring.oracle.oracle import Oracle, named
from .preloaded_modules import importable_preload

_LIMITS = Limits(cpu_seconds=60, wall_seconds=60)
"""Wider limits than those of cases: the first import of a large distribution takes its time."""
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_IMPORT_ERROR = re.compile(r"^(?:ImportError|ModuleNotFoundError)\b.*", re.MULTILINE)
_MARK = ">>> cannot be imported: "
_TRY_IMPORTS = f"""\
import sys
import traceback

for module, statement in IMPORTS:
    try:
        exec(statement)
    except BaseException as error:
        print({_MARK!r} + module, file=sys.stderr)
        sys.stderr.write("".join(traceback.format_exception_only(error)))
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """A slice and its cases, run to find failing imports."""

    sliced: Slice
    cases: tuple[Case, ...]
    make: Callable[[], Executor]

    def errors(self, profile: Profile) -> str:
        """Return the errors of running the script, or else of failed imports in its cases.

        Raises:
            SandboxError: the sandbox does not start, or fails.
        """
        executor = self.make()
        executor.start(importable_preload(self.make, self.sliced.manifest, profile))
        try:
            outcome = self._run(executor, Job(self.sliced.source, limits=_LIMITS))
            if outcome.exit_status or not self.cases:
                return outcome.stderr.decode("utf-8", "replace") if outcome.exit_status else ""
            (target, *_) = self.sliced.manifest.targets
            oracle = Oracle(self.sliced.source, target.path, target.qualname, ())
            job = oracle.job(self.sliced.source, self.cases, _LIMITS)
            names = [case.name for case in self.cases]
            return "\n\n".join(_failed_imports(named(self._run(executor, job), names), names))
        finally:
            executor.close()

    def import_error(self, profile: Profile, module: str) -> str:
        """Return the import error of importing a module alone; empty if there is none.

        Other exceptions do not count, because the module may load in the slice nevertheless.

        Raises:
            SandboxError: the sandbox does not start, or fails.
        """
        executor = self.make()
        executor.start(profile)
        try:
            outcome = self._run(executor, Job(f"import {module}\n", limits=_LIMITS))
        finally:
            executor.close()
        errors = _IMPORT_ERROR.findall(outcome.stderr.decode("utf-8", "replace"))
        return errors[-1] if errors and outcome.exit_status else ""

    def failing_imports(
        self, profile: Profile, imports: Sequence[tuple[str, str]]
    ) -> tuple[tuple[str, str], ...]:
        """Return the modules that cannot be imported, each with the text of the exception.

        Args:
            profile: where they are installed.
            imports: modules, each with a statement that imports the used names.

        Raises:
            SandboxError: the sandbox does not start, or fails.
        """
        executor = self.make()
        executor.start(profile)
        try:
            job = Job(f"IMPORTS = {list(imports)!r}\n{_TRY_IMPORTS}", limits=_LIMITS)
            outcome = self._run(executor, job)
        finally:
            executor.close()
        reports = outcome.stderr.decode("utf-8", "replace").split(_MARK)[1:]
        pairs = (each.partition("\n") for each in reports)
        return tuple((module, text.strip()) for module, _, text in pairs)

    def _run(self, executor: Executor, job: Job) -> Outcome:
        outcome = executor.run(job)
        if outcome.end == "infrastructure":
            raise SandboxError.of(outcome.detail)
        return outcome


def _failed_imports(outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    found = decode_run(outcome.records, names)
    if isinstance(found, Malformed):
        return
    observations = [observation for _, observation in found.observations]
    for observation in (*observations, found.load_failure):
        text = _failed_import(observation) if observation else ""
        if text:
            yield text


def _failed_import(observation: Observation) -> str:
    """Return an import error in the form of a traceback's last line; empty if there is none."""
    raised = observation.exception
    if not isinstance(raised, Node):
        return ""
    node = referent(raised, observation)
    message = next(iter(node.group("args").values), None)
    name = short(node.text("type"))
    return f"{name}: {message}" if name in _IMPORT_ERRORS and isinstance(message, str) else ""
