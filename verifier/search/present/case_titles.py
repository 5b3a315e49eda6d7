"""Names of cases: how the call ends, and what is special about its arguments.

Candidates never see the name of a case that judges them (`scoring.oracle`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from ....mocker.shapes.name_hints import words
from ...inputs.statements import Statement
from ...observation.compare_observations import has_effect_beyond_output
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Node, Observation, Value
from ...observation.short_text import resolve, short
from ..drafts.drafts import Draft

_LONGEST = 48
_WORD = re.compile(r"[a-z0-9]+")
_PLACEHOLDER = re.compile(r"[a-z]-\d+$")
_EMPTY = {
    "list": "empty_list", "tuple": "empty_tuple", "dict": "empty_dict", "set": "empty_set",
    "frozenset": "empty_set", "ordered_dict": "empty_dict",
}  # fmt: skip
_ITEMS = dict.fromkeys(_EMPTY, "item") | {"dict": "key", "ordered_dict": "key"}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")


def titles(
    drafts: Sequence[Draft], observations: Sequence[str], used_names: Collection[str] = ()
) -> tuple[str, ...]:
    """Return a name for each case, all different.

    Args:
        drafts: the draft of each case.
        observations: what the target does in each case, as JSON.
        used_names: names already in use.
    """
    endings = [_ending(text) for text in observations]
    keys = [_keys(draft) for draft in drafts]
    every = set[str]().union(*keys)
    inputs = [
        [*(f"without_{_snake(key)}" for key in sorted(every - own) if own), *_special(draft)]
        for draft, own in zip(drafts, keys, strict=True)
    ]
    used = set(used_names)
    found: list[str] = []
    for position, ending in enumerate(endings):
        own = inputs[position]
        others = {each for i, given in enumerate(inputs) if i != position for each in given}
        telling = [word for word in own if word not in others] or own
        is_shared = endings.count(ending) > 1 or not ending
        wanted: list[str] = []
        if ending and not is_shared:
            wanted.append(ending)
        if telling:
            wanted += [f"{telling[0]}_{ending}" if ending else telling[0]]
        wanted.append(ending or "usual")
        found.append(_free([f"case_{each}" for each in wanted], used))
    return tuple(found)


def _free(wanted: Sequence[str], used: set[str]) -> str:
    short_enough = [each for each in wanted if len(each) <= _LONGEST] or [wanted[-1][:_LONGEST]]
    numbered = (f"{short_enough[0]}_{n}" for n in count(2))
    name = next((each for each in short_enough if each not in used), "") or next(
        each for each in numbered if each not in used
    )
    used.add(name)
    return name


# ------------------------------------------------------------------------------- how it ends


def _ending(text: str) -> str:
    found = decode_text(text)
    if isinstance(found, Malformed):
        return ""
    if found.outcome == "raised":
        raised = found.exception
        name = short(raised.text("type")) if isinstance(raised, Node) else ""
        return f"raises_{_snake(name)}" if name.isidentifier() else "raises"
    if found.value is None:
        return _done(found)
    value = _short_text(resolve(found.value, found))
    return f"returns_{value}" if value else ""


def _done(found: Observation) -> str:
    """Return the words for a call that returns nothing."""
    if found.arguments:
        name = found.arguments[0][0]
        return f"changes_{_snake(name)}" if name.isidentifier() else "changes_what_is_given"
    if found.files:
        return "writes_a_file"
    if not has_effect_beyond_output(found) and found.stdout:
        return "prints"
    return "returns_none"


def _short_text(value: Value) -> str:
    """Return a word or two for a value."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return _number(value)
        case "":
            return "empty_string"
        case str():
            return _text_word(value) or "text"
        case Node(kind="float") if value.text("value") in ("nan", "inf", "-inf"):
            return value.text("value").replace("-", "minus_")
        case Node(kind=kind) if kind in _EMPTY:
            count = len(value.group("items").values)
            return f"{_count(count)}_{_ITEMS[kind]}{'s' * (count > 1)}" if count else _EMPTY[kind]
        case Node(kind="object" | "value" | "array"):
            name = _snake(short(value.text("type")))
            return name if name.isidentifier() else "object"
        case Node(kind=kind):
            return kind
        case None:
            return "none"


