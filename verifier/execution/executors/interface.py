"""The contract of executors: jobs, outcomes, and who runs them.

An executor runs one script at a time, isolated, and reports what happened. It never reports its own
failure as the script's: such an outcome ends as `infrastructure`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

End = Literal["exited", "signaled", "timeout", "cpu", "output", "infrastructure"]
"""How a run ended: by itself, by a signal, at a limit, or for reasons outside the script."""

Task = Literal["script", "cases", "codes", "trials", "calls", "paths"]
"""What the child does: run the script as a program; load it and observe cases; only compile cases;
try cases with their arcs, and mutants; run a repository's tests and record calls of a target; run
cases on symbolic arguments."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run: for the whole process tree where possible, else for each process."""

    wall_seconds: float = 10.0
    cpu_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    processes: int = 64
    open_files: int = 256
    file_bytes: int = 64 << 20
    """Size of the largest file."""
    disk_bytes: int = 128 << 20
    """Total size of all files, which are in memory."""
    files: int = 20_000
    output_bytes: int = 1 << 20
    """Largest standard output, and standard error; more ends the run."""
    record_bytes: int = 32 << 20
    """Largest output on the result channel."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The interpreter of the scripts, and the modules it imports before the first one."""

    name: Literal["bare", "test", "scientific"] = "bare"
    python: Path | None = None
    """Interpreter, such as a virtual environment's; `None` for the running one."""
    preload: tuple[str, ...] = ()
    """Modules to import once, besides the profile's own; missing ones are skipped.

    They run in the outer sandbox only, with rights that scripts do not have.
    """
    hash_seed: int = 0
    readable: tuple[Path, ...] = ()
    """Further folders that scripts may read, at their own paths."""
    hidden: tuple[Path, ...] = ()
    """Folders that scripts must not read, even inside a visible one."""


@dataclass(frozen=True, slots=True)
class Determinism:
    """Conditions that are fixed in every run, besides hash seed and environment variables."""

    seed: int | None = 0
    """Seed of `random` and, if imported, numpy and torch."""
    clock: float | None = None
    """Seconds since the epoch at which clocks stand still; `None` lets them run."""
    entropy: bool = False
    """Whether `os.urandom`, `uuid` and `secrets` draw from the seed."""
    unwatched: tuple[str, ...] = ()
    """Globals, as observations label them, that are not observed."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call of the target: readable Python that builds the arguments and calls it."""

    name: str
    code: str
    """Definition of a function of that name without parameters, with the script's globals."""
    compiled: str = field(default="", compare=False)
    """Compiled code from the task `codes` in the same interpreter, if any; it does not depend on
    the case's name."""

    def renamed(self, name: str) -> Case:
        """Return the case under another name."""
        if name == self.name:
            return self
        code = re.sub(rf"\bdef {self.name}\(", f"def {name}(", self.code)
        return Case(name, code, self.compiled)


