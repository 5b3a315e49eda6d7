"""One worker process of a whole-repository run, which turns functions into entries."""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...slicer import Repository
from ...slicer.emission.choose_layout import layout_of
from ...slicer.errors import SliceFuncError
from ..pipeline.passes import Compiled, compile_environment, compile_slice
from ..record.output_files import write_file, write_tree
from ..record.reason_codes import of_error
from ..settings.options import Options, Verification
from .entries import Entry, failed_entry, sliced_entry, verified_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...llm.client.client import Client
    from ...llm.client.model_settings import Settings
    from ...slicer.model import Slice, Target
    from ...verifier.execution.executors.choose_executor import Choice
    from ..pipeline.recording.repository_calls import Recording
    from ..record.environment_files import Environment


@dataclass(frozen=True, slots=True)
class Work:
    """The work on each function of a repository."""

    repository: str
    roots: tuple[str, ...]
    options: Options
    folder: str | None = None
    """Folder for the scripts; `None` keeps none."""
    verification: Verification | None = None
    """Verification of each function; `None` only slices it."""
    environments: str | None = None
    """Folder for the environments; `None` writes none."""
    choice: Choice | None = None
    """The executor, if anything is verified."""
    model: Settings | None = None
    """Settings of the model; `None` uses none."""
    run: str = ""
    """Name of the run, for processes that share a budget."""
    records_all: bool = True
    """Whether all repository tests are recorded first, or each function runs its likeliest tests,
    which is cheaper for a few functions.
    """

    def key(self) -> dict[str, Any]:
        """Return all inputs of the entries besides the sources."""
        verification = asdict(self.verification) if self.verification else {}
        verification.pop("seconds", None)
        return {
            "roots": list(self.roots),
            **asdict(self.options),
            "verification": verification or None,
            "environments": self.environments is not None,
            **({"model": [self.model.model, *sorted(self.model.stages)]} if self.model else {}),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a function."""

    entry: Entry
    environment: Environment | None = None
    """The environment, if it reaches all thresholds."""


@dataclass(slots=True)
class Worker:
    """The repository and sandboxes of one process, which serve all of its functions."""

    work: Work
    repository: Repository
    _warm: Choice | None = None
    _client: Client | None = None
    _has_recorded: bool = False
    _ending: ExitStack = field(default_factory=ExitStack)

    def entry(
        self,
        target: Target,
        report: Callable[[Entry], None] = lambda _entry: None,
        installed: Callable[[], None] = lambda: None,
    ) -> Entry:
        """Return the entry of a function, whose environment goes to the folder of environments.

        See `outcome` for the arguments.
        """
        found = self.outcome(target, report, installed)
        if not (self.work.environments and found.environment):
            return found.entry
        place = _keep_environment(self.work.environments, target, found.environment)
        return replace(found.entry, environment=place)

    def outcome(
        self,
        target: Target,
        report: Callable[[Entry], None] = lambda _entry: None,
        installed: Callable[[], None] = lambda: None,
    ) -> Outcome:
        """Return the outcome for a function; any failure except of the output is one too.

        Args:
            target: the function.
            report: receives the entry known before anything is installed or run, which may not end.
            installed: called after installation, when the function's own time begins.
        """
        started = time.perf_counter()

        def timed(entry: Entry) -> Entry:
            return replace(entry, seconds=round(time.perf_counter() - started, 4))

        try:
            result = compile_slice(self.repository, [str(target)], self.work.options)
        except Exception as error:  # noqa: BLE001 - one function must not end the run
            return Outcome(timed(failed_entry(target, of_error(error, target.path))))
        entry = sliced_entry(target, result)
        if self.work.verification is None:
            return Outcome(self._with_output(target, result, timed(entry)))
        entry = self._with_output(target, result, replace(entry, passed=False))
        report(entry)
        try:
            self._install(target, result, self.work.verification)
            self._record(self.work.verification)
            installed()
            found = self._verified(target, result, self.work.verification)
        except Exception as error:  # noqa: BLE001 - likewise
            return Outcome(timed(replace(entry, reasons=(of_error(error, target.path),))))
        fields = verified_fields(found, has_cases=self.work.verification.test)
        entry = timed(self._with_output(target, found.sliced, replace(entry, **fields)))
        return Outcome(entry, found.environment if entry.passed else None)

    def close(self) -> None:
        """Close the sandboxes."""
        self._ending.close()

    def _install(self, target: Target, sliced: Slice, verification: Verification) -> None:
        """Install the requirements of the slice and its tests; errors show in the next pass."""
        from ..places.repository_origin import origin_of
        from ..places.script_environment import install_ahead

        if not verification.installs or layout_of(sliced.manifest).is_tree:
            return
        with suppress(SliceFuncError):
            install_ahead(self.repository, sliced.manifest, origin_of(self.repository.path))
        recording = self._recording(verification)
        if recording is not None:
            with suppress(SliceFuncError):
                recording.install(target)

    def _record(self, verification: Verification) -> None:
        """Record the repository's own tests once, shared with the other processes."""
        recording = self._recording(verification)
        if recording is None or self._has_recorded or not self.work.records_all:
            return
        self._has_recorded = True
        recording.run_all()

    def _recording(self, verification: Verification) -> Recording | None:
        """Return the recording of the repository's tests; `None` if it is off or fails."""
        choice = self._warm_executors()
        if choice is None or not verification.test:
            return None
        from ..pipeline.recording.repository_calls import recording_of

        return recording_of(
            self.repository,
            choice,
            installs=verification.installs,
            distributions=self.work.options.distributions,
        )

    def _warm_executors(self) -> Choice | None:
        """Return the executors, which stay started."""
        if self._warm is None and self.work.choice is not None:
            from ...verifier.execution.executors.choose_executor import with_warm_executors

            self._warm = self._ending.enter_context(with_warm_executors(self.work.choice))
        return self._warm

    def _verified(self, target: Target, sliced: Slice, verification: Verification) -> Compiled:
        if self._client is None and self.work.model is not None:
            from ..model.model_session import opened

            self._client = opened(self.work.model, self.work.run)
            self._ending.callback(self._client.close)
        return compile_environment(
            self.repository,
            str(target),
            self.work.options,
            verification,
            sliced=sliced,
            choice=self._warm_executors(),
            model=self._client,
        )

    def _with_output(self, target: Target, result: Slice, entry: Entry) -> Entry:
        """Return the entry with the place of the kept script."""
        folder = self.work.folder
        return replace(entry, output=_keep(folder, target, result)) if folder else entry


def _keep(folder: str, target: Target, result: Slice) -> str:
    name = f"slices/{target.path}/{target.qualname}"
    is_tree = layout_of(result.manifest).is_tree
    if not is_tree:
        name += ".py"
    place = _cleared_place(folder, name)
    if is_tree:
        write_tree(place, result.files)
    else:
        write_file(place, result.files[0].content)
    return name


def _keep_environment(folder: str, target: Target, environment: Environment) -> str:
    from ..record.environment_files import write_environment

    name = f"{target.path}/{target.qualname}"
    write_environment(_cleared_place(folder, name), environment)
    return name


def _cleared_place(folder: str, name: str) -> Path:
    """Return a place in an output folder, cleared of what a stopped run left there."""
    place = Path(folder, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir():
        shutil.rmtree(place)
    return place
