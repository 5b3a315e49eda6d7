"""What each format writes of each kind of example, as its trainer reads it."""

from __future__ import annotations

import io
import json
from typing import Any, get_args

import pytest
from slicefunc.driver.cli.commands import train_data
from slicefunc.driver.datasets.storage.parquet import read_records
from slicefunc.driver.training.examples import Demonstration, Example, Preference, Prompt
from slicefunc.driver.training.formats import FORMATS, training_files
from slicefunc.driver.training.functions import TrainingFunction
from slicefunc.driver.training.options import Recipe


def function(split: str = "train") -> TrainingFunction:
    return TrainingFunction(
        "f0", "shop/one", "one.py", "f", "What is f?", "", 0, "def f(): ...\n", split
    )


def written(format_name: str, recipe: str, *examples: Example) -> dict[str, bytes]:
    return training_files(format_name, recipe, examples)


def rows(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


SHOWN = Demonstration(function(), "f is this.", "self", "student")
HELD_BACK = Demonstration(function("validation"), "f is that.", "gold", "")
PAIR = Preference(function(), "right", "wrong", "gold", "mutant")
ASKED = Prompt(function(), 0.25)
USER = {"role": "user", "content": "What is f?"}


def test_trl_has_a_prompt_and_a_completion() -> None:
    files = written("trl", "rft", SHOWN, HELD_BACK)
    assert rows(files["train.jsonl"]) == [
        {
            "prompt": [USER],
            "completion": [{"role": "assistant", "content": "f is this."}],
            "environment": "f0", "repo": "shop/one", "source": "self", "model": "student",
        }
    ]  # fmt: skip
    (held_back,) = rows(files["validation.jsonl"])
    assert held_back["completion"][0]["content"] == "f is that."


def test_trl_has_both_answers_of_a_pair_and_the_reward_of_a_question() -> None:
    (pair,) = rows(written("trl", "dpo", PAIR)["train.jsonl"])
    assert [pair[each][0]["content"] for each in ("prompt", "chosen", "rejected")] == [
        "What is f?", "right", "wrong",
    ]  # fmt: skip
    files = written("trl", "grpo", ASKED)
    (asked,) = rows(files["train.jsonl"])
    assert (asked["prompt"], asked["task_id"], asked["pass_rate"]) == ([USER], "f0", 0.25)
    assert b"def slice_func_reward(" in files["slice_func_reward.py"]


def test_llama_factory_names_its_files_in_dataset_info() -> None:
    files = written("llama-factory", "dpo", PAIR)
    about = json.loads(files["dataset_info.json"])
    assert about["slice_func_train"]["file_name"] == "train.jsonl"
    assert about["slice_func_train"]["ranking"] is True
    (pair,) = rows(files["train.jsonl"])
    assert pair["chosen"] == {"from": "gpt", "value": "right"}
    (shown,) = rows(written("llama-factory", "sft", SHOWN)["train.jsonl"])
    assert [each["from"] for each in shown["conversations"]] == ["human", "gpt"]


def test_verl_has_tables() -> None:
    (shown,) = read_records(io.BytesIO(written("verl", "sft", SHOWN)["train.parquet"]))
    assert [each["role"] for each in shown["messages"]] == ["user", "assistant"]
    files = written("verl", "grpo", ASKED)
    (asked,) = read_records(io.BytesIO(files["train.parquet"]))
    assert asked["reward_model"] == {"style": "rule", "ground_truth": "f0"}
    assert b"def compute_score(" in files["slice_func_reward.py"]


def test_openai_has_no_columns_that_it_refuses() -> None:
    (shown,) = rows(written("openai", "sft", SHOWN)["train.jsonl"])
    assert list(shown) == ["messages"]
    (pair,) = rows(written("openai", "dpo", PAIR)["train.jsonl"])
    assert pair == {
        "input": {"messages": [USER]},
        "preferred_output": [{"role": "assistant", "content": "right"}],
        "non_preferred_output": [{"role": "assistant", "content": "wrong"}],
    }


@pytest.mark.parametrize("name", FORMATS)
def test_without_validation_there_is_one_file_of_examples(name: str) -> None:
    files = written(name, "sft", SHOWN)
    assert not [each for each in files if each.startswith("validation")]
    assert [each for each in files if each.startswith("train.")]


def test_the_command_line_names_all_recipes_and_formats() -> None:
    pairs = [(recipe, name) for recipe in train_data.RECIPES for name in FORMATS]
    assert list(FORMATS) == list(train_data.FORMATS)
    assert set(train_data.RECIPES) == set(get_args(Recipe))
    without = {(recipe, name) for recipe, name in pairs if not FORMATS[name].writer(recipe)}
    assert without == train_data.NO_PLACE
