"""Mocked slices of RepoST-Eval: do they import, can the class be constructed, is the target called?

    python -m benchmarks.mocks.mocks --data FILE --repos DIR
    python -m benchmarks.mocks.mocks --data FILE --repos DIR --data-files   # nothing runs

Each slice is made with mocks, what it then imports is installed as of the commit, and it runs in
the sandbox, which has no network: first the arguments of the recorded eval script's tests where
they can be carried over, then stand-ins of the inferred shapes. A call counts when it returns, or
raises what the slice raises on purpose. A run resumes where it stopped. With `--data-files` it is
only told which of the data that slices read are carried, by ours and by the recorded scripts.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.missing_imports import Trial
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import Provision, provision
from slicefunc.mocker.contacts import MOCKS_BEGIN
from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.slicer.repo.units import PRELUDE_END
from slicefunc.slicer.syntax.requirement import Requirement, normal, parse_requirement
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Profile
from slicefunc.verifier.inputs import call_of, stand_ins

from ..common.report import RESULTS, digest_of, machine, normalised, share, table, write_result
from ..repost.data.examples import Example, find_home
from ..repost.data.over_examples import Record, over_examples
from ..repost.data.script_environments import names_of, requirements
from ..repost.published.eval_candidate import CONTAINER_FOLDER
from ..sources.sdists import DEFAULT_WORK
from .read_data import data_kept
from .recorded_scripts import recorded
from .run_mocked import run_child


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    if options.data_files:
        return _data_files(options)
    key = digest_of("slicer", "mocker", "verifier", "driver")
    name = f"mocks-{key}"
    found = over_examples(
        options, name, lambda e, repositories, work: _record(e, repositories, work, options)
    )
    summary = _summary(found)
    result = {"summary": summary, "slices": found, **machine()}
    if options.write:
        _write(result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary, found))
    return 0


def _data_files(options: argparse.Namespace) -> int:
    found = over_examples(options, f"mocks-data-{digest_of('slicer', 'mocker')}", _data_record)
    summary = _data_summary(found)
    if options.write:
        slices = [each for each in found if each["data"]]
        _write({"data_files": {"summary": summary, "slices": slices}})
    print(json.dumps(summary, indent=1) if options.json else table(["", ""], _data_rows(summary)))
    return 0


def _write(result: Record) -> None:
    """Keep a result; what another run says of other things stays."""
    file = RESULTS / "mocks.json"
    before = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    write_result("mocks", {**before, **result})


def _data_record(example: Example, repositories: Path | None, work: Path) -> Record:
    home = find_home(example, repositories, work / "contexts")
    record: Record = {"number": example.number, "target": example.target, "data": {}}
    try:
        repository = Repository(home.folder)
        sliced = compile_slice(repository, (example.target,))
    except SliceFuncError as error:
        return {**record, "error": str(error)}
    return {**record, "data": data_kept(example, repository, sliced)}


def _data_summary(found: list[Record]) -> Record:
    reading = [each["data"] for each in found if each["data"]]
    return {
        "slices": len(found),
        "errors": sum("error" in each for each in found),
        "reading": len(reading),
        **{whose: dict(Counter(each[whose] for each in reading)) for whose in ("ours", "recorded")},
    }


def _data_rows(summary: Record) -> list[list[str]]:
    return [
        ["targets", str(summary["slices"])],
        ["whose slice reads data files of the repository", str(summary["reading"])],
        *(
            [f"{title}: data {what}", str(n)]
            for title, whose in (("our slices", "ours"), ("recorded scripts", "recorded"))
            for what, n in sorted(summary[whose].items())
        ),
    ]


def _record(
    example: Example, repositories: Path | None, work: Path, options: argparse.Namespace
) -> Record:
    home = find_home(example, repositories, work / "contexts")
    record: Record = {
        "number": example.number, "repository": example.repository, "target": example.target,
        "home": home.origin,
    }  # fmt: skip
    try:
        repository = Repository(home.folder)
        compile_slice(repository, (example.target,))  # what is analysed once serves both
        started = time.process_time()
        plain = slice_function(repository, example.target)
        between = time.process_time()
        sliced = compile_slice(repository, (example.target,))
        record["added_ms"] = (time.process_time() - between - (between - started)) * 1000
        record["mocked"] = sliced.source != plain.source
        record["prelude_lines"] = _prelude_lines(sliced)
        record["contact"] = _contact(sliced, plain)
        record["treated"] = sorted(
            {(e.module.partition(".")[0], e.treatment) for e in sliced.manifest.externals
             if e.treatment != "real"}
        )  # fmt: skip
        record["verbatim"] = sliced.manifest.definitions == plain.manifest.definitions
        record["recorded"] = recorded(example, repository, plain)
        profile = Profile()
        if not options.no_install:
            wanted = requirements(example.eval_script, names_of(example, home))
            sliced, place = installed(repository, sliced, wanted)
            profile = place.profile
            record["problems"] = [str(p.requirement) for p in place.problems]
    except SliceFuncError as error:
        return {**record, "error": str(error)}
    return {**record, **_run(example, repository, sliced, profile)}


def _prelude_lines(sliced: Slice) -> int:
    """The lines of what a mocked script carries."""
    _, begin, rest = sliced.source.partition(MOCKS_BEGIN)
    return rest.partition(PRELUDE_END)[0].count("\n") + 1 if begin else 0


def installed(
    repository: Repository,
    sliced: Slice,
    recorded: tuple[str, ...],
    cases: Callable[[Slice], tuple[Case, ...]] = lambda _: (),
) -> tuple[Slice, Provision]:
    """Where the slice runs, with what recorded tests and cases import.

    What cannot be had is stubbed.
    """
    origin = origin_of(repository.path)
    (target,) = sliced.manifest.targets
    stubs: tuple[str, ...] = ()
    while True:
        names = {normal(each.name) for each in _parsed(sliced)}
        added = [name for name in recorded if normal(name) not in {*names, *map(normal, stubs)}]
        manifest = replace(
            sliced.manifest, requirements=(*sliced.manifest.requirements, *sorted(added))
        )
        errors = Trial(sliced, cases(sliced), choose().make).errors
        place = provision(repository, manifest, origin, errors)
        more = tuple(n for n in place.not_installable if n not in stubs and normal(n) in names)
        if not more:
            return sliced, place
        stubs = (*stubs, *more)
        sliced = compile_slice(repository, (str(target),), Options(stubs=stubs))


def _parsed(sliced: Slice) -> list[Requirement]:
    found = (parse_requirement(text) for text in sliced.manifest.requirements)
    return [requirement for requirement in found if requirement]


OUTSIDE = (
    "builtins.open", "builtins.input", "os.environ", "os.getenv", "os.system", "os.popen",
    "subprocess", "socket", "urllib.request", "http.client", "smtplib", "imaplib", "ftplib",
    "sqlite3", "time.", "datetime.datetime.now", "datetime.datetime.today", "datetime.date.today",
    "random.", "secrets.", "uuid.", "platform.", "getpass", "sys.stdin", "sys.argv", "tkinter",
    "shutil.", "pathlib.Path", "os.path.exists", "os.listdir", "os.makedirs", "os.remove", "glob.",
    "threading.Timer", "multiprocessing", "winreg", "ctypes", "numpy.random", "pandas.read_",
    "torch.load", "torch.cuda", "cv2.VideoCapture", "cv2.imread", "cv2.imshow",
    "matplotlib.pyplot.show",
    "PIL.Image.open", "json.load", "tempfile", "curses", "turtle", "pygame", "requests", "httpx",
    "aiohttp",
)  # fmt: skip
"""What touches the outside world where a slice names it, whether or not it is mocked."""


def _contact(sliced: Slice, plain: Slice) -> bool:
    names = {name for reference in plain.references for name in reference.names}
    mocked = sliced.source != plain.source
    return mocked or any(name.startswith(OUTSIDE) for name in names)


def _run(example: Example, repository: Repository, sliced: Slice, profile: Profile) -> Record:
    tests, recorded = _tests(example)
    plan = {
        "qualname": example.qualname, "recorded": recorded, "tests": tests,
        "receiver": _receiver(repository, sliced), "call": call_of(repository, sliced),
    }  # fmt: skip
    executor = choose().make()
    executor.start(profile)
    try:
        return run_child(executor, sliced, plan)
    finally:
        executor.close()


def _receiver(repository: Repository, sliced: Slice) -> str:
    """An expression that makes an instance of the target's class."""
    (target,) = sliced.manifest.targets
    pairs = stand_ins(repository, sliced)
    if "." in target.qualname and pairs and pairs[0][0] == "self":
        return pairs[0][1]
    return ""


