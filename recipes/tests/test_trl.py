"""The YAML files of TRL, on a tiny model: what they say is understood, and what they do works."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from transformers import AutoModelForCausalLM
from trl import DPOConfig, GRPOConfig, ModelConfig, SFTConfig, TrlParser
from trl.scripts.grpo import GRPOScriptArguments

from recipes.loop import RECIPES, TINY
from recipes.services import program, run_command, serve_rewards

FILES = sorted((RECIPES / "trl").glob("*.yaml"))
CONFIGS = {"sft": SFTConfig, "dpo": DPOConfig, "grpo": GRPOConfig}
FEW_STEPS = ("--max_steps", "6", "--gradient_accumulation_steps", "1", "--learning_rate", "3e-3")
SAVED = ("--save_strategy", "steps", "--save_steps", "6", "--logging_steps", "1")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_key_of_a_file_is_one_of_the_trainer(path: Path) -> None:
    config = CONFIGS[path.stem.split("_", maxsplit=1)[0]]
    words = ["--config", str(path), "--dataset_name", "x", "--output_dir", "x", "--use_cpu", "true"]
    parser = TrlParser((GRPOScriptArguments, config, ModelConfig))
    *_, rest = parser.parse_args_and_config(
        [*words, "--bf16", "false"], return_remaining_strings=True
    )
    assert rest == []


@pytest.mark.parametrize("name", ["sft", "sft_lora", "dpo", "dpo_lora"])
def test_a_step_of_the_published_training_has_32_examples(name: str) -> None:
    told = yaml.safe_load((RECIPES / "trl" / f"{name}.yaml").read_text())
    processes = 1 if name.endswith("lora") else 8
    a_step = told["per_device_train_batch_size"] * told["gradient_accumulation_steps"] * processes
    assert a_step == 32


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["sft", "sft_lora", "dpo", "dpo_lora"])
def test_the_loss_falls(name: str, data: dict[str, Path], model: Path, tmp_path: Path) -> None:
    recipe = name.split("_", maxsplit=1)[0]
    train(recipe, name, data[recipe], model, tmp_path)
    losses = [row["loss"] for row in logged(tmp_path) if "loss" in row]
    assert losses[-1] < losses[0]
    assert AutoModelForCausalLM.from_pretrained(tmp_path / "out").num_parameters() > 1_000_000


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["grpo", "grpo_lora"])
def test_grpo_asks_the_reward_service(
    name: str, slice_func: str, dataset: Path, data: dict[str, Path], model: Path, tmp_path: Path
) -> None:
    with serve_rewards(slice_func, dataset, tmp_path / "service.log") as url:
        words = ("--per_device_train_batch_size", "8", "--max_completion_length", "8")
        variables = {"SLICE_FUNC_URL": url, "PYTHONPATH": str(data["grpo"])}
        train("grpo", name, data["grpo"], model, tmp_path, *words, **variables)
        scores = scores_by_verdict(url)
    rewards = [row["rewards/slice_func_reward/mean"] for row in logged(tmp_path)]
    assert rewards == [0.0] * 6  # the model knows nothing
    assert sum(scores.values()) > 0
    assert scores.get("passed", 0) == scores.get("infrastructure", 0) == 0


def train(
    command: str, name: str, data: Path, model: Path, work: Path, *more: str, **variables: str
) -> None:
    """Run `trl` for some steps with a file's settings, and those for a tiny model."""
    config = ["--config", RECIPES / "trl" / f"{name}.yaml"]
    places = ["--model_name_or_path", model, "--dataset_name", data, "--output_dir", work / "out"]
    lengths = () if command == "grpo" else ("--max_length", "1024")
    words = [*TINY, *lengths, *FEW_STEPS, *SAVED, *more]
    run_command([program("trl"), command, *config, *places, *words], work / "log", variables)


def scores_by_verdict(url: str) -> dict[str, float]:
    """Return how many answers the reward service has given which verdict."""
    with urllib.request.urlopen(f"{url}/metrics") as response:
        text = response.read().decode()
    found = re.findall(r'^slice_func_scores_total\{verdict="(\w+)"\} (\S+)$', text, re.MULTILINE)
    return {verdict: float(count) for verdict, count in found}


def logged(work: Path) -> list[dict[str, Any]]:
    """Return what the trainer has logged."""
    state = work / "out" / "checkpoint-6" / "trainer_state.json"
    return json.loads(state.read_text())["log_history"]
