"""The contract of executors: what a job is, what is told about its run, and who runs it.

An executor runs one script at a time, isolated, and reports what happened. Its own failure is never
reported as the script's: such an outcome ends as `infrastructure`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

End = Literal["exited", "signaled", "timeout", "cpu", "output", "infrastructure"]
"""How a run ended: by itself, by a signal, at one of the limits, or not because of the script."""

Task = Literal["script", "cases", "codes", "trials", "calls", "paths"]
"""What the child does: run the script as a program, load it and observe cases, only compile cases,
try out cases of which each has its arcs, and mutants, run tests of a repository and note how they
call a target, or run cases on symbolic arguments."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: the whole process tree where the executor can, else each process."""

    wall_seconds: float = 10.0
    cpu_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    processes: int = 64
    open_files: int = 256
    file_bytes: int = 64 << 20
    """Size of the largest file."""
    disk_bytes: int = 128 << 20
    """All files together; they are in memory."""
    files: int = 20_000
    output_bytes: int = 1 << 20
    """Standard output, and standard error, each; what is more ends the run."""
    record_bytes: int = 32 << 20
    """What may come back on the result channel."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The interpreter that runs the scripts, and what it has imported before the first of them."""

    name: Literal["bare", "test", "scientific"] = "bare"
    python: Path | None = None
    """Interpreter, of a virtual environment for example; `None` for the one that runs us."""
    preload: tuple[str, ...] = ()
    """Modules imported once, besides those that the name stands for; absent ones are skipped.

    They run in the outer sandbox only, with rights that scripts do not have.
    """
    hash_seed: int = 0
    readable: tuple[Path, ...] = ()
    """Further folders that scripts may read, at their own paths."""
    hidden: tuple[Path, ...] = ()
    """Folders that scripts must not read, also where they lie in one that is shown."""


@dataclass(frozen=True, slots=True)
class Determinism:
    """What is made the same in every run, besides hash seed and environment variables."""

    seed: int | None = 0
    """Seed of `random` and, where imported, numpy and torch."""
    clock: float | None = None
    """Seconds since the epoch at which clocks stand still; `None` leaves them running."""
    entropy: bool = False
    """Whether `os.urandom`, `uuid` and `secrets` are drawn from the seed."""
    unwatched: tuple[str, ...] = ()
    """Globals, as observations label them, of which nothing is observed."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call of the target: readable Python that builds the arguments and calls it."""

    name: str
    code: str
    """A function definition of that name without parameters; its globals are the script's."""
    compiled: str = field(default="", compare=False)
    """What the task `codes` has made of it in the same interpreter, if it was asked to; code does
    the same whatever the case is called."""

    def renamed(self, name: str) -> Case:
        """The case under another name."""
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
    """What the task `codes` has made of it in the same interpreter, if it was asked to."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The target with one change."""

    name: str
    text: str
    """Its definition on the lines that it has in the script, inside the classes around it."""
    cases: tuple[int, ...] | None = None
    """Positions of the job's cases that it is tried on, sorted; all of them if not given."""
    until_differs: int = 0
    """It is done with so many cases that it shows something else in; 0 for all of them."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Tests of a repository that are run to see what they give to a target.

    The job's files are the repository's.
    """

    roots: tuple[str, ...]
    """Folders from which its modules are imported."""
    tests: tuple[str, ...]
    """Files; of `file::name`, that function alone, without pytest; modules for doctests."""
    target_file: str
    target: str
    """Qualified name; empty where the calls of every function of `files` are kept."""
    files: tuple[str, ...] = ()
    """Of whose classes it is noted how instances are made."""
    how: Literal["tests", "doctests", "program"] = "tests"
    """Whether what is run are tests, the examples in docstrings, or programs."""
    words: tuple[str, ...] = ()
    """Tests that name them come first,"""
    callers: tuple[str, ...] = ()
    """then those that name these."""
    most: int = 60
    """Distinct calls of a function that are kept."""
    most_alike: int = 2
    """Of those, with values of the same types, sizes and signs."""
    most_tests: int = 150
    seconds: float = 3.0
    """That one test may take."""
    cpu_seconds: float = 6.0
    """Of processor time, that all tests may take together."""
    idle_seconds: float = 2.0
    """Of processor time, that tests may take one after another without a new call."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: a script, what is given to it, and what it may use."""

    source: str
    """Text of the script."""
    task: Task = "script"
    name: str = "script.py"
    """File name of the script in its working folder."""
    argv: tuple[str, ...] = ()
    stdin: bytes = b""
    files: tuple[tuple[str, bytes], ...] = ()
    """Files laid into the working folder first: relative path and content."""
    cases: tuple[Case, ...] = ()
    """With the tasks `cases` and `trials`: run in this order, in one process."""
    modules: tuple[Module, ...] = ()
    """With the task `codes`, to be compiled as well; with `cases`, those whose code is there."""
    target: str = ""
    """With the tasks `cases` and `trials`: qualified name of what the cases call."""
    then: Callable[[tuple[str, ...]], tuple[Case, ...]] | None = field(default=None, compare=False)
    """With the task `cases`: takes the records of these cases, and returns further cases for the
    same process, which has not seen them before. An executor that cannot do that never calls it."""
    aliases: tuple[str, ...] = ()
    """With the task `cases`: modules whose definitions are told as if they were the script's."""
    trace: tuple[int, int] | None = None
    """First and last line whose arcs are collected."""
    trace_file: str = ""
    """The end of the path of a module that the script carries; empty for the script itself."""
    seconds: float = 1.0
    """With the task `trials`: how long one case may take."""
    mutants: tuple[Mutant, ...] = ()
    """With the task `trials`: what the cases are tried on after the original."""
    instrumented: str = ""
    """With the task `trials` and no mutants: the target with calls that tell what it compares."""
    suite: Suite | None = None
    """With the task `calls`; there is no script then."""
    determinism: Determinism = Determinism()
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known about a run. Everything that comes from inside is untrusted text."""

    end: End
    exit_status: int | None = None
    signal: int | None = None
    detail: str = ""
    """Why, where the end is not the script's own doing."""
    stdout: bytes = b""
    stderr: bytes = b""
    records: tuple[str, ...] = ()
    """Lines of the result channel, as they came: JSON, if nobody forged them."""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    is_set_up: bool = False
    """Whether every protection that was promised was in force before the first line ran."""
    protections: tuple[str, ...] = ()
    """What was in force."""


_WAITING = 4.0
"""Times as long a run may take on the clock: machines are busy, and some calls wait."""


def cost_of(cpu_seconds: float, wall_seconds: float) -> float:
    """What a run counts for, in seconds of the processor, where it did not only wait."""
    return max(cpu_seconds, wall_seconds / _WAITING)


NOT_PRELOADED = "not preloaded, because not installed: "
"""How a lack begins that names modules of the profile, separated by commas."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an executor does and does not protect from."""

    name: str
    protections: tuple[str, ...]
    lacks: tuple[str, ...]
    """Protections that it cannot give here, each with the reason."""


class Executor(Protocol):
    """Runs jobs, one at a time."""

    def start(self, profile: Profile) -> None:
        """Get ready.

        Raises:
            SandboxError: it cannot work on this machine; the message says what to do.
        """
        ...

    def run(self, job: Job) -> Outcome:
        """Run one job; never raises because of what the script does."""
        ...

    def close(self) -> None:
        """End every process and remove every file that it made."""
        ...

    def capabilities(self) -> Capabilities:
        """What it protects from on this machine."""
        ...
