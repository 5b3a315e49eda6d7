"""Runs recorded calls in a process that has either the original package or only slices.

Reads one job a line from standard input and writes one result a line to what was standard output.
Each job runs in a fork of this process, each call in a fork of that one.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import importlib.util
import inspect
import itertools
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from .compare import Canonical, TooLargeError
from .executed import Executed
from .handed import asked_in_vain, home_of_carried
from .nodes import TOUCHED, UncarriedTouchedError, defining_module, direct_of, mentioned, unpacked
from .placeholders import TOUCH, TOUCH_HELD, describe, describe_instances, described
from .rebuild import Decoder, MissingError, RebuildError, Space
from .record import digest_of
from .under_mocks import begin_anew, effects_so_far, load_mocks

# Copies: the mocks that a job brings replace what is in the modules, forks and clocks among it.
_fork, _wait, _enter_group = os.fork, os.waitpid, os.setpgid
_kill, _kill_group = os.kill, os.killpg
_clock, _select = time.monotonic, select.select

SCRIPT = "replayed_slice"
ITEMS = 100
"""How many items are taken from a generator."""
PRINTED = 65_536
"""How many bytes of printed text are compared."""
SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class Job:
    """One function and its recorded calls."""

    number: int
    module: str
    qualname: str
    digest: str
    calls: tuple[str, ...]
    script: str | None = None
    """The slice; `None` runs the original."""
    mocks: str | None = None
    """A script whose mocks the original is called under."""
    flat: dict[str, str] | None = None
    """Of a flat script: the true module of each name it binds."""
    homes: tuple[str, ...] = ()
    """The folders that the package's files seem to lie in: they differ and are not compared."""
    seconds: float = 5.0
    descriptions: dict[str, Result] | None = None
    """What placeholders need to know of each name; without, there are no placeholders."""
    held: Sequence[str] = ()
    """Classes whose instances inside of the arguments are placeholders."""
    full: bool = False
    """Whether long observations are sent as they are, not shortened."""


Result = dict[str, object]


