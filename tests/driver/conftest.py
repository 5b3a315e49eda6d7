"""A small repository, and ways to run the command on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from slicefunc.driver import environment_schema
from slicefunc.driver.record.environment_files import RECORD
from slicefunc.driver.settings.cache_folders import index_folder

from tests.driver.little_search import search_little

ORDERS = '''\
"""Orders."""
from .tax import add_tax


class Order:
    def __init__(self, net):
        self.net = net

    def total(self):
        return add_tax(self.net)


def unrelated():
    return 1
'''
TAX = """\
RATE = 20


def add_tax(net):
    # in cents
    return net + net * RATE // 100
"""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests install is not kept in the user's cache, but shared by all workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "cache"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLICE_FUNC_CACHE", str(folder))
        yield


@pytest.fixture(scope="module", autouse=True)
def _searches_are_short() -> Iterator[None]:
    """Those of functions that are called here, too."""
    with pytest.MonkeyPatch.context() as patch:
        search_little(patch.setattr)
        yield


def empty_cache(folder: Path) -> Path:
    """A cache in which nothing is installed; where functions of libraries stand is known."""
    folder.mkdir(exist_ok=True)
    shared = index_folder()
    shared.mkdir(exist_ok=True)
    if not (folder / shared.name).is_symlink():
        (folder / shared.name).symlink_to(shared)
    return folder


@pytest.fixture(autouse=True)
def _environments_have_the_form_of_the_schema(tmp_path: Path) -> Iterator[None]:
    """Whatever a test writes, but for records that it makes up in part."""
    yield
    files = [
        file for file in tmp_path.rglob(RECORD) if file.is_file()
    ]  # a pipe would be waited for
    records = [json.loads(file.read_bytes() or "0") for file in files]
    form = Draft202012Validator(environment_schema())
    for record in records:
        if record and "tool_version" in record:
            form.validate(record)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository of two modules, one of which needs the other."""
    return shop_in(tmp_path)


def shop_in(place: Path) -> Path:
    """That repository, in a folder."""
    folder = place / "repo"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/__init__.py").touch()
    (folder / "shop/orders.py").write_text(ORDERS)
    (folder / "shop/tax.py").write_text(TAX)
    return folder


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run of the command left."""

    status: int
    out: bytes
    err: str

    @property
    def error(self) -> str:
        """What was wrong, one line, and what to do, another; without the command's name."""
        assert "Traceback" not in self.err
        lines = [line for line in self.err.splitlines() if "error: " in line]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("slice-func: error: ")
        hints = [line for line in self.err.splitlines() if line.startswith("slice-func: hint: ")]
        assert len(hints) == 1, f"nothing is said of what to do: {self.err}"
        problem = lines[0].removeprefix("slice-func: error: ")
        return f"{problem}; {hints[0].removeprefix('slice-func: hint: ')}"


def run(
    *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Finished:
    """Run the command in a process of its own, a fork of one that has loaded it."""
    server = _server()
    assert server.stdin
    assert server.stdout
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        asked = {
            "words": [str(each) for each in words], "cwd": str(cwd or Path.cwd()),
            "env": dict(env or os.environ), "out": out.name, "err": err.name,
        }  # fmt: skip
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return Finished(status, out.read(), err.read().decode())


@cache
def _server() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, Path(__file__).with_name("served.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


def run_anew(*words: str | Path, **options: object) -> Finished:
    """Run the command in a process of its own, which is started for it."""
    done = subprocess.run(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output="stdout" not in options,
        check=False,
        **options,  # type: ignore[arg-type]
    )
    return Finished(done.returncode, done.stdout or b"", (done.stderr or b"").decode())
