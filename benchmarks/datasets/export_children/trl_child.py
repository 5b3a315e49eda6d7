"""Scores candidates with an export for TRL as its trainers do: `trl_child.py EXPORT CANDIDATES`.

A model of a few thousand weights is made here. GRPO calls the reward function on candidates, on a
sandbox that fails, and on what that model writes in one step; SFT and DPO each take a step on their
rows.
"""

import json
import sys
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from datasets import load_dataset
from tiny_tokenizer import byte_tokenizer
from transformers import LlamaConfig, LlamaForCausalLM
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

_STEP = {"max_steps": 1, "per_device_train_batch_size": 2, "use_cpu": True, "report_to": []}


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    spec = spec_from_file_location("slice_func_reward", folder / "slice_func_reward.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    tokenizer = byte_tokenizer()
    with tempfile.TemporaryDirectory() as made:
        rows = load_dataset(str(folder / "grpo"), split="train", cache_dir=made)
        trainer = GRPOTrainer(
            _model(tokenizer, f"{made}/model"), module.slice_func_reward,
            args=GRPOConfig(
                made, num_generations=2, max_completion_length=8, generation_batch_size=2,
                bf16=False, **_STEP,
            ),
            train_dataset=rows, processing_class=tokenizer,
        )  # fmt: skip
        found = _scored(trainer, rows, candidates)
        pairs = load_dataset(str(folder / "dpo"), split="train", cache_dir=made)
        wrong = _rewards(trainer, pairs, [each["rejected"][0]["content"] for each in pairs])
        found["rejected"] = {"answers": len(wrong), "passed": sum(each != 0 for each in wrong)}
        trainer.train()
        found["steps"] = {"grpo": trainer.state.global_step}
        module.reward_of = _fails
        found["sandbox_fails"] = list(map(str, _rewards(trainer, [rows[0]], ["pass"])))
        for kind, config, of in (("sft", SFTConfig, SFTTrainer), ("dpo", DPOConfig, DPOTrainer)):
            data = load_dataset(str(folder / kind), split="train", cache_dir=made)
            data = data.select(sorted(range(len(data)), key=lambda at: len(str(data[at])))[:4])
            args = config(made, max_length=None, bf16=False, **_STEP)
            model = _model(tokenizer, f"{made}/model")
            one = of(model, args=args, train_dataset=data, processing_class=tokenizer)
            one.train()
            found["steps"][kind] = one.state.global_step
    print(json.dumps(found))


def _model(tokenizer, folder):
    size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    config = LlamaConfig(vocab_size=len(tokenizer), **size, **heads)
    LlamaForCausalLM(config).save_pretrained(folder)  # DPO reads its reference model there
    return LlamaForCausalLM.from_pretrained(folder)


def _fails(_environment, _answer):
    return None


def _scored(trainer, rows, candidates):
    """Return the rewards of each kind of candidate."""
    given = {each["id"]: each for each in map(json.loads, candidates.read_text().splitlines())}
    return {
        kind: _rewards(trainer, rows, [given[row["task_id"]][kind] for row in rows])
        for kind in ("gold", "empty")
    }


def _rewards(trainer, rows, texts):
    """Return what the trainer makes of the rewards for some completions."""
    completions = [[{"role": "assistant", "content": text}] for text in texts]
    rows = list(rows)
    prompts, ids = [row["prompt"] for row in rows], [[0] for _ in rows]
    rewards = trainer._calculate_rewards(rows, prompts, completions, ids)  # noqa: SLF001 - what its step calls
    return rewards[:, 0].tolist()


if __name__ == "__main__":
    main()
