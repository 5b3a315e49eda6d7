"""Runs scripts in a sandbox: no network, no repository, a fresh process for each way of loading.

Outcomes are kept by content, so that a run that was broken off goes on where it stopped, and after
a change of the slicer only what came out differently runs again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Way = Literal["script", "import", "runpy", "renamed", "module", "tests"]
WAYS: tuple[Way, ...] = ("script", "import", "runpy", "renamed")
PROBE = tuple(Path(__file__).with_name(f"repost_{part}.py") for part in ("probe", "stubs"))
PUBLISHED = Path(__file__).with_name("repost_published.py")
INSTALL = "import repost_probe\nrepost_probe.install()\n"
RUN_TESTS = """
import sys, repost_probe, repost_published
repost_probe.WAYS["tests"] = repost_published.main
repost_probe.main("tests", *sys.argv[1:])
"""
WORK = "/w"
TIMEOUT_SECONDS = 60
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/alternatives", "/etc/fonts", "/etc/ssl")


@dataclass(frozen=True, slots=True)
class Job:
    """One script or tree, loaded in one way."""

    files: tuple[tuple[str, bytes], ...]
    entry: str
    """The script; for the way `module`, the dotted name."""
    name: str
    """What it must bind."""
    way: Way = "script"
    roots: tuple[str, ...] = ()
    """For the way `module`: folders put first on `sys.path`."""
    qualname: str = ""
    """For the way `tests`: what the tests of the file `published.py` call."""
    stub: bool = False
    local: tuple[str, ...] = ()
    """Top-level names that are not stubbed."""
    tree: Path | None = None
    """A folder to copy in as well."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a script did not load."""

    kind: str
    """The exception's class, or `exit`, `timeout`, `unbound`."""
    message: str = ""
    module: str | None = None
    """The module that was missing, for an import error."""
    file: str = ""
    """The innermost line of the script's own that was running."""
    line: int = 0
    text: str = ""
    installed: bool = False
    """Whether the exception was raised inside an installed package."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job."""

    failure: Failure | None
    names: tuple[str, ...] = ()
    """Names bound in the script, without dunders."""
    undefined: tuple[tuple[str, str, str], ...] = ()
    """Module, function and name of each global that nothing binds."""
    stubbed: tuple[str, ...] = ()
    printed: str = ""
    """Digest of standard output; empty where nothing was printed."""

    @property
    def executes(self) -> bool:
        """Whether it ran from top to bottom and bound the target's name."""
        return self.failure is None


@dataclass(slots=True)
class Runner:
    """Runs jobs with one interpreter and remembers their outcomes."""

    python: Path
    cache: Path
    seconds: int = TIMEOUT_SECONDS
    """What a job may take."""
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        installed = sorted(f"{n}=={v}" for n, v in distributions(self.python).items())
        text = [interpreter(self.python), *installed, *(file.read_text() for file in PROBE)]
        self.fingerprint = hashlib.sha256("\n".join(text).encode()).hexdigest()

    def run(self, job: Job) -> Outcome:
        """The outcome of a job, from the cache where it ran before."""
        kept = self.cache / "runs" / f"{self._key(job)}.json"
        if kept.is_file():
            return _outcome(json.loads(kept.read_text()))
        outcome = self._execute(job)
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".tmp")
        fresh.write_text(json.dumps(asdict(outcome)))
        fresh.replace(kept)
        return outcome

    def _key(self, job: Job) -> str:
        digest = hashlib.sha256(self.fingerprint.encode())
        local = job.local if job.stub else ()
        digest.update(repr((job.entry, job.name, job.way, job.roots, job.stub, local)).encode())
        for path, content in job.files:
            digest.update(f"\0{path}\0{len(content)}\0".encode() + content)
        if job.way == "tests":
            digest.update(job.qualname.encode() + PUBLISHED.read_bytes())
        if job.tree is not None:
            digest.update(_digest_of_tree(job.tree).encode())
        return digest.hexdigest()

    def _execute(self, job: Job) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="repost-") as name:
            folder = Path(name)
            work, probe = folder / "w", folder / "probe"
            if job.tree is None:
                work.mkdir()
            else:
                shutil.copytree(job.tree, work, symlinks=True)
            for path, content in job.files:
                (work / path).parent.mkdir(parents=True, exist_ok=True)
                (work / path).write_bytes(content)
            probe.mkdir()
            for file in (*PROBE, PUBLISHED):
                shutil.copy(file, probe)
            (probe / "sitecustomize.py").write_text(INSTALL)
            command = _sandboxed(_command(self.python, job), self.python, folder, _order(job))
            code, printed = _call(command, folder, self.seconds)
            report = probe / "report.json"
            text = report.read_text() if report.is_file() else "null"
        return _judge(code, printed, json.loads(text), self.seconds)


def interpreter(python: Path) -> str:
    """The version of an interpreter."""
    return _ask(python, "import sys; print(sys.version.split()[0])").strip()


