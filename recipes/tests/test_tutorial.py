"""The tutorial on training does what it says, from a clone to a checkpoint."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pyarrow.parquet
import pytest

from recipes.loop import RECIPES

ROOT = RECIPES.parent
PAGE = ROOT / "docs/tutorials/train-on-your-own-repositories.md"


def page_blocks() -> ModuleType:
    """What runs the pages of the manual; this folder has the name of the package that it is in."""
    place = ROOT / "tests/driver/page_blocks.py"
    spec = importlib.util.spec_from_file_location("page_blocks", place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["page_blocks"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tutorial_ends_with_a_model_that_knows_its_functions(
    slice_func: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(Path(slice_func).resolve().parent)
    monkeypatch.setenv("PATH", os.pathsep.join((os.environ["PATH"], folder)))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    page_blocks().run_page(PAGE, tmp_path, also=["a trainer"])

    trained = {
        json.loads(line)["environment"]
        for line in (tmp_path / "data/train.jsonl").read_text().splitlines()
    }
    rows = pyarrow.parquet.read_table(tmp_path / "runs/trained/samples.parquet").to_pylist()
    passed = {row["environment"] for row in rows if row["verdict"] == "passed"}
    assert passed & trained
    assert not passed - trained
    assert (tmp_path / "rewards.jsonl").read_text().count("\n") in (1, 2)  # alike ones count once
    assert list((tmp_path / "further").glob("checkpoint-*"))
