"""Test scripts for people: written, run in the sandbox, and reduced to passing tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....slicer.model import Slice
from ....verifier.errors import SandboxError
from ....verifier.execution.executors.choose_executor import Choice
from ....verifier.execution.executors.interface import Job, Limits, Outcome, Profile
from ....verifier.output.eval_script import RecordedCase, eval_script
from ....verifier.output.pytest_script import pytest_script
from ....verifier.scoring.module_holes import NoHoleError

EVAL_SCRIPT = "eval_script.py"
_LIMITS = Limits(wall_seconds=30.0, cpu_seconds=60.0, memory_bytes=4 << 30)
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
    """Return texts of the tests for people, by the fields of the record that name them.

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
    writers = {"eval_script": written_eval_script, "test_script": written_test_script}
    for name, write in writers.items():
        written = write(sliced, cases, choice, profile) if cases else TestScript(None)
        found[name] = written.text
        for line in written.messages:
            report(line)
    return found


def written_eval_script(
    sliced: Slice, cases: Sequence[RecordedCase], choice: Choice, profile: Profile
) -> TestScript:
    """Return the eval script of a slice, with the cases in which the original agrees with itself.

    Args:
        sliced: the slice, as one script.
        cases: cases, and the original's behaviour in them.
        choice: the executor.
        profile: the interpreter of the run.

    Raises:
        SandboxError: the sandbox fails.
    """
    (target, *_) = sliced.manifest.targets

    def made(some: Sequence[RecordedCase]) -> str:
        return eval_script(sliced.source, target.path, target.qualname, some)

    try:
        return _settled("eval script", made, str, cases, choice, profile)
    except NoHoleError as error:
        return TestScript(None, (f"no eval script: {error}",))


def written_test_script(
    sliced: Slice, cases: Sequence[RecordedCase], choice: Choice, profile: Profile
) -> TestScript:
    """Return the pytest tests of a slice, with the cases that pass on their own.

    Args:
        sliced: the slice, as one script.
        cases: cases, and the original's behaviour in them.
        choice: the executor.
        profile: the interpreter of the run.

    Raises:
        SandboxError: the sandbox fails.
    """
    (target, *_) = sliced.manifest.targets

    def made(some: Sequence[RecordedCase]) -> str:
        kept = {one.case.name for one in some}
        left_out = [one.case.name for one in cases if one.case.name not in kept]
        return pytest_script(sliced.source, target.qualname, some, left_out)

    def program(text: str) -> str:
        return _RUNNER.format(script=sliced.source, tests=text)

    expressible = [one for one in cases if "\ndef test_" in made([one])]
    if not expressible:
        reason = "no tests for pytest: each case gives no plain value, or changes more"
        return TestScript(None, (reason,))
    found = _settled("tests for pytest", made, program, expressible, choice, profile)
    omitted = ", ".join(one.case.name for one in cases if one not in expressible)
    if omitted and found.text is not None:
        line = f"tests for pytest without {omitted}: they give no plain value, or change more"
        return TestScript(found.text, (*found.messages, line))
    return found


_RUNNER = """\
import contextlib, inspect, io, os, sys, tempfile, time, types

script = sys.modules["script"] = types.ModuleType("script")
script.__file__ = "script.py"
exec(compile({script!r}, "script.py", "exec", dont_inherit=True), vars(script))
pytest = sys.modules["pytest"] = types.ModuleType("pytest")


@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError(kind)


class approx:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return abs(self.value - other) <= 1e-6 * abs(self.value) + 1e-12


pytest.raises, pytest.approx = raises, approx
pytest.fixture = lambda **_: lambda function: function
tests, variables = {{}}, dict(os.environ)
exec(compile({tests!r}, "test_script.py", "exec", dont_inherit=True), tests)
for name, test in list(tests.items()):
    if name.startswith("test_"):
        os.chdir(tempfile.mkdtemp())
        os.environ.clear()
        os.environ.update(variables)
        time.tzset()
        if "slice_func_mocks" in sys.modules:
            sys.modules["slice_func_mocks"].restart()
        out = io.StringIO()
        capsys = types.SimpleNamespace(readouterr=lambda: types.SimpleNamespace(out=out.getvalue()))
        with contextlib.redirect_stdout(out):
            test(*[capsys for _ in inspect.signature(test).parameters])
"""
"""A program that runs tests as pytest would, because pytest need not be installed there."""


def _settled(
    what: str,
    made: Callable[[Sequence[RecordedCase]], str],
    program: Callable[[str], str],
    cases: Sequence[RecordedCase],
    choice: Choice,
    profile: Profile,
) -> TestScript:
    """Return the text for all cases that pass, each alone and then together."""
    text = made(cases)
    executor = choice.make()
    executor.start(profile)
    try:
        end = _end(executor.run, program(text))
        if end == "passes":
            return TestScript(text)
        if end == "timeout":  # as the others would in turn
            return TestScript(
                None, (f"no {what}: it does not end in {_LIMITS.wall_seconds:.0f} s",)
            )
        kept = [one for one in cases if _end(executor.run, program(made([one]))) == "passes"]
        omitted = ", ".join(one.case.name for one in cases if one not in kept)
        text = made(kept)
        if not kept or _end(executor.run, program(text)) != "passes":
            return TestScript(None, (f"no {what}: the original does not pass alone",))
        return TestScript(
            text, (f"{what} without {omitted}: the original differs there, run alone",)
        )
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
