"""Answers for whoever asks at the terminal, and the arguments of a program."""

from __future__ import annotations

import builtins
import getpass
import io
import sys
from typing import Any

from .....world.core.as_builtin import AsBuiltin
from .....world.core.world import chosen, replace, restart_with

INTERRUPT = "\x03"
"""What a terminal sends when somebody presses control and C."""
MOST_ANSWERS = 200
"""After so many answers the input is at its end."""
_real_input = builtins.input


class _AskedPrompts:
    """What is answered to which prompt, and how often it was asked."""

    answers: dict[str, dict[str, list[str]]] = {}
    asked: dict[str, int] = {}

    @classmethod
    def answer(cls, prompt: str) -> str:
        """The next answer to a prompt; the last are repeated from the first.

        Raises:
            EOFError: too much was asked already, or there is nothing to say.
            KeyboardInterrupt: whoever is asked interrupts.
        """
        known = next((p for p in cls.answers if p and prompt.startswith(p)), "")
        values = chosen("stdin", cls.answers.get(known) or {"default": ["text"]})
        count = cls.asked.get(known, 0)
        cls.asked[known] = count + 1
        if not values or sum(cls.asked.values()) > MOST_ANSWERS:
            raise EOFError("EOF when reading a line")
        value = values[count % len(values)]
        if value == INTERRUPT:
            raise KeyboardInterrupt
        return value


class _AnsweredInput(io.TextIOWrapper):
    """In place of `sys.stdin`."""


def _answered_input(prompt: object = "", /) -> str:
    """`input`, with an answer at once."""
    if not isinstance(sys.stdin, _AnsweredInput):  # a case has put its own in place
        return _real_input(prompt)
    text = str(prompt)
    sys.stdout.write(text)
    sys.stdout.flush()
    return _AskedPrompts.answer(text)


def _answered_password(prompt: str = "Password: ", stream: Any = None) -> str:
    return _AskedPrompts.answer(prompt)


def answer_prompts(answers: dict[str, dict[str, list[str]]], text: dict[str, str]) -> None:
    """Answer prompts by how they begin, the empty one for all others; `text` is all of stdin."""
    _AskedPrompts.answers.update(answers)

    def begin() -> None:
        _AskedPrompts.asked.clear()
        if before is not sys.stdin and not isinstance(sys.stdin, _AnsweredInput):
            return
        content = chosen("stdin", text).encode("utf-8")
        sys.stdin = _AnsweredInput(io.BytesIO(content), encoding="utf-8")

    before = sys.stdin
    replace(sys, "stdin", before)
    replace(builtins, "input", AsBuiltin(_answered_input, "input"))
    replace(getpass, "getpass", _answered_password)
    restart_with(begin)
    begin()


def answer_questions(*names: str) -> None:
    """Answer what asks by itself: the first of its choices, its default, or a text."""
    import importlib

    for dotted in names:
        module, _, name = dotted.rpartition(".")
        try:
            owner = importlib.import_module(module)
        except ImportError:
            continue
        if hasattr(owner, name):
            replace(owner, name, _answered_question(name, is_later=module == "questionary"))


def _answered_question(name: str, *, is_later: bool) -> Any:
    def ask(*arguments: Any, **named: Any) -> Any:
        message = str(arguments[0] if arguments else named.get("message", named.get("text", "")))
        if name == "confirm":
            value: Any = True
        else:
            choices = named.get("choices") or next(
                (a for a in arguments[1:] if isinstance(a, (list, tuple))), None
            )
            value = choices[0] if choices else named.get("default") or _AskedPrompts.answer(message)
            value = getattr(value, "value", value)
            kind = named.get("type")
            value = kind(value) if kind in (int, float, str) else value
            value = [value] if name == "checkbox" else value
        return _Question(value) if is_later else value

    return ask


class _Question:
    """What questionary gives: it is asked later."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def ask(self, *arguments: Any, **named: Any) -> Any:
        """The answer."""
        return self._value

    unsafe_ask = execute = ask

    async def ask_async(self, *arguments: Any, **named: Any) -> Any:
        """The answer, later."""
        return self._value


def give_arguments(*arguments: str) -> None:
    """The arguments that the program is started with."""
    first = sys.argv[0] if sys.argv else "program"
    replace(sys, "argv", [first, *arguments])
