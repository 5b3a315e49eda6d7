"""For each agent a task and a model that it solves, and the basic agent does not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from slicefunc.llm.agents import AGENTS, CodingTask, Feedback
from slicefunc.llm.client.chat import ChatAnswer
from slicefunc.llm.client.questions import Message

from tests.llm.agents.scripted_workbench import (
    Model,
    ScriptedWorkbench,
    calls,
    seen,
    text,
)

GOOD = "def price(order): return with_tax(order.net)"
BAD = "def price(order): return order.net"
HALF = "def price(order): return with_tax(1)"
TAX = "def with_tax(net): return net * RATE"
RATE = "RATE = 1.2  # of the tax"
QUESTION = "Write price."
UNFINISHED = "def price(order):\n    ..."


def judged(code: str) -> Feedback:
    """Two cases, of which `HALF` passes one."""
    passed = {GOOD: 2, HALF: 1}.get(code, 0)
    return Feedback(passed, 2, "price(order) is too low")


def knows(*facts: str) -> Model:
    """A model that is right once it has seen these."""
    return lambda messages, _: text(GOOD if all(f in seen(messages) for f in facts) else BAD)


def asks_for_two_facts(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
    """Look up one thing, and then what that names."""
    shown = seen(messages)
    if TAX in shown and RATE in shown:
        return text(GOOD)
    if "look_up" not in tools:
        return text(BAD)
    return calls(("look_up", "RATE" if TAX in shown else "with_tax"))


def asks_for_a_fact(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
    """Look up one thing where tools are there, and be right once it is known."""
    if "look_up" in tools:
        return calls(("look_up", "with_tax"))
    return text(GOOD if TAX in seen(messages) else BAD)


def learns_from_its_note(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
    """Note what is wrong; be right only where the note stands without the failed code."""
    shown = seen(messages)
    if "Do not write the code yet" in shown:
        return text("The tax is missing: call with_tax.")
    return text(GOOD if "call with_tax" in shown and BAD not in shown else BAD)


def asks_for_better_words(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
    """Name what is missing where it is asked for words to search for."""
    shown = seen(messages)
    if "search for" in messages[-1].text:
        return text("net RATE tax")
    if TAX in shown:
        return text(HALF)
    return text(BAD)


def names_what_it_needs(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
    """Call what it would like to have, which is the next query."""
    shown = seen(messages)
    return text(GOOD if TAX in shown else "def price(order): return with_tax(order)")


@dataclass(frozen=True)
class Rung:
    """What an agent is to solve."""

    agent: str
    model: Model
    passages: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    best: str = GOOD

    def run(self, agent: str) -> tuple[str, ScriptedWorkbench]:
        bench = ScriptedWorkbench(self.model, judged, self.passages, self.facts)
        found = AGENTS[agent](CodingTask(QUESTION, UNFINISHED, rounds=3), bench)
        return found, bench


NOISE = ["def volume(body): return 1", "def order_of(price): return price.order"]
LADDER = {
    each.agent: each
    for each in (
        Rung("naive-rag", knows("def order_tax"), [*NOISE, "def order_tax(order): return 2"]),
        Rung("repocoder", names_what_it_needs, [*NOISE, TAX]),
        Rung("reflexion", learns_from_its_note),
        Rung("rrr", asks_for_a_fact, facts={"with_tax": TAX}),
        Rung("repoforge", asks_for_better_words, [*NOISE, TAX], best=HALF),
        Rung("tool-calling", asks_for_two_facts, facts={"with_tax": TAX, "RATE": RATE}),
    )
}
RUNGS = pytest.mark.parametrize("rung", LADDER.values(), ids=LADDER)


def test_there_is_a_task_for_every_agent_after_the_basic_one() -> None:
    assert ["basic", *LADDER] == list(AGENTS)


@RUNGS
def test_an_agent_solves_what_it_is_made_for(rung: Rung) -> None:
    assert rung.run(rung.agent)[0] == rung.best


@RUNGS
def test_the_basic_agent_does_not_solve_it(rung: Rung) -> None:
    assert judged(rung.run("basic")[0]).passed == 0


def test_the_basic_agent_solves_what_needs_a_repair() -> None:
    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        return text(GOOD if "is too low" in seen(messages) else BAD)

    assert Rung("basic", model).run("basic")[0] == GOOD


def test_without_a_repair_the_basic_agent_tries_nothing() -> None:
    bench = ScriptedWorkbench(knows(), judged)
    assert AGENTS["basic"](CodingTask(QUESTION, UNFINISHED), bench) == GOOD
    assert bench.did == ["ask"]


def test_only_the_second_query_finds_what_the_task_of_repocoder_needs() -> None:
    rung = LADDER["repocoder"]
    assert rung.run("naive-rag")[0] != GOOD
    _, bench = rung.run("repocoder")
    first, second, *_ = bench.searched
    assert first == UNFINISHED
    assert "with_tax" not in first
    assert second.startswith(UNFINISHED)
    assert "with_tax" in second


def test_a_query_of_repocoder_has_no_answers_but_the_last_one() -> None:
    numbers = iter(range(9))
    bench = ScriptedWorkbench(lambda *_: text(f"answer {next(numbers)}"))
    AGENTS["repocoder"](CodingTask(QUESTION, UNFINISHED, rounds=2), bench)
    found = [re.findall(r"answer \d", each) for each in bench.searched]
    assert found == [[], ["answer 0"], ["answer 1"]]


def test_a_try_of_reflexion_knows_earlier_ones_by_their_notes_alone() -> None:
    _, bench = LADDER["reflexion"].run("reflexion")
    last = bench.asked[-1].messages
    assert [message.role for message in last] == ["user"]
    assert "The tax is missing" in last[0].text


def test_reflexion_keeps_its_newest_notes() -> None:
    numbers = iter(range(99))

    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        is_note = "Do not write the code yet" in messages[-1].text
        return text(f"note {next(numbers)}." if is_note else BAD)

    bench = ScriptedWorkbench(model, judged)
    AGENTS["reflexion"](CodingTask(QUESTION, UNFINISHED, rounds=5), bench)
    assert re.findall(r"note \d", bench.asked[-1].messages[0].text) == [
        "note 2",
        "note 3",
        "note 4",
    ]


def test_rrr_begins_with_what_a_tool_finds_without_a_guess() -> None:
    _, bench = LADDER["rrr"].run("rrr")
    assert bench.did[:2] == ["call", "ask"]
    assert bench.called[0][0] == "get_related_snippets"


def test_rrr_has_its_tools_only_after_feedback() -> None:
    _, bench = LADDER["rrr"].run("rrr")
    assert [bool(each.tools) for each in bench.asked] == [False, True, False, False]
    assert "is too low" in bench.asked[1].messages[-1].text


def test_only_the_refined_query_of_repoforge_finds_what_its_task_needs() -> None:
    _, bench = LADDER["repoforge"].run("repoforge")
    first, second, *_ = bench.searched
    assert first == UNFINISHED
    assert second.startswith("net RATE tax\n")
    assert TAX not in seen(bench.asked[0].messages)
    assert TAX in seen(bench.asked[2].messages)


@pytest.mark.parametrize(
    ("proposals", "best"),
    [
        ([BAD, HALF, BAD, BAD], HALF),
        ([HALF, BAD, BAD, BAD], HALF),
        ([BAD, HALF, GOOD, BAD], GOOD),
        ([BAD, "other", "another", "the last"], BAD),
    ],
)
def test_repoforge_returns_the_first_of_the_proposals_that_pass_most(
    proposals: list[str], best: str
) -> None:
    left = list(proposals)

    def model(messages: Sequence[Message], tools: frozenset[str]) -> ChatAnswer:
        return text("words" if "search for" in messages[-1].text else left.pop(0))

    assert Rung("repoforge", model).run("repoforge")[0] == best


@pytest.mark.parametrize("known", [(TAX,), (RATE,)])
def test_one_call_is_not_enough_for_the_task_of_tool_calling(known: tuple[str, ...]) -> None:
    facts = {"with_tax": TAX, "RATE": RATE}
    rung = LADDER["tool-calling"]
    half = Rung(rung.agent, rung.model, facts={k: v for k, v in facts.items() if v in known})
    assert half.run("tool-calling")[0] != GOOD
    _, bench = rung.run("tool-calling")
    assert [arguments for _, arguments in bench.called] == ["with_tax", "RATE"]


@pytest.mark.parametrize("agent", ["naive-rag", "repocoder", "repoforge"])
def test_without_passages_the_question_stands_alone(agent: str) -> None:
    bench = ScriptedWorkbench(knows(), judged)
    AGENTS[agent](CodingTask(QUESTION, UNFINISHED), bench)
    assert bench.asked[0].messages == (Message("user", QUESTION),)
