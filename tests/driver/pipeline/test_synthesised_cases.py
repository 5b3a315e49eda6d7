"""Cases for functions that are defined or called in unusual ways, up to the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox
from tests.nightly import all_but

MODULE = """\
import enum
import sys
from typing import TypeVar

T = TypeVar("T")

if sys.platform == "win32":

    def ending(name: str) -> str:
        return name + ".exe"

elif sys.platform:

    def ending(name: str) -> str:
        if name.startswith("lib"):
            return name + ".so"
        return name


class Mode(enum.Enum):
    READ = 1
    WRITE = 2

    def __str__(self) -> str:
        return f"<{self.name}>"


class Wrapping:
    def __init__(self, inner: list[int]) -> None:
        self._inner = inner

    if sys.version_info >= (3,):

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)


def only(kind: type[T], values: list[object]) -> list[object]:
    return [value for value in values if isinstance(value, kind)]


class Hint:
    def __init__(self, name: str) -> None:
        self.name = name
        self.shown = False
        self.variable = None
        self.prefix = ""

    def text(self) -> str:
        if self.shown and self.variable and self.prefix:
            return f"{self.name} ({self.prefix}_{self.variable})"
        return self.name


def application(environ, start_response):
    start_response("200 OK", [("X-Method", environ["REQUEST_METHOD"])])
    return [environ["PATH_INFO"].encode()]


class Echo:
    async def __call__(self, scope, receive, send):
        body = b"none"
        if scope["type"] == "http" and scope["method"] == "POST":
            body = (await receive())["body"]
        await send({"type": "http.response.body", "body": body})


class Round:
    def __init__(self, radius: int) -> None:
        self.radius = radius


class Square:
    def __init__(self, width: int) -> None:
        self.width = width


def areas(shapes):
    found = []
    for shape in shapes:
        if isinstance(shape, Round):
            found.append(3 * shape.radius)
        elif isinstance(shape, Square):
            found.append(shape.width * shape.width)
    return found


UNSET = object()


def is_missing(value: object, mode: object = None) -> str:
    if value is UNSET or value == ():
        return "missing"
    return "writes" if mode in (Mode.WRITE, None) else "reads"


def label(state):
    if isinstance(state, enum.Enum):
        state = state.name
    return f"<{state}>"


def is_error(kind: type[Exception]) -> bool:
    return issubclass(kind, ValueError)
"""
pytestmark = needs_sandbox


def compiled(folder: Path, target: str) -> dict[str, Any]:
    repository = folder / "repository"
    repository.mkdir()
    (repository / "a.py").write_text(MODULE)
    done = run(repository, f"a.py::{target}", "--test", "--env", folder / "env", "--no-install")
    assert (folder / "env").exists(), done.err
    record: dict[str, Any] = json.loads((folder / "env/environment.json").read_bytes())
    return record


@pytest.mark.parametrize(
    "target",
    all_but(
        {"only", "Hint.text", "Echo.__call__", "label", "Mode.__str__", "application"},
        [
            "ending",
            "Mode.__str__",
            "Wrapping.__getattr__",
            "only",
            "Hint.text",
            "is_missing",
            "application",
            "Echo.__call__",
            "areas",
            "label",
        ],
    ),
)
def test_it_becomes_an_environment(tmp_path: Path, target: str) -> None:
    record = compiled(tmp_path, target)
    assert record["reasons"] == []
    assert record["metrics"]["branch_coverage"] == 1
    assert record["metrics"]["kill_rate"] >= 0.8


def test_a_class_is_given_where_one_is_asked_for(tmp_path: Path) -> None:
    record = compiled(tmp_path, "is_error")
    assert any("Exception" in case["code"] for case in record["cases"])


def test_a_constructor_that_cannot_be_sliced_is_left_out(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "a.py").write_text(
        "from shapes import Round\n\n"
        "def sides(shape):\n    return 0 if isinstance(shape, Round) else len(shape)\n"
    )
    (repository / "shapes.py").write_text(
        "class Round:\n    def __init__(self, radius):\n"
        "        from broken import checked\n        self.radius = checked(radius)\n"
    )
    (repository / "broken.py").write_text("def checked(:\n")
    folder = tmp_path / "env"
    done = run(repository, "a.py::sides", "--test", "--env", folder, "--no-install")
    assert folder.exists(), done.err
    record: dict[str, Any] = json.loads((folder / "environment.json").read_bytes())
    assert record["cases"]
    assert "def __init__" not in (folder / "script.py").read_text()
