"""Trains one step on rows of OpenAI's forms: `openai_consumer.py FOLDER RECIPE ANSWERS`.

OpenAI's own trainer is a service. TRL reads conversations of this form as they are; the columns of
pairs and of prompts it calls otherwise, and here they are renamed and no text of them is changed.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from datasets import load_dataset
from slicefunc.driver.services.rewards.client import score
from trl_consumer import trained


def main():
    """Print what was read and trained as JSON."""
    folder, recipe = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as made:
        rows = load_dataset(
            "json", data_files=str(folder / "train.jsonl"), split="train", cache_dir=made
        )
        if recipe == "dpo":
            rows = rows.map(_pair, remove_columns=rows.column_names)
        elif recipe == "grpo":
            rows = rows.rename_columns({"messages": "prompt", "environment": "task_id"})
        print(json.dumps(trained(rows, recipe, made, _reward if recipe == "grpo" else None)))


def _pair(row):
    return {
        "prompt": row["input"]["messages"],
        "chosen": row["preferred_output"],
        "rejected": row["non_preferred_output"],
    }


def _reward(completions, task_id, **_columns):
    url = os.environ["SLICE_FUNC_URL"]
    return [
        score(url, environment, answer[-1]["content"]).reward
        for environment, answer in zip(task_id, completions, strict=True)
    ]


if __name__ == "__main__":
    main()