@lru_cache(maxsize=4)
def distributions(python: Path) -> dict[str, str]:
    """The distributions that an interpreter has, with their versions."""
    code = "import json; from importlib.metadata import distributions as found"
    code += "; print(json.dumps({d.name: d.version for d in found()}))"
    return json.loads(_ask(python, code))


def sandbox() -> str:
    """The tool that cuts the network: `bwrap` where there is one."""
    for tool in ("bwrap", "unshare"):
        if shutil.which(tool):
            return tool
    sys.exit("repost: neither bwrap nor unshare is installed; the scripts are not run without one")


def _command(python: Path, job: Job) -> list[str]:
    match job.way:
        case "script":
            return [str(python), f"{WORK}/{job.entry}"]
        case "module":
            roots = [f"{WORK}/{root}" for root in job.roots]
            return [str(python), "/probe/repost_probe.py", "module", job.entry, *roots]
        case "tests":
            files = [f"{WORK}/{job.entry}", f"{WORK}/published.py"]
            return [str(python), "-c", RUN_TESTS, job.qualname, *files]
        case _:
            return [str(python), "/probe/repost_probe.py", job.way, f"{WORK}/{job.entry}"]


def _order(job: Job) -> str:
    order = {"way": job.way, "report": "/probe/report.json", "name": job.name}
    return json.dumps({**order, "stub": job.stub, "local": sorted(job.local)})


def _sandboxed(command: list[str], python: Path, folder: Path, order: str) -> list[str]:
    variables = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONPATH": "/probe",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
        "SDL_AUDIODRIVER": "dummy",
        "SDL_VIDEODRIVER": "dummy",
        "REPOST_PROBE": order,
    }
    environment = ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]
    if sandbox() == "bwrap":
        homes = sorted({str(_prefix(python, p)) for p in ("prefix", "base_prefix")})
        binds = [a for p in (*SYSTEM, *homes) for a in ("--ro-bind-try", p, p)]
        tool = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--tmpfs", "/tmp"]
        tool += [*binds, "--proc", "/proc", "--dev", "/dev"]
        tool += ["--bind", str(folder / "w"), WORK, "--bind", str(folder / "probe"), "/probe"]
        tool += ["--dir", "/home/user/tmp"]  # where published tests write
        return [*tool, "--chdir", WORK, *environment, *command]
    # Without bwrap the folders keep their names and the disk stays in sight; the network is cut.
    text = [a.replace("/probe", f"{folder}/probe") for a in [*environment, *command]]
    text = [a.replace(f"{WORK}/", f"{folder}/w/") if a.startswith(WORK) else a for a in text]
    return ["unshare", "-rn", *text]


def _call(command: list[str], folder: Path, seconds: int) -> tuple[int | None, bytes]:
    """Exit status (`None` after a time-out) and standard output."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder / "w",
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, b""
    return process.returncode, printed


def _judge(
    code: int | None, printed: bytes, report: dict[str, Any] | None, seconds: int
) -> Outcome:
    digest = hashlib.sha256(printed).hexdigest()[:12] if printed else ""
    if code is None:
        return Outcome(Failure("timeout", f"more than {seconds} s"), printed=digest)
    if report is None:
        return Outcome(Failure("exit", f"status {code}, nothing reported"), printed=digest)
    names = tuple(report["names"])
    stubbed = tuple(report["stubbed"])
    if report["error"]:
        return Outcome(_failure(report["error"]), names, (), stubbed, digest)
    if code:
        return Outcome(Failure("exit", f"status {code}"), names, (), stubbed, digest)
    undefined = tuple((m, f, n) for m, f, n in report["undefined"])
    failure = None if report["bound"] else Failure("unbound", "the target's name is not bound")
    return Outcome(failure, names, undefined, stubbed, digest)


def _failure(error: dict[str, Any]) -> Failure:
    own = error["own"][0] if error["own"] else {"file": "", "line": 0, "text": ""}
    return Failure(
        kind=error["type"],
        message=error["message"],
        module=error["module"],
        file=own["file"].removeprefix(f"{WORK}/"),
        line=own["line"] or 0,
        text=own["text"],
        installed=bool(error["last"]) and error["last"] != error["own"],
    )


def _outcome(kept: dict[str, Any]) -> Outcome:
    failure = kept["failure"]
    return Outcome(
        failure=Failure(**failure) if failure else None,
        names=tuple(kept["names"]),
        undefined=tuple(tuple(item) for item in kept["undefined"]),
        stubbed=tuple(kept["stubbed"]),
        printed=kept["printed"],
    )


@lru_cache(maxsize=8)
def _prefix(python: Path, which: str) -> Path:
    return Path(_ask(python, f"import sys; print(sys.{which})").strip())


@lru_cache(maxsize=256)
def _digest_of_tree(tree: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(p for p in tree.rglob("*") if p.is_file() and not p.is_symlink()):
        digest.update(str(file.relative_to(tree)).encode() + file.read_bytes())
    return digest.hexdigest()


def _ask(python: Path, code: str) -> str:
    command = [str(python), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