# ------------------------------------------------------------------------------- what is given


def _special(draft: Draft) -> Iterator[str]:
    """Yield words for what is special about the arguments, the most special first."""
    for place, variant in draft.answers:
        yield "_".join(["answer", *[*_words(place), *_words(variant)][-3:]])
    given = [(name.rpartition(":")[2], text) for name, text in draft.arguments]
    for name, text in given:
        try:
            node = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        word = _adjective(node)
        if word:
            yield f"{word}_{_snake(name)}" if word != "none" else f"no_{_snake(name)}"
    for statement in draft.before:
        yield from _surrounding(statement)
        member, is_call = statement.member
        if member:
            yield f"{'after' if is_call else 'with'}_{_snake(member)}"
    for name, text in given:
        word = _value_word(text)
        if word:
            yield f"{_snake(name)}_{word}"
    if not draft.arguments:
        yield "no_arguments"


def _surrounding(statement: Statement) -> Iterator[str]:
    """Yield words for a statement that changes the environment."""
    place = statement.place
    named = re.findall(r"\w+", place.removesuffix(", None)"))
    is_state = statement.is_on_object or Statement(place).names_receiver
    if is_state or not named or not (statement.sets or ".pop(" in place):
        return
    word = _value_word(statement.value.removeprefix("lambda: "))
    way = "with" if statement.sets else "without"
    yield "_".join(filter(None, (way, _snake(named[-1]), word)))


def _adjective(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value="" | b"") | ast.List(elts=[]) | ast.Tuple(elts=[]):
            return "empty"
        case ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="set"), args=[]):
            return "empty"
        case ast.Constant(value=str() as text) if not text.strip():
            return "blank"
        case ast.Constant(value=bool() as value):
            return "true" if value else "false"
        case ast.Constant(value=int() | float() as value) if value == 0:
            return "zero"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return "negative"
        case ast.List(elts=[_]) | ast.Tuple(elts=[_]) | ast.Set(elts=[_]):
            return "single"
        case _:
            return ""


def _value_word(text: str) -> str:
    """Return a short literal as part of a name."""
    try:
        value: object = ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return ""
    if isinstance(value, int):
        return _number(value)
    if isinstance(value, str):
        return _text_word(value) or _kind_of_text(value)
    match ast.parse(text, mode="eval").body:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(values=items):
            return f"of_{_count(len(items))}"
        case _:
            return ""


def _number(value: int) -> str:
    if abs(value) >= 10**6:
        return "large" if value > 0 else "very_negative"
    text = _NUMBERS[abs(value)] if abs(value) < 2 else str(abs(value))
    return f"minus_{text}" if value < 0 else text


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else "many"


def _text_word(value: str) -> str:
    """Return a text of one or two words as part of a name; empty for others."""
    parts = _words(value)
    if _PLACEHOLDER.search(value) or not 0 < len(parts) <= 2 or len("".join(parts)) > 20:
        return ""
    return "_".join(parts) if value.isascii() else ""


def _kind_of_text(value: str) -> str:
    if "\n" in value:
        return "of_several_lines"
    if not value.isascii():
        return "not_ascii"
    if not any(letter.isalnum() for letter in value):
        return "of_punctuation"
    return "of_several_words" if " " in value.strip() else ""


def _keys(draft: Draft) -> set[str]:
    """Return the keys of the dictionaries that a draft passes."""
    found: set[str] = set()
    for _, text in draft.arguments:
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            for key in node.keys if isinstance(node, ast.Dict) else ():
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    found.add(key.value)
    return {key for key in found if key.isidentifier()}


def _snake(name: str) -> str:
    return "_".join(words(name)) or name.strip("_").lower() or "it"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
