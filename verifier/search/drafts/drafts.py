"""A draft of a case: receiver, arguments and state, before it is written as code."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword

from ...execution.executors.interface import Case
from ...inputs.argument_pools import Inputs
from ...inputs.statements import (
    RECEIVER,
    Statement,
    is_on_receiver,
    on_receiver,
    texts_of,
    written,
)
from ...sandbox.cases.holders import mangled_name

_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Draft:
    """One way to call the target. All texts are expressions in the script's namespace."""

    receiver: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    """Arguments as pairs of parameter name and expression, for the parameters that are given."""
    before: tuple[Statement, ...] = ()
    """Statements before the call. They write files, change the environment, or set the state of the
    receiver or of an argument."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places of the mocked world, each with the variant that it answers with."""
    taken: int = 0
    """Number of generator items that the case takes by itself; 0 means that it sends values."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all texts: the receiver, the arguments, the statements before the call."""
        return (
            self.receiver,
            *(text for _, text in self.arguments),
            *texts_of(self.before),
        )

    @property
    def spots(self) -> tuple[str, ...]:
        """Return what each text is about: empty for the receiver, a parameter, a state."""
        return ("", *(name for name, _ in self.arguments), *(each.place for each in self.before))

    @property
    def size(self) -> int:
        """Return the length that a reader has to read, with a surcharge for each statement."""
        more = len(self.before) + len(self.answers) + bool(self.taken) + 5 * self.sets_private
        return sum(map(len, self.texts)) + 40 * more

    @property
    def sets_private(self) -> bool:
        """Whether a statement assigns to a private attribute of the receiver."""
        return any(is_on_receiver(e.text, "._") and e.sets for e in self.before)

    def with_texts(self, texts: Sequence[str]) -> Draft:
        """Return the draft with other texts, in the order of `texts`."""
        count = 1 + len(self.arguments)
        names = (name for name, _ in self.arguments)
        arguments = tuple(zip(names, texts[1:count], strict=True))
        return replace(
            self,
            receiver=texts[0],
            arguments=arguments,
            before=tuple(map(Statement, texts[count:])),
        )

    def with_arguments(self, arguments: Iterable[tuple[str, str]]) -> Draft:
        """Return the draft with some arguments added or replaced."""
        return replace(self, arguments=tuple({**dict(self.arguments), **dict(arguments)}.items()))


def first_draft(inputs: Inputs) -> Draft:
    """Return the draft with all required arguments, each with its likeliest value."""
    given = tuple((p.name, p.texts[0]) for p in inputs.pools if not p.is_optional and p.texts)
    texts = inputs.receivers.texts
    return Draft(texts[0] if texts else "", given)


def bare_draft(inputs: Inputs) -> Draft:
    """Return the first draft on an instance whose constructor was not called."""
    first = first_draft(inputs)
    name = inputs.receivers.texts[0].partition("(")[0]
    return replace(first, receiver=f"object.__new__({name})", before=inputs.receivers.bare)


def after_call(inputs: Inputs, draft: Draft, earlier: Draft) -> Draft:
    """Return the draft with an earlier call of the target, as another draft makes it."""
    called = f"{mangled_name(inputs.qualname)}({_given(inputs, earlier)})"
    called = called if inputs.kind == "function" else on_receiver(f".{called}")
    statement = f"await {called}" if inputs.is_awaited else called
    return replace(draft, before=(*draft.before, Statement(statement)))


def case_of(inputs: Inputs, draft: Draft, name: str) -> Case:
    """Return the case that a draft stands for: readable Python with one call of the target."""
    draft = _through_constructor(inputs, draft)
    lines = [*_globals(draft), *_answers(draft)]
    short = mangled_name(inputs.qualname)
    before: dict[str, list[Statement]] = {}
    for statement in (_outside_of_class(each, inputs) for each in draft.before):
        before.setdefault(_holder(statement, inputs), []).append(statement)
    lines += [line for each in before.get("", ()) for line in each.text.split("\n")]
    states = before.get(RECEIVER, ())
    values = dict(draft.arguments)
    changed = {h: _local(h, inputs, draft) for h in before if h in values}
    for holder, local in changed.items():
        lines.append(f"{local} = {values[holder]}")
        lines += written(before.get(holder, ()), local, holder)
    draft = draft.with_arguments(changed.items())
    match inputs.kind:
        case "function":
            attribute = f".{inputs.holder}" if inputs.holder else ""
            call = f"{short}{attribute}({_given(inputs, draft)})"
        case "constructor":
            call = f"{draft.receiver}({_given(inputs, draft)})"
        case "method" | "property":
            it = draft.receiver
            if _is_made(it) or states or inputs.holder:
                it = instance_name(inputs, draft)
                lines.append(f"{it} = {draft.receiver}")
                lines += written(states, it)
            call = f"{it}.{short}"
            if inputs.kind == "method" and inputs.holder:  # the plain, unbound function
                given = ", ".join(filter(None, (it, _given(inputs, draft))))
                call += f".{inputs.holder}({given})"
            elif inputs.kind == "method":
                call += f"({_given(inputs, draft)})"
    call += "".join(f"({_given(inputs, draft, n)})" for n in range(1, inputs.calls))
    if draft.taken:
        call = f"[*__import__('itertools').islice({call}, {draft.taken})]"
    if inputs.is_async_generator:
        lines += [f"async for _ in {call}:", "    pass"]
    else:
        lines.append(f"return {'await ' if inputs.is_awaited else ''}{call}")
    is_async = inputs.is_awaited or inputs.is_async_generator or inputs.needs_loop
    word = "async def" if is_async else "def"
    return Case(name, "\n".join((f"{word} {name}():", *(f"    {line}" for line in lines), "")))


