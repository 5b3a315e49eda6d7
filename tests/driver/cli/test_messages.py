"""What errors say: one line of what was wrong, one of what to do."""

from __future__ import annotations

import ast
import importlib
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.cli.parser import UsageError
from slicefunc.slicer.errors import SliceFuncError, SourceError

ROOT = Path(__file__).parent.parent.parent.parent
FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")


def _errors() -> dict[str, type[SliceFuncError]]:
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if "(SliceFuncError)" in text:
                name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
                importlib.import_module(f"slicefunc.{name}")
    found: list[type[SliceFuncError]] = [SliceFuncError]
    for each in found:
        found += each.__subclasses__()
    return {each.__name__: each for each in found}


ERRORS = _errors()


def _made() -> Iterator[tuple[str, ast.Call]]:
    """Each place in the code that makes one of these errors."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    name = node.func.id
                    if name in ERRORS or name == UsageError.__name__:
                        yield f"{file.relative_to(ROOT)}:{node.lineno}", node


MADE = dict(_made())


def test_many_errors_are_found() -> None:
    assert len(ERRORS) > 12
    assert len(MADE) > 100


@pytest.mark.parametrize("place", MADE)
def test_an_error_says_what_to_do(place: str) -> None:
    made = MADE[place]
    assert isinstance(made.func, ast.Name)
    kind = ERRORS.get(made.func.id)
    is_unpacked = any(isinstance(each, ast.Starred) for each in made.args)
    assert len(made.args) == 2 or is_unpacked or (kind and kind.advice), "what is there to do?"


def test_the_text_of_an_error_has_both() -> None:
    error = SliceFuncError("no such repository: x", "name the folder of a checkout")
    assert (error.problem, error.advice) == (
        "no such repository: x",
        "name the folder of a checkout",
    )
    assert str(error) == f"{error.problem}; {error.advice}"
    assert str(SliceFuncError("what")) == "what"


def test_errors_cross_processes_whole() -> None:
    error = SourceError("a.py:1: does not parse", "mend it", needs_python="3.14")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.problem, copy.advice) == (str(error), error.problem, "mend it")
    assert copy.needs_python == "3.14"