class Side:
    """The process of one job: where names are found, and what the functions are called on."""

    def __init__(self, job: Job, own: frozenset[str]) -> None:
        self.job = job
        self.own = own
        files = frozenset({job.script} if job.script else ())
        self.executed = Executed(files, own, SCRIPT)
        self.space = Space(own, None, {})
        self.function: Callable[..., object] | None = None
        self.asked: list[str] = []
        """What code that was handed in asked for in vain."""
        self.homes: dict[types.CodeType, str] = {}
        """Code of the package that was handed in, with the module whose names it reads."""

    def load(self) -> None:
        """Load the script, or import the original's module, and find the function."""
        self.executed.start()
        try:
            script = self._load_script() if self.job.script else None
        finally:
            self.executed.stop()
        if script is None:
            if self.job.mocks:
                load_mocks(Path(self.job.mocks), self.own)
            importlib.import_module(self.job.module)
        self.space = Space(self.own, script, self.job.flat or {})
        self.function = self._find()

    def _load_script(self) -> types.ModuleType:
        spec = importlib.util.spec_from_file_location(SCRIPT, self.job.script)
        if spec is None or spec.loader is None:
            raise ImportError(self.job.script)
        module = importlib.util.module_from_spec(spec)
        sys.modules[SCRIPT] = module
        spec.loader.exec_module(module)
        return module

    def _find(self) -> Callable[..., object]:
        """The undecorated function: by its code, wherever decorators have put it."""
        wanted = []
        for found in gc.get_objects():
            if (
                type(found) is types.FunctionType
                and found.__code__.co_qualname == self.job.qualname
            ):
                home = found.__globals__.get("__name__")
                if home in (self.job.module, SCRIPT):
                    same = digest_of(found.__code__) == self.job.digest
                    wanted.append((not same, len(wanted), found))
        if not wanted:
            raise LookupError("no function object of that name")
        return min(wanted)[2]

    # One call -----------------------------------------------------------------------------------

    def call(self, data: str) -> Result:
        """Rebuild the arguments, call, and observe; runs in a fork of its own."""
        graph = unpacked(data)
        nodes, positional, named = graph  # pyright: ignore
        given = self.job.descriptions
        about = None if given is None else {name: described(d) for name, d in given.items()}
        held = frozenset(self.job.held)
        decoder = Decoder(nodes, self.space, about, held, direct_of(graph))  # pyright: ignore
        self.homes = decoder.homes
        TOUCHED.clear()
        begin_anew()
        sys.setrecursionlimit(sys.getrecursionlimit() + 3000)
        try:
            args = [decoder.value(value) for value in positional]  # pyright: ignore
            kwargs = {key: decoder.value(value) for key, value in named}  # pyright: ignore
        except MissingError as error:
            return {"left": "missing", "missing": [str(error)]}
        except RebuildError as error:
            return {"left": f"arguments: {error}"}
        except UncarriedTouchedError:
            return self._touched()
        except BaseException as error:  # noqa: BLE001 - a fault of the decoder, to be reported
            where = traceback.extract_tb(error.__traceback__)[-1]
            return {"left": f"decoder: {type(error).__name__}: {error} ({where.name})"}
        sys.setrecursionlimit(sys.getrecursionlimit() - 3000)
        before = len(effects_so_far())
        outcome, value = self._outcome(args, kwargs)
        effects = [repr(effect) for effect in effects_so_far()[before:]]
        if TOUCHED:
            return self._touched()
        printed = _printed()
        sys.setrecursionlimit(sys.getrecursionlimit() + 6000)
        try:
            canonical = Canonical(self.path_of, self._is_python, decoder.references)
            observed = {
                outcome: canonical.text(value),
                "arguments": canonical.text(args) + canonical.text(kwargs),
                **printed,
            }
            observed |= {f"state of {name}": text for name, text in canonical.states().items()}
        except TooLargeError:
            return {"left": "too large to compare"}
        except UncarriedTouchedError:
            return self._touched()
        except RecursionError:
            return {"left": "too deep to compare"}
        if TOUCHED:
            return self._touched()
        for home in self.job.homes:
            observed = {k: v.replace(home, "<home>") for k, v in observed.items()}
            effects = [text.replace(home, "<home>") for text in effects]
        executed = self.executed.found() if self.job.script else []
        return {
            "observed": observed,
            "effects": effects,
            "executed": executed,
            "asked": self.asked,
        }

    def _touched(self) -> Result:
        """The call used what was not carried, or what the slice lacks."""
        missing = [_about(reason) for reason in TOUCHED if reason.startswith(("missing ", TOUCH))]
        held = [_about(reason) for reason in TOUCHED if reason.startswith(TOUCH_HELD)]
        why = "missing" if missing or held else f"uncarried: {TOUCHED[0]}"
        return {"left": why, "missing": missing, "held": held}

    def describe(self) -> Result:
        """What placeholders need to know of the names that the arguments mention."""
        found: dict[str, object] = {}
        names = {n for data in self.job.calls for n in mentioned(unpacked(data), self.own)}
        for module, qualname in sorted(names):
            with contextlib.suppress(MissingError, RebuildError):
                named = self.space.find(module, qualname)
                found[f"{module}:{qualname}"] = asdict(describe(named))
                instances = describe_instances(named) if isinstance(named, type) else None
                if instances is not None:
                    found[f"{module}:{qualname}()"] = asdict(instances)
        return found

    def _outcome(self, args: list[object], kwargs: dict[str, object]) -> tuple[str, object]:
        if self.job.script:
            self.executed.start()
        try:
            value = self.function(*args, **kwargs)  # pyright: ignore
            return "value", _consumed(value)
        except UncarriedTouchedError:
            return "exception", None
        except BaseException as error:  # noqa: BLE001 - any exception is an observation
            if self.job.script:
                self.asked = asked_in_vain(
                    *(error, self._home_of),
                    *(lambda frame: home_of_carried(frame, self.homes), self._is_of_slice),
                )
            error.__traceback__ = None
            return "exception", error
        finally:
            self.executed.stop()

    def _is_of_slice(self, frame: types.FrameType) -> bool:
        name = str(frame.f_globals.get("__name__"))
        return name == SCRIPT or name.partition(".")[0] in self.own

    def _home_of(self, kind: type) -> str:
        """The module whose text has a class, in the original as in the slice."""
        module = self.space.module_of(kind)
        return defining_module(kind) if module in self.own else module

    def path_of(self, kind: type) -> str:
        """The path of a class, the same for the original's and the slice's."""
        module = type.__dict__["__module__"].__get__(kind)
        qualname = type.__dict__["__qualname__"].__get__(kind)
        if module == SCRIPT:
            module = (self.job.flat or {}).get(qualname.partition(".")[0], self.job.module)
        elif module in self.own:
            module = defining_module(kind)
        return f"{module}.{qualname}"

    def _is_python(self, kind: type) -> bool:
        module = type.__dict__["__module__"].__get__(kind)
        if not isinstance(module, str):
            return False
        return module == SCRIPT or module.partition(".")[0] in self.own or module not in sys.modules


def _about(reason: str) -> str:
    return reason.partition(" ")[2]


def _consumed(value: object) -> object:
    """What a lazy value gives: items of a generator, result of a coroutine, entry of a context."""
    if inspect.iscoroutine(value):
        return asyncio.run(_awaited(value))
    if inspect.isgenerator(value):
        return ("generator", list(itertools.islice(value, ITEMS)))
    if inspect.isasyncgen(value):
        return asyncio.run(_all_of(value))
    if type(value) is contextlib._GeneratorContextManager:  # noqa: SLF001  # pyright: ignore
        with value as entered:
            return ("context", entered)
    return value


