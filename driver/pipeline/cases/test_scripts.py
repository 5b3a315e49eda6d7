"""Test scripts for people: written, run in the sandbox, and reduced to passing tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ....slicer.model import Slice
from ....verifier.errors import SandboxError
from ....verifier.execution.executors.choose_executor import Choice
from ....verifier.execution.executors.interface import Job, Limits, Outcome, Profile
from ....verifier.output import EXPORTERS, exporter_named
from ....verifier.output.exporter import Exported, Exporter, RecordedCase
from ....verifier.scoring.module_holes import NoHoleError

EVAL_SCRIPT = "eval_script.py"
_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=60.0, memory_bytes=4 << 30)
_EXPRESSIBLE = "a plain value or a builtin exception, and an assert can check nothing else"
Run = Callable[[Job], Outcome]


@dataclass(frozen=True, slots=True)
class TestScript:
    """A script with tests, and a message about it for people."""

    text: str | None
    messages: tuple[str, ...] = ()


def written_tests(
    sliced: Slice,
    cases: Sequence[RecordedCase],
    choice: Choice,
    profile: Profile,
    report: Callable[[str], None],
) -> dict[str, str | None]:
    """Return the text of each exporter, by its name.

    Args:
        sliced: the slice, as one script.
        cases: cases, and the original's behaviour in them.
        choice: the executor.
        profile: the interpreter of the runs.
        report: receives messages for people.

    Raises:
        SandboxError: the sandbox fails.
    """
    found: dict[str, str | None] = {}
    for name in EXPORTERS:
        written = written_by(name, sliced, cases, choice, profile) if cases else TestScript(None)
        found[name] = written.text
        for line in written.messages:
            report(line)
    return found


def written_by(
    name: str, sliced: Slice, cases: Sequence[RecordedCase], choice: Choice, profile: Profile
) -> TestScript:
    """Return what an exporter writes of a slice, with the cases that pass on their own.

    Args:
        name: name of the exporter.
        sliced: the slice, as one script.
        cases: cases, and the original's behaviour in them.
        choice: the executor.
        profile: the interpreter of the run.

    Raises:
        SandboxError: the sandbox fails.
    """
    export = exporter_named(name)
    every = Exported(sliced.source, sliced.manifest.targets[0], cases)
    try:
        expressible = [
            one for one in cases if not export.tells or export.tells(_made(export, every, [one]))
        ]
        if not expressible:
            line = f"{name}.py ({export.what}) is not written: no case ends in {_EXPRESSIBLE}"
            return TestScript(None, (line,))
        found = _settled(export, every, expressible, choice, profile)
    except NoHoleError as error:
        return TestScript(None, (f"no {export.what}: {error}",))
    omitted = ", ".join(one.case.name for one in cases if one not in expressible)
    if omitted and found.text is not None:
        line = f"{name}.py ({export.what}) leaves out {omitted}: not each ends in {_EXPRESSIBLE}"
        return TestScript(found.text, (*found.messages, line))
    return found


def _made(export: Exporter, every: Exported, some: Sequence[RecordedCase]) -> str:
    kept = {one.case.name for one in some}
    left_out = [one.case.name for one in every.cases if one.case.name not in kept]
    return export.write(replace(every, cases=some, left_out=left_out))


def _settled(
    export: Exporter,
    every: Exported,
    cases: Sequence[RecordedCase],
    choice: Choice,
    profile: Profile,
) -> TestScript:
    """Return the text for all cases that pass, each alone and then together."""
    text = _made(export, every, cases)
    executor = choice.make()
    executor.start(profile)

    def end_of(text: str) -> str:
        return _end(executor.run, export.program(every, text))

    try:
        end = end_of(text)
        if end == "passes":
            return TestScript(text)
        if end == "timeout":  # as the others would in turn
            seconds = f"{_LIMITS.wall_seconds:.0f} s"
            return TestScript(None, (f"no {export.what}: it does not end in {seconds}",))
        kept = [one for one in cases if end_of(_made(export, every, [one])) == "passes"]
        omitted = ", ".join(one.case.name for one in cases if one not in kept)
        text = _made(export, every, kept)
        if not kept or end_of(text) != "passes":
            return TestScript(None, (f"no {export.what}: the original does not pass alone",))
        line = f"{export.what} without {omitted}: the original differs there, run alone"
        return TestScript(text, (line,))
    finally:
        executor.close()


def _end(run: Run, text: str) -> str:
    """Return `passes`, or how else the run of a program ended."""
    outcome = run(Job(text, name=EVAL_SCRIPT, limits=_LIMITS))
    if outcome.end == "infrastructure":
        raise SandboxError.of(outcome.detail)
    if outcome.end == "exited":
        return "fails" if outcome.exit_status else "passes"
    return outcome.end
