"""The conversations of runs in the formats of trainers.

A sample gives one row a conversation: an agent that forgets begins a new one. Verdicts, which the
messages of a run hold, go from the messages into columns where a format has columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...llm.agents.tool_calling import RUN_TESTS
from .repository_places import TOOL_SCHEMAS
from .runs import Run
from .sample_rows import SampleRow

Message = Mapping[str, Any]
_WITH_TOOLS = "tool-calling"
"""The agent that offers tools as functions."""
_OFFERED = (*TOOL_SCHEMAS, RUN_TESTS)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a sample."""

    sample: SampleRow
    number: int
    """From 0 on."""
    messages: Sequence[Message]
    """In the chat format, without verdicts."""
    tools: Sequence[Mapping[str, Any]] = ()
    """Schemas of the tools that it was offered."""

    @property
    def columns(self) -> dict[str, Any]:
        """Return what is known of the sample."""
        sample = self.sample
        return {
            "environment": sample.environment,
            "repo": sample.repo,
            "sample": sample.sample,
            "conversation": self.number,
            "verdict": sample.verdict,
            "reward": sample.reward,
        }


def conversations(run: Run, *, passed: bool = False) -> Iterator[Conversation]:
    """Yield the conversations of a run.

    Args:
        run: the run.
        passed: whether only samples that passed count.
    """
    tools = _OFFERED if run.settings.get("agent") == _WITH_TOOLS else ()
    for sample in run.samples:
        if passed and not sample.is_passed:
            continue
        for number, messages in enumerate(json.loads(sample.messages)):
            plain = [{k: v for k, v in each.items() if k != "verdict"} for each in messages]
            yield Conversation(sample, number, plain, tools)


def _openai(found: Sequence[Conversation]) -> dict[str, bytes]:
    """Return OpenAI's format of fine-tuning, which allows no further columns."""
    rows = ({"messages": each.messages, **_tools(each)} for each in found)
    return {"train.jsonl": _lines(rows)}


def _trl(found: Sequence[Conversation]) -> dict[str, bytes]:
    """Return TRL's conversational format: arguments of calls are objects there."""
    rows = (
        {"messages": [_with_objects(m) for m in each.messages], **_tools(each), **each.columns}
        for each in found
    )
    return {"train.jsonl": _lines(rows)}


def _llama_factory(found: Sequence[Conversation]) -> dict[str, bytes]:
    """Return LLaMA-Factory's ShareGPT format: turns of people and of the model alternate there."""
    rows = [
        {
            "conversations": list(_turns(each.messages)),
            "system": _system(each.messages),
            "tools": json.dumps([tool["function"] for tool in each.tools]) if each.tools else "",
            **each.columns,
        }
        for each in found
    ]
    about = {
        "slice-func": {
            "file_name": "train.json",
            "formatting": "sharegpt",
            "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
        }
    }
    return {
        "train.json": (json.dumps(rows, indent=1) + "\n").encode(),
        "dataset_info.json": (json.dumps(about, indent=1) + "\n").encode(),
    }


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class _Call:
    id: str
    type: str
    function: _Function


@dataclass(frozen=True, slots=True)
class _VerlMessage:
    role: str
    content: str
    tool_calls: tuple[_Call, ...] | None
    tool_call_id: str | None


@dataclass(frozen=True, slots=True)
class _VerlRow:
    messages: tuple[_VerlMessage, ...]
    environment: str
    repo: str
    sample: int
    conversation: int
    verdict: str
    reward: float


def _verl(found: Sequence[Conversation]) -> dict[str, bytes]:
    """Return verl's format of supervised training in several turns, a Parquet file."""
    from ..datasets.storage.parquet import table_bytes  # it loads pyarrow

    rows = [_VerlRow(tuple(map(_verl_message, each.messages)), **each.columns) for each in found]
    return {"train.parquet": table_bytes(_VerlRow, rows)}


def _verl_message(message: Message) -> _VerlMessage:
    calls = tuple(
        _Call(each["id"], each["type"], _Function(**each["function"]))
        for each in message.get("tool_calls", ())
    )
    answered = message.get("tool_call_id")
    return _VerlMessage(message["role"], message["content"], calls or None, answered)


def training_files(format_name: str, found: Sequence[Conversation]) -> dict[str, bytes]:
    """Return the files of a format by name: one of `FORMATS`."""
    return FORMATS[format_name](found)


FORMATS: Mapping[str, Callable[[Sequence[Conversation]], dict[str, bytes]]] = {
    "trl": _trl,
    "openai": _openai,
    "llama-factory": _llama_factory,
    "verl": _verl,
}
"""By name, what returns the files of a format."""


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _tools(conversation: Conversation) -> dict[str, Any]:
    return {"tools": list(conversation.tools)} if conversation.tools else {}


def _with_objects(message: Message) -> dict[str, Any]:
    """Return a message whose calls have objects as arguments, where they are JSON objects."""
    calls = [
        {**call, "function": {**call["function"], "arguments": _arguments(call)}}
        for call in message.get("tool_calls", ())
    ]
    return {**message, "tool_calls": calls} if calls else dict(message)


def _arguments(call: Mapping[str, Any]) -> Any:  # noqa: ANN401 - what a model wrote
    text = call["function"]["arguments"]
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict) else text  # pyright: ignore[reportUnknownVariableType]


def _system(messages: Sequence[Message]) -> str:
    return "\n".join(each["content"] for each in messages if each["role"] == "system")


def _turns(messages: Sequence[Message]) -> Iterator[dict[str, str]]:
    """Yield ShareGPT's turns, of which the model's is the last.

    What tools answer to the calls of one message is one turn. Text beside calls has no place.
    """
    answers: list[str] = []
    for each in messages:
        if each["role"] == "tool":
            answers.append(each["content"])
            continue
        if answers:
            yield {"from": "observation", "value": "\n".join(answers)}
            answers = []
        if "tool_calls" in each:
            calls = [
                {"name": call["function"]["name"], "arguments": _arguments(call)}
                for call in each["tool_calls"]
            ]
            yield {"from": "function_call", "value": json.dumps(calls)}
        elif each["role"] in ("user", "assistant"):
            speaker = "human" if each["role"] == "user" else "gpt"
            yield {"from": speaker, "value": each["content"]}
