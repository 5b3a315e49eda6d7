"""The pieces of the runtime, which share one module in a script."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from pathlib import Path

import pytest
import slicefunc.mocker.world
from slicefunc.mocker.core.runtime_pieces import carried, in_order, piece

FOLDER = Path(slicefunc.mocker.world.__file__).parent


def bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def test_no_two_pieces_bind_one_name():
    pieces: dict[str, list[str]] = defaultdict(list)
    for file in sorted(FOLDER.glob("*.py")):
        if not file.name.startswith(("stand_in_", "__init__")):  # these are modules of their own
            names = {n for node in ast.parse(file.read_text()).body for n in bound(node)}
            for name in names - {"__all__"}:
                pieces[name].append(file.stem)
    assert {name: files for name, files in pieces.items() if len(files) > 1} == {}


PIECES = [
    file.stem
    for file in sorted(FOLDER.glob("*.py"))
    if not file.name.startswith(("stand_in_", "__init__"))
]


def text_for(name: str, *roots: str) -> str:
    return "\n\n".join(carried([piece(each) for each in in_order([name])], roots))


def unbound(text: str) -> set[str]:
    """Names that a text reads and binds nowhere."""
    nodes = list(ast.walk(ast.parse(text)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.arg():
                bound.add(node.arg)
            case ast.alias():
                bound.add(node.asname or node.name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                bound.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case _:
                pass
    bound |= {*dir(builtins), "__name__", "__file__"}
    return {name.id for name in names} - bound


@pytest.mark.parametrize("name", PIECES)
def test_what_is_carried_has_all_that_it_names(name: str):
    defined = {n for statement in piece(name).statements for n in statement.binds}
    for root in sorted(defined):
        text = text_for(name, root)
        assert unbound(text) == set(), (root, text)


def test_only_what_is_reached_is_carried():
    text = text_for("world", "chosen")
    assert "def chosen(" in text
    assert "choices: dict" in text
    assert "Place → name" in text  # what a name means stays with it
    assert "def record(" not in text
    assert "import contextlib" not in text


def test_what_cases_may_call_is_carried():
    assert "def web_driver(" in text_for("browser")
    assert "__all__" not in text_for("browser")


def test_what_runs_for_its_effect_stays_with_what_it_acts_on():
    assert "stub_anew(_kept)" in text_for("stubs", "stub_call")
    assert "stub_anew" not in text_for("stubs", "_NUMERIC_FORMAT")
