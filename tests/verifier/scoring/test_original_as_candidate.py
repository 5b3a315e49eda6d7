"""The original's own text, taken as a candidate, gives the script's own tree, for every fixture."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.slicer.model import Emit, Slice
from slicefunc.verifier.scoring.module_holes import FilledText
from slicefunc.verifier.scoring.substitute import template
from slicefunc.verifier.script.source_map import carried_texts, lines_of, original_text
from slicefunc.verifier.script.target_lines import target_definitions

from tests.fixture_format import Fixture, all_fixtures
from tests.nightly import one_in

FIXTURES = tuple(pytest.param(each, id=each.name) for each in all_fixtures() if each.runs_here)


@pytest.mark.parametrize("fixture", one_in(4, FIXTURES))
def test_original_fills_the_hole(fixture: Fixture, tmp_path: Path) -> None:
    folder = fixture.repository(tmp_path)
    repository = Repository(folder, roots=fixture.roots)
    for target in fixture.targets:
        for emit in ("flat", "modules"):
            sliced = _slice(repository, target.target, emit)
            if sliced is None or _is_block(sliced):
                continue
            (first, *_) = sliced.manifest.targets
            hole = template(sliced.source, first.path, first.qualname)
            filled = hole.filled(_own_text(folder, sliced))
            assert isinstance(filled, FilledText), (target.target, emit, filled)
            assert _trees(filled.text) == _trees(sliced.source), (target.target, emit)


def _slice(repository: Repository, targets: tuple[str, ...], emit: Emit) -> Slice | None:
    try:
        return slice_function(repository, targets, emit=emit)
    except SliceFuncError:
        return None  # the fixture is about that, or the layout is not safe


def _is_block(sliced: Slice) -> bool:
    """Whether the target is bound by an `if` or the like, whose place no candidate can take."""
    target = sliced.manifest.targets[0]
    return any(
        d.kind == "statement"
        and d.path == target.path
        and target.qualname in d.qualname.split(", ")
        for d in sliced.manifest.definitions
    )


def _own_text(folder: Path, sliced: Slice) -> str:
    (target, *_) = sliced.manifest.targets
    text = original_text(folder / target.path)
    lines = lines_of(text)
    found = target_definitions(text, sliced.manifest, target)
    return "".join("\n".join([*lines[d.first_line - 1 : d.last_line], ""]) for d in found)


def _trees(script: str) -> list[str]:
    """The script's statements without the loading of modules, and the modules."""
    carried = carried_texts(script)
    own = [node for node in ast.parse(script).body if not (carried and _is_loading(node))]
    return [
        *(ast.dump(node) for node in own),
        *(f"{path} {ast.dump(ast.parse(text))}" for path, text in sorted(carried.items())),
    ]


def _is_loading(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="_slice_func"))):
            return True
        case _:
            return False
