"""The client against a real HTTP service: what it pays for, what it gives back, what it hides."""

from __future__ import annotations

import gzip
import json
import logging
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from pydantic import BaseModel
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.bounded_http import MOST_BYTES
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.cost_account import Account
from slicefunc.llm.client.model_settings import Budget, Settings
from slicefunc.llm.client.prices import Price
from slicefunc.llm.client.questions import Answer, Message, Request
from slicefunc.llm.errors import ModelServiceError

from tests.llm.service import (
    Service,
    completion,
    dropping,
    failing,
    saying,
    send,
    serving,
    slow,
)

KEY = "sk-not-to-be-seen-anywhere"
NOW = {"retry-after-ms": "1"}


class Shape(BaseModel):
    """A form with a list in it."""

    name: str
    values: list[str] = []


GOOD = {"name": "circle", "values": ["1"]}


def question(text: str = "which?", most: int = 100) -> Request[Shape]:
    return Request((Message("user", text),), Shape, "shape of x", most)


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(saying(GOOD)) as made:
        yield made


class Asking:
    """A client of a service, with a cache of its own."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.service = service
        self.file = folder / "answers.sqlite"
        self.settings = Settings(
            "some-model", service.url, KEY, price=Price(1.0, 2.0), retries=3, timeout=60.0
        )
        self.account = Account()

    def ask(self, *texts: str, account: Account | None = None) -> list[Answer[Shape]]:
        client = Client(self.settings, Cache(self.file), run="r")
        try:
            wanted = [question(text) for text in texts or ("which?",)]
            return client.ask_all(wanted, account or self.account)
        finally:
            client.close()


@pytest.fixture
def asking(service: Service, tmp_path: Path) -> Asking:
    return Asking(service, tmp_path)


def test_an_answer_has_the_form_that_was_asked_for(asking: Asking) -> None:
    (answer,) = asking.ask()
    assert answer.value == Shape(name="circle", values=["1"])
    sent = asking.service.asked[0]
    schema = sent["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["name", "values"]
    assert schema["additionalProperties"] is False
    assert sent["messages"] == [{"role": "user", "content": "which?"}]
    assert asking.account.total.to_json() | {"seconds": 0} == {
        "calls": 1, "input_tokens": 10, "output_tokens": 5, "cost": 2e-05, "seconds": 0,
    }  # fmt: skip
    assert list(asking.account.by_purpose) == ["shape of x"]


def test_a_service_that_knows_no_schemas_is_asked_for_a_block(asking: Asking) -> None:
    block = f"Here it is:\n\n```json\n{json.dumps(GOOD)}\n```\n"
    asking.service.will(failing(400, "response_format?"), completion(block))
    first, second = asking.ask("a")[0], asking.ask("b")[0]
    assert first.value == second.value == Shape(**GOOD)
    assert "fenced block" in asking.service.asked[1]["messages"][-1]["content"]
    assert "response_format" not in asking.service.asked[1]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_busy_or_failing_service_is_asked_again(asking: Asking, status: int) -> None:
    asking.service.will(failing(status, headers=NOW), failing(status, headers=NOW), saying(GOOD))
    assert asking.ask()[0].value == Shape(**GOOD)
    assert len(asking.service.asked) == 3


def test_a_dropped_connection_is_opened_again(asking: Asking) -> None:
    asking.service.will(dropping, saying(GOOD))
    assert asking.ask()[0].value == Shape(**GOOD)


def test_a_slow_answer_is_not_waited_for(asking: Asking) -> None:
    asking.settings = replace(asking.settings, timeout=0.2, retries=1)
    asking.service.will(slow(2.0, saying(GOOD)))
    (answer,) = asking.ask()
    assert (answer.value, answer.problem) == (None, "late")
    assert len(asking.service.asked) == 2


def test_what_fails_for_good_is_a_value(asking: Asking) -> None:
    asking.service.will(failing(503, f"overloaded {KEY}", headers=NOW))
    (answer,) = asking.ask()
    assert answer.problem == "unavailable"
    assert "503" in answer.detail
    assert KEY not in answer.detail
    assert asking.account.total.calls == 0


@pytest.mark.parametrize(
    ("handler", "problem"),
    [
        (completion(None, refusal="I will not"), "refused"),
        (completion(None, finish="content_filter"), "refused"),
        (completion('{"name": "cir', finish="length"), "truncated"),
        (completion("Certainly! A circle."), "malformed"),
        (saying({"name": 3, "values": []}), "malformed"),
        (saying(["circle"]), "malformed"),
        (completion(None), "malformed"),
        (completion("```json\n{}\n```"), "malformed"),
    ],
)
def test_what_is_no_answer_is_a_value_and_is_paid_for_once(
    asking: Asking, handler: object, problem: str
) -> None:
    asking.service.will(handler)
    first = asking.ask()[0]
    again = asking.ask()[0]
    assert (first.value, first.problem) == (again.value, again.problem) == (None, problem)
    assert (first.is_stored, again.is_stored) == (False, True)
    assert len(asking.service.asked) == 1


def odd(**parts: object) -> bytes:
    """A completion with something odd in it."""
    message = {"role": "assistant", "content": parts.get("content", json.dumps(GOOD))}
    usage = {"prompt_tokens": parts.get("tokens", 1), "completion_tokens": 1, "total_tokens": 2}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


@pytest.mark.parametrize(
    "response",
    [
        b'{"choices": []}', b'{"error": {"message": "rate limited", "code": 429}}', b"[1]",
        b"<html>a gateway</html>", b'"text"', b'{"choices": [{"message": 1}]}',
        odd(content=[{"type": "text"}]), odd(tokens=10**30), odd(tokens=-1), odd(tokens="many"),
        odd(tokens=float("inf")), odd(tokens=float("nan")), b'{"choices": {"a": 1}}',
        b"[" * 200_000, b'{"choices": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    ],
)  # fmt: skip
def test_a_response_that_is_no_completion_is_not_kept(asking: Asking, response: bytes) -> None:
    asking.service.will(lambda http, _: send(http, 200, response), saying(GOOD))
    assert asking.ask()[0].problem == "unavailable"
    assert asking.ask()[0].value == Shape(**GOOD)


def drip(http: BaseHTTPRequestHandler, body: dict[str, object]) -> None:
    """A response that never ends, a byte every tenth of a second."""
    del body
    http.send_response(200)
    http.send_header("Content-Type", "application/json")
    http.end_headers()
    with suppress(OSError):
        while True:
            http.wfile.write(b" ")
            time.sleep(0.1)


def test_the_time_limit_is_that_of_the_whole_response(asking: Asking) -> None:
    asking.service.will(drip, saying(GOOD))
    asking.settings = replace(asking.settings, timeout=1.0, retries=0)
    (answer,) = asking.ask()
    assert answer.problem == "late"
    assert asking.ask()[0].value == Shape(**GOOD)


def test_a_response_that_comes_too_slowly_is_asked_for_again(asking: Asking) -> None:
    asking.service.will(drip, saying(GOOD))
    asking.settings = replace(asking.settings, timeout=1.0, retries=1)
    assert asking.ask()[0].value == Shape(**GOOD)


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_response_that_is_too_large_is_none(asking: Asking, *, is_compressed: bool) -> None:
    body = odd() + b" " * MOST_BYTES
    headers = {"Content-Encoding": "gzip"} if is_compressed else {}
    sent = gzip.compress(body, 1) if is_compressed else body
    asking.service.will(lambda http, _: send(http, 200, sent, headers), saying(GOOD))
    (answer,) = asking.ask()
    assert answer.problem == "unavailable"
    assert "more than 64 MiB" in answer.detail
    assert len(asking.service.asked) == 1


def test_a_compressed_response_is_read(asking: Asking) -> None:
    headers = {"Content-Encoding": "gzip"}
    asking.service.will(lambda http, _: send(http, 200, gzip.compress(odd()), headers))
    assert asking.ask()[0].value == Shape(**GOOD)


def test_an_answer_with_half_a_character_is_kept(asking: Asking) -> None:
    content = json.dumps({"name": "a?b", "values": []}).replace("?", chr(0xD800))
    asking.service.will(lambda http, _: send(http, 200, odd(content=content)))
    first, again = asking.ask()[0], asking.ask()[0]
    assert first.value == again.value
    assert again.is_stored


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": None, "completion_tokens": None}])
def test_who_counts_no_tokens_is_taken_to_have_counted_the_most(
    asking: Asking, usage: object
) -> None:
    choice = {"index": 0, "message": {"content": json.dumps(GOOD)}, "finish_reason": "stop"}
    asking.service.will(lambda http, _: send(http, 200, {"choices": [choice], "usage": usage}))
    asking.settings = replace(asking.settings, per_run=Budget(tokens=500))
    answers = [asking.ask(text, account=Account())[0] for text in "abcd"]
    assert [answer.problem for answer in answers] == [None, None, "over_budget", "over_budget"]


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_ends_the_run_and_is_not_shown(asking: Asking, status: int) -> None:
    asking.service.will(failing(status, f"Incorrect API key provided: {KEY}"))
    with pytest.raises(ModelServiceError) as error:
        asking.ask()
    assert KEY not in str(error.value)
    assert error.value.exit_status == 4


def test_openai_is_not_asked_without_a_key(asking: Asking) -> None:
    asking.settings = replace(asking.settings, base_url=None, key="")
    with pytest.raises(ModelServiceError, match="OPENAI_API_KEY"):
        asking.ask()


def test_who_does_not_answer_is_named(asking: Asking) -> None:
    asking.settings = replace(asking.settings, base_url="http://127.0.0.1:9/v1", retries=0)
    (answer,) = asking.ask()
    assert answer.problem == "unavailable"
    assert "http://127.0.0.1:9/v1" in answer.detail


def test_a_rejection_holds_nothing_back_and_is_not_asked_for_again(asking: Asking) -> None:
    asking.settings = replace(asking.settings, per_run=Budget(calls=2), concurrency=1)
    asking.service.will(saying(GOOD), failing(401), saying(GOOD))
    client = Client(asking.settings, Cache(asking.file), run="r")
    account = Account(Budget(calls=2))
    with pytest.raises(ModelServiceError):
        client.ask_all([question("a"), question("b")], account)
    with pytest.raises(ModelServiceError):
        client.ask(question("c"), account)
    client.close()
    assert len(asking.service.asked) == 2
    assert asking.ask("a", "d", account=account)[0].is_stored
    assert account.total.calls == 2


def test_a_budget_stops_a_run_from_the_cache_where_it_stopped_the_first(asking: Asking) -> None:
    first = asking.ask(*"abcd", account=Account(Budget(tokens=500)))
    again = asking.ask(*"abcd", account=Account(Budget(tokens=500)))
    assert [a.problem for a in first] == [a.problem for a in again]
    assert len(asking.service.asked) == 2


def test_the_key_goes_to_the_service_and_nowhere_else(
    asking: Asking, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        asking.ask()
        asking.service.will(failing(500, KEY, headers=NOW))
        asking.ask("again")
    assert asking.service.keys[0] == f"Bearer {KEY}"
    assert KEY not in caplog.text
    assert KEY not in repr(asking.settings)
    for file in asking.file.parent.rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes()


def test_the_same_question_is_never_paid_for_twice(asking: Asking) -> None:
    first = asking.ask("a", "a", "b")
    again = asking.ask("b", "a")
    assert len(asking.service.asked) == 2
    assert [a.value for a in first] + [a.value for a in again] == [Shape(**GOOD)] * 5
    assert [a.is_stored for a in again] == [True, True]
    assert asking.account.total.calls == 5
    assert asking.account.paid.calls == 2


def test_a_replay_asks_nobody(asking: Asking) -> None:
    (known,) = asking.ask("a")
    asking.settings = replace(asking.settings, is_replay=True)
    asked = len(asking.service.asked)
    replayed, unknown = asking.ask("a", "c")
    assert (replayed.value, replayed.usage) == (known.value, known.usage)
    assert unknown.problem == "not_cached"
    assert len(asking.service.asked) == asked


def test_another_model_temperature_or_seed_is_another_question(asking: Asking) -> None:
    asking.ask()
    for other in ({"model": "other"}, {"temperature": 0.0}, {"seed": 1}):
        asking.settings = replace(asking.settings, **other)
        assert not asking.ask()[0].is_stored


def test_only_so_many_requests_are_under_way(asking: Asking) -> None:
    asking.settings = replace(asking.settings, concurrency=3)
    asking.service.will(slow(0.05, saying(GOOD)))
    answers = asking.ask(*(f"question {n}" for n in range(12)))
    assert all(answer.value for answer in answers)
    assert 1 < asking.service.most_at_once <= 3


@pytest.mark.parametrize(
    ("budget", "answered"),
    [(Budget(calls=2), 2), (Budget(tokens=500), 2), (Budget(usd=0.0007), 2), (Budget(), 4)],
)
def test_a_function_takes_no_more_than_its_budget(
    asking: Asking, budget: Budget, answered: int
) -> None:
    account = Account(budget)
    answers = asking.ask("a", "b", "c", "d", account=account)
    assert sum(answer.value is not None for answer in answers) == answered
    assert {a.problem for a in answers if a.value is None} <= {"over_budget"}
    assert len(asking.service.asked) == answered


def test_the_budget_of_a_run_is_shared_by_all_that_ask_for_it(asking: Asking) -> None:
    asking.settings = replace(asking.settings, per_run=Budget(calls=3), concurrency=1)
    answers = [asking.ask(text, account=Account())[0] for text in "abcde"]
    assert [answer.problem for answer in answers] == [None] * 3 + ["over_budget"] * 2
    assert asking.ask("a")[0].is_stored  # what is known costs nothing


def test_what_is_held_back_is_given_back(asking: Asking) -> None:
    asking.settings = replace(asking.settings, per_run=Budget(tokens=280), concurrency=1)
    answers = [asking.ask(text, account=Account(Budget(tokens=280)))[0] for text in "abc"]
    assert [answer.problem for answer in answers] == [None] * 3  # each holds back more than 120


def _ask_for_ever(url: str, file: str) -> None:
    client = Client(Settings("some-model", url, KEY, retries=0), Cache(Path(file)))
    for number in range(1000):
        client.ask(question(str(number)), Account())


def test_a_killed_run_pays_for_nothing_twice_and_loses_nothing(asking: Asking) -> None:
    asking.service.will(slow(0.02, saying(GOOD)))
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_ask_for_ever, args=(asking.service.url, str(asking.file)))
    process.start()
    assert process.pid is not None
    until = time.monotonic() + 60
    while len(asking.service.asked) < 10 and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    time.sleep(0.1)  # what was under way is answered to nobody
    before = len(asking.service.asked)
    assert before >= 10
    answers = asking.ask(*map(str, range(before)))
    assert all(answer.value for answer in answers)
    assert len(asking.service.asked) - before <= 1  # the one that was under way


def test_the_cache_is_one_table_that_people_can_read(asking: Asking) -> None:
    asking.ask()
    rows = list(sqlite3.connect(asking.file).execute("SELECT model, text, finish FROM replies"))
    assert rows == [("some-model", json.dumps(GOOD), "stop")]


def _opened(file: str) -> None:
    Cache(Path(file)).get("nothing")


def test_a_new_cache_is_opened_by_many_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    file = str(tmp_path / "answers")
    processes = [context.Process(target=_opened, args=(file,)) for _ in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
