"""One step of GRPO that can be checked exactly, with rewards of a real environment.

The policy writes a single token, and each token is a whole answer: a right definition of a function
or one of several wrong ones. So the probability of each answer can be read off, the expected reward
is a short sum, and the step that the algorithm prescribes can be computed by hand:

    advantage of a sample = (reward - mean of the group) / (standard deviation + 1e-4)
    loss                  = - mean over samples of (advantage x log probability of the answer)

That is GRPO's objective (DeepSeekMath, section 4.1) at its first step, where the policy that has
sampled is the one that learns, without a penalty for leaving the reference model.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, set_seed
from trl import GRPOConfig, GRPOTrainer

from .services import serve_rewards
from .training_data import RewardFunction, import_reward, known, make_data

PAD, END, QUESTION = "<pad>", "<end>", "<question>"
GROUP = 64
"""Answers that are sampled of the question."""
LEARNING_RATE = 0.5
TINY_DEVIATION = 1e-4
"""What TRL adds to the standard deviation, so that nothing is divided by zero."""


@dataclass(frozen=True, slots=True)
class Task:
    """A function to be written, and what the policy can answer."""

    environment: str
    right: str
    wrong: tuple[str, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """All answers, the right one first."""
        return (self.right, *self.wrong)


@dataclass(frozen=True, slots=True)
class Group:
    """What was sampled in the step, and what it was worth."""

    tokens: tuple[int, ...]
    rewards: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the trainer, and the same by hand."""

    expected_before: float
    """Expected reward: of each token its probability times its reward, summed up."""
    expected_after: float
    right_before: float
    """Probability of the right answer."""
    right_after: float
    largest_difference: float
    """Between a weight of the trainer's model and the same one of the step by hand."""
    largest_change: float
    """Of a weight, by the step."""


def read_task(pairs: Path) -> Task:
    """Return the task of the first function in a file of pairs (`train-data --recipe dpo`)."""
    rows = [json.loads(line) for line in pairs.read_text().splitlines()]
    of_first = [row for row in rows if row["environment"] == rows[0]["environment"]]
    wrong = dict.fromkeys(row["rejected"][0]["content"] for row in of_first)
    return Task(rows[0]["environment"], rows[0]["chosen"][0]["content"], tuple(wrong))


def make_tokenizer(task: Task) -> PreTrainedTokenizerFast:
    """Return a tokenizer that has a token for the question, and one for each answer."""
    words = [PAD, END, QUESTION, *task.answers]
    vocabulary = {word: number for number, word in enumerate(words)}
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(vocabulary, unk_token=PAD)),
        pad_token=PAD,
        eos_token=END,
        clean_up_tokenization_spaces=False,
    )


def make_policy(tokenizer: PreTrainedTokenizerFast, seed: int) -> Qwen2ForCausalLM:
    """Return a model of some thousand weights, drawn at random."""
    set_seed(seed)
    shape = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(shape)


def log_probabilities(policy: Qwen2ForCausalLM, tokenizer: PreTrainedTokenizerFast) -> torch.Tensor:
    """Return the logarithm of each token's probability as the answer to the question."""
    question = torch.tensor([[tokenizer.convert_tokens_to_ids(QUESTION)]])
    return policy(input_ids=question).logits[0, -1].float().log_softmax(-1)


def token_rewards(
    task: Task, tokenizer: PreTrainedTokenizerFast, reward: RewardFunction
) -> torch.Tensor:
    """Return the reward of each token, as the service gives it for the token's text."""
    texts = [tokenizer.decode([token], skip_special_tokens=True) for token in range(len(tokenizer))]
    return torch.tensor(known(reward(completions=texts, task_id=[task.environment] * len(texts))))


def step_by_hand(
    policy: Qwen2ForCausalLM, tokenizer: PreTrainedTokenizerFast, group: Group
) -> Qwen2ForCausalLM:
    """Return the policy after one step of gradient descent on GRPO's loss for a group."""
    rewards = torch.tensor(group.rewards)
    advantages = (rewards - rewards.mean()) / (rewards.std() + TINY_DEVIATION)
    stepped = copy.deepcopy(policy)
    chosen = log_probabilities(stepped, tokenizer)[torch.tensor(group.tokens)]
    loss = -(advantages * chosen).mean()
    loss.backward()
    with torch.no_grad():
        for weight in stepped.parameters():
            if weight.grad is not None:
                weight.sub_(LEARNING_RATE * weight.grad)
    return stepped


