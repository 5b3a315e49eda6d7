"""Training data that slice-func writes, and the reward function beside it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from .services import run_command

RewardFunction = Callable[..., Sequence[float | None]]
"""As TRL calls it: with `completions` and the columns of the data."""


def make_data(slice_func: str, dataset: Path, recipe: str, work: Path) -> Path:
    """Write the data of a recipe for the functions of a dataset; return its folder below `work`."""
    data = work / recipe
    words = ["--recipe", recipe, "--context", "none", "-o", data]
    run_command([slice_func, "train-data", dataset, *words], work / f"{recipe}.log")
    return data


def import_reward(data: Path) -> RewardFunction:
    """Return the reward function that `train-data --recipe grpo` has written into a folder.

    It asks the service whose address is in the variable `SLICE_FUNC_URL`.
    """
    path = data / "slice_func_reward.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # it ends with .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.slice_func_reward


def known(rewards: Sequence[float | None]) -> list[float]:
    """Return the rewards.

    Raises:
        RuntimeError: the service knows nothing of an answer, as its sandbox has failed.
    """
    found = [reward for reward in rewards if reward is not None]
    if len(found) < len(rewards):
        raise RuntimeError("the reward of an answer is not known")
    return found
