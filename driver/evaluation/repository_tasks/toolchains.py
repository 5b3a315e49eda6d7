"""How the tests of a repository run, by its language, without a network.

What tests import is installed beforehand for Python and JavaScript; Go, Rust and Java have what
their repository or the machine holds.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ....slicer import Repository
from ....slicer.errors import SliceFuncError
from ....verifier.execution.commands.sandboxed_command import WORK, Command
from ....verifier.execution.environments.installer.process_lock import alone
from ...pipeline.recording.recording_place import RecordingPlace
from ...settings.cache_folders import cache_folder
from .java.run import MAVEN, java_run
from .task_file import RunOfTests

_PYTEST = (
    "-m", "pytest", "-rA", "-q", "--tb=short", "-p", "no:cacheprovider",
    "--continue-on-collection-errors", "-o", "addopts=",
)  # fmt: skip
_GO = {
    "GOCACHE": "/tmp/go",  # noqa: S108 - of the sandbox, as are those below
    "GOPROXY": "off",
    "CGO_ENABLED": "0",
}
_RUST = {
    "CARGO_HOME": "/tmp/cargo",  # noqa: S108
    "CARGO_TARGET_DIR": "/tmp/target",  # noqa: S108
}
_CARGO = Path.home() / ".cargo"
_RUSTUP = Path.home() / ".rustup"
_NPM_SECONDS = 600
_TEST_RUNNERS = {
    "mocha": ("node_modules/.bin/mocha", "--reporter", "tap"),
    "ava": ("node_modules/.bin/ava", "--tap"),
    "tape": ("node_modules/.bin/tape", "test/**/*.js"),
}
"""Runners of JavaScript that print TAP."""


class ToolchainError(SliceFuncError):
    """Tests that cannot be run here."""

    advice = "install the language's tools, or leave the repository out"


def language_of_repository(folder: Path) -> str:
    """Return the language of a repository's tests, by the file that names its packages.

    Raises:
        ToolchainError: there is none of them.
    """
    for name, language in (
        ("go.mod", "go"),
        ("Cargo.toml", "rust"),
        ("pyproject.toml", "python"),
        ("setup.py", "python"),
        ("setup.cfg", "python"),
        ("package.json", "javascript"),
        ("pom.xml", "java"),
        ("build.gradle", "java"),
    ):
        if (folder / name).is_file():
            return language
    for ending, language in ((".py", "python"), (".java", "java")):
        if any(folder.rglob(f"*{ending}")):
            return language
    raise ToolchainError(f"{folder.name}: no language whose tests can be run")


def run_of_tests(folder: Path, language: str, tests: Sequence[str] = ()) -> RunOfTests:
    """Return how tests run.

    Args:
        folder: the repository.
        language: its language.
        tests: files of tests to which Python's runner is bound; by default all.

    Raises:
        ToolchainError: its runner is not known.
    """
    match language:
        case "python":
            return RunOfTests((*_PYTEST, *tests), "pytest")
        case "go":
            return RunOfTests(("go", "test", "-json", "./..."), "go")
        case "rust":
            return RunOfTests(("cargo", "test", "--offline", "--no-fail-fast"), "cargo")
        case "javascript":
            return _javascript(folder)
        case "java":
            return java_run(folder)
        case _:
            raise ToolchainError(f"{language}: no tests of this language can be run")


def _javascript(folder: Path) -> RunOfTests:
    try:
        package = json.loads((folder / "package.json").read_text("utf-8"))
        script = str(package.get("scripts", {}).get("test", ""))
    except (OSError, ValueError, AttributeError) as error:
        raise ToolchainError(f"{folder.name}/package.json: {error}") from None
    for name, words in _TEST_RUNNERS.items():
        if name in script:
            return RunOfTests(words, "tap")
    return RunOfTests(("node", "--test", "--test-reporter=tap"), "tap")


def command_for(folder: Path, language: str, run: RunOfTests, tests: Sequence[str]) -> Command:
    """Return the command of a run, with what it reads of this machine.

    Args:
        folder: the repository as it is checked out.
        language: its language.
        run: how its tests run.
        tests: paths of test files, of which one decides what is installed for Python.

    Raises:
        SliceFuncError: what it needs cannot be had.
    """
    match language:
        case "python":
            return _python(folder, run, tests)
        case "go":
            mode = "vendor" if (folder / "vendor").is_dir() else "mod"
            return Command(run.words, run.folder, {**_GO, "GOFLAGS": f"-mod={mode}"})
        case "rust":
            shown = tuple(each for each in (_CARGO, _RUSTUP) if each.is_dir())
            path = (str(_CARGO / "bin"),) if _CARGO.is_dir() else ()
            variables = {**_RUST, "RUSTUP_HOME": str(_RUSTUP)}
            return Command(run.words, run.folder, variables, shown, path)
        case "java":
            shown = (MAVEN,) if MAVEN.is_dir() else ()
            return Command(run.words, run.folder, {}, shown)
        case _:
            modules = _node_modules(folder)
            shown = (modules,) if modules else ()
            return Command(run.words, run.folder, {}, shown)


def _python(folder: Path, run: RunOfTests, tests: Sequence[str]) -> Command:
    place = RecordingPlace(Repository(folder), installs=True)
    first = next((each for each in tests if each.endswith(".py")), place.files[0])
    profile = place.profile(first, run.needs)
    python = profile.python
    assert python is not None
    roots = [f"{WORK}/{root}".rstrip("/") for root in dict.fromkeys(("", *place.package_roots))]
    home = python.resolve().parent.parent
    shown = tuple(dict.fromkeys((python.parent.parent, home)))
    return Command(
        (str(python), *run.words),
        run.folder,
        {"PYTHONPATH": ":".join(roots)},
        shown,
        (str(python.parent),),
    )


def node_modules_link(folder: Path) -> Path | None:
    """Return the folder with what a JavaScript repository's tests import; `None` for none."""
    return _node_modules(folder)


def _node_modules(folder: Path) -> Path | None:
    """Install the packages of a lock file, and run none of their scripts; return the folder.

    Raises:
        ToolchainError: npm cannot install them.
    """
    package, lock = folder / "package.json", folder / "package-lock.json"
    if not package.is_file():
        return None
    values = json.loads(package.read_text("utf-8"))
    if not (values.get("dependencies") or values.get("devDependencies")):
        return None
    files = [each for each in (package, lock) if each.is_file()]
    digest = hashlib.sha256(b"\0".join(each.read_bytes() for each in files)).hexdigest()
    home = cache_folder() / "node" / digest[:24]
    done = home / "done"
    home.parent.mkdir(parents=True, exist_ok=True)
    with alone(home.with_suffix(".lock")):
        if not done.exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            for each in files:
                shutil.copy(each, home)
            _install(home, has_lock=lock.is_file())
            done.touch()
    return home / "node_modules"


def _install(home: Path, *, has_lock: bool) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise ToolchainError("npm is not installed", "install the package npm")
    words = [npm, "ci" if has_lock else "install", "--ignore-scripts", "--no-audit", "--no-fund"]
    variables = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home)}
    kept = {name: value for name, value in os.environ.items() if name.startswith("npm_config_")}
    try:
        done = subprocess.run(  # noqa: S603 - npm, with words of our own
            words, cwd=home, env={**kept, **variables}, capture_output=True, timeout=_NPM_SECONDS,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ToolchainError("npm does not end in time") from None
    if done.returncode:
        line = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"])[0]
        raise ToolchainError(f"npm cannot install what the tests import: {line}")