def step_of_trainer(
    policy: Qwen2ForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    task: Task,
    reward: RewardFunction,
    output: Path,
) -> Group:
    """Let TRL train the policy for one step; return the group that it has sampled."""
    groups: list[Group] = []

    def recorded(completion_ids: list[list[int]], **columns: Any) -> Sequence[float | None]:  # noqa: ANN401 - TRL's
        rewards = reward(completion_ids=completion_ids, **columns)
        tokens = [token for (token,) in completion_ids]
        groups.append(Group(tuple(tokens), tuple(known(rewards))))
        return rewards

    settings = GRPOConfig(
        output_dir=str(output),
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        max_steps=1,
        per_device_train_batch_size=GROUP,
        num_generations=GROUP,
        max_completion_length=1,
        temperature=1.0,
        beta=0.0,
        optim="sgd",
        learning_rate=LEARNING_RATE,
        lr_scheduler_type="constant",
        max_grad_norm=0.0,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )
    data = Dataset.from_list([{"prompt": QUESTION, "task_id": task.environment}])
    GRPOTrainer(
        model=policy,
        reward_funcs=[recorded],
        args=settings,
        train_dataset=data,
        processing_class=tokenizer,
    ).train()
    (group,) = groups
    return group


def turned(reward: RewardFunction) -> RewardFunction:
    """Return the opposite of a reward function: 1 where it gives 0, and 0 where it gives 1."""

    def opposite(**columns: Any) -> list[float]:  # noqa: ANN401 - TRL's
        return [1 - value for value in known(reward(**columns))]

    return opposite


def check_step(
    task: Task, reward: RewardFunction, taught: RewardFunction, output: Path, seed: int = 0
) -> Step:
    """Let the trainer make one step, make it by hand, and compare.

    Args:
        task: what is answered.
        reward: what the expected reward is computed with.
        taught: what the trainer is given: `reward`, or its opposite.
        output: folder for the trainer's files.
        seed: of the weights and of what is sampled.
    """
    tokenizer = make_tokenizer(task)
    policy = make_policy(tokenizer, seed)
    rewards, start = token_rewards(task, tokenizer, reward), copy.deepcopy(policy)
    group = step_of_trainer(policy, tokenizer, task, taught, output)
    by_hand = step_by_hand(start, tokenizer, group)
    right = tokenizer.convert_tokens_to_ids(task.right)
    with torch.no_grad():
        before = log_probabilities(start, tokenizer).exp()
        after = log_probabilities(policy, tokenizer).exp()
    return Step(
        expected_before=float(before @ rewards),
        expected_after=float(after @ rewards),
        right_before=float(before[right]),
        right_after=float(after[right]),
        largest_difference=_largest_difference(policy, by_hand),
        largest_change=_largest_difference(policy, start),
    )


def _largest_difference(one: Qwen2ForCausalLM, other: Qwen2ForCausalLM) -> float:
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return max(float((mine - its).detach().abs().max()) for mine, its in pairs)


def main() -> None:
    """Make one step with the rewards of a dataset, and one with their opposite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path, metavar="DATASET")
    parser.add_argument("work", type=Path, metavar="DIR", help="new folder for all that it writes")
    parser.add_argument("--slice-func", default="slice-func", metavar="COMMAND")
    options = parser.parse_args()
    work, dataset, slice_func = options.work, options.dataset, options.slice_func
    work.mkdir(parents=True)
    task = read_task(make_data(slice_func, dataset, "dpo", work) / "train.jsonl")
    reward = import_reward(make_data(slice_func, dataset, "grpo", work))
    with serve_rewards(slice_func, dataset, work / "service.log") as url:
        os.environ["SLICE_FUNC_URL"] = url
        for name, taught in (("rewards", reward), ("1 - rewards", turned(reward))):
            step = check_step(task, reward, taught, work / "trainer")
            print(
                f"{name}: expected reward {step.expected_before:.4f} -> {step.expected_after:.4f}; "
                f"weights differ from the step by hand by {step.largest_difference:.1e} "
                f"(the step: {step.largest_change:.1e})"
            )


if __name__ == "__main__":
    main()
