"""Variation of literals: a new draft by changing some literals of a known one.

Arguments are expressions, so a change reaches everything inside: an item of a list, a value of a
dictionary, an argument of a constructor.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from ...inputs.argument_pools import Inputs, Pool
from ...inputs.statements import PARSED_RECEIVER, Statement, named, on_receiver
from ..drafts.code_literals import CodeLiterals
from ..drafts.draft_trees import constant, parsed, unparsed, with_nodes
from ..drafts.drafts import Draft
from ..drafts.fixture_files import file_statements, may_be_path

_NUMBERS = (0, 1, -1, 2, 10, 100, 0.5)
_LARGE = (10**6, 10**9, 10**12, 10**15)
_TEXTS = ("", " ", "a", "A", "0", "1", "a b", "\n", "é", "x" * 30)
_ODD = ("None", "0", "'text-1'", "[]", "{}", "1.5")
"""Values that may replace any other."""
_LEAVES = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set)
_ATTEMPTS = 5
_PART = re.compile(r"[^\W_]+|[^\w\s]")
_MOST_STATES = 24


def vary(
    draft: Draft,
    inputs: Inputs,
    literals: CodeLiterals,
    focus: CodeLiterals,
    places: Sequence[tuple[str, Sequence[str]]],
    random: Random,
) -> Draft:
    """Return a draft that differs from the given one in one to three places.

    Args:
        draft: the draft to start from.
        inputs: the values to choose from.
        literals: literals of the code.
        focus: literals of the condition that has yet to come out otherwise.
        places: places of the mocked world, with their variants.
        random: makes the choices.
    """
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        draft = _step(draft, inputs, literals, focus, places, random)
    return draft


def _step(
    draft: Draft,
    inputs: Inputs,
    literals: CodeLiterals,
    focus: CodeLiterals,
    places: Sequence[tuple[str, Sequence[str]]],
    random: Random,
) -> Draft:
    own = CodeLiterals(*words_in(draft)) if random.random() < 0.25 else focus
    focus = own if any((own.texts, own.numbers)) else focus
    kinds = ["literal"] * 6
    if inputs.pools:
        kinds += ["pool"] * 3
    if draft.receiver.endswith(")"):
        kinds += ["receiver"] * 3
    if inputs.receivers.states or draft.before:
        kinds += ["state"] * 3
    if inputs.surroundings:
        kinds += ["surroundings"] * 3
    paths = [text for text in words_in(draft)[0] if may_be_path(text)]
    if paths and inputs.reaches_files:
        kinds.append("file")
    if places:
        kinds += ["answer"] * 3
    match random.choice(kinds):
        case "answer":
            place, variants = random.choice(places)
            answers = dict(draft.answers) | {place: random.choice(variants)}
            kept = tuple((k, v) for k, v in answers.items() if v != "default")
            return replace(draft, answers=kept)
        case "pool":
            return _other_choice(draft, random.choice(inputs.pools), random)
        case "file":
            made = file_statements(random.choice(paths), focus.texts or literals.texts)
            return with_file(draft, random.choice(made))
        case "surroundings":
            return in_surroundings(draft, random.choice(inputs.surroundings))
        case "state":
            return replace(draft, before=_states(draft, inputs, literals, focus, random))
        case "receiver" if random.random() < 0.3:
            return replace(draft, receiver=random.choice(inputs.receivers.texts))
        case "receiver":
            return replace(draft, receiver=changed(draft.receiver, literals, focus, random))
        case _:
            if not draft.arguments:
                return draft
            place = random.randrange(len(draft.arguments))
            name, text = draft.arguments[place]
            return draft.with_arguments([(name, changed(text, literals, focus, random))])


def _states(
    draft: Draft, inputs: Inputs, literals: CodeLiterals, focus: CodeLiterals, random: Random
) -> tuple[Statement, ...]:
    """Return the statements with one more, one fewer, or one literal changed."""
    before = list(draft.before)
    match random.choice(("more", "more", "less", "other", "other")):
        case "less" if before:
            del before[random.randrange(len(before))]
        case "other" if before:
            at = random.randrange(len(before))
            before[at] = _other_statement(before[at], literals, focus, random)
        case _ if inputs.receivers.states:
            before.append(random.choice(inputs.receivers.states))
        case _:
            pass
    return tuple(before[:_MOST_STATES])


def in_surroundings(draft: Draft, statement: Statement) -> Draft:
    """Return the draft with one place of its environment changed by a statement."""
    place = statement.changed_place
    others = (each for each in draft.before if each.changed_place != place)
    return replace(draft, before=(statement, *others)[:_MOST_STATES])


def with_file(draft: Draft, statement: Statement) -> Draft:
    """Return the draft with a statement first that creates a file."""
    return replace(draft, before=(statement, *draft.before)[:_MOST_STATES])


def repaired(
    draft: Draft, blamed: Sequence[object], literals: CodeLiterals, random: Random
) -> Draft:
    """Return the draft with a literal replaced that an error named."""
    pool = literals.all
    if not pool or not blamed:
        return draft
    old = ast.unparse(constant(random.choice(blamed)))
    new = ast.unparse(constant(random.choice(pool)))
    return draft.with_texts([text.replace(old, new) for text in draft.texts])


def _other_statement(
    statement: Statement, literals: CodeLiterals, focus: CodeLiterals, random: Random
) -> Statement:
    """Return a statement with one literal changed."""
    if statement.sets:
        return statement.with_value(lambda value: changed(value, literals, focus, random))
    call = changed(named(statement.text, PARSED_RECEIVER), literals, focus, random)
    return Statement(re.sub(rf"\b{PARSED_RECEIVER}\.", on_receiver("."), call))


def _other_choice(draft: Draft, pool: Pool, random: Random) -> Draft:
    given = dict(draft.arguments)
    if pool.is_optional and pool.name in given and random.random() < 0.3:
        return replace(draft, arguments=tuple((n, t) for n, t in draft.arguments if n != pool.name))
    if pool.how in ("keyword", "position") and random.random() < 0.15:
        return draft.with_arguments([(pool.name, random.choice(_ODD))])
    return draft.with_arguments([(pool.name, random.choice(pool.texts))]) if pool.texts else draft


def has_large_number(draft: Draft) -> bool:
    """Whether a draft passes a number too large for a loop to end."""
    return any(abs(number) >= _LARGE[0] for number in words_in(draft)[1])


def words_in(draft: Draft) -> tuple[tuple[str, ...], tuple[int | float, ...]]:
    """Return the literals of a draft: one place may need what stands in another."""
    texts: dict[str, None] = {}
    numbers: dict[int | float, None] = {}
    for text in (draft.receiver, *(given for _, given in draft.arguments)):
        for value in _words(text):
            if isinstance(value, str):
                texts[value] = None
            else:
                numbers[value] = None
    return tuple(texts), tuple(numbers)


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str | int | float, ...]:
    """Return the texts and numbers in an expression."""
    tree = parsed(text)
    if tree is None:
        return ()
    return tuple(
        node.value
        for node in tree.nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, (str, int, float))
        and not isinstance(node.value, bool)
        and id(node) not in tree.fixed
    )


def changed(text: str, literals: CodeLiterals, focus: CodeLiterals, random: Random) -> str:
    """Return an expression with one literal changed."""
    tree = parsed(text)
    if tree is None or not tree.expression:
        return text
    leaves = [
        (at, node)
        for at, node in enumerate(tree.nodes)
        if isinstance(node, ast.expr) and _is_leaf(node) and id(node) not in tree.fixed
    ]
    for _ in range(_ATTEMPTS if leaves else 0):
        place, chosen = random.choice(leaves)
        made = _other(chosen, literals if random.random() < 0.5 else focus, random)
        result = unparsed(with_nodes(tree, {place: made}))
        if result != text:
            return result
    return text


def _is_leaf(node: ast.expr) -> bool:
    return isinstance(node, _LEAVES) and not (
        isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant)
    )


def _other(node: ast.expr, literals: CodeLiterals, random: Random) -> ast.expr:
    """Return another literal in place of one."""
    if random.random() < 0.12:
        return constant(random.choice((None, True, False, 0, "", 1.5, *literals.all)))
    match node:
        case ast.Constant(value=bool() as value):
            return constant(not value)
        case (
            ast.Constant(value=int() | float() as value)
            | ast.UnaryOp(operand=ast.Constant(value=int() | float() as value))
        ):
            if isinstance(node, ast.UnaryOp):
                value = -value
            return constant(_number(value, literals, random))
        case ast.Constant(value=str() as value):
            return constant(_text(value, literals, random))
        case ast.Constant(value=bytes() as value):
            return constant(
                random.choice((b"", value[:-1], value + value, b"\x00", *literals.binary))
            )
        case ast.Constant(value=None):
            return constant(random.choice((0, "", "text-1", 1.5, True, *literals.all)))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            made = _items(list(items), literals, random)
            if isinstance(node, ast.Set) and not made:
                return ast.Call(ast.Name("set", ast.Load()), [], [])
            return type(node)(made, ast.Load()) if not isinstance(node, ast.Set) else ast.Set(made)
        case ast.Dict():
            return _mapping(node, literals, random)
        case _:
            return node


def _number(value: float, literals: CodeLiterals, random: Random) -> object:
    near: list[Callable[[], object]] = [
        lambda: value + 1, lambda: value - 1, lambda: -value, lambda: value * 10,
        lambda: random.choice(_NUMBERS), lambda: random.randint(-20, 120),
        lambda: random.choice(_LARGE),
    ]  # fmt: skip
    if literals.numbers:
        mined = random.choice(literals.numbers)
        near += [lambda: mined, lambda: mined + 1, lambda: mined - 1] * 2
    return random.choice(near)()


def _text(value: str, literals: CodeLiterals, random: Random) -> str:
    near: list[Callable[[], str]] = [
        lambda: random.choice(_TEXTS), lambda: value + value, lambda: value[: len(value) // 2],
        value.upper, lambda: f" {value} ", lambda: value + random.choice(_TEXTS),
        lambda: str(random.randint(0, 200)),
    ]  # fmt: skip
    mined = (*literals.texts, *literals.matching, *literals.matching)
    if mined:
        one, two = random.choice(mined), random.choice(mined)
        near += [lambda: _with_part(value, one, random)] * 3
        near += [
            lambda: one, lambda: one, lambda: one, lambda: value + one, lambda: one + value,
            lambda: one + two, lambda: f"{one} {two}", lambda: f"{value} {one} {value}",
            lambda: f"{value}\n{one}", one.upper, one.lower, lambda: one[:-1],
        ]  # fmt: skip
    return random.choice(near)()


def _with_part(value: str, part: str, random: Random) -> str:
    """Return the text with one of its words replaced."""
    found = list(_PART.finditer(value))
    if not found:
        return value + part
    chosen = random.choice(found)
    return value[: chosen.start()] + part + value[chosen.end() :]


def _items(items: list[ast.expr], literals: CodeLiterals, random: Random) -> list[ast.expr]:
    match random.choice(("none", "drop", "double", "add", "turn", "swap", "many")):
        case "none":
            return []
        case "drop" if items:
            at = random.randrange(len(items))
            return items[:at] + items[at + 1 :]
        case "double" if items:
            return [*items, copy.deepcopy(random.choice(items))]
        case "add":
            pool = literals.all or ("item-3", 3)
            return [*items, constant(random.choice(pool))]
        case "turn":
            return items[::-1]
        case "many" if items:
            sizes = [n for n in literals.numbers if isinstance(n, int) and 0 < n < 50] or [5]
            count = random.choice(sizes) + random.choice((0, 1))
            return [copy.deepcopy(items[i % len(items)]) for i in range(count)]
        case _:
            return items[1:] + items[:1]


def _mapping(node: ast.Dict, literals: CodeLiterals, random: Random) -> ast.Dict:
    pairs = list(zip(node.keys, node.values, strict=True))
    is_open = any(isinstance(value, ast.Constant) for value in node.values)
    match random.choice(("none", "drop", "drop", "add", "add", "value")):
        case "none":
            pairs = []
        case "drop" if pairs:
            del pairs[random.randrange(len(pairs))]
        case "value" if is_open and literals.all:
            at = random.randrange(len(pairs))
            pairs[at] = (pairs[at][0], constant(random.choice(literals.all)))
        case _:
            key = random.choice(literals.texts or ("key-2",))
            value = random.choice((*literals.all, 1, "value-2", True))
            copies = [copy.deepcopy(v) for _, v in pairs]
            made = [constant(value)] if is_open or not copies else []
            pairs.append((constant(key), random.choice((*made, *copies))))
    return ast.Dict([k for k, _ in pairs], [v for _, v in pairs])
