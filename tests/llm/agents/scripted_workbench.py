"""A workbench whose model is a script; it keeps a record of all that an agent does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slicefunc.llm.agents import Feedback, Passage
from slicefunc.llm.client.chat import ChatAnswer
from slicefunc.llm.client.questions import Message, ToolCall
from slicefunc.llm.retrieval.bm25 import Bm25

Model = Callable[[Sequence[Message], frozenset[str]], ChatAnswer]
"""Returns the next turn of a conversation, with tools of these names."""
LOOK_UP: Mapping[str, Any] = {
    "type": "function",
    "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}},
}
UNSOLVED = Feedback(0, 2, "it returns 1, but should return 2")
SOLVED = Feedback(2, 2, "")


@dataclass(frozen=True)
class Asked:
    """A question."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    answer: ChatAnswer


@dataclass
class ScriptedWorkbench:
    """Implements `Workbench`."""

    model: Model
    judge: Callable[[str], Feedback] = lambda _: UNSOLVED
    passages: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the tool says, by its arguments."""
    tools: Sequence[Mapping[str, Any]] = (LOOK_UP,)
    asked: list[Asked] = field(default_factory=list[Asked])
    tried: list[str] = field(default_factory=list[str])
    searched: list[str] = field(default_factory=list[str])
    called: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    did: list[str] = field(default_factory=list[str])
    """The names of all that was done, in its order."""

    def ask(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()
    ) -> ChatAnswer:
        names = tuple(tool["function"]["name"] for tool in tools)
        answer = self.model(tuple(messages), frozenset(names))
        self.asked.append(Asked(tuple(messages), names, answer))
        self.did.append("ask")
        return answer

    def try_out(self, code: str) -> Feedback:
        self.tried.append(code)
        found = self.judge(code)
        self.did.append("solve" if found.is_solved else "try")
        return found

    def search(self, query: str, count: int) -> Sequence[Passage]:
        self.searched.append(query)
        self.did.append("search")
        scores = Bm25(self.passages).scores(query)
        found = sorted(range(len(scores)), key=lambda n: (-scores[n], n))
        return [Passage(f"p{n}.py", 1, 1, self.passages[n]) for n in found[:count] if scores[n] > 0]

    def call_tool(self, name: str, arguments: str) -> str:
        self.called.append((name, arguments))
        self.did.append("call")
        if name != "look_up":
            return f"there is no tool {name}"
        return self.facts.get(arguments, "nothing is known of it")


def text(said: str) -> ChatAnswer:
    return ChatAnswer(said)


def calls(*asked: tuple[str, str]) -> ChatAnswer:
    """Calls of tools, by their names and arguments."""
    made = (ToolCall(f"{name}-{n}-{args}", name, args) for n, (name, args) in enumerate(asked))
    return ChatAnswer("", tuple(made))


def seen(messages: Sequence[Message]) -> str:
    """Return all that a model is shown."""
    return "\n".join(message.text for message in messages)
