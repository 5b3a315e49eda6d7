"""Which files scripts see: the standard library and the environment, and no other Python code."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.host import system_files
from slicefunc.verifier.execution.executors.host.interpreters import find_interpreter
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits, Profile

from tests.verifier.execution.executors.conftest import SANDBOXES, make

WALK = """
import os, sys
own = {own!r}
library = os.path.dirname(os.__file__)
for top in os.listdir("/"):
    if top in ("proc", "sys", "dev") or os.path.islink("/" + top):
        continue
    for folder, _, names in os.walk("/" + top):
        for name in names:
            path = os.path.join(folder, name)
            if path.startswith((own + "/", "/runner/", "/box/")):
                continue
            if name.endswith((".whl", ".egg", ".zip", ".pyz")):
                print("archive", path)
            elif name.endswith((".py", ".pyc")) and not path.startswith(library + "/"):
                print("beside", path)
            elif "site-packages/" in path or "dist-packages/" in path:
                print("installed", path)
"""
PYTHONS = {
    "ours": Path(sys.executable),
    "the system's": Path("/usr/bin/python3.11"),
    "pyenv's": next(iter(sorted(Path.home().glob(".pyenv/versions/3.1[0-9].*/bin/python"))), None),
}


@pytest.fixture(params=PYTHONS, scope="module")
def environment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment of each kind of interpreter, with one module of its own."""
    base = PYTHONS[request.param]
    if base is None or not base.exists():
        pytest.skip("no such interpreter")
    folder = tmp_path_factory.mktemp("environment") / "venv"
    for each in (folder.parent, folder.parent.parent):
        each.chmod(0o755)
    words = [base.resolve(), "-I", "-m", "venv", "--without-pip", folder]
    subprocess.run(words, check=True, capture_output=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "own_module.py").write_text("ANSWER = 42\n")
    return folder


def _printed(executor: Executor, source: str) -> str:
    outcome = executor.run(Job(source, limits=Limits(wall_seconds=60, cpu_seconds=60)))
    assert outcome.is_set_up, outcome.detail
    assert outcome.exit_status == 0, outcome.stderr.decode()
    return outcome.stdout.decode()


@pytest.fixture(params=SANDBOXES, scope="module")
def inside(request: pytest.FixtureRequest, environment: Path) -> Iterator[Executor]:
    executor = make(request.param)
    try:
        executor.start(Profile(python=environment / "bin/python"))
    except SandboxError as error:
        pytest.skip(str(error))
    yield executor
    executor.close()


def test_no_other_code_and_no_archive_is_seen(inside: Executor, environment: Path) -> None:
    assert _printed(inside, WALK.format(own=str(environment))) == ""


def test_the_environment_and_the_standard_library_are_there(inside: Executor) -> None:
    source = """
        import ast, asyncio, bz2, ctypes, decimal, hashlib, json, lzma, sqlite3, ssl, zlib, zoneinfo
        import own_module
        zoneinfo.ZoneInfo("Europe/Paris")
        print(own_module.ANSWER)
    """
    assert _printed(inside, "\n".join(map(str.strip, source.splitlines()))) == "42\n"


@pytest.mark.parametrize("name", ["pip", "setuptools", "ensurepip._bundled", "test.support"])
def test_what_is_installed_for_all_cannot_be_imported(inside: Executor, name: str) -> None:
    source = f"""
try:
    import {name} as found
except ImportError:
    print("absent")
else:
    print(getattr(found, "__file__", None) or "absent")
"""
    assert _printed(inside, source) == "absent\n"


def test_programs_are_the_same_everywhere(sandbox: Executor) -> None:
    source = "import os; print(*sorted(os.listdir('/usr/bin')))"
    own = {path.name for path in find_interpreter(None).programs}
    found = set(_printed(sandbox, source).split()) - own
    assert found == {name for _, names in system_files.programs() for name in names}
    assert {"sh", "ls", "cat"} <= found


def test_programs_start_others(sandbox: Executor) -> None:
    source = "import os; os.system(\"sh -c 'echo one two | tr a-z A-Z | sed s/TWO/2/'\")"
    assert _printed(sandbox, source) == "ONE 2\n"


def test_an_environment_may_say_that_it_has_what_is_installed_for_all(tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    words = [Path(sys.executable).resolve(), "-I", "-m", "venv", "--without-pip", folder]
    subprocess.run([*words, "--system-site-packages"], check=True, capture_output=True)
    (tmp_path / "other/bin").mkdir(parents=True)
    with_all = find_interpreter(folder / "bin/python")
    settings = folder / "pyvenv.cfg"
    settings.write_text(settings.read_text().replace("= true", "= false"))
    alone = find_interpreter(folder / "bin/python")
    assert with_all.packages
    assert not alone.packages
    assert set(with_all.packages) & set(alone.covered)


def test_what_has_no_standard_library_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "bin/python3.11"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(SandboxError, match="no standard library"):
        find_interpreter(program)
