from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recipes.exact_step import Step, Task, check_step, read_task, turned
from recipes.services import serve_rewards
from recipes.training_data import RewardFunction, import_reward


@pytest.fixture(scope="module")
def task(data: dict[str, Path]) -> Task:
    return read_task(data["dpo"] / "train.jsonl")


@pytest.fixture
def reward(
    slice_func: str,
    dataset: Path,
    data: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[RewardFunction]:
    with serve_rewards(slice_func, dataset, tmp_path / "service.log") as url:
        monkeypatch.setenv("SLICE_FUNC_URL", url)
        yield import_reward(data["grpo"])


@pytest.mark.nightly
def test_the_service_tells_the_right_answer_from_the_wrong_ones(
    task: Task, reward: RewardFunction
) -> None:
    assert len(task.wrong) >= 2
    rewards = reward(completions=list(task.answers), task_id=[task.environment] * len(task.answers))
    assert list(rewards) == [1.0, *[0.0] * len(task.wrong)]


def test_one_step_raises_the_expected_reward(
    task: Task, reward: RewardFunction, tmp_path: Path
) -> None:
    step = check_step(task, reward, reward, tmp_path)
    assert step.expected_after > step.expected_before
    assert step.right_after > step.right_before
    assert_by_hand(step)


def test_one_step_with_rewards_turned_round_lowers_it(
    task: Task, reward: RewardFunction, tmp_path: Path
) -> None:
    step = check_step(task, reward, turned(reward), tmp_path)
    assert step.expected_after < step.expected_before
    assert step.right_after < step.right_before
    assert_by_hand(step)


@pytest.mark.nightly
def test_a_reward_that_is_always_the_same_teaches_nothing(
    task: Task, reward: RewardFunction, tmp_path: Path
) -> None:
    step = check_step(task, reward, lambda completions, **_: [1.0] * len(completions), tmp_path)
    assert step.largest_change == 0
    assert step.expected_after == step.expected_before


def assert_by_hand(step: Step) -> None:
    """The trainer's step is the one that GRPO prescribes, up to rounding."""
    assert step.largest_change > 0.01
    assert step.largest_difference < 1e-5
