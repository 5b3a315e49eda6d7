"""Replays recorded calls of real packages: does a slice do what the original does?

    python -m benchmarks.replay.replay [--package NAME] [--limit N] [--short] [--show
    PATH::QUALNAME]
        [--mock none|auto|both]

Four steps for each package: record the calls that its own test suite makes (at most 20 a function),
run them on the original in two processes, slice each function, run them on the slice where the
package is absent. Calls on which the original differs from itself are left out and counted.

Named to the slicer are the classes whose instances are arguments. Instances inside of arguments,
and functions and other objects that these merely refer to, are placeholders at first, and named
once a call touches them; so is what code that is handed in, of the tests or of the package, asks
for in vain.

With mocks, a call that does something else than the original is made on the original once more,
under the very mocks that the slice carries: does it the same there, it is counted as answered by
mocks, with what it did to the outside world. `both` says what the same functions do without mocks.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from .slices import Modules, Sliced, Slicer

from ..common.report import RESULTS, write_result
from ..sources.sdists import DEFAULT_WORK, environment, fetch_sdist, interpreter, sdist_named
from ..sources.sdists_further import FURTHER
from .beside_mocks import beside_table, compared
from .inside.nodes import Need, eager_names, spelled_names, unpacked
from .judge import Outcome
from .replay_tables import summary, table
from .sandbox import INSTALLED, command, variables

SYMPY_PARTS = ("core", "ntheory", "sets", "combinatorics", "polys")
PACKAGES = (
    *("click", "requests", "attrs", "flask", "starlette"),
    *("jinja2", "werkzeug", "httpx", "rich", "sympy"),
)
FURTHER_PACKAGES = tuple(sdist.name for sdist in FURTHER)
"""Replayed when they are named; their numbers are kept apart."""
SYMPY_SECONDS = 240.0
"""Limit of each of its sub-packages: what is not called by then is not replayed."""
SHORT_TESTS = {"click": ("tests/test_formatting.py", "tests/test_parser.py")}
EXTRA_REQUIREMENTS = {"flask": ("pytest<9",)}
_WORKER_PARTS = "nodes rebuild placeholders compare executed handed under_mocks worker"
_WORKER_FILES = tuple(f"benchmarks/replay/inside/{part}.py" for part in _WORKER_PARTS.split())

NOT_RUN = "not run: the original left it out"
"""Reason of a call that is not made again."""
UNUSED = 99_999
"""Number of a script that is only looked at."""

Record = dict[str, object]


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    limit: int | None = None
    seed: int = 0
    short: bool = False
    work: Path = DEFAULT_WORK / "replay"
    """Where recordings and results are kept."""
    fresh: bool = False
    seconds: float = 600.0
    """Limit of one run of pytest."""
    call_seconds: float = 5.0
    calls: int = 20
    """At most so many recorded calls of each function."""
    mock: bool = False
    """Whether the slices have mocks."""


@dataclass(slots=True)
class Function:
    """One function that the suite calls, with its recorded calls."""

    path: str
    qualname: str
    digest: str = ""
    calls: int = 0
    data: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    names: dict[tuple[str, str], Need] = field(default_factory=dict)
    """What the arguments need of the package, and what for."""
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """As the slicer names it."""
        return f"{self.path}::{self.qualname}"


class Package:
    """The folders and environments of one package."""

    def __init__(self, name: str, options: Options) -> None:
        self.sdist = sdist_named(name)
        self.options = options
        self.source = fetch_sdist(name)
        self.work = options.work / (f"{name}-short" if options.short else name)
        self.tree = self.work / "tree"
        self.recorded = self.work / "recorded.jsonl"
        self.work.mkdir(parents=True, exist_ok=True)

    @property
    def own(self) -> tuple[str, ...]:
        """Top-level module names."""
        return tuple(sorted({p.rpartition("/")[2] for p in self.sdist.packages}))

    def environment(self, *, installed: bool) -> Path:
        """An environment with the suite's requirements, with or without the package."""
        folder = environment(
            self.sdist.name, installed=installed, tests=True, fakes=self.options.mock
        )
        extra = EXTRA_REQUIREMENTS.get(self.sdist.name, ())
        if extra and not (folder / "extra").exists():
            pip = (sys.executable, "-m", "pip", "--python", str(interpreter(folder)))
            subprocess.run([*pip, "install", "--quiet", *extra], check=True)
            (folder / "extra").touch()
        return folder

    def path_variables(self, home: Path | None = None) -> dict[str, str]:
        """Variables under which the package comes from the unpacked sdist.

        Under another home all is alike, but that nothing comes from there.
        """
        return variables(PYTHONPATH=str((home or self.tree) / self.sdist.root))

    @property
    def slices(self) -> Path:
        """The folder of the scripts."""
        return self.work / "slices"


