"""Trains one step with verl's SFT trainer on rows written for it: `verl_sft_consumer.py FOLDER`.

Its configuration, its dataset class, its trainer and its FSDP engine run as they are, on the
processor.
"""

import json
import math
import sys
import tempfile
from pathlib import Path

import verl_cpu

verl_cpu.start()

from hydra import compose, initialize_config_module  # noqa: E402
from tiny_model import LONGEST, differ, saved_model, weights  # noqa: E402
from verl.trainer.sft_trainer import SFTTrainer  # noqa: E402

_BATCH = 4


def main():
    """Print what was read and trained as JSON."""
    file = Path(sys.argv[1]).resolve() / "train.parquet"
    with tempfile.TemporaryDirectory() as made:
        model = saved_model(f"{made}/model")
        trainer = SFTTrainer(_config(file, model, f"{made}/out"))
        logged = []
        train = trainer.training_client.train_batch

        def train_batch(data):
            logged.append(train(data))
            return logged[-1]

        trainer.training_client.train_batch = train_batch
        before = {name: each.clone() for name, each in weights(model).items()}
        trainer.fit()
        metrics = logged[0]["metrics"]
        state = {
            name: each.full_tensor() for name, each in trainer.engine.module.state_dict().items()
        }
    found = {
        "rows": len(trainer.train_dataset),
        "trainer": "verl.trainer.sft_trainer.SFTTrainer",
        "engine": f"{type(trainer.engine).__name__}, {trainer.engine_config.strategy}",
        "steps": len(logged),
        "loss": round(metrics["train/loss"], 6),
        "gradient": round(metrics["train/grad_norm"], 6),
        "weights_changed": differ(before, state),
    }
    assert math.isfinite(found["loss"])
    print(json.dumps(found))


def _config(file, model, out):
    words = {
        "model.path": model,
        "model.use_remove_padding": False,
        "model.enable_gradient_checkpointing": False,
        "+model.override_config.attn_implementation": "sdpa",
        "engine.strategy": "fsdp2",
        "engine.use_torch_compile": False,
        "data.train_files": file,
        "data.train_batch_size": _BATCH,
        "data.micro_batch_size_per_gpu": 1,
        "data.use_dynamic_bsz": False,
        "data.max_length": LONGEST,
        "data.truncation": "left",
        "data.num_workers": 0,
        "trainer.total_training_steps": 1,
        "trainer.logger": "[console]",
        "trainer.device": "cpu",
        "trainer.default_local_dir": out,
        "trainer.resume_mode": "disable",
    }
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("sft_trainer_engine", [f"{name}={value}" for name, value in words.items()])


if __name__ == "__main__":
    main()
