"""Tools that write tests for a target without a model, each run in the sandbox beside the target.

A tool gets the same slice, laid out as a module, in an environment that has the target's own
distributions in the same versions, and besides them Pynguin, Hypothesis and pytest.
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicefunc.slicer.model import Slice
from slicefunc.verifier.execution.environments import Environment, Lock
from slicefunc.verifier.execution.environments.installer.uv_process import run_uv
from slicefunc.verifier.execution.executors.interface import Mutant
from slicefunc.verifier.script.target_lines import TracedLines

from ..common.report import ROOT
from ..sources.imports import clean_environ, isolation

CHILDREN = Path(__file__).with_name("case_children")
PARTS = ROOT / "verifier" / "sandbox"
TOOLS = ("pynguin==0.48.0", "hypothesis>=6.170", "pytest>=8.4")
"""Without bounds, versions of the target's distributions would have old ones of these installed."""
MODULE = "subject"
"""What the module of a slice that is one script is called."""
MOCKS = "slice_func_mocks"
_MOST_BYTES = 8_000_000_000
_INSTALLING = 900.0

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """A target as a tool finds it: a module in a folder."""

    folder: Path
    module: str
    qualname: str
    traced: TracedLines
    """Where the target stands in the module."""

    @property
    def file(self) -> Path:
        """The module's own."""
        return self.folder / f"{self.module.replace('.', '/')}.py"


# ------------------------------------------------------------------------ the subject


def laid(sliced: Slice, traced: TracedLines, qualname: str, folder: Path) -> Subject:
    """Write a slice as a module, or as a package where it is one.

    Raises:
        OSError: it cannot be written so that its lines stay where they are.
    """
    shutil.rmtree(folder, ignore_errors=True)
    if sliced.manifest.layout != "package":
        _write(folder / f"{MODULE}.py", sliced.source.encode())
        return Subject(folder, MODULE, qualname, traced)
    for each in sliced.files:
        _write(folder / each.path, each.content)
    has_mocks = any(each.path == f"{MOCKS}.py" for each in sliced.files)
    text = importing(traced.text, MOCKS) if has_mocks else traced.text
    if text.count("\n") != traced.text.count("\n"):
        raise OSError(f"there is no room for the import of the mocks in {traced.file}")
    _write(folder / traced.file, text.encode())
    module = traced.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return Subject(folder, module, qualname, traced)


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def importing(text: str, module: str) -> str:
    """A file that imports another module first, each line where it was.

    The import goes to the end of the docstring or the last `__future__` import, else in front of
    the first statement; where that has a body, the line above it is used, or one is added.
    """
    lines = text.split("\n")
    body = ast.parse(text).body
    first = [node for node in body if _comes_first(node, body)]
    if first:
        at = (first[-1].end_lineno or 1) - 1
        code, _, comment = lines[at].partition("  #")
        lines[at] = f"{code}; import {module}" + (f"  #{comment}" if comment else "")
    elif body and not isinstance(body[0], _WITH_BODY):
        at = body[0].lineno - 1
        lines[at] = f"import {module}; {lines[at]}"
    else:
        lines.insert(0, f"import {module}")
        if len(lines) > 1 and (not lines[1].strip() or lines[1].startswith("#")):
            del lines[1]
    return "\n".join(lines)


_WITH_BODY = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.With,
    ast.Try, ast.TryStar, ast.Match, ast.AsyncFor, ast.AsyncWith,
)  # fmt: skip


def _comes_first(node: ast.stmt, body: Sequence[ast.stmt]) -> bool:
    match node:
        case ast.ImportFrom(module="__future__"):
            return True
        case ast.Expr(value=ast.Constant(value=str())):
            return node is body[0]
        case _:
            return False


# -------------------------------------------------------------------- the environment


def with_tools(environment: Environment, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """A copy of an environment that has the tools besides, and in what it differs.

    Its files are shared by hard links where that can be. Versions of the target stay where the
    tools allow that.

    Raises:
        OSError: it cannot be made.
    """
    place = folder / environment.folder.name
    done = place / "tools.json"
    if not done.is_file():
        draft = folder / f".{environment.folder.name}.part"
        shutil.rmtree(draft, ignore_errors=True)
        shutil.copytree(environment.folder, draft, symlinks=True, copy_function=_link)
        _install(draft, environment.lock, folder)
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)
        (place / "tools.json").write_text(json.dumps(_changed(place, environment.lock)))
    return place / "bin" / "python", tuple(json.loads(done.read_text()))


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _install(place: Path, lock: Lock, cache: Path) -> None:
    packages = place / "lib" / f"python{lock.python}" / "site-packages"
    known = {each.name for each in packages.iterdir()}
    pins = place / "pins.txt"
    pins.write_text("".join(f"{p.name}=={p.version}\n" for p in lock.packages), encoding="utf-8")
    words = ["pip", "install", "--python", str(place / "bin" / "python"), *TOOLS]
    ran = run_uv([*words, "-c", str(pins)], cache, _INSTALLING)
    if ran.status:
        ran = run_uv(words, cache, _INSTALLING)
    if ran.status:
        raise OSError(f"the tools cannot be installed: {ran.messages.strip()[-300:]}")
    new = [each for each in packages.iterdir() if each.name not in known]
    command = [place / "bin" / "python", "-I", "-S", "-m", "compileall", "-q", "-q", *new]
    subprocess.run(command, check=False, capture_output=True)


def _changed(place: Path, lock: Lock) -> list[str]:
    """Distributions of the lock that have another version there."""
    packages = place / "lib" / f"python{lock.python}" / "site-packages"
    there = {
        d.name.lower().replace("_", "-"): d.version
        for d in importlib.metadata.distributions(path=[str(packages)])
    }
    return [
        f"{p.name} {p.version} -> {there[p.name]}"
        for p in lock.packages
        if there.get(p.name, p.version) != p.version
    ]


