"""What errors say: one line of what was wrong, one of what to do."""

from __future__ import annotations

import ast
import importlib
import pickle
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from slicefunc.driver.cli.parser import UsageError
from slicefunc.slicer.errors import SliceFuncError, SourceError

ROOT = Path(__file__).parent.parent.parent.parent
FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")


@pytest.fixture(scope="module")
def errors() -> dict[str, type[SliceFuncError]]:
    """All our errors, by their names."""
    for name, text in _modules():
        if "(SliceFuncError)" in text:
            importlib.import_module(f"slicefunc.{name.removesuffix('.py').replace('/', '.')}")
    found: list[type[SliceFuncError]] = [SliceFuncError]
    for each in found:
        found += each.__subclasses__()
    return {each.__name__: each for each in found}


def _modules() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def _made(errors: Collection[str]) -> Iterator[tuple[str, ast.Call]]:
    """Each place in the code that makes one of these errors."""
    for name, text in _modules():
        if not any(f"{error}(" in text for error in errors):
            continue
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in errors
            ):
                yield f"{name}:{node.lineno}", node


def test_every_error_says_what_to_do(errors: dict[str, type[SliceFuncError]]) -> None:
    assert len(errors) > 12
    made = dict(_made({*errors, UsageError.__name__}))
    assert len(made) > 100
    silent = [place for place, call in made.items() if not _says_what_to_do(call, errors)]
    assert not silent, "what is there to do?"


def _says_what_to_do(call: ast.Call, errors: dict[str, type[SliceFuncError]]) -> bool:
    assert isinstance(call.func, ast.Name)
    kind = errors.get(call.func.id)
    is_unpacked = any(isinstance(each, ast.Starred) for each in call.args)
    return len(call.args) == 2 or is_unpacked or bool(kind and kind.advice)


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
