"""Scores candidates with an export for verl as its trainer does: `verl_child.py EXPORT CANDIDATES`.

Its dataset class reads the rows, and its reward manager decodes responses and calls the function
that its configuration names by path.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from omegaconf import OmegaConf
from tiny_tokenizer import byte_tokenizer
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    tokenizer = byte_tokenizer()
    config = OmegaConf.create(
        {
            "reward": {
                "custom_reward_function": {
                    "path": str(folder / "slice_func_reward.py"),
                    "name": "compute_score",
                },
                "reward_manager": {"source": "register", "name": "naive"},
            }
        }
    )
    manager = load_reward_manager(config, tokenizer)
    with tempfile.TemporaryDirectory() as cache:
        data = OmegaConf.create({"cache_dir": cache, "max_prompt_length": 100_000})
        rows = RLHFDataset(str(folder / "train.parquet"), tokenizer, data)
        items = {rows[i]["reward_model"]["ground_truth"]: rows[i] for i in range(len(rows))}
    found = {}
    for line in candidates.read_text().splitlines():
        one = json.loads(line)
        for kind in ("gold", "empty"):
            item = _item(items[one["id"]], one[kind], tokenizer)
            result = manager.loop.run_until_complete(manager.run_single(item))
            found.setdefault(kind, []).append(result["reward_score"])
    print(json.dumps(found))


def _item(row, text, tokenizer):
    """Return a response to a row, as rollouts give it."""
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    batch = DataProto.from_single_dict(collate_fn([row]))
    extra = DataProto.from_single_dict({"responses": ids, "attention_mask": torch.ones_like(ids)})
    return batch.union(extra)


if __name__ == "__main__":
    main()
