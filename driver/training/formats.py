"""Training data in the formats of trainers: for each, what it makes of each kind of example.

A trainer has no place for some kinds: LLaMA-Factory none for questions with a reward, verl none for
pairs. `FORMATS` says which files there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..datasets.exports.formats import trl, verl
from ..datasets.exports.reward_files import REWARD, reward_text
from .examples import Demonstration, Example, Preference, Prompt
from .functions import TRAIN, VALIDATION

Files = dict[str, bytes]
Row = Mapping[str, Any]
BySplit = Mapping[str, Sequence[Any]]
"""The examples of each split, all of one kind."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format."""

    demonstrations: Callable[[BySplit], Files]
    """Returns the files for supervised training."""
    preferences: Callable[[BySplit], Files] | None = None
    """Returns the files for pairs; `None` where the trainer has no place for them."""
    prompts: Callable[[BySplit], Files] | None = None
    """Returns the files for questions with a reward; `None` likewise."""

    def writer(self, recipe: str) -> Callable[[BySplit], Files] | None:
        """Return what writes the examples of a recipe; `None` where there is no place for them."""
        return {"dpo": self.preferences, "grpo": self.prompts}.get(recipe, self.demonstrations)


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def _about(example: Example) -> dict[str, Any]:
    """Return the columns that say where an example is from."""
    function = example.function
    found: dict[str, Any] = {"environment": function.id, "repo": function.repo}
    match example:
        case Demonstration(source=source, model=model):
            return {**found, "source": source, "model": model}
        case Preference(source=source, rejected_source=rejected):
            return {**found, "source": source, "rejected_source": rejected}
        case Prompt(pass_rate=rate):
            return {**found, "pass_rate": rate}


def _json_lines(row: Callable[[Any], Row]) -> Callable[[BySplit], Files]:
    """Return what writes a file with a JSON object a line for each split."""

    def files(splits: BySplit) -> Files:
        return {f"{split}.jsonl": _lines(map(row, some)) for split, some in splits.items()}

    return files


def _lines(rows: Iterable[Row]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def _with_reward(files: Callable[[BySplit], Files], package: str) -> Callable[[BySplit], Files]:
    """Return what also writes the reward function of a trainer, which asks the service."""

    def both(splits: BySplit) -> Files:
        return {**files(splits), REWARD: reward_text(package, "reward.py.txt").encode()}

    return both


# TRL: https://huggingface.co/docs/trl/dataset_formats, "prompt-completion", "preference"


def _trl_demonstration(each: Demonstration) -> Row:
    prompt, completion = [_user(each.function.question)], [_assistant(each.answer)]
    return {"prompt": prompt, "completion": completion, **_about(each)}


def _trl_preference(each: Preference) -> Row:
    return {
        "prompt": [_user(each.function.question)],
        "chosen": [_assistant(each.chosen)],
        "rejected": [_assistant(each.rejected)],
        **_about(each),
    }


def _trl_prompt(each: Prompt) -> Row:
    return {
        "prompt": [_user(each.function.question)],
        "task_id": each.function.id,
        **_about(each),
    }


# OpenAI: fine-tuning allows no further columns but for reinforcement


def _openai_demonstration(each: Demonstration) -> Row:
    return {"messages": [_user(each.function.question), _assistant(each.answer)]}


def _openai_preference(each: Preference) -> Row:
    return {
        "input": {"messages": [_user(each.function.question)]},
        "preferred_output": [_assistant(each.chosen)],
        "non_preferred_output": [_assistant(each.rejected)],
    }


def _openai_prompt(each: Prompt) -> Row:
    return {"messages": [_user(each.function.question)], "environment": each.function.id}


# LLaMA-Factory: data/README.md, "sharegpt"


def _human(text: str) -> dict[str, str]:
    return {"from": "human", "value": text}


def _gpt(text: str) -> dict[str, str]:
    return {"from": "gpt", "value": text}


def _sharegpt_demonstration(each: Demonstration) -> Row:
    turns = [_human(each.function.question), _gpt(each.answer)]
    return {"conversations": turns, **_about(each)}


def _sharegpt_preference(each: Preference) -> Row:
    return {
        "conversations": [_human(each.function.question)],
        "chosen": _gpt(each.chosen),
        "rejected": _gpt(each.rejected),
        **_about(each),
    }


def _llama_factory(row: Callable[[Any], Row], about: Row) -> Callable[[BySplit], Files]:
    """Return what writes the rows, and the file that names and describes them."""
    rows = _json_lines(row)

    def files(splits: BySplit) -> Files:
        info = {f"slice_func_{split}": {"file_name": f"{split}.jsonl", **about} for split in splits}
        text = json.dumps(info, indent=2) + "\n"
        return {**rows(splits), "dataset_info.json": text.encode()}

    return files


_SHAREGPT: Row = {"formatting": "sharegpt"}
_RANKING: Row = {
    "formatting": "sharegpt",
    "ranking": True,
    "columns": {"messages": "conversations", "chosen": "chosen", "rejected": "rejected"},
}


# verl: tables in Parquet


@dataclass(frozen=True, slots=True)
class _Message:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class _Conversation:
    messages: tuple[_Message, ...]
    environment: str
    repo: str
    source: str
    model: str


def _verl_demonstrations(splits: BySplit) -> Files:
    from ..datasets.storage.parquet import table_bytes  # it loads pyarrow

    def row(each: Demonstration) -> _Conversation:
        asked = _Message("user", each.function.question)
        return _Conversation((asked, _Message("assistant", each.answer)), **_about(each))

    return {
        f"{split}.parquet": table_bytes(_Conversation, [row(each) for each in some])
        for split, some in splits.items()
    }


def _verl_prompts(splits: BySplit) -> Files:
    from ..datasets.storage.parquet import table_bytes  # it loads pyarrow

    def row(number: int, split: str, each: Prompt) -> verl.Row:
        made = each.function
        return verl.row_of(
            made.id, made.question, number, split, made.repo, made.path, made.qualname
        )

    return {
        f"{split}.parquet": table_bytes(
            verl.Row, [row(number, split, each) for number, each in enumerate(some)]
        )
        for split, some in splits.items()
    }


FORMATS: Mapping[str, Format] = {
    "trl": Format(
        _json_lines(_trl_demonstration),
        _json_lines(_trl_preference),
        _with_reward(_json_lines(_trl_prompt), trl.__name__),
    ),
    "llama-factory": Format(
        _llama_factory(_sharegpt_demonstration, _SHAREGPT),
        _llama_factory(_sharegpt_preference, _RANKING),
    ),
    "verl": Format(_verl_demonstrations, prompts=_with_reward(_verl_prompts, verl.__name__)),
    "openai": Format(
        _json_lines(_openai_demonstration),
        _json_lines(_openai_preference),
        _json_lines(_openai_prompt),
    ),
}
"""By name."""


def training_files(format_name: str, recipe: str, examples: Sequence[Example]) -> Files:
    """Return the files of a format: those of the training split, and of validation if it has any.

    Args:
        format_name: one of `FORMATS`.
        recipe: one for whose examples the format has a place.
        examples: all of the kind that the recipe trains on.
    """
    write = FORMATS[format_name].writer(recipe)
    assert write is not None, "the command line refuses it"
    splits: dict[str, list[Example]] = {TRAIN: []}
    for each in examples:
        splits.setdefault(each.function.split, []).append(each)
    ordered = {name: splits[name] for name in (TRAIN, VALIDATION) if name in splits}
    return write(ordered)
