"""Trains one step with TRL on rows written for it: `trl_consumer.py FOLDER RECIPE ANSWERS`.

`datasets` reads the file and TRL's trainer of the recipe takes the rows as they are. GRPO's reward
function is the one beside the rows; it asks the service at SLICE_FUNC_URL. A random model earns
nothing, so TRL's own hook for generation gives the originals and empty bodies of ANSWERS as what
the model has written.
"""

import json
import math
import sys
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from datasets import load_dataset
from tiny_model import LONGEST, differ, saved_model, weights
from tiny_tokenizer import byte_tokenizer
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

_STEP = {"max_steps": 1, "use_cpu": True, "bf16": False, "report_to": [], "logging_steps": 1}
_TEXTS = ("prompt", "completion", "chosen", "rejected", "messages")


def main():
    """Print what was read and trained as JSON."""
    folder, recipe = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as made:
        rows = load_dataset(
            "json", data_files=str(folder / "train.jsonl"), split="train", cache_dir=made
        )
        reward = reward_of(folder) if recipe == "grpo" else None
        print(json.dumps(trained(rows, recipe, made, reward)))


def reward_of(folder):
    """Return the reward function of a folder."""
    spec = spec_from_file_location("slice_func_reward", folder / "slice_func_reward.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.slice_func_reward


def trained(rows, recipe, made, reward=None):
    """Return what one step on rows does to a model."""
    model = saved_model(f"{made}/model")
    short = rows.filter(
        lambda row: sum(len(str(row[each])) for each in _TEXTS if each in row) < LONGEST
    )
    trainer, rewards = _trainer(recipe, model, short, f"{made}/out", reward)
    trainer.train()
    trainer.save_model(f"{made}/after")
    log = next(each for each in trainer.state.log_history if "loss" in each)
    found = {
        "rows": len(rows),
        "rows_short_enough": len(short),
        "trainer": f"trl.{type(trainer).__name__}",
        "steps": trainer.state.global_step,
        "loss": round(log["loss"], 6),
        "gradient": round(log["grad_norm"], 6),
        "weights_changed": differ(weights(model), weights(f"{made}/after")),
    }
    assert math.isfinite(found["loss"])
    return found | ({"rewards": rewards} if reward else {})


def _trainer(recipe, model, rows, out, reward):
    """Return the trainer of a recipe, and a list to which rewards are added as it asks for them."""
    rewards, tokenizer = [], byte_tokenizer()
    given = {"model": model, "train_dataset": rows, "processing_class": tokenizer}
    step = {"per_device_train_batch_size": 4, **_STEP}
    if recipe == "grpo":

        def slice_func_reward(completions, **columns):
            rewards.extend(reward(completions, **columns))
            return rewards[-len(completions) :]

        args = GRPOConfig(out, num_generations=2, generation_batch_size=4, **step)
        given |= {"rollout_func": _answers(rows, tokenizer)}
        return GRPOTrainer(reward_funcs=slice_func_reward, args=args, **given), rewards
    config, kind = (DPOConfig, DPOTrainer) if recipe == "dpo" else (SFTConfig, SFTTrainer)
    return kind(args=config(out, max_length=None, **step), **given), rewards


def _answers(rows, tokenizer):
    """Return a function that gives answers to prompts as TRL wants them: a right one, then not."""
    answers = {
        each["id"]: each for each in map(json.loads, Path(sys.argv[3]).read_text().splitlines())
    }
    ids = {row["prompt"][0]["content"]: row["task_id"] for row in rows}

    def rollout(prompts, trainer):
        asked = [answers[ids[each[0]["content"]]] for each in prompts]
        texts = [each[("gold", "empty")[at % 2]] for at, each in enumerate(asked)]
        written = [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for text in texts]
        said = [tokenizer.apply_chat_template(each, return_dict=True) for each in prompts]
        return {
            "prompt_ids": [each["input_ids"] for each in said],
            "completion_ids": written,
            "logprobs": None,
        }

    return rollout


if __name__ == "__main__":
    main()
