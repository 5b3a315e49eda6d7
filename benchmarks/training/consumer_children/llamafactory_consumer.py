"""Trains one step with LLaMA-Factory: `llamafactory_consumer.py FOLDER RECIPE`.

Its own `run_exp`, which `llamafactory-cli train` calls, reads `dataset_info.json` and trains.
"""

import json
import math
import sys
import tempfile
from pathlib import Path

from llamafactory.train.tuner import run_exp
from tiny_model import LONGEST, differ, saved_model, weights
from transformers import TrainerCallback

_STAGES = {"sft": "sft", "rft": "sft", "dpo": "dpo"}


class _Watcher(TrainerCallback):
    """Keeps how many rows the trainer has, and what it logs."""

    rows = 0
    log = ()

    def on_train_begin(self, args, state, control, train_dataloader=None, **words):
        self.rows = len(train_dataloader.dataset)

    def on_train_end(self, args, state, control, **words):
        self.log = state.log_history
        self.steps = state.global_step


def main():
    """Print what was read and trained as JSON."""
    folder, recipe, watcher = Path(sys.argv[1]), sys.argv[2], _Watcher()
    with tempfile.TemporaryDirectory() as made:
        model = saved_model(f"{made}/model")
        run_exp(_arguments(folder, model, recipe, f"{made}/out"), [watcher])
        changed = differ(weights(model), weights(f"{made}/out"))
    log = next(each for each in watcher.log if "loss" in each)
    found = {
        "rows": watcher.rows,
        "trainer": f"llamafactory.train.tuner.run_exp, stage {_STAGES[recipe]}",
        "steps": watcher.steps,
        "loss": round(log["loss"], 6),
        "gradient": round(log["grad_norm"], 6),
        "weights_changed": changed,
    }
    assert math.isfinite(found["loss"])
    print(json.dumps(found))


def _arguments(folder, model, recipe, out):
    return {
        "stage": _STAGES[recipe],
        "do_train": True,
        "finetuning_type": "full",
        "model_name_or_path": model,
        "dataset_dir": str(folder),
        "dataset": "slice_func_train",
        "template": "empty",
        "cutoff_len": LONGEST,
        "overwrite_cache": True,
        "output_dir": out,
        "max_steps": 1,
        "logging_steps": 1,
        "per_device_train_batch_size": 4,
        "learning_rate": 1e-3,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
    }


if __name__ == "__main__":
    main()
