"""Waits for rewards as verl does: `verl_waits.py PLAN REWARD`.

Its loop of agents asks for the reward of an answer as soon as that has ended; one of its reward
workers, of which it has eight, gets them all here.
"""

import asyncio
import sys
import tempfile
import time

import torch
from hydra import compose, initialize_config_module
from recorded_step import plan, report, watch
from tiny_model import saved_model
from verl import DataProto
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker
from verl.utils import hf_tokenizer
from verl.utils.dataset.rl_dataset import collate_fn


def main():
    """Print what was waited for as JSON."""
    answers, generation = plan()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    with tempfile.TemporaryDirectory() as made:
        worker = RewardLoopWorker(_config(saved_model(f"{made}/model")))
        tokenizer = hf_tokenizer(f"{made}/model")
    function, *_ = worker.reward_manager.compute_score.args  # verl wraps it, to add its settings
    watch(function.__globals__)
    items = [_item(each, tokenizer) for each in answers]
    report(
        *worker.reward_manager.loop.run_until_complete(_asked(worker, items, answers, generation))
    )


def _config(model):
    words = {
        "actor_rollout_ref.model.path": model,
        "reward.custom_reward_function.path": sys.argv[2],
        "reward.custom_reward_function.name": "compute_score",
    }
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", [f"{name}={value}" for name, value in words.items()])


def _item(answer, tokenizer):
    ids = tokenizer(answer["text"], return_tensors="pt")["input_ids"]
    row = {
        "data_source": "slice_func",
        "reward_model": {"style": "rule", "ground_truth": answer["environment"]},
        "extra_info": {},
        "responses": ids[0],
        "attention_mask": torch.ones_like(ids[0]),
    }
    return DataProto.from_single_dict(collate_fn([row]))


async def _asked(worker, items, answers, generation):
    start = time.monotonic()

    async def one(item, end):
        await asyncio.sleep(start + end - time.monotonic())
        return (await worker.compute_score(item))["reward_score"]

    ends = [each["end"] for each in answers]
    rewards = await asyncio.gather(*map(one, items, ends))
    return rewards, time.monotonic() - start - generation


if __name__ == "__main__":
    main()
