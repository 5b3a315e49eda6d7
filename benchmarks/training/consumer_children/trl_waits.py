"""Waits for rewards as TRL does: `trl_waits.py PLAN REWARD after|ahead`.

GRPO's trainer has all answers of a step before it calls the reward function with all of them.
`ahead` is for a `rollout_func`: as each answer ends, it begins to be scored.
"""

import math
import sys
import tempfile
import time

from datasets import Dataset
from recorded_step import plan, report, reward_module
from tiny_model import saved_model
from tiny_tokenizer import byte_tokenizer
from trl import GRPOConfig, GRPOTrainer


def main():
    """Print what was waited for as JSON."""
    answers, generation = plan()
    module = reward_module()
    rows = [
        {"prompt": [{"role": "user", "content": "?"}], "task_id": each["environment"]}
        for each in answers
    ]
    completions = [[{"role": "assistant", "content": each["text"]}] for each in answers]
    with tempfile.TemporaryDirectory() as made:
        args = GRPOConfig(
            made,
            num_generations=2,
            per_device_train_batch_size=2,
            use_cpu=True,
            bf16=False,
            report_to=[],
        )
        trainer = GRPOTrainer(
            saved_model(f"{made}/model"), module.slice_func_reward, args=args,
            train_dataset=Dataset.from_list(rows), processing_class=byte_tokenizer(),
        )  # fmt: skip
        prompts, ids = [row["prompt"] for row in rows], [[0] for _ in rows]
        if sys.argv[3] == "ahead":
            _generate(answers, generation, module)
        end = time.monotonic()
        rewards = trainer._calculate_rewards(rows, prompts, completions, ids)  # noqa: SLF001 - what its step calls
        waits = time.monotonic() - end
    report([None if math.isnan(each) else each for each in rewards[:, 0].tolist()], waits)


def _generate(answers, generation, module):
    """Begin to score each answer when it ends, and return when the last one has."""
    start = time.monotonic()
    for each in sorted(answers, key=lambda each: each["end"]):
        time.sleep(max(0.0, start + each["end"] - time.monotonic()))
        module.score_ahead(each["environment"], each["text"])
    time.sleep(max(0.0, start + generation - time.monotonic()))


if __name__ == "__main__":
    main()