def _tests(example: Example) -> tuple[list[str], str]:
    """The recorded tests by name, and the recorded script."""
    try:
        tree = ast.parse(example.eval_script)
    except SyntaxError:
        return [], ""
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
             and n.name.startswith("test")]  # fmt: skip
    return names, example.eval_script.replace(CONTAINER_FOLDER, "/tmp")


def _summary(found: list[Record]) -> Record:
    made = [each for each in found if "imports" in each]
    outside = [each for each in made if each["contact"]]
    methods = [each for each in made if each.get("constructs") is not None]
    added = [each["added_ms"] for each in made]
    mocked = [each["added_ms"] for each in made if each["mocked"]]
    carried = sorted(each["prelude_lines"] for each in made if each["prelude_lines"])
    return {
        "slices": len(found),
        "errors": dict(Counter(normalised("", e["error"]) for e in found if "error" in e)),
        "made": len(made),
        "outside": len(outside),
        "import": sum(e["imports"] for e in made),
        "outside_import": sum(e["imports"] for e in outside),
        "construct": [sum(bool(e["constructs"]) for e in methods), len(methods)],
        "called": sum(bool(e["called"]) for e in made),
        "outside_called": sum(bool(e["called"]) for e in outside),
        "by": dict(Counter(f"{e['called']}: {e['how']}" for e in made if e["called"])),
        "verbatim": sum(e["verbatim"] for e in made),
        "attempts": sum(bool(e.get("attempts")) for e in made),
        "processes": sum(bool(e.get("processes")) for e in made),
        "added_ms": statistics.median(added) if added else 0.0,
        "mocked": len(mocked),
        "mocked_ms": statistics.median(mocked) if mocked else 0.0,
        "prelude_lines": {
            "median": statistics.median(carried),
            "90 %": carried[len(carried) * 9 // 10],
            "most": carried[-1],
        }
        if carried
        else {},
        "recorded": dict(sum((Counter(e["recorded"]) for e in made), Counter())),
        "treated": dict(Counter(t for e in made for _, t in e["treated"])),
        "not_imported": dict(Counter(_reason(e) for e in made if not e["imports"]).most_common()),
        "not_called": dict(
            Counter(_reason(e) for e in made if e["imports"] and not e["called"]).most_common()
        ),
    }


def _reason(record: Record) -> str:
    why = record.get("why") or record.get("carried") or record.get("construction") or ""
    name, _, message = why.partition(": ")
    return normalised(name, message)


def _markdown(summary: Record, found: list[Record]) -> str:
    made, outside = summary["made"], summary["outside"]
    rows = [
        ["targets", str(summary["slices"])],
        *([f"left out: {text[:80]}", str(n)] for text, n in summary["errors"].items()),
        ["import", share(summary["import"], made)],
        ["class constructed", share(*summary["construct"])],
        ["called", share(summary["called"], made)],
        ["with outside contact: import", share(summary["outside_import"], outside)],
        ["with outside contact: called", share(summary["outside_called"], outside)],
        *([f"called, {how}", str(n)] for how, n in sorted(summary["by"].items())),
        ["target and kept definitions verbatim", share(summary["verbatim"], made)],
        ["reached for the network, or for files outside the box", str(summary["attempts"])],
        ["started another process", str(summary["processes"])],
        ["CPU time that mocking adds, median", f"{summary['added_ms']:.1f} ms"],
        [
            f"the same of the {summary['mocked']} that have mocks",
            f"{summary['mocked_ms']:.1f} ms",
        ],
        *(
            [f"lines that a mocked script carries, {k}", str(v)]
            for k, v in summary["prelude_lines"].items()
        ),
        *(
            [f"recorded scripts, kept definitions: {what}", str(n)]
            for what, n in sorted(summary["recorded"].items())
        ),
        *([f"externals {treatment}", str(n)] for treatment, n in summary["treated"].items()),
        *([f"does not import: {text}", str(n)] for text, n in summary["not_imported"].items()),
        *([f"is not called: {text}", str(n)] for text, n in summary["not_called"].items()),
    ]
    return table(["", ""], rows)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mocks.mocks",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="folder with clones")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N targets")
    parser.add_argument("--only", nargs="+", metavar="IDX", help="only these targets")
    parser.add_argument("--no-install", action="store_true", help="run with what is here")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "mocks", metavar="DIR")
    parser.add_argument("--data-files", action="store_true", help="only which data are carried")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    parser.add_argument("--write", action="store_true", help="keep the result")
    return parser


if __name__ == "__main__":
    sys.exit(main())