@dataclass(frozen=True, slots=True)
class Module:
    """A module that a script carries as text."""

    path: str
    text: str
    compiled: str = field(default="", compare=False)
    """Compiled code from the task `codes` in the same interpreter, if any."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The target with one change."""

    name: str
    text: str
    """Its definition on the script's lines, inside the classes around it."""
    cases: tuple[int, ...] | None = None
    """Positions of the job's cases that it runs on, sorted; `None` for all."""
    until_differs: int = 0
    """Number of differing cases after which it stops; 0 for never."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Tests of a repository that are run to record what they pass to a target.

    The job's files are the repository's.
    """

    roots: tuple[str, ...]
    """Folders from which its modules are imported."""
    tests: tuple[str, ...]
    """Test files; `file::name` for one function, without pytest; modules for doctests."""
    target_file: str
    target: str
    """Qualified name of the target; empty to record every function of `files`."""
    files: tuple[str, ...] = ()
    """Files for whose classes construction is recorded."""
    how: Literal["tests", "doctests", "program"] = "tests"
    """Whether to run tests, the examples in docstrings, or programs."""
    words: tuple[str, ...] = ()
    """Names of the target: tests that mention one come first."""
    callers: tuple[str, ...] = ()
    """Names of its callers: tests that mention one come second."""
    most: int = 60
    """Most distinct calls recorded for a function."""
    most_alike: int = 2
    """Most of these calls with values of the same types, sizes and signs."""
    most_tests: int = 150
    seconds: float = 3.0
    """Time limit of one test in seconds."""
    cpu_seconds: float = 6.0
    """Processor seconds for all tests together."""
    idle_seconds: float = 2.0
    """Processor seconds that tests may run without a new call."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: a script, its inputs, and its limits."""

    source: str
    """Text of the script."""
    task: Task = "script"
    name: str = "script.py"
    """File name of the script in its working folder."""
    argv: tuple[str, ...] = ()
    stdin: bytes = b""
    files: tuple[tuple[str, bytes], ...] = ()
    """Files written into the working folder first: relative path and content."""
    cases: tuple[Case, ...] = ()
    """For the tasks `cases` and `trials`: cases to run in this order, in one process."""
    isolated: bool = False
    """For these tasks: whether each case runs in a fork of the process that loaded the script, so
    that none influences another."""
    modules: tuple[Module, ...] = ()
    """For the task `codes`: modules to compile; for `cases`: modules with compiled code."""
    target: str = ""
    """For the tasks `cases` and `trials`: qualified name of what the cases call."""
    then: Callable[[tuple[str, ...]], tuple[Case, ...]] | None = field(default=None, compare=False)
    """For the task `cases`: takes the records of these cases and returns further cases for the same
    process, which has not seen them before. An executor that does not support it never calls it."""
    aliases: tuple[str, ...] = ()
    """For the task `cases`: modules whose definitions are reported as the script's."""
    trace: tuple[int, int] | None = None
    """First and last line whose arcs are collected."""
    trace_file: str = ""
    """End of the path of a carried module with these lines; empty for the script itself."""
    seconds: float = 1.0
    """For the task `trials`: time limit of one case."""
    mutants: tuple[Mutant, ...] = ()
    """For the task `trials`: mutants on which the cases run after the original."""
    instrumented: str = ""
    """For the task `trials` without mutants: the target with calls that record compared
    operands."""
    suite: Suite | None = None
    """For the task `calls`: the tests; there is no script then."""
    determinism: Determinism = Determinism()
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The observed facts of a run. Everything from inside is untrusted text."""

    end: End
    exit_status: int | None = None
    signal: int | None = None
    detail: str = ""
    """Why, if the end is not the script's own doing."""
    stdout: bytes = b""
    stderr: bytes = b""
    records: tuple[str, ...] = ()
    """Lines of the result channel as received: JSON, unless forged."""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    is_set_up: bool = False
    """Whether every promised protection was in force before the first line ran."""
    protections: tuple[str, ...] = ()
    """The protections in force."""


_WAITING = 4.0
"""Wall-clock time that a run may take as a multiple of its processor time: machines are busy, and
some calls wait."""


def cost_of(cpu_seconds: float, wall_seconds: float) -> float:
    """Return the cost of a run in processor seconds, with waiting at a discount."""
    return max(cpu_seconds, wall_seconds / _WAITING)


NOT_PRELOADED = "not preloaded, because not installed: "
"""Prefix of a lack that lists modules of the profile, separated by commas."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The threats that an executor does and does not protect from."""

    name: str
    protections: tuple[str, ...]
    missing_protections: tuple[str, ...]
    """Protections that it cannot give here, each with the reason."""


class Executor(Protocol):
    """Runs jobs, one at a time."""

    def start(self, profile: Profile) -> None:
        """Get ready.

        Raises:
            SandboxError: the executor cannot work on this machine; the message says what to do.
        """
        ...

    def run(self, job: Job) -> Outcome:
        """Run one job. It never raises because of what the script does."""
        ...

    def close(self) -> None:
        """End every process and remove every file that it made."""
        ...

    def capabilities(self) -> Capabilities:
        """Return its protections on this machine."""
        ...