async def _awaited(value: types.CoroutineType[object, object, object]) -> object:
    return await value


async def _all_of(value: types.AsyncGeneratorType[object, None]) -> object:
    items: list[object] = []
    async for item in value:
        items.append(item)
        if len(items) == ITEMS:
            break
    return ("async generator", items)


def _printed() -> dict[str, str]:
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    with contextlib.suppress(Exception):
        sys.stderr.flush()
    texts: dict[str, str] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.lseek(number, 0, os.SEEK_SET)
        texts[name] = os.read(number, PRINTED).decode("utf-8", "backslashreplace")
    return texts


def _shortened(result: Result) -> Result:
    """Long observations as their beginning and a digest."""
    import hashlib

    observed = result.get("observed")
    if isinstance(observed, dict):
        for key, text in observed.items():
            if len(text) > SHOWN:
                digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
                observed[key] = f"{text[:SHOWN]}… {len(text)} {digest}"
    return result


# Processes ----------------------------------------------------------------------------------------


def _forked(work: Callable[[], Result], seconds: float) -> Result:
    """Run `work` in a fork and return what it gives; ends it when its time is over."""
    reading, writing = os.pipe()
    child = _fork()
    if child == 0:
        os.close(reading)
        _child(work, writing)
    os.close(writing)
    text, late = _drained(reading, seconds)
    os.close(reading)
    if late:
        with contextlib.suppress(ProcessLookupError):
            _kill_group(child, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            _kill(child, signal.SIGKILL)
    _, status = _wait(child, 0)
    if late:
        return {"left": "time-out"}
    try:
        return json.loads(text)
    except ValueError:
        code = os.waitstatus_to_exitcode(status)
        return {"left": f"process ended with {code}"}


def _child(work: Callable[[], Result], writing: int) -> NoReturn:
    try:
        _enter_group(0, 0)
        result = work()
    except BaseException as error:  # noqa: BLE001 - reported to the parent
        where = traceback.extract_tb(error.__traceback__)[-1]
        result = {"left": f"worker: {type(error).__name__}: {error} ({where.name}:{where.lineno})"}
    try:
        data = json.dumps(result).encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)


def _drained(reading: int, seconds: float) -> tuple[bytes, bool]:
    """All that comes through a pipe, and whether the time was over first."""
    end = _clock() + seconds
    parts: list[bytes] = []
    while True:
        left = end - _clock()
        if left <= 0 or not _select([reading], [], [], left)[0]:
            return b"".join(parts), True
        part = os.read(reading, 1 << 16)
        if not part:
            return b"".join(parts), False
        parts.append(part)


def _isolated(side: Side, data: str) -> Result:
    """What the fork of one call does first: streams of its own, in a folder of its own."""
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    for number in (1, 2):
        file = os.open(f".printed-{number}", os.O_RDWR | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
        Path(f".printed-{number}").unlink()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    result = side.call(data)
    return result if side.job.full else _shortened(result)


def run(job: Job, own: frozenset[str]) -> Result:
    """All calls of one job; runs in a fork."""
    side = Side(job, own)
    try:
        side.load()
    except BaseException as error:  # noqa: BLE001 - a slice that does not load is a result
        return {"failed": f"{type(error).__name__}: {error}"}
    calls = [_forked(lambda d=data: _isolated(side, d), job.seconds) for data in job.calls]
    if not job.script and not job.mocks:
        about = _forked(side.describe, job.seconds)
        return {"calls": calls, "descriptions": {} if "left" in about else about}
    executed = {tuple(pair) for call in calls for pair in call.pop("executed", ())}  # pyright: ignore
    return {"calls": calls, "executed": sorted(executed | set(side.executed.found()))}


def main() -> int:
    """Serve jobs until standard input ends; the arguments are the package's module names.

    The original is imported once for all, or for each job anew, after the mocks that it names.
    """
    mode, *names = sys.argv[1:]
    own = frozenset(names)
    output = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    jobs = os.fdopen(os.dup(0))
    for number in (0, 1):
        os.dup2(nothing, number)
    if mode == "original":
        for name in names:
            importlib.import_module(name)
    elif mode == "slice":
        there = [name for name in names if importlib.util.find_spec(name) is not None]
        if there:
            raise SystemExit(f"the slice's environment has {there}")
    gc.disable()
    for line in jobs:
        record = json.loads(line)
        job = Job(**{**record, "calls": tuple(record["calls"])})
        limit = 60 + job.seconds * len(job.calls)
        result = _forked(lambda j=job: run(j, own), limit)
        output.write(json.dumps({"number": job.number, **result}) + "\n")
        output.flush()
    return 0
