"""Conversations over a real HTTP service: calls of tools, samples, and what is kept of them."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.chat import ChatAnswer, ChatRequest, wire_request
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.cost_account import Account
from slicefunc.llm.client.model_service import ModelService
from slicefunc.llm.client.model_settings import Budget, Settings
from slicefunc.llm.client.questions import Message, Reply, ToolCall
from slicefunc.llm.errors import ModelServiceError

from tests.llm.service import Handler, Service, completion, failing, send, serving, slow

LOOK_UP: dict[str, Any] = {
    "type": "function",
    "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}},
}
CALLS = (ToolCall("c1", "look_up", '{"name": "area"}'), ToolCall("c2", "look_up", "{not json"))
THREADS = 32
OLD_SCHEMA = """
CREATE TABLE replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL,
    refusal TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE spent (
    run TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, usd REAL NOT NULL
) WITHOUT ROWID;
"""


def calling(
    calls: Sequence[ToolCall], text: str | None = None, finish: str = "tool_calls"
) -> Handler:
    """A completion that asks for calls of tools."""

    def handler(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        asked = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in calls
        ]
        message = {"role": "assistant", "content": text, "tool_calls": asked}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        choices = [{"index": 0, "message": message, "finish_reason": finish}]
        send(http, 200, {"id": "c", "choices": choices, "usage": usage, "model": body["model"]})

    return handler


def echoing(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """Say the last message again."""
    completion(body["messages"][-1]["content"])(http, body)


def question(text: str = "which?", **parts: Any) -> ChatRequest:
    return ChatRequest((Message("user", text),), "a sample", **{"most_tokens": 100, **parts})


@dataclass
class Talking:
    """Conversations with a service; each block has a client of its own on the same cache."""

    service: Service
    file: Path
    settings: Settings

    @contextmanager
    def client(self, **parts: Any) -> Iterator[Client]:
        client = Client(replace(self.settings, **parts), Cache(self.file), run="r")
        try:
            yield client
        finally:
            client.close()

    def ask(self, *requests: ChatRequest, **parts: Any) -> list[ChatAnswer]:
        with self.client(**parts) as client:
            return [client.chat(each, Account()) for each in requests]


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[Talking]:
    with serving(completion("a circle")) as service:
        settings = Settings("some-model", service.url, "sk-none", retries=0, timeout=60.0)
        yield Talking(service, tmp_path / "answers.sqlite", settings)


def test_an_answer_is_the_text_that_the_model_says(talking: Talking) -> None:
    (answer,) = talking.ask(question())
    assert (answer.text, answer.calls, answer.problem) == ("a circle", (), None)
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (10, 5)
    assert not answer.is_stored


def test_no_form_is_asked_for_in_a_conversation(talking: Talking) -> None:
    talking.ask(question())
    assert not talking.service.asked[0].keys() & {"response_format", "tools", "temperature", "seed"}


def test_calls_of_tools_come_back_as_the_model_wrote_them(talking: Talking) -> None:
    talking.service.will(calling(CALLS, "Let me look."))
    (answer,) = talking.ask(question(tools=(LOOK_UP,)))
    assert answer.calls == CALLS
    assert answer.text == "Let me look."
    assert answer.problem is None
    assert talking.service.asked[0]["tools"] == [LOOK_UP]


def test_calls_without_a_text_have_an_empty_one(talking: Talking) -> None:
    talking.service.will(calling(CALLS))
    (answer,) = talking.ask(question(tools=(LOOK_UP,)))
    assert answer.message == Message("assistant", "", CALLS)


def test_calls_are_asked_for_once_and_known_the_second_time(talking: Talking) -> None:
    talking.service.will(calling(CALLS), completion("something else"))
    first, again = talking.ask(*[question(tools=(LOOK_UP,))] * 2)
    assert first.calls == again.calls == CALLS
    assert (first.is_stored, again.is_stored) == (False, True)
    assert len(talking.service.asked) == 1


def test_calls_are_known_to_another_client_of_the_same_file(talking: Talking) -> None:
    talking.service.will(calling(CALLS), completion("something else"))
    (first,) = talking.ask(question(tools=(LOOK_UP,)))
    (again,) = talking.ask(question(tools=(LOOK_UP,)))
    assert again == replace(first, is_stored=True)
    assert len(talking.service.asked) == 1


def test_each_sample_of_a_question_is_asked_for(talking: Talking) -> None:
    talking.service.will(*(completion(f"sample {number}") for number in range(3)))
    answers = talking.ask(*(question(sample=number) for number in range(3)))
    assert [answer.text for answer in answers] == ["sample 0", "sample 1", "sample 2"]


def test_the_same_sample_is_asked_for_once(talking: Talking) -> None:
    talking.service.will(*(completion(f"sample {number}") for number in range(3)))
    answers = talking.ask(*(question(sample=number) for number in (0, 1, 0, 1)))
    assert [answer.text for answer in answers] == ["sample 0", "sample 1", "sample 0", "sample 1"]
    assert len(talking.service.asked) == 2


def test_the_number_of_a_sample_is_not_sent(talking: Talking) -> None:
    talking.ask(question(sample=1), question(sample=2))
    assert talking.service.asked[0] == talking.service.asked[1]


@pytest.mark.parametrize(
    "other",
    [
        {"tools": (LOOK_UP,)},
        {"temperature": 0.0},
        {"temperature": 1.0},
        {"seed": 0},
        {"most_tokens": 101},
    ],
)
def test_what_is_sent_otherwise_is_another_question(
    talking: Talking, other: dict[str, Any]
) -> None:
    talking.ask(question())
    (answer,) = talking.ask(question(**other))
    assert not answer.is_stored
    assert talking.service.asked[0] != talking.service.asked[1]


def test_another_purpose_is_the_same_question(talking: Talking) -> None:
    talking.ask(question())
    assert talking.ask(replace(question(), purpose="another"))[0].is_stored


def test_turns_are_sent_in_the_form_of_the_protocol(talking: Talking) -> None:
    turns = (
        Message("system", "Be brief."),
        Message("user", "which?"),
        Message("assistant", "", CALLS),
        Message("tool", "def area(): ...", call="c1"),
        Message("tool", "no JSON", call="c2"),
        Message("assistant", "a square"),
        Message("user", "sure?"),
    )
    talking.ask(ChatRequest(turns, "a sample", (LOOK_UP,)))
    assert talking.service.asked[0]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "which?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "look_up", "arguments": '{"name": "area"}'},
                },
                {
                    "id": "c2",
                    "type": "function",
                    "function": {"name": "look_up", "arguments": "{not json"},
                },
            ],
        },
        {"role": "tool", "content": "def area(): ...", "tool_call_id": "c1"},
        {"role": "tool", "content": "no JSON", "tool_call_id": "c2"},
        {"role": "assistant", "content": "a square"},
        {"role": "user", "content": "sure?"},
    ]


def test_another_answer_of_a_tool_is_another_question(talking: Talking) -> None:
    def after(said: str) -> ChatRequest:
        turns = (Message("assistant", "", CALLS[:1]), Message("tool", said, call="c1"))
        return ChatRequest((*question().messages, *turns), "a sample")

    answers = talking.ask(after("one"), after("two"), after("one"))
    assert [answer.is_stored for answer in answers] == [False, False, True]


def test_a_truncated_answer_comes_with_its_text(talking: Talking) -> None:
    talking.service.will(completion("def ar", finish="length"))
    (answer,) = talking.ask(question())
    assert (answer.problem, answer.text) == ("truncated", "def ar")


@pytest.mark.parametrize(
    ("handler", "detail"),
    [
        (completion(None, refusal="I  will\nnot"), "I will not"),
        (completion("Half a", finish="content_filter"), "its filter"),
    ],
)
def test_a_refused_answer_says_so(talking: Talking, handler: Handler, detail: str) -> None:
    talking.service.will(handler)
    first, again = talking.ask(question(), question())
    assert (first.problem, first.detail) == ("refused", detail)
    assert (again.problem, again.is_stored) == ("refused", True)


@pytest.mark.parametrize("budget", [Budget(calls=2), Budget(tokens=400)])
def test_over_the_budget_of_an_account_nothing_is_asked(talking: Talking, budget: Budget) -> None:
    account = Account(budget)
    with talking.client() as client:
        answers = [client.chat(question(most_tokens=300, sample=n), account) for n in range(40)]
    said = [answer.problem for answer in answers]
    assert said == sorted(said, key=bool)
    assert (said[0], said[-1]) == (None, "over_budget")
    assert len(talking.service.asked) == said.count(None) == account.total.calls


def test_over_the_budget_of_a_run_nothing_is_asked(talking: Talking) -> None:
    answers = talking.ask(*(question(sample=n) for n in range(4)), per_run=Budget(calls=3))
    assert [answer.problem for answer in answers] == [None] * 3 + ["over_budget"]
    assert len(talking.service.asked) == 3


@pytest.mark.parametrize("place", ["text", "arguments", "description"])
def test_the_reserve_of_a_request_counts_all_that_is_sent(tmp_path: Path, place: str) -> None:
    texts = {"text": "", "arguments": "", "description": "", place: "x" * 3000}
    tool = {"type": "function", "function": {"name": "t", "description": texts["description"]}}
    called = Message("assistant", "", (ToolCall("c", "t", texts["arguments"]),))
    sent = ChatRequest((Message("user", texts["text"]), called), "a sample", (tool,), most_tokens=7)
    service = ModelService(Settings("some-model"), Cache(tmp_path / "answers.sqlite"), "r")
    worst = wire_request(sent, service).worst
    assert worst.output_tokens == 7
    assert worst.input_tokens >= 1000


def test_a_replay_of_a_conversation_asks_nobody(talking: Talking) -> None:
    talking.service.will(calling(CALLS))
    talking.ask(question("known"))
    known, unknown = talking.ask(question("known"), question("unknown"), is_replay=True)
    assert known.calls == CALLS
    assert (unknown.text, unknown.problem) == ("", "not_cached")
    assert len(talking.service.asked) == 1


def test_a_replay_does_not_know_a_further_sample(talking: Talking) -> None:
    talking.ask(question(sample=0))
    answers = talking.ask(question(sample=0), question(sample=1), is_replay=True)
    assert [answer.problem for answer in answers] == [None, "not_cached"]


def test_a_closed_client_abandons_requests_and_keeps_what_has_come(talking: Talking) -> None:
    talking.service.will(echoing, slow(3600.0, echoing))
    with talking.client() as client, ThreadPoolExecutor(1) as threads:
        assert client.chat(question("one"), Account()).text == "one"
        waiting = threads.submit(client.chat, question("two"), Account())
        while len(talking.service.asked) < 2:
            time.sleep(0.01)
        client.close()
        with pytest.raises(ModelServiceError, match="closed"):
            waiting.result(60)
        with pytest.raises(ModelServiceError, match="closed"):
            client.chat(question("three"), Account())
    assert len(talking.service.asked) == 2
    (again,) = talking.ask(question("one"))
    assert (again.text, again.is_stored) == ("one", True)


def test_many_threads_may_use_one_client(talking: Talking) -> None:
    talking.service.will(slow(0.01, echoing))
    account = Account()
    with talking.client() as client, ThreadPoolExecutor(THREADS) as pool:
        texts = [f"question {number}" for number in range(THREADS)]
        answers = list(pool.map(lambda text: client.chat(question(text), account), texts))
    assert [answer.text for answer in answers] == texts
    asked = Counter(body["messages"][-1]["content"] for body in talking.service.asked)
    assert asked == dict.fromkeys(texts, 1)
    assert account.total.calls == account.paid.calls == THREADS


def test_many_threads_with_one_question_ask_it_once(talking: Talking) -> None:
    talking.service.will(slow(0.05, echoing))
    account = Account()
    with talking.client() as client, ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda _: client.chat(question(), account), range(THREADS)))
    assert {answer.text for answer in answers} == {"which?"}
    assert [answer.is_stored for answer in answers].count(False) == 1
    assert len(talking.service.asked) == account.paid.calls == 1


def test_a_failure_is_not_kept(talking: Talking) -> None:
    talking.service.will(failing(500), calling(CALLS))
    first, again = talking.ask(question(), question())
    assert (first.problem, first.calls) == ("unavailable", ())
    assert (again.problem, again.calls) == (None, CALLS)


def test_a_rejected_key_ends_a_conversation(talking: Talking) -> None:
    talking.service.will(failing(401))
    account = Account()
    with talking.client() as client:
        with pytest.raises(ModelServiceError):
            client.chat(question(), account)
        with pytest.raises(ModelServiceError):
            client.chat(question("another"), account)
    assert len(talking.service.asked) == 1
    assert account.total.calls == 0


def test_the_key_of_a_request_is_sent_with_it(talking: Talking) -> None:
    sent: list[str | None] = []

    def noting(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        sent.append(http.headers["Idempotency-Key"])
        completion("a circle")(http, body)

    talking.service.will(noting)
    talking.ask(question("a"), question("b"), question("a", sample=1))
    with closing(sqlite3.connect(talking.file)) as database:
        stored = {key for (key,) in database.execute("SELECT key FROM replies")}
    assert len(sent) == len(stored) == 3
    assert set(sent) == stored


def test_a_file_without_calls_is_opened_and_its_answers_are_known(talking: Talking) -> None:
    talking.ask(question())
    with closing(sqlite3.connect(talking.file)) as database:
        (key,) = database.execute("SELECT key FROM replies").fetchone()
    talking.file = talking.file.with_name("old.sqlite")
    row = (key, "some-model", "an old circle", "stop", "", 1, 2, 0.5)
    with closing(sqlite3.connect(talking.file)) as database, database:
        database.executescript(OLD_SCHEMA)
        database.execute("INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    (known,) = talking.ask(question())
    assert (known.text, known.calls, known.is_stored) == ("an old circle", (), True)


def test_a_file_without_calls_takes_calls(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(OLD_SCHEMA)
    reply = Reply("", "tool_calls", "", 1, 2, 0.5, CALLS)
    Cache(file).put("a", "some-model", reply)
    assert Cache(file).get("a") == reply


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(
    text=TEXTS,
    calls=st.lists(st.builds(ToolCall, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple),
)
def test_any_reply_is_read_as_it_was_stored(
    tmp_path_factory: pytest.TempPathFactory, text: str, calls: tuple[ToolCall, ...]
) -> None:
    cache = Cache(tmp_path_factory.mktemp("cache") / "answers.sqlite")
    reply = Reply(text, "stop", "", 1, 2, 0.5, calls)
    cache.put("a", "some-model", reply)
    assert cache.get("a") == reply
