"""Which modules are read as trees for the imports that run inside of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository
from slicefunc.slicer.closure.repository_analysis import analysis_of
from slicefunc.slicer.effects.imports.import_closure import ImportClosure

_TEXT = """\
from . import loaded

def run():
    from . import {run}

def never():
    from . import fresh

run()
"""


@pytest.mark.parametrize(("run", "followed"), [("loaded", set[str]()), ("fresh", {"pkg.main"})])
def test_functions_that_run_count_where_what_they_import_is_not_loaded(
    run: str, followed: set[str], tmp_path: Path
) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("__init__", "loaded", "fresh"):
        (tmp_path / "pkg" / f"{name}.py").write_text("")
    (tmp_path / "pkg" / "main.py").write_text(_TEXT.format(run=run))
    repository = Repository(tmp_path)
    main = repository.module("pkg/main.py", "pkg.main")
    closure = ImportClosure(analysis_of(repository).inference, [main])
    assert closure.followed == followed
    assert ("pkg.fresh" in closure.texts) is bool(followed)
