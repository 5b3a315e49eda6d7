"""A module of the script's own that a call imports is loaded by that, and not changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.verifier.observation.running import run

FILES = {
    "__init__.py": "",
    "late.py": "from typing import Any\nSEEN = []\nLIMIT: Any = 3\n",
    "user.py": (
        "def f(n):\n    from shop.late import LIMIT\n    return min(n, LIMIT)\n\n\n"
        "def g(n):\n    from shop.late import SEEN\n    SEEN.append(n)\n"
    ),
}


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    (tmp_path / "shop").mkdir()
    for name, text in FILES.items():
        (tmp_path / "shop" / name).write_text(text)
    return Repository(tmp_path)


@pytest.mark.parametrize("target", ["f", "g"])
def test_it_is_the_same_the_first_time_and_the_second(
    shop: Repository, tmp_path: Path, target: str
) -> None:
    sliced = slice_function(shop, f"shop/user.py::{target}", emit="modules")
    work = tmp_path / "work"
    work.mkdir()
    cases = (f"{target}(2)", f"{target}(2)")
    (_, first), (_, again) = run(work, sliced.source, target, *cases).observations
    assert first.value == again.value == (2 if target == "f" else None)
    assert first.globals == ()
    assert [name for name, _ in again.globals] == ([] if target == "f" else ["shop.late.SEEN"])
