"""Speed and memory of the recipe on this machine: tokens a second, and scores a second beside it.

The model has a real architecture and weights drawn at random, so nothing is downloaded. While it
trains, the originals of the dataset are scored over and over by `slice-func serve`, as a policy's
answers would be.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from datasets import load_dataset
from transformers import TrainerCallback
from trl import ModelConfig, ScriptArguments, SFTConfig, SFTTrainer, TrlParser

from .random_model import SIZES, write_random_model
from .services import serve_rewards
from .training_data import RewardFunction, import_reward, known, make_data

RECIPE = Path(__file__).parent / "trl" / "sft.yaml"
ON_A_PROCESSOR = ("--use_cpu", "true", "--bf16", "false")
SCORED_AT_ONCE = 8
FENCE = "```python\n"


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured."""

    device: str
    tokens_a_second: float
    """Tokens of prompts and answers, without padding, from the end of the first step on."""
    peak_memory: int
    """Bytes: of the accelerator, or of this process where there is none."""
    scores_a_second: float
    """While the model was trained."""
    originals_right: float
    """Share of the scored originals that got the reward 1; it must be 1."""

    def __str__(self) -> str:
        """Return one line."""
        return (
            f"{self.device}: {self.tokens_a_second:,.0f} tokens/s, "
            f"{self.peak_memory / 2**30:.2f} GiB at most, "
            f"{self.scores_a_second:.1f} scores/s, {self.originals_right:.0%} of them right"
        )


@dataclass(slots=True)
class Scored:
    """Rewards that have come so far."""

    rewards: list[float] = field(default_factory=list)
    seconds: float = 0.0


class TokenClock(TrainerCallback):
    """Notes when how many tokens were through."""

    def __init__(self) -> None:
        """Begin with nothing noted."""
        self.noted: list[tuple[float, float]] = []

    def on_log(self, *_: object, logs: dict[str, Any] | None = None, **__: object) -> None:
        """Note the tokens of a step."""
        if logs and "num_tokens" in logs:
            self.noted.append((time.monotonic(), float(logs["num_tokens"])))

    @property
    def tokens_a_second(self) -> float:
        """The mean from the end of the first step to the end of the last."""
        (begin, first), (end, last) = self.noted[0], self.noted[-1]
        return (last - first) / (end - begin)


def distinct_answers(data: Path) -> Iterator[tuple[str, str]]:
    """Yield environments and their originals without end, each with a comment of its own.

    The service keeps verdicts: the same text is not run again.
    """
    rows = [json.loads(line) for line in (data / "train.jsonl").read_text().splitlines()]
    for number, row in enumerate(itertools.cycle(rows)):
        answer = row["completion"][0]["content"]
        yield row["environment"], answer.replace(FENCE, f"{FENCE}# {number}\n", 1)


@contextmanager
def scoring(answers: Iterator[tuple[str, str]], reward: RewardFunction) -> Iterator[Scored]:
    """Score answers in the background as long as the block runs."""
    scored, is_over = Scored(), threading.Event()

    def score() -> None:
        while not is_over.is_set():
            environments, texts = zip(*itertools.islice(answers, SCORED_AT_ONCE), strict=True)
            scored.rewards += known(reward(completions=texts, task_id=environments))

    thread, begin = threading.Thread(target=score), time.monotonic()
    thread.start()
    try:
        yield scored
    finally:
        is_over.set()
        thread.join()
        scored.seconds = time.monotonic() - begin


def make_trainer(data: Path, model: Path, words: Sequence[str], clock: TokenClock) -> SFTTrainer:
    """Return a trainer with the recipe's settings, and those of the words instead."""
    places = ["--dataset_name", data, "--model_name_or_path", model, "--output_dir", model / "out"]
    told = ["--config", RECIPE, *places, "--save_strategy", "no", "--logging_steps", "1", *words]
    if not torch.cuda.is_available():
        told += ON_A_PROCESSOR
    parser = TrlParser((ScriptArguments, SFTConfig, ModelConfig))
    script, settings, of_model = parser.parse_args_and_config([str(word) for word in told])
    settings.model_init_kwargs = {"dtype": of_model.dtype}
    rows = load_dataset(script.dataset_name)["train"]
    return SFTTrainer(of_model.model_name_or_path, settings, train_dataset=rows, callbacks=[clock])


def measure(
    data: Path, model: Path, words: Sequence[str], scored: tuple[Path, RewardFunction]
) -> Speed:
    """Train for some steps, and score meanwhile.

    Args:
        data: folder of training data.
        model: folder of the model.
        words: settings in place of the recipe's, as words of the command line.
        scored: folder of the data whose answers are scored, and the reward function.
    """
    clock = TokenClock()
    trainer = make_trainer(data, model, words, clock)
    with scoring(distinct_answers(scored[0]), scored[1]) as scores:
        trainer.train()
    return Speed(
        device=_device_name(),
        tokens_a_second=clock.tokens_a_second,
        peak_memory=_peak_memory(),
        scores_a_second=len(scores.rewards) / scores.seconds,
        originals_right=sum(scores.rewards) / len(scores.rewards),
    )


def _device_name() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "processor"


def _peak_memory() -> int:
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # Linux counts in KiB


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path, metavar="DATASET")
    parser.add_argument("work", type=Path, metavar="DIR", help="new folder for all that it writes")
    parser.add_argument("--slice-func", default="slice-func", metavar="COMMAND")
    parser.add_argument("--size", choices=SIZES, default="qwen2.5-0.5b")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=8, help="examples a step (default 8)")
    options = parser.parse_args()
    work: Path = options.work
    work.mkdir(parents=True)
    data = make_data(options.slice_func, options.dataset, "sft", work)
    reward = import_reward(make_data(options.slice_func, options.dataset, "grpo", work))
    weights = write_random_model(data / "train.jsonl", work / "model", options.size)
    print(f"{options.size}: {weights:,} weights, {options.steps} steps of {options.batch}")
    words = ["--max_steps", str(options.steps), "--gradient_accumulation_steps", "1"]
    words += ["--per_device_train_batch_size", str(options.batch)]
    with serve_rewards(options.slice_func, options.dataset, work / "service.log") as url:
        os.environ["SLICE_FUNC_URL"] = url
        print(measure(data, work / "model", words, (data, reward)))


if __name__ == "__main__":
    main()