def _through_constructor(inputs: Inputs, draft: Draft) -> Draft:
    """Return the draft with checked attributes passed to the constructor, not set afterwards."""
    checked = {on_receiver(f".{name}"): parameter for name, parameter in inputs.receivers.checked}
    given = {checked[each.place]: each.value for each in draft.before if each.place in checked}
    if not given:
        return draft
    call = ast.parse(draft.receiver, mode="eval").body
    made = ast.parse(inputs.receivers.texts[0], mode="eval").body
    match call, made:
        case ast.Call(args=[]), ast.Call() if ast.dump(call.func) == ast.dump(made.func):
            kept = [each for each in call.keywords if each.arg not in given]
        case _:
            return draft
    values = [ast.keyword(name, ast.parse(text, mode="eval").body) for name, text in given.items()]
    receiver = ast.unparse(ast.Call(call.func, [], [*kept, *values]))
    before = tuple(each for each in draft.before if each.place not in checked)
    return replace(draft, receiver=receiver, before=before)


def _outside_of_class(statement: Statement, inputs: Inputs) -> Statement:
    owner = inputs.qualname.rpartition(".")[0]
    return statement.with_private_names(lambda name: mangled_name(f"{owner}.{name}"))


def _holder(statement: Statement, inputs: Inputs) -> str:
    """Return the object that a statement changes: the receiver, a parameter's name, or empty."""
    if statement.names_receiver:
        return RECEIVER
    return statement.holder if any(p.name == statement.holder for p in inputs.pools) else ""


def _local(parameter: str, inputs: Inputs, draft: Draft) -> str:
    """Return the local name of an argument: its parameter's name, unless that is taken."""
    texts = (inputs.qualname, *draft.texts)
    used = {word for text in texts for word in re.findall(r"(?<![{.\w])\w+", text)}
    is_free = parameter not in used and not hasattr(builtins, parameter)
    return parameter if is_free else f"{parameter}_1"


def instance_name(inputs: Inputs, draft: Draft) -> str:
    """Return the local name of the receiver: after its class, unless that is taken."""
    *_, owner, _ = ["", *inputs.qualname.split(".")]
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", owner)
    name = words[-1].lower() if words and words[-1].isalpha() else "instance"
    used = {word for text in (inputs.qualname, *draft.texts) for word in _NAME.findall(text)}
    is_free = name not in used and not iskeyword(name) and not hasattr(builtins, name)
    return name if is_free else f"{name}_1"


def _is_made(receiver: str) -> bool:
    return receiver.endswith(")")


def _globals(draft: Draft) -> list[str]:
    """Return the `global` statement for the script's names that a draft rebinds."""
    bound = (re.match(r"(\w+) = ", statement.text) for statement in draft.before)
    names = sorted({each[1] for each in bound if each})
    return [f"global {', '.join(names)}"] if names else []


def _answers(draft: Draft) -> list[str]:
    if not draft.answers:
        return []
    plain = [(place, variant) for place, variant in draft.answers if place.isidentifier()]
    rest = {place: variant for place, variant in draft.answers if not place.isidentifier()}
    given = [f"{place}={variant!r}" for place, variant in plain]
    if rest:
        given.append(f"**{rest!r}")
    return ["import slice_func_mocks", f"slice_func_mocks.choose({', '.join(given)})"]


def _given(inputs: Inputs, draft: Draft, call: int = 0) -> str:
    """Return the argument list of one of the calls."""
    given = dict(draft.arguments)
    parts: list[str] = []
    pools = [pool for pool in inputs.pools if pool.call == call]
    rest = next((p.name for p in pools if p.how == "rest" and p.name in given), "")
    for pool in pools:
        if pool.name not in given:
            continue
        text = given[pool.name]
        match pool.how:
            case "rest":
                parts.append(f"*{text}")
            case "rest of keywords":
                parts.append(f"**{text}")
            case "position":
                parts.append(text)
            case "keyword":
                is_positional = bool(rest) and not any(part.startswith("*") for part in parts)
                name = pool.name.rpartition(":")[2]
                parts.append(text if is_positional else f"{name}={text}")
    return ", ".join(parts)
