from __future__ import annotations

from pathlib import Path

import pytest

from recipes.accelerator import measure
from recipes.services import serve_rewards
from recipes.training_data import import_reward

WORDS = (
    "--max_steps",
    "4",
    "--per_device_train_batch_size",
    "2",
    "--gradient_accumulation_steps",
    "1",
)


@pytest.mark.nightly
def test_a_tiny_model_trains_while_originals_are_scored(
    slice_func: str,
    dataset: Path,
    data: dict[str, Path],
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve_rewards(slice_func, dataset, tmp_path / "service.log") as url:
        monkeypatch.setenv("SLICE_FUNC_URL", url)
        speed = measure(data["sft"], model, WORDS, (data["sft"], import_reward(data["grpo"])))
    assert speed.tokens_a_second > 0
    assert speed.peak_memory > 2**20
    assert speed.scores_a_second > 0
    assert speed.originals_right == 1