# Recording ----------------------------------------------------------------------------------------


def record(package: Package) -> None:
    """Run the suite under the recorder, unless that was done before."""
    if package.recorded.exists():
        return
    if not package.tree.exists():
        shutil.copytree(package.source, package.tree)
        _end_search_for_settings(package.tree)
    unfinished = package.work / "recording.jsonl"
    unfinished.unlink(missing_ok=True)
    for packages, tests in _suites(package):
        say(f"{package.sdist.name}: recording {' '.join(tests)}")
        _record_suite(package, packages, tests, unfinished)
    unfinished.rename(package.recorded)


def _end_search_for_settings(tree: Path) -> None:
    """Have pytest find settings in the tree: where it has none, ours above would be taken."""
    heads = {"pyproject.toml": "[tool.pytest", "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]"}
    known = (tree / name for name in ("pytest.ini", ".pytest.ini"))
    if any(path.exists() for path in known) or any(
        head in (tree / name).read_text(encoding="utf-8")
        for name, head in heads.items()
        if (tree / name).exists()
    ):
        return
    (tree / "pytest.ini").write_text("[pytest]\n")


def _suites(package: Package) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Which folders of the package are recorded while which tests run."""
    name = package.sdist.name
    if name == "sympy":
        for part in SYMPY_PARTS:
            yield (f"sympy/{part}",), (f"sympy/{part}",)
    elif package.sdist.tests is not None:
        tests = SHORT_TESTS.get(name, ()) if package.options.short else ()
        yield package.sdist.packages, tests or (package.sdist.tests,)


def _record_suite(
    package: Package, packages: tuple[str, ...], tests: tuple[str, ...], output: Path
) -> None:
    is_sympy = package.sdist.name == "sympy"
    settings = {
        "root": str(package.tree),
        "packages": packages,
        "own": package.own,
        "tests": [str(package.tree / test) for test in tests],
        "test_folders": [] if is_sympy else [str(package.tree / str(package.sdist.tests))],
        "output": str(output),
        "forget": ["_mhash"] if is_sympy else [],
        "arguments": ["--continue-on-collection-errors", "--assert=plain"],
        "seconds": min(package.options.seconds, SYMPY_SECONDS if is_sympy else math.inf),
    }
    start = command(
        package.environment(installed=True),
        "replay.inside.record",
        json.dumps(settings),
        writable=package.work,
        folder=package.tree,
    )
    log = package.work / "pytest.log"
    with log.open("a") as file:
        subprocess.run(
            start,
            env=package.path_variables(),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            timeout=package.options.seconds * 2 + 60,
            check=False,
        )


def functions(package: Package) -> tuple[list[Function], Record]:
    """The functions that were called, sorted, and the outcomes of the suite."""
    found: dict[tuple[str, str], Function] = {}
    outcomes: dict[str, int] = defaultdict(int)
    for line in lines(package.recorded):
        if "outcomes" in line:
            for key, count in line["outcomes"].items():
                outcomes[key] += count
            continue
        key = (line["path"], line["qualname"])
        function = found.setdefault(key, Function(*key))
        if "calls" in line:
            function.calls += line["calls"]
        elif "skip" in line:
            function.skipped[line["skip"]] = function.skipped.get(line["skip"], 0) + 1
        elif len(function.data) < package.options.calls:
            function.digest = function.digest or line["digest"]
            function.data.append(line["data"])
            function.tests.append(line["test"])
            graph, own = unpacked(line["data"]), frozenset(package.own)
            for name, need in eager_names(graph, own).items():
                function.names[name] = need | function.names.get(name, need)
            for name in spelled_names(graph, own):
                function.names[name] = Need.MENTION | function.names.get(name, Need.MENTION)
    called = [f for f in found.values() if f.calls or f.data or f.skipped]
    return sorted(called, key=lambda f: f.target), dict(outcomes)


# Running ------------------------------------------------------------------------------------------


class Worker:
    """A process that runs jobs: on the original, on slices, or on the original under mocks."""

    def __init__(self, package: Package, kind: Literal["original", "slice", "mocked"]) -> None:
        self._package = package
        self._kind = kind
        self._process: subprocess.Popen[str] | None = None

    def _started(self) -> subprocess.Popen[str]:
        package, is_slice = self._package, self._kind == "slice"
        start = command(
            package.environment(installed=not is_slice),
            "replay.inside.worker",
            *(self._kind, *package.own),
            writable=package.work,
        )
        return subprocess.Popen(
            start,
            env=package.path_variables(package.slices / "none" if is_slice else None),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(package.work / "worker.log").open("a"),
            text=True,
        )

    def run(self, job: Record) -> Record:
        """The result of one job."""
        self._process = process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise SystemExit("replay: the worker ended; see worker.log in the work folder")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def observe_original(package: Package, chosen: list[Function]) -> dict[str, list[Record]]:
    """What the original does on every recorded call, in two processes; kept on disk."""
    observed: dict[str, list[Record]] = {}
    version = (
        digest_of_files(_WORKER_FILES)
        + f"-{package.recorded.stat().st_size}-{package.options.calls}"
    )
    for number in (1, 2):
        store = package.work / f"original-{number}.jsonl"
        known = {
            str(line["target"]): line["result"]
            for line in lines(store)
            if line.get("version") == version
        }
        todo = [f for f in chosen if f.target not in known]
        if todo:
            with Worker(package, "original") as worker, store.open("a") as file:
                for function in progress(todo, f"{package.sdist.name}: original, run {number}"):
                    job = job_of(package, function)
                    before = observed.get(function.target)
                    result = run_comparable(worker, job, before[0]) if before else worker.run(job)
                    line = {"version": version, "target": function.target, "result": result}
                    file.write(json.dumps(line) + "\n")
                    file.flush()
                    known[function.target] = result
        for function in chosen:
            observed.setdefault(function.target, []).append(known[function.target])
    return observed


def job_of(package: Package, function: Function, *, full: bool = False) -> Record:
    """The worker's order to run a function's recorded calls on the original."""
    prefix = "" if package.sdist.root == "." else f"{package.sdist.root}/"
    module = function.path.removeprefix(prefix).removesuffix(".py").replace("/", ".")
    return {
        "number": 0,
        "module": module.removesuffix(".__init__"),
        "qualname": function.qualname,
        "digest": function.digest,
        "calls": function.data,
        "homes": [str(package.tree), str(package.slices / "none"), str(package.slices)],
        "seconds": package.options.call_seconds,
        "full": full,
    }


def run_comparable(worker: Worker, job: Record, original: Record) -> Record:
    """The result of a job without the calls that the original left out: none of them is compared.

    Most of these wait until their time is over, in each run anew.
    """
    first: list[Record] = original.get("calls", [])  # pyright: ignore
    data: list[str] = job["calls"]  # pyright: ignore
    if "failed" in original:
        return worker.run(job)
    result = worker.run(
        job | {"calls": [d for d, o in zip(data, first, strict=True) if "left" not in o]}
    )
    if "calls" in result:
        made: Iterator[Record] = iter(result["calls"])  # pyright: ignore
        result["calls"] = [{"left": NOT_RUN} if "left" in o else next(made) for o in first]
    return result


def replay(
    package: Package,
    chosen: list[Function],
    originals: dict[str, list[Record]],
    plain: Sequence[Outcome] = (),
) -> list[Outcome]:
    """Slice each function and run its calls on the slice; kept on disk, so that it can resume.

    A slice that mocks leave as it is, byte for byte, has the outcome that it has without them,
    where that is known (`plain`): what ran once does not run again.
    """
    from .slices import Modules, Slicer

    store = package.work / "results.jsonl"
    version = digest_of_files(("slicer/**/*.py", *_WORKER_FILES, "benchmarks/replay/[ajs]*.py"))
    version += f"-{package.options.calls}"
    if package.options.mock:
        version += f"-{digest_of_files(('mocker/**/*.py',))}"
    done = {
        line["outcome"]["target"]: Outcome(**line["outcome"])
        for line in lines(store)
        if line["version"] == version and not package.options.fresh
    }
    todo = [f for f in chosen if f.target not in done]
    if todo:
        modules = Modules(package.source, package.sdist.root)
        slicer = Slicer(package.source, package.slices, mock=package.options.mock)
        with (
            Worker(package, "slice") as worker,
            Worker(package, "mocked") as mocked,
            store.open("a") as file,
        ):
            numbers = {f.target: i for i, f in enumerate(chosen)}
            known = {outcome.target: outcome for outcome in plain}
            for function in progress(todo, f"{package.sdist.name}: slices"):
                before = known.get(function.target)
                if before is not None and _is_left_alone(slicer, before):
                    done[function.target] = before
                    continue
                outcome = replay_one(
                    *(package, function, numbers[function.target]),
                    *(slicer, modules, (worker, mocked), originals[function.target]),
                )
                file.write(json.dumps({"version": version, "outcome": asdict(outcome)}) + "\n")
                file.flush()
                done[function.target] = outcome
    return [done[f.target] for f in chosen]


def _is_left_alone(slicer: Slicer, before: Outcome) -> bool:
    """Whether nothing is mocked in the slice of an outcome; asked of all that was named for it."""
    made = slicer.slice(UNUSED, before.target, before.keep)
    return not isinstance(made, str) and not made.manifest.mocks


def replay_one(
    package: Package,
    function: Function,
    number: int,
    slicer: Slicer,
    modules: Modules,
    workers: tuple[Worker, Worker],
    originals: list[Record],
) -> Outcome:
    """Slice one function and run its calls: on the slice, and on the original under its mocks."""
    from .attempts import outcome_of

    def run(sliced: Sliced, placeholders: bool, held: Sequence[str]) -> Record:
        job = job_of(package, function)
        job |= {"script": str(sliced.script), "flat": sliced.flat_names(modules)}
        if placeholders:
            job["descriptions"] = originals[0].get("descriptions", {})
            job["held"] = held
        return run_comparable(workers[0], job, originals[0])

    def under_mocks(sliced: Sliced) -> Record:
        job = job_of(package, function) | {"mocks": str(sliced.script)}
        return run_comparable(workers[1], job, originals[0])

    answers = under_mocks if package.options.mock else None
    return outcome_of(function, number, slicer, modules, run, originals, answers)


# Command ------------------------------------------------------------------------------------------


def run(name: str, options: Options, *, beside: bool = False) -> Record:
    """All steps for one package; returns its numbers, and those without mocks beside, if asked."""
    package = Package(name, options)
    if package.sdist.tests is None:
        return {"package": name, "left_out": "the sdist carries no tests"}
    record(package)
    called, suite = functions(package)
    chosen = sample(called, options)
    plain: list[Outcome] = []
    if beside:
        bare = Package(name, replace(options, mock=False))
        plain = replay(bare, chosen, observe_original(bare, chosen))
    outcomes = replay(package, chosen, observe_original(package, chosen), plain)
    parts = [f"sympy/{part}" for part in SYMPY_PARTS] if name == "sympy" else []
    return {
        "package": name,
        "version": package.sdist.version,
        "suite": suite,
        **({"only": parts} if parts else {}),
        "functions_called": len(called),
        **summary(outcomes),
        **({"beside": compared(plain, outcomes)} if beside else {}),
    }


def sample(called: list[Function], options: Options) -> list[Function]:
    """All of them, or as many as the limit says, drawn with the seed."""
    limit = 20 if options.short and options.limit is None else options.limit
    if limit is None or limit >= len(called):
        return called
    drawn = random.Random(options.seed).sample(called, limit)
    return sorted(drawn, key=lambda f: f.target)


def show(name: str, target: str, options: Options) -> int:
    """Run one target again and print what original and slice did, where they differ."""
    from .slices import Modules, Slicer

    package = Package(name, options)
    record(package)
    chosen = [f for f in functions(package)[0] if f.target == target]
    if not chosen:
        print(f"replay: the suite does not call {target}", file=sys.stderr)
        return 2
    modules = Modules(package.source, package.sdist.root)
    slicer = Slicer(package.source, package.slices / "shown", mock=options.mock)
    (function,) = chosen
    originals: list[Record] = []
    for _ in (1, 2):
        with Worker(package, "original") as worker:
            originals.append(worker.run(job_of(package, function)))
    with Worker(package, "slice") as worker, Worker(package, "mocked") as mocked:
        outcome = replay_one(package, function, 0, slicer, modules, (worker, mocked), originals)
    print(json.dumps(asdict(outcome), indent=1))
    return 0


def digest_of_files(patterns: tuple[str, ...]) -> str:
    """A digest of sources of ours: results of other ones are not mixed in."""
    digest = hashlib.sha256()
    root = Path(__file__).resolve().parents[2]
    for file in sorted(file for pattern in patterns for file in root.glob(pattern)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def lines(path: Path) -> Iterator[Record]:
    """The records of a file of JSON lines; a last line that was cut off is left out."""
    if path.exists():
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    yield json.loads(line)


def progress(items: list[Function], title: str) -> Iterator[Function]:
    """Yield the items and say on standard error how far it is."""
    began = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty() or number % 100 == 0 or number == len(items):
            spent = time.monotonic() - began
            say(f"{title}: {number}/{len(items)}, {spent:.0f} s")


def say(text: str) -> None:
    """A message for people."""
    print(f"replay: {text}", file=sys.stderr, flush=True)


def save(records: Iterable[Record], name: str, work: Path) -> None:
    """Write the numbers beside those of earlier runs, without the folders they were made in."""
    path = RESULTS / f"{name}.json"
    known = {r["package"]: r for r in json.loads(path.read_text())} if path.exists() else {}
    known |= {record["package"]: record for record in records}
    ordered = [known[p] for p in (*PACKAGES, *FURTHER_PACKAGES) if p in known]
    write_result(name, ordered, further={"WORK": str(work), "ENVIRONMENT": INSTALLED})
    (RESULTS / f"{name}.md").write_text(table(ordered) + beside_table(ordered))


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="replay", description=__doc__)
    parser.add_argument(
        "--package", action="append", choices=(*PACKAGES, *FURTHER_PACKAGES), help="only this"
    )
    parser.add_argument("--limit", type=int, help="at most so many functions of each package")
    parser.add_argument("--seed", type=int, default=0, help="of the sample that --limit takes")
    parser.add_argument("--calls", type=int, default=20, help="at most so many calls a function")
    parser.add_argument("--mock", choices=("auto", "none", "both"), default="none")
    parser.add_argument("--short", action="store_true", help="a small sample of click, for CI")
    parser.add_argument("--fresh", action="store_true", help="do again what is on disk")
    parser.add_argument("--record", action="store_true", help="record only")
    parser.add_argument("--show", metavar="PATH::QUALNAME", help="one target in detail")
    parser.add_argument(
        "--work", type=Path, default=DEFAULT_WORK / "replay", help="for recordings and results"
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    given = parser.parse_args(argv)
    options = Options(
        limit=given.limit,
        seed=given.seed,
        short=given.short,
        fresh=given.fresh,
        work=given.work.resolve(),
        calls=given.calls,
        mock=given.mock != "none",
    )
    names = given.package or (["click"] if given.short else list(PACKAGES))
    if given.show:
        return show(names[0], given.show, options)
    if given.record:
        for name in names:
            package = Package(name, options)
            record(package)
        return 0
    records = []
    for name in names:
        records.append(run(name, options, beside=given.mock == "both"))
        if given.limit is None and given.calls == 20 and not given.short:
            kind = "replay-further" if name in FURTHER_PACKAGES else "replay"
            save(records[-1:], kind + "-mocks" * options.mock, options.work)
    print(json.dumps(records, indent=1) if given.json else table(records) + beside_table(records))
    return int(given.short and any(r["identical"] != r["replayed"] for r in records))


if __name__ == "__main__":
    sys.exit(main())
