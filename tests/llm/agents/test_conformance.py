"""What every agent keeps to, whatever its model says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.agents import AGENTS, READS_REPOSITORY, CodingTask, Feedback
from slicefunc.llm.client.chat import ChatAnswer
from slicefunc.llm.client.questions import Message, ToolCall
from slicefunc.llm.errors import NoAnswerError

from tests.llm.agents.scripted_workbench import (
    SOLVED,
    UNSOLVED,
    Asked,
    Model,
    ScriptedWorkbench,
    calls,
    text,
)

ALL = pytest.mark.parametrize("agent", AGENTS)
ROUNDS = 3
TASK = CodingTask("Write f.", "def f():\n    ...\n", rounds=ROUNDS)
MOST = {
    "basic": 1 + ROUNDS,
    "naive-rag": 1,
    "repocoder": 1 + ROUNDS,
    "reflexion": 1 + 2 * ROUNDS,
    "rrr": 1 + 3 * ROUNDS,
    "repoforge": 1 + 2 * ROUNDS,
    "tool-calling": ROUNDS,
}
"""Questions that an agent may ask in so many rounds."""
MOST_BY_DEFAULT = 20
DOES_NOT_TRY = {"naive-rag", "repocoder"}
TESTS = {"run_tests"}


def numbered() -> Model:
    """A model that says another text each time."""
    numbers = iter(range(1000))
    return lambda *_: text(f"text {next(numbers)}")


def scripted(answers: Sequence[ChatAnswer]) -> Model:
    """A model that says these one after the other, and the last for ever.

    It calls tools only where it has some.
    """
    left = list(answers)

    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        answer = left.pop(0) if len(left) > 1 else left[0]
        return answer if tools else text(answer.text or "no tools")

    return model


def trying(code: str) -> ChatAnswer:
    return calls(("run_tests", json.dumps({"code": code})))


def trying_codes() -> Model:
    """A model that runs tests where it can, and else says code; each time another one."""
    numbers = iter(range(1000))

    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        code = f"text {next(numbers)}"
        return trying(code) if tools >= TESTS else text(code)

    return model


def run(agent: str, bench: ScriptedWorkbench, task: CodingTask = TASK) -> str:
    return AGENTS[agent](task, bench)


def said(bench: ScriptedWorkbench) -> set[str]:
    return {each.answer.text for each in bench.asked}


@ALL
def test_what_is_returned_is_what_the_model_has_said(agent: str) -> None:
    bench = ScriptedWorkbench(numbered())
    assert run(agent, bench) in said(bench)


@ALL
def test_what_is_returned_is_said_or_was_tried(agent: str) -> None:
    bench = ScriptedWorkbench(trying_codes())
    assert run(agent, bench) in said(bench) | set(bench.tried)


@ALL
def test_the_first_question_has_the_task_in_it(agent: str) -> None:
    bench = ScriptedWorkbench(numbered())
    run(agent, bench)
    first = bench.asked[0].messages
    assert [each.role for each in first] == ["user"]
    assert TASK.question in first[0].text


@pytest.mark.parametrize("agent", sorted(AGENTS.keys() - DOES_NOT_TRY - {"tool-calling"}))
@pytest.mark.parametrize("solved_by", [0, 1, 2])
def test_nothing_is_asked_after_all_shown_cases_pass(agent: str, solved_by: int) -> None:
    bench = ScriptedWorkbench(numbered())
    bench.judge = lambda _: SOLVED if len(bench.tried) > solved_by else UNSOLVED
    found = run(agent, bench)
    assert found == bench.tried[solved_by]
    assert bench.did[-1] == "solve"
    assert len(bench.tried) == solved_by + 1


def test_a_model_with_tools_is_asked_once_more_after_all_shown_cases_pass() -> None:
    bench = ScriptedWorkbench(scripted([trying("good"), text("done")]), lambda _: SOLVED)
    assert run("tool-calling", bench) == "done"
    assert bench.did == ["ask", "solve", "ask"]


@ALL
@pytest.mark.parametrize("model", [numbered, trying_codes], ids=["text", "calls"])
def test_no_more_is_asked_than_the_rounds_allow(agent: str, model: object) -> None:
    bench = ScriptedWorkbench(model())  # type: ignore[operator]
    run(agent, bench)
    assert 1 <= len(bench.asked) <= MOST[agent]


@ALL
def test_all_rounds_are_used_where_nothing_passes(agent: str) -> None:
    bench = ScriptedWorkbench(trying_codes())
    run(agent, bench)
    assert len(bench.asked) == MOST[agent]


@ALL
def test_without_a_number_of_rounds_there_is_an_end(agent: str) -> None:
    bench = ScriptedWorkbench(trying_codes())
    run(agent, bench, CodingTask("Write f.", "def f(): ..."))
    assert 1 <= len(bench.asked) <= MOST_BY_DEFAULT


@pytest.mark.parametrize("agent", sorted(AGENTS.keys() - READS_REPOSITORY))
def test_who_does_not_read_the_repository_neither_searches_nor_calls(agent: str) -> None:
    bench = ScriptedWorkbench(trying_codes(), passages=["def f(): pass"])
    run(agent, bench)
    assert set(bench.did) <= {"ask", "try"}
    assert not any(each.tools for each in bench.asked)


@pytest.mark.parametrize("agent", sorted(READS_REPOSITORY))
def test_who_reads_the_repository_searches_or_has_tools(agent: str) -> None:
    bench = ScriptedWorkbench(trying_codes(), passages=["def f(): pass"])
    run(agent, bench)
    assert bench.searched or any("look_up" in each.tools for each in bench.asked)


@ALL
def test_no_more_passages_are_shown_than_asked_for(agent: str) -> None:
    passages = [f"def f(): pass  # passage {number}" for number in range(9)]
    bench = ScriptedWorkbench(numbered(), passages=passages)
    run(agent, bench, CodingTask("Write f.", "def f(): ...", rounds=ROUNDS, shown=2))
    for each in bench.asked:
        assert sum(message.text.count("# passage") for message in each.messages[-1:]) <= 2


def unanswered(asked: Asked) -> Iterator[str]:
    """Yield what is wrong with calls of a conversation: none may be open at a question."""
    waiting: Counter[str] = Counter()
    for message in asked.messages:
        if message.role == "tool":
            waiting[message.call] -= 1
            if waiting[message.call] < 0:
                yield f"{message.call} is answered, but not asked for"
        else:
            yield from (f"{call} is open" for call, count in waiting.items() if count > 0)
            waiting = Counter(call.id for call in message.calls)
    yield from (f"{call} is open" for call, count in waiting.items() if count > 0)


ARGUMENTS = st.sampled_from(["{}", '{"code": "x"}', '{"code": 1}', "[]", "null", "{not json", ""])
TURNS = st.one_of(
    st.builds(text, st.sampled_from(["a", "b", "c"])),
    st.lists(
        st.tuples(st.sampled_from(["look_up", "run_tests", "no_such_tool"]), ARGUMENTS),
        min_size=1,
        max_size=12,
    ).map(lambda asked: calls(*asked)),
)
FEEDBACK = st.sampled_from([UNSOLVED, Feedback(1, 2, "half"), SOLVED, Feedback(0, 0, "")])


@ALL
@given(turns=st.lists(TURNS, min_size=1, max_size=9), verdicts=st.lists(FEEDBACK, min_size=1))
def test_every_call_is_answered_once_before_the_next_question(
    agent: str, turns: list[ChatAnswer], verdicts: list[Feedback]
) -> None:
    bench = ScriptedWorkbench(scripted(turns))
    bench.judge = lambda _: verdicts[len(bench.tried) % len(verdicts)]
    found = run(agent, bench)
    assert [wrong for each in bench.asked for wrong in unanswered(each)] == []
    assert found in said(bench) | {*bench.tried, ""}
    assert len(bench.asked) <= MOST[agent]


@pytest.mark.parametrize("agent", ["rrr", "tool-calling"])
def test_an_unknown_tool_is_passed_on_and_answered(agent: str) -> None:
    bench = ScriptedWorkbench(scripted([calls(("no_such_tool", "{odd")), text("a")]))
    if agent == "rrr":  # its first question has no tools
        bench.model = scripted([text("a"), calls(("no_such_tool", "{odd")), text("b")])
    run(agent, bench)
    assert ("no_such_tool", "{odd") in bench.called
    answers = [message.text for message in bench.asked[-1].messages if message.role == "tool"]
    assert answers == ["there is no tool no_such_tool"]


@pytest.mark.parametrize("agent", ["rrr", "tool-calling"])
def test_what_tools_say_is_shown_by_the_ids_of_their_calls(agent: str) -> None:
    turn = calls(("look_up", "1"), ("look_up", "2"))
    bench = ScriptedWorkbench(scripted([text("a"), turn, text("b")][agent != "rrr" :]))
    bench.facts = {"1": "one", "2": "two"}
    run(agent, bench)
    answers = {m.call: m.text for m in bench.asked[-1].messages if m.role == "tool"}
    assert answers == {turn.calls[0].id: "one", turn.calls[1].id: "two"}


def test_of_very_many_calls_of_one_turn_some_are_only_answered() -> None:
    turn = calls(*(("look_up", str(number)) for number in range(30)))
    bench = ScriptedWorkbench(scripted([text("a"), turn, text("b")]))
    run("rrr", bench)
    assert sum(name == "look_up" for name, _ in bench.called) < 30
    answers = [m.call for m in bench.asked[2].messages if m.role == "tool"]
    assert answers == [call.id for call in turn.calls]


@pytest.mark.parametrize(("tool", "arguments"), [("run_tests", '{"code": "x"}'), ("look_up", "1")])
def test_of_very_many_calls_of_one_answer_sixteen_are_executed(tool: str, arguments: str) -> None:
    turn = calls(*((tool, arguments) for _ in range(3000)))
    bench = ScriptedWorkbench(scripted([turn, text("a")]))
    assert run("tool-calling", bench) == "a"
    assert len(bench.tried) + len(bench.called) == 16
    answers = [m for m in bench.asked[1].messages if m.role == "tool"]
    assert [m.call for m in answers] == [call.id for call in turn.calls]
    assert {m.text for m in answers[16:]} == {
        "error: only the first 16 calls of one answer are executed"
    }


@ALL
def test_a_question_without_an_answer_ends_the_sample(agent: str) -> None:
    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        raise NoAnswerError("over budget")

    with pytest.raises(NoAnswerError):
        run(agent, ScriptedWorkbench(model))


@ALL
def test_the_same_model_is_asked_the_same_again(agent: str) -> None:
    one, other = (ScriptedWorkbench(trying_codes(), passages=["def f(): pass"]) for _ in range(2))
    assert run(agent, one) == run(agent, other)
    assert one.asked == other.asked


@pytest.mark.parametrize(
    "arguments", ["{not json", "[]", "null", '{"code": 1}', "{}", '"code"', "3"]
)
def test_a_malformed_call_of_the_tests_is_answered(arguments: str) -> None:
    call = ToolCall("c", "run_tests", arguments)
    bench = ScriptedWorkbench(scripted([ChatAnswer("", (call,)), text("a")]))
    assert run("tool-calling", bench) == "a"
    assert [m.call for m in bench.asked[-1].messages if m.role == "tool"] == ["c"]


def test_without_a_last_answer_the_last_tried_code_is_returned() -> None:
    bench = ScriptedWorkbench(scripted([trying("one"), trying("two"), calls(("look_up", "1"))]))
    assert run("tool-calling", bench) == "two"


def test_a_malformed_call_of_the_tests_does_not_replace_the_last_tried_code() -> None:
    bench = ScriptedWorkbench(scripted([trying("one"), calls(("run_tests", "{not json"))]))
    assert run("tool-calling", bench) == "one"
    assert bench.tried == ["one"]
