"""What the tests share: a dataset of two functions, its training data, and a tiny model.

Run with `python -m pytest recipes/tests` in the environment of `requirements.txt`. The command
`slice-func` is looked up on the path, or is what the variable SLICE_FUNC says.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from recipes.loop import FIXTURES
from recipes.random_model import write_random_model
from recipes.services import OFFLINE, ONE_THREAD, run_command
from recipes.training_data import make_data

os.environ.update({**OFFLINE, **ONE_THREAD})
FUNCTIONS = ("shop/pricing.py::tax", "shop/models.py::cents")


@pytest.fixture(scope="session")
def slice_func() -> str:
    command = os.environ.get("SLICE_FUNC") or shutil.which("slice-func")
    if command is None:
        pytest.fail("there is no slice-func on the path: set SLICE_FUNC")
    return command


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recipes")


@pytest.fixture(scope="session")
def dataset(slice_func: str, work: Path) -> Path:
    """Two environments of the shop."""
    environments = work / "environments"
    environments.mkdir()
    for number, function in enumerate(FUNCTIONS):
        target = [
            FIXTURES / "shop" / "repo",
            function,
            "--test",
            "--env",
            environments / str(number),
        ]
        run_command([slice_func, *target], work / "build.log")
    return environments


@pytest.fixture(scope="session")
def data(slice_func: str, dataset: Path, work: Path) -> dict[str, Path]:
    """Folders of training data by recipe."""
    return {
        recipe: make_data(slice_func, dataset, recipe, work) for recipe in ("sft", "dpo", "grpo")
    }


@pytest.fixture(scope="session")
def model(data: dict[str, Path], work: Path) -> Path:
    """A tiny model that has not been trained."""
    folder = work / "model"
    write_random_model(data["dpo"] / "train.jsonl", folder)
    return folder
