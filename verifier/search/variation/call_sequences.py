"""Sequences of calls on one object, with few keys and values so that they meet again.

After Pacheco et al., "Feedback-directed random test generation", ICSE 2007. With few values a
container overflows, entries are overwritten, and removed ones are looked up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from ...inputs.argument_pools import Inputs
from ...inputs.statements import PARSED_RECEIVER, Statement, on_receiver
from ...sandbox.cases.holders import mangled_name
from ..drafts.draft_trees import nodes_of
from ..drafts.drafts import Draft
from .kept_items import is_literal

_MOST_OBJECTS = 6
_MOST_OF_EACH = 16
_MOST_VALUES = 3
_LONGEST = 5
_NUMBERS = ("1", "2", "3")


@dataclass(frozen=True, slots=True)
class _Step:
    """A call that changes an object."""

    place: str
    """The method or item of the receiver."""
    values: tuple[tuple[str, str], ...]
    """Pairs of an argument's name and the value that it was given."""
    passed: tuple[str, ...] = ()
    """Names of arguments that are passed by position."""
    is_item: bool = False
    """Whether it sets an item, and calls nothing."""

    @property
    def form(self) -> tuple[str, tuple[str, ...]]:
        """Return what is alike in all such calls."""
        return self.place, tuple(name for name, _ in self.values)

    def with_values(self, values: Sequence[str]) -> Statement:
        """Return the statement with these values."""
        if self.is_item:
            key, value = values
            return Statement.setting(f"{self.place}[{key}]", value)
        pairs = zip((name for name, _ in self.values), values, strict=True)
        given = (text if n in self.passed else f"{n}={text}" for n, text in pairs)
        return Statement(f"{self.place}({', '.join(given)})")


def call_sequences(inputs: Inputs, good: Sequence[Draft], random: Random) -> Iterator[Draft]:
    """Yield calls of the target after calls that change its object, its own among them.

    Args:
        inputs: how the target is called.
        good: calls that are known to work.
        random: source of the random choices.
    """
    if inputs.kind != "method" or inputs.is_awaited or inputs.holder or inputs.calls > 1:
        return
    statements = [statement for draft in good for statement in draft.before]
    made = [
        _step(inputs, each)
        for each in (*inputs.receivers.states, *statements)
        if "\n" not in each.text
    ]
    steps = [*{each.form: each for each in made if each is not None}.values()]
    values = _values([*good, *(Draft("", each.values) for each in steps)])
    if inputs.keeps_state and (steps or inputs.receivers.has_mutators):
        steps += [each for each in (_own_step(inputs, draft) for draft in good[:1]) if each]
    if not steps:
        return
    objects = {each.receiver: each for each in reversed(good) if each.receiver.endswith(")")}
    chosen = [*objects.values()][::-1]
    for base in chosen[:: max(1, len(chosen) // _MOST_OBJECTS)][:_MOST_OBJECTS]:
        for _ in range(_MOST_OF_EACH):
            calls = [_drawn(random.choice(steps), values, random) for _ in range(_LONGEST)]
            before = tuple(calls[: random.randint(2, _LONGEST)])
            given = [(name, _other(name, text, values, random)) for name, text in base.arguments]
            yield replace(base, before=before).with_arguments(given)


def _values(drafts: Sequence[Draft]) -> dict[str, list[str]]:
    """Map each argument to a few literals that it was given; small integers always among them."""
    found: dict[str, dict[str, None]] = {}
    for draft in drafts:
        for name, text in draft.arguments:
            if is_literal(text):
                found.setdefault(name, {})[text] = None
    return {name: _few([*texts]) for name, texts in found.items()}


def _few(texts: Sequence[str]) -> list[str]:
    if all(isinstance(ast.literal_eval(each), (int, float)) for each in texts):
        return [*dict.fromkeys((*_NUMBERS, *texts[:1]))]
    more = [f"{texts[0][:-1]}{n}{texts[0][-1]}" for n in _NUMBERS[1:] if texts[0][-1] in "'\""]
    return [*dict.fromkeys((*texts, *more))][:_MOST_VALUES]


def _step(inputs: Inputs, statement: Statement) -> _Step | None:
    """Return the call that a statement makes on the object; `None` for other statements."""
    match nodes_of(statement):
        case [ast.Assign([ast.Subscript(ast.Name(id=name), key)], value)] if (
            name == PARSED_RECEIVER
        ):
            names = _names(inputs, "__setitem__") or ["key", "value"]
            pairs = tuple(zip(names, map(ast.unparse, (key, value)), strict=False))
            return _Step(on_receiver(""), pairs, is_item=True) if len(pairs) > 1 else None
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name), how), given, named))] if (
            name == PARSED_RECEIVER
        ):
            known = [n for n in _names(inputs, how) if n not in {k.arg for k in named}]
            texts = [ast.unparse(each) for each in given]
            if len(known) < len(texts) or any(k.arg is None for k in named):
                return None
            pairs = (
                *zip(known, texts, strict=False),
                *((str(k.arg), ast.unparse(k.value)) for k in named),
            )
            return _Step(on_receiver(f".{how}"), pairs)
        case _:
            return None


def _names(inputs: Inputs, method: str) -> list[str]:
    """Return the parameters of a method in the script, without the first."""
    for name, args in inputs.signatures:
        if name == method:
            return [each.arg for each in (*args.posonlyargs, *args.args)][1:]
    return []


def _own_step(inputs: Inputs, draft: Draft) -> _Step | None:
    """Return a step that calls the target itself, in another form than the observed call."""
    how = {pool.name: pool.how for pool in inputs.pools}
    if any(how.get(name) not in ("position", "keyword") for name, _ in draft.arguments):
        return None
    passed = tuple(name for name, _ in draft.arguments if how[name] == "position")
    name = mangled_name(inputs.qualname)
    return _Step(f"getattr({on_receiver('')}, {name!r})", draft.arguments, passed)


def _drawn(step: _Step, values: Mapping[str, Sequence[str]], random: Random) -> Statement:
    return step.with_values([_other(name, text, values, random) for name, text in step.values])


def _other(name: str, text: str, values: Mapping[str, Sequence[str]], random: Random) -> str:
    """Return another known value of the argument; non-literals stay."""
    return random.choice(values[name]) if name in values and is_literal(text) else text
