"""Trajectories: conversations in the chat format, each as the model has seen it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.trajectory import Trajectory, chat_message
from slicefunc.llm.client.questions import Message, ToolCall
from slicefunc.verifier.scoring.verdict import Score

CALL = ToolCall("call_1", "get_imports", '{"code": "x"}')
ASKED = Message("user", "Write it.")


def score(verdict: str, passed: int, hidden: int | None = 3) -> Score:
    return Score("f", verdict, passed, 5, hidden, 9, None, "", 0.1)  # type: ignore[arg-type]


def test_a_message_has_its_role_and_its_text() -> None:
    assert chat_message(ASKED) == {"role": "user", "content": "Write it."}


def test_calls_of_tools_and_their_answers_name_each_other() -> None:
    asked = chat_message(Message("assistant", "", (CALL,)))
    answered = chat_message(Message("tool", "import x", call="call_1"))
    (call,) = asked["tool_calls"]
    assert call["id"] == answered["tool_call_id"] == "call_1"
    assert call["type"] == "function"
    assert call["function"] == {"name": "get_imports", "arguments": '{"code": "x"}'}


def test_a_question_that_goes_on_extends_the_conversation() -> None:
    found = Trajectory()
    first, more = Message("assistant", "a"), Message("user", "again")
    found.asked([ASKED], first)
    found.asked([ASKED, first, more], Message("assistant", "b"))
    (conversation,) = found.conversations
    assert [each["content"] for each in conversation] == ["Write it.", "a", "again", "b"]


def test_a_question_that_does_not_go_on_begins_another() -> None:
    found = Trajectory()
    found.asked([ASKED], Message("assistant", "a"))
    found.asked([Message("user", "With notes: write it.")], Message("assistant", "b"))
    assert [len(each) for each in found.conversations] == [2, 2]


def test_a_question_that_is_asked_anew_begins_another() -> None:
    found = Trajectory()
    found.asked([ASKED], Message("assistant", "a"))
    found.asked([ASKED], Message("assistant", "b"))
    assert [each[-1]["content"] for each in found.conversations] == ["a", "b"]


def test_a_verdict_stands_at_the_answer_and_breaks_no_conversation() -> None:
    found = Trajectory()
    first = Message("assistant", "a")
    found.asked([ASKED], first)
    found.tried("a", score("failed", 2), is_final=False)
    found.asked([ASKED, first, Message("user", "again")], Message("assistant", "b"))
    (conversation,) = found.conversations
    verdict = {"verdict": "failed", "cases_passed": 2, "cases": 5}
    assert [each.get("verdict") for each in conversation] == [None, verdict, None, None]


def test_a_verdict_in_a_conversation_says_nothing_of_hidden_cases() -> None:
    found = Trajectory()
    found.asked([ASKED], Message("assistant", "a"))
    found.tried("a", score("failed", 5, 7), is_final=True)
    assert "hidden" not in found.to_json()
    assert "7" not in found.to_json()
    assert found.rounds[0].hidden_passed == 7


def test_every_try_is_a_round_and_one_is_final() -> None:
    found = Trajectory()
    found.asked([ASKED], Message("assistant", "a"))
    found.tried("a", score("failed", 1, None), is_final=False)
    found.tried("b", score("passed", 5, 9), is_final=True)
    assert [(r.verdict, r.passed, r.hidden_passed, r.is_final) for r in found.rounds] == [
        ("failed", 1, 0, False),
        ("passed", 5, 9, True),
    ]


@given(st.lists(st.text(), min_size=1, max_size=6))
def test_one_long_conversation_is_kept_as_one(texts: list[str]) -> None:
    found, messages = Trajectory(), list[Message]()
    for text in texts:
        messages.append(Message("user", text))
        answer = Message("assistant", text, (CALL,))
        found.asked(messages, answer)
        messages += [answer, Message("tool", text, call=CALL.id)]
    (conversation,) = json.loads(found.to_json())
    assert conversation == [chat_message(each) for each in messages[:-1]]


def test_a_final_answer_that_was_tried_last_is_no_round_of_its_own() -> None:
    found = Trajectory()
    found.tried("a", score("passed", 5, 9), is_final=False)
    found.tried("a", score("passed", 5, 9), is_final=True)
    assert [each.is_final for each in found.rounds] == [True]
