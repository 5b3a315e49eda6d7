"""Trains one step of GRPO with verl: `verl_grpo_consumer.py FOLDER grpo ANSWERS`.

Its dataset class reads the rows, its reward loop calls `compute_score` beside them, which asks the
service at SLICE_FUNC_URL; then come its own advantages, old log probabilities and update of the
actor. The answers are given, originals and empty bodies: no engine that generates runs here.
"""

import asyncio
import json
import math
import sys
import tempfile
from pathlib import Path

import verl_cpu

verl_cpu.start()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from hydra import compose, initialize_config_module  # noqa: E402
from tiny_model import differ, saved_model, weights  # noqa: E402
from verl import DataProto  # noqa: E402
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker  # noqa: E402
from verl.trainer.ppo.core_algos import AdvantageEstimator  # noqa: E402
from verl.trainer.ppo.ray_trainer import RayPPOTrainer, compute_advantage  # noqa: E402
from verl.utils import hf_tokenizer  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402
from verl.workers.engine_workers import ActorRolloutRefWorker  # noqa: E402

_KINDS = ("gold", "empty")
_PROMPTS = 4


def main():
    """Print what was read and trained as JSON."""
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as made:
        model = saved_model(f"{made}/model")
        config = _config(folder, model)
        tokenizer = hf_tokenizer(model)
        rows = RLHFDataset(config.data.train_files, tokenizer, config.data)
        batch = _batch(rows, tokenizer)
        rewards = _rewarded(batch, config)
        before = weights(model)
        metrics, after = _updated(batch, config)
    found = {
        "rows": len(rows),
        "trainer": "RLHFDataset, RewardLoopWorker.compute_score_batch, compute_advantage, "
        "RayPPOTrainer._compute_old_log_prob and ._update_actor, ActorRolloutRefWorker as actor",
        "engine": "FSDPEngineWithLMHead, fsdp2",
        "steps": 1,
        "loss": _number(metrics["actor/pg_loss"]),
        "gradient": _number(metrics["actor/grad_norm"]),
        "weights_changed": differ(before, after),
        "rewards": rewards,
    }
    assert math.isfinite(found["loss"])
    print(json.dumps(found))


def _number(value):
    return round(float(np.mean(value)), 6)


def _config(folder, model):
    words = {
        "algorithm.adv_estimator": "grpo",
        "data.train_files": folder / "train.parquet",
        "data.max_prompt_length": 1_000_000,
        "data.filter_overlong_prompts": False,
        "actor_rollout_ref.model.path": model,
        "+actor_rollout_ref.model.override_config.attn_implementation": "sdpa",
        "actor_rollout_ref.model.use_remove_padding": False,
        "actor_rollout_ref.model.enable_gradient_checkpointing": False,
        "actor_rollout_ref.actor.strategy": "fsdp2",
        "actor_rollout_ref.actor.fsdp_config.strategy": "fsdp2",
        "actor_rollout_ref.actor.fsdp_config.use_torch_compile": False,
        "actor_rollout_ref.actor.use_torch_compile": False,
        "actor_rollout_ref.actor.ppo_mini_batch_size": _PROMPTS,
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 1,
        "actor_rollout_ref.actor.optim.lr": 1e-3,
        "actor_rollout_ref.rollout.name": "hf",
        "actor_rollout_ref.rollout.n": len(_KINDS),
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 1,
        "reward.custom_reward_function.path": folder / "slice_func_reward.py",
        "reward.custom_reward_function.name": "compute_score",
        "trainer.device": "cpu",
        "trainer.n_gpus_per_node": 1,
    }
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", [f"{name}={value}" for name, value in words.items()])


def _batch(rows, tokenizer):
    """Return the shortest prompts with two given answers each, as rollouts are."""
    answers = {
        each["id"]: each for each in map(json.loads, Path(sys.argv[3]).read_text().splitlines())
    }
    items = sorted(
        (rows[at] for at in range(len(rows))), key=lambda row: len(str(row["raw_prompt"]))
    )
    some = [row for row in items[:_PROMPTS] for _ in _KINDS]
    prompts = [
        tokenizer.apply_chat_template(row["raw_prompt"], return_dict=True)["input_ids"]
        for row in some
    ]
    texts = [
        answers[row["reward_model"]["ground_truth"]][_KINDS[at % 2]] for at, row in enumerate(some)
    ]
    written = [[*tokenizer(text)["input_ids"], tokenizer.eos_token_id] for text in texts]
    before, after = _padded(prompts, tokenizer, left=True), _padded(written, tokenizer, left=False)
    ids = torch.cat([before[0], after[0]], 1)
    attention = torch.cat([before[1], after[1]], 1)
    batch = DataProto.from_single_dict(collate_fn([dict(row) for row in some]))
    batch.non_tensor_batch["uid"] = np.array(
        [row["reward_model"]["ground_truth"] for row in some], dtype=object
    )
    return batch.union(
        DataProto.from_single_dict(
            {
                "prompts": before[0],
                "responses": after[0],
                "response_mask": after[1],
                "input_ids": ids,
                "attention_mask": attention,
                "position_ids": (attention.cumsum(1) - 1).clamp(min=0),
            }
        )
    )


def _padded(rows, tokenizer, *, left):
    longest = max(map(len, rows))
    fill = [[tokenizer.pad_token_id] * (longest - len(row)) for row in rows]
    ids = [[*pad, *row] if left else [*row, *pad] for pad, row in zip(fill, rows, strict=True)]
    ones = [
        [0] * len(pad) + [1] * len(row) if left else [1] * len(row) + [0] * len(pad)
        for pad, row in zip(fill, rows, strict=True)
    ]
    return torch.tensor(ids), torch.tensor(ones)


def _rewarded(batch, config):
    """Put rewards at the last token of each response, and return them."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    worker = RewardLoopWorker(config)
    answers = worker.reward_manager.loop.run_until_complete(worker.compute_score_batch(batch))
    rewards = [each["reward_score"] for each in answers]
    mask = batch.batch["response_mask"]
    scores = torch.zeros_like(mask, dtype=torch.float32)
    scores[torch.arange(len(rewards)), mask.sum(1) - 1] = torch.tensor(rewards)
    batch.batch["token_level_scores"] = batch.batch["token_level_rewards"] = scores
    return rewards


def _updated(batch, config):
    """Return the metrics of one update of the actor, and its weights after it."""
    worker = ActorRolloutRefWorker(config.actor_rollout_ref, "actor")
    worker.init_model()
    trainer = object.__new__(RayPPOTrainer)  # its constructor starts an engine that generates
    trainer.config, trainer.actor_rollout_wg = config, worker
    trainer.distillation_config = None
    batch.meta_info["temperature"] = config.actor_rollout_ref.rollout.temperature
    batch.meta_info["global_token_num"] = batch.batch["attention_mask"].sum(1).tolist()
    old, _ = trainer._compute_old_log_prob(batch)
    batch = batch.union(old)
    batch = compute_advantage(batch, AdvantageEstimator.GRPO, num_repeat=len(_KINDS))
    found = trainer._update_actor(batch)
    module = worker.actor.engine.module
    return found.meta_info["metrics"], {
        name: each.full_tensor() for name, each in module.state_dict().items()
    }


if __name__ == "__main__":
    main()