# ------------------------------------------------------------------------ running


@dataclass(frozen=True, slots=True)
class Bench:
    """Where one target's tools run."""

    subject: Subject
    python: Path
    work: Path
    """What the sandbox shows; the folders of the tools are in it."""
    seconds: float
    """That a tool may search, and again write assertions; and that its tests may run."""
    start: float
    """That a tool may take before: Pynguin reads the source of all that the target imports."""
    seed: int
    examples: int
    """Of Hypothesis, for each test."""

    def pynguin(self) -> Record:
        """Pynguin writes tests for the target alone."""
        out = self._folder("pynguin")
        limit = str(int(self.seconds))
        words = [
            *("-m", "pynguin", "--project-path", str(self.subject.folder)),
            *("--module-name", self.subject.module, "--output-path", str(out)),
            *("--report-dir", str(out / "report"), "--seed", str(self.seed)),
            *("--maximum-search-time", limit, "--maximum-mutation-time", limit),
            *("--only-cover", self.subject.qualname, "--ignore-modules", MOCKS),
            *("--maximum-module-execution-timeout", str(int(self.start)), "--no-rich", "-v"),
        ]
        said, end, seconds = self._run("pynguin", words, out, 2 * self.seconds + self.start)
        test = out / f"test_{self.subject.module.replace('.', '_')}.py"
        return _written(test, seconds, end or reason_of(said))

    def ghostwriter(self) -> Record:
        """Hypothesis' ghostwriter writes a test for the target."""
        out = self._folder("ghostwriter")
        test = out / "test_ghostwriter.py"
        subject = self.subject
        words = [
            str(CHILDREN / "ghost.py"), str(subject.folder), subject.module, subject.qualname,
            str(test),
        ]  # fmt: skip
        said, end, seconds = self._run("ghost", words, out, self.start + self.seconds)
        return _written(test, seconds, end or ([*said.strip().splitlines(), ""])[0][:300])

    def measured(self, test: Path, mutants: Sequence[Mutant]) -> Record:
        """What the tests in a file reach, and whom they kill."""
        out, traced = test.parent, self.subject.traced
        request = {
            "folder": str(self.subject.folder), "test": str(test), "file": str(self.subject.file),
            "first": traced.first, "last": traced.last, "parts": str(PARTS),
            "mutants": [{"name": m.name, "text": m.text} for m in mutants],
            "seconds": self.seconds, "examples": self.examples, "seed": self.seed,
        }  # fmt: skip
        asked, answer = out / "request.json", out / "answer.json"
        asked.write_text(json.dumps(request), encoding="utf-8")
        words = [str(CHILDREN / "measure.py"), str(asked), str(answer)]
        # three times as long as the tests for the mutants; a run may have to end a last one
        _, end, _ = self._run("measure", words, out, 10 * self.seconds + self.start)
        if not answer.is_file():
            return {"failure": f"the run of the tests: {end or 'it ended before its end'}"}
        return json.loads(answer.read_text(encoding="utf-8"))

    def _folder(self, tool: str) -> Path:
        folder = self.work / "tests" / tool
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def _run(
        self, name: str, words: Sequence[str], out: Path, seconds: float
    ) -> tuple[str, str, float]:
        """Run Python there: what it said, how it ended where that was not well, and its time."""
        started = time.monotonic()
        say = out / f"{name}.txt"
        (self.work / "sdists").mkdir(exist_ok=True)  # the box has an empty folder there
        box = isolation(self.work)
        shown = (str(self.python.parent.parent), str(CHILDREN), str(PARTS))
        if box:
            box = (
                *box, *(word for each in shown for word in ("--ro-bind", each, each)),
                "--bind", str(out), str(out), "--chdir", str(out),
            )  # fmt: skip
        command = ["prlimit", f"--as={_MOST_BYTES}", *box, str(self.python), "-B", "-P", *words]
        with say.open("wb") as sink:
            try:
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,
                    timeout=seconds, check=False, cwd=out,
                    env=clean_environ(
                        PYNGUIN_DANGER_AWARE="1", COLUMNS="1000",
                        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
                        HYPOTHESIS_STORAGE_DIRECTORY="/tmp/hypothesis",
                    ),
                )  # fmt: skip
                end = f"signal {-done.returncode}" if done.returncode < 0 else ""
            except subprocess.TimeoutExpired:
                end = "time is up"
        said = say.read_text(encoding="utf-8", errors="replace")
        return said, end, time.monotonic() - started


def _written(test: Path, seconds: float, reason: str) -> Record:
    record: Record = {"seconds": round(seconds, 2), "failure": ""}
    text = test.read_text(encoding="utf-8") if test.is_file() else ""
    if "def test_" not in text:
        return {**record, "failure": reason or "no test was written"}
    return {**record, "test": str(test), "lines": text.count("\n")}


_BEFORE_ERROR = r"^.*?\b(?:ERROR|CRITICAL)\b\]?\s*(?:\[[^\]]*\])?(?:\([^)]*\):)?\s*"
"""Time, level, worker and place of a message."""


def reason_of(said: str) -> str:
    """Why a tool has written nothing, by the last error that it tells."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = [
        line for line in lines if re.match(r"[A-Za-z_.]*(?:Error|Exception|Interrupt)\b", line)
    ]
    told = [line for line in lines if re.search(r"\bERROR\b|\bCRITICAL\b", line)]
    found = re.sub(_BEFORE_ERROR, "", (told or [""])[0])
    return (named or [found])[-1][:300]


Tool = Callable[[Bench], Record]
PEERS: dict[str, Tool] = {"pynguin": Bench.pynguin, "ghostwriter": Bench.ghostwriter}
