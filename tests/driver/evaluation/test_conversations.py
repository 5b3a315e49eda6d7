"""Conversations for trainers: nothing of a run is lost, and each format is its trainer's."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from slicefunc.driver.cli.commands import eval_export
from slicefunc.driver.evaluation.conversations import FORMATS, Conversation, conversations
from slicefunc.driver.evaluation.runs import Run
from slicefunc.driver.evaluation.sample_rows import SampleRow

from tests.driver.evaluation.sample_rows import sample


def _call(name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{name}", "type": "function", "function": function}


ASKED = {"role": "user", "content": "Write f."}
CALLS = {
    "role": "assistant",
    "content": "I look.",
    "tool_calls": [_call("get_signature", '{"method_name": "f"}'), _call("run_tests", "no JSON")],
}
ANSWERS = [
    {"role": "tool", "content": "def f()", "tool_call_id": "call_get_signature"},
    {"role": "tool", "content": "error", "tool_call_id": "call_run_tests"},
]
SAID = {"role": "assistant", "content": "def f(): pass"}
WITH_TOOLS = [ASKED, CALLS, *ANSWERS, SAID]
VERDICT = {"verdict": "passed", "cases_passed": 1, "cases": 1}
plain = st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4).map(
    lambda pairs: [
        {"role": role, "content": text}
        for pair in pairs
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]
)
runs = st.lists(plain, min_size=1, max_size=3)


def found(*talks: list[dict[str, Any]], **changes: Any) -> list[Conversation]:
    return list(conversations(_run(sample(messages=json.dumps(talks), **changes))))


def _run(*samples: SampleRow) -> Run:
    return Run("here", {"agent": "tool-calling"}, samples)


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def test_each_conversation_is_a_row_without_verdicts() -> None:
    first, second = found([ASKED, {**SAID, "verdict": VERDICT}], [ASKED, SAID])
    assert (first.number, second.number) == (0, 1)
    assert first.messages == [ASKED, SAID]


def test_only_samples_that_passed_count_where_asked() -> None:
    talk = json.dumps([[ASKED, SAID]])
    run = _run(sample(messages=talk), sample(messages=talk, verdict="failed", reward=0.0))
    assert len(list(conversations(run))) == 2
    assert [each.sample.verdict for each in conversations(run, passed=True)] == ["passed"]


def test_tools_are_told_where_they_were_offered() -> None:
    talks = json.dumps([[ASKED, SAID]])
    plain = conversations(Run("here", {"agent": "basic"}, (sample(messages=talks),)))
    offered = [*found(WITH_TOOLS, [ASKED, SAID]), *plain]
    rows = lines(FORMATS["openai"](offered)["train.jsonl"])
    names = [each["function"]["name"] for each in rows[0]["tools"]]
    assert {"get_signature", "run_tests"} <= set(names)
    assert set(rows[0]) == {"messages", "tools"}
    assert rows[1]["tools"] == rows[0]["tools"]
    assert set(rows[2]) == {"messages"}
    assert rows[0]["messages"] == WITH_TOOLS


def test_trl_has_objects_as_arguments() -> None:
    (row,) = lines(FORMATS["trl"](found(WITH_TOOLS))["train.jsonl"])
    calls = row["messages"][1]["tool_calls"]
    assert calls[0]["function"]["arguments"] == {"method_name": "f"}
    assert calls[1]["function"]["arguments"] == "no JSON"
    assert (row["environment"], row["reward"]) == ("e0", 1.0)


def test_llama_factory_has_turns_that_alternate() -> None:
    files = FORMATS["llama-factory"](found(WITH_TOOLS))
    (row,) = json.loads(files["train.json"])
    about = json.loads(files["dataset_info.json"])["slice-func"]
    assert about["file_name"] == "train.json"
    assert set(about["columns"].values()) <= set(row)
    assert [each["from"] for each in row["conversations"]] == [
        "human", "function_call", "observation", "gpt",
    ]  # fmt: skip
    calls = json.loads(row["conversations"][1]["value"])
    assert calls[0] == {"name": "get_signature", "arguments": {"method_name": "f"}}
    assert row["conversations"][2]["value"] == "def f()\nerror"
    assert json.loads(row["tools"])[0]["name"]


def test_llama_factory_ends_with_the_model() -> None:
    files = FORMATS["llama-factory"](found([ASKED, CALLS, *ANSWERS]))
    (row,) = json.loads(files["train.json"])
    assert [each["from"] for each in row["conversations"]] == ["human", "function_call"]


def test_verl_reads_messages_of_a_table() -> None:
    content = FORMATS["verl"](found(WITH_TOOLS))["train.parquet"]
    (row,) = parquet.read_table(io.BytesIO(content)).to_pylist()
    messages = [{k: v for k, v in each.items() if v is not None} for each in row["messages"]]
    assert messages == WITH_TOOLS
    assert row["verdict"] == "passed"


@given(runs)
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_text_is_lost(name: str, talks: list[list[dict[str, Any]]]) -> None:
    files = FORMATS[name](found(*talks))
    if name == "verl":
        rows = parquet.read_table(io.BytesIO(files["train.parquet"])).to_pylist()
    elif name == "llama-factory":
        rows = json.loads(files["train.json"])
    else:
        rows = lines(files["train.jsonl"])
    said = [
        [
            each.get("content", each.get("value"))
            for each in row.get("messages") or row["conversations"]
        ]
        for row in rows
    ]
    assert said == [[each["content"] for each in talk] for talk in talks]


def test_the_same_conversations_give_the_same_bytes() -> None:
    for write in FORMATS.values():
        assert write(found(WITH_TOOLS)) == write(found(WITH_TOOLS))


def test_the_command_offers_every_format() -> None:
    assert set(eval_export.FORMATS) == set(FORMATS)
