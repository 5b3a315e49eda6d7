"""Input-to-state correspondence: flip tests by replacing the operands that they compared.

An operand that stands in the draft, whole or in parts, is replaced by what the test wants.
Comparing both shows what the code does to it on the way (another case, a separator, a tuple). After
Aschermann et al., "REDQUEEN" (NDSS 2019).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, zip_longest
from typing import cast

from ...execution.batched_trials import Trial
from ...inputs.argument_pools import Inputs
from ...mutation.mutated_block import Block
from ...mutation.operators.value_changes import Literal
from ..drafts.code_literals import texts_matching
from ..drafts.draft_literals import literals_of, with_literals
from ..drafts.drafts import Draft, case_of
from .instrumented_tests import ComparedOperands, compared, instrumented

MOST_OF_TEST = 12
_MOST_KEYS = 6
_MOST_PLACES = 3
_LONGEST_MADE = 2000
_MOST_GROUPS = 4
_LONGEST_JOINED = 100
"""Longest text that is taken apart, in characters: the parts are tried at every place."""
_LONGEST_LEN = 200
_LARGEST = 10**15
_INSTANCES: dict[str, object] = {
    "str": "text-1", "int": 1, "float": 1.5, "bool": True, "bytes": b"a", "list": [1],
    "tuple": (1,), "dict": {"key-1": 1}, "set": {1}, "NoneType": None, "Mapping": {"key-1": 1},
    "Sequence": [1], "Iterable": [1], "Number": 1,
}  # fmt: skip

_OTHERS: tuple[object, ...] = ("text-1", 1, None)
_FILLED: dict[type, object] = {str: "a", bytes: b"a", list: [1], tuple: (1,)}

_OF_TRUTH: dict[type, tuple[object, object]] = {
    str: ("", "text-1"), bytes: (b"", b"a"), int: (0, 1), float: (0.0, 1.5), bool: (False, True),
    list: ([], ["item-1"]), tuple: ((), ("item-1",)), dict: ({}, {"key-1": "value-1"}),
}  # fmt: skip
"""A false and a true value of each type."""

Change = tuple[object, object]
"""A pair of the value in the run and the value that it should have."""
_Places = dict[tuple[int, int], object]


def correspondences(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    drafts: Sequence[Draft],
    lines: Collection[int],
    limit: int = MOST_OF_TEST,
) -> Iterator[Draft]:
    """Yield drafts that flip the target's tests, by the operands compared; one per draft in turn.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        drafts: drafts that are run once more, instrumented.
        lines: lines whose tests come first.
        limit: largest number of drafts for each test.
    """
    code = instrumented(block)
    if not code.sites or not drafts:
        return
    cases = [case_of(inputs, draft, f"case_{n}") for n, draft in enumerate(drafts)]
    found = [compared(pairs, code.sites) for pairs in trial.compared(cases, code.text)]
    made = [
        corresponding(draft, sorted(tests, key=lambda test: test.line not in lines), limit)
        for draft, tests in zip(drafts, found, strict=False)
    ]
    for together in zip_longest(*made):
        yield from (draft for draft in together if draft is not None)


def corresponding(
    draft: Draft, tests: Sequence[ComparedOperands], limit: int = MOST_OF_TEST
) -> Iterator[Draft]:
    """Yield drafts in which one of the tests may come out the other way.

    Args:
        draft: the draft with which the tests were recorded.
        tests: recorded tests, the more important ones first.
        limit: largest number of drafts for each test.
    """
    literals = literals_of(draft)
    for test in tests:
        yield from islice(_turned(draft, literals, test), limit)


def _turned(draft: Draft, literals: Sequence[Literal], test: ComparedOperands) -> Iterator[Draft]:
    known = {draft}
    for old, new in changes(test):
        for places in islice(_replacements(literals, old, new), _MOST_PLACES):
            made = with_literals(draft, places)
            if made not in known:
                known.add(made)
                yield made


# -------------------------------------------------------------------- what a test wants


def changes(test: ComparedOperands) -> Iterator[Change]:
    """Yield changes of operands that may flip a test."""
    left, right = test.left, test.right
    match test.how:
        case "==" | "!=" | "<" | "<=" | ">" | ">=" if isinstance(left, list) != isinstance(
            right, list
        ):
            yield from _one_by_one(left, right)
        case "==" | "!=":
            if left == right:
                yield from ((left, other) for other in _near(left)[:1])
            else:
                yield from ((left, right), (right, left))
        case "<" | "<=" | ">" | ">=":
            yield from ((left, other) for other in (right, *_near(right)))
            yield from ((right, other) for other in (left, *_near(left)))
        case "in" | "not in" | "[]":
            yield from _members(left, right) if test.how != "[]" else _members(right, left)
        case "startswith" | "endswith":
            yield from _ends(left, right, is_start=test.how == "startswith")
        case "match":
            if isinstance(left, str):
                yield from ((right, text) for text in _matching(left))
        case "isinstance":
            yield from ((left, made) for made in _instances(right))
            yield from ((left, other) for other in _no_instances(left, right))
        case "truth":
            yield from ((left, other) for other in _of_other_truth(left))
        case _ if test.how.startswith("len "):
            yield from _sized(left, right)
        case _:
            pass


def _of_other_truth(value: object) -> tuple[object, ...]:
    """Return values of the opposite truth value."""
    if value is None:
        return ("text-1", 1, True)
    known = _OF_TRUTH.get(type(value))
    return () if known is None else (known[0 if value else 1],)


def _one_by_one(left: object, right: object) -> Iterator[Change]:
    """Yield changes for an array or column whose values are compared with one value."""
    is_left = isinstance(left, list)
    one, many = (right if is_left else left), cast("list[object]", left if is_left else right)
    members = many[:_MOST_KEYS]
    for member in dict.fromkeys(each for each in members if isinstance(each, (str, int, float))):
        yield from ((one, member), (member, one))


def _near(value: object) -> tuple[object, ...]:
    """Return the values just beside a value."""
    match value:
        case bool():
            return (not value,)
        case int() | float():
            return (value + 1, value - 1)
        case str():
            return (value + "a", value[:-1])
        case bytes():
            return (value + b"a", value[:-1])
        case _:
            return ()


def _members(item: object, container: object) -> Iterator[Change]:
    """Yield changes for a membership test: other items, and other containers."""
    match container:
        case str() if isinstance(item, str):
            if item in container:
                yield container, container.replace(item, "") if item else container
                yield item, f"{item}_"
            else:
                yield container, container + item
                yield container, f"{container} {item}"
                yield item, container
        case dict() | list() | tuple() | set() | frozenset():
            container = cast("Collection[object]", container)
            members = [each for each in container if each is not ...]
            if item in members:
                yield from ((item, other) for other in _near(item)[:1])
            else:
                yield from ((item, member) for member in members[:_MOST_KEYS])
                yield from _with_item(container, item)
        case _:
            pass


def _with_item(container: Collection[object], item: object) -> Iterator[Change]:
    if isinstance(container, dict) and _is_hashable(item):
        entries = cast("dict[object, object]", container)
        yield entries, {**entries, item: next(iter(entries.values()), 1)}
    elif isinstance(container, list):
        yield container, [*container, item]
    elif isinstance(container, set) and _is_hashable(item):
        yield container, container | {item}


def _is_hashable(item: object) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


def _ends(left: object, right: object, *, is_start: bool) -> Iterator[Change]:
    ends = cast("tuple[object, ...]", right) if isinstance(right, tuple) else (right,)
    if not isinstance(left, (str, bytes)):
        return
    for end in ends:
        if type(end) is not type(left) or not end:
            continue
        one, other = cast("tuple[str, str]", (left, end))
        if one.startswith(other) if is_start else one.endswith(other):
            yield one, one[len(other) :] if is_start else one[: -len(other)]
        else:
            yield one, other + one if is_start else one + other
            yield one, other
            yield other, one


@lru_cache(maxsize=64)
def _matching(pattern: str) -> tuple[str, ...]:
    return texts_matching(pattern)


def _instances(kinds: object) -> Iterator[object]:
    names = cast("tuple[object, ...]", kinds) if isinstance(kinds, tuple) else (kinds,)
    for name in names:
        if isinstance(name, str) and name in _INSTANCES:
            yield _INSTANCES[name]


def _sized(value: object, wanted: object) -> Iterator[Change]:
    """Yield the value cut or repeated to the compared length, or that number as its length."""
    if type(value) not in _FILLED or type(wanted) is not int:
        return
    sized = cast("str", value)  # all of these types are cut and repeated alike
    filled = sized or cast("str", _FILLED[type(value)])
    for size in (wanted, wanted + 1, wanted - 1):
        if 0 <= size <= _LONGEST_LEN and size != len(sized):
            yield sized, (filled * (size // len(filled) + 1))[:size]
    for size in (len(sized), len(sized) + 1, len(sized) - 1):
        yield wanted, size


def _no_instances(value: object, kinds: object) -> Iterator[object]:
    """Yield values that are an instance of none of the types."""
    names = cast("tuple[object, ...]", kinds) if isinstance(kinds, tuple) else (kinds,)
    if type(value).__name__ in names:
        others = (other for other in _OTHERS if type(other).__name__ not in names)
        yield from islice(others, 1)


# -------------------------------------------------------------------- where that stands in a draft


def _replacements(literals: Sequence[Literal], old: object, new: object) -> Iterator[_Places]:
    """Yield changes of literals that turn one value, which they make up, into another."""
    if old is ... or new is ... or _is_same(old, new) or len(repr(new)) > _LONGEST_MADE:
        return
    yield from _as_they_are(literals, old, new)
    match old, new:
        case (str(), str()):
            yield from _in_another_form(literals, old, new)
            yield from _as_a_part(literals, old, new)
            yield from _of_parts(literals, old, new)
            yield from _in_bytes(literals, old.encode(), new.encode())
        case (bytes(), bytes()):
            yield from _in_bytes(literals, old, new)
        case (int() | float(), int() | float()) if bool not in (type(old), type(new)):
            yield from _as_they_are(literals, str(old), str(new))
            yield from _as_a_part(literals, str(old), str(new))
            yield from _computed(literals, old, new)
        case (tuple(), tuple()) | (list(), list()):
            items = cast("Sequence[object]", old), cast("Sequence[object]", new)
            yield from _item_by_item(literals, *items)
        case _:
            pass


def _is_same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _as_they_are(literals: Sequence[Literal], old: object, new: object) -> Iterator[_Places]:
    for each in literals:
        if _is_same(each.value, old):
            yield {each.key: new}


def _item_by_item(
    literals: Sequence[Literal], old: Sequence[object], new: Sequence[object]
) -> Iterator[_Places]:
    """Yield one change of all items that differ, each in a place of its own."""
    if len(old) != len(new):
        return
    found: _Places = {}
    for one, other in zip(old, new, strict=True):
        if one == other:
            continue
        free = [each for each in literals if each.key not in found]
        places = next(_replacements(free, one, other), None)
        if places is None:
            return
        found.update(places)
    yield found


def _in_another_form(literals: Sequence[Literal], old: str, new: str) -> Iterator[_Places]:
    """Yield changes for a text in another case, or a number written as text."""
    for each in literals:
        value = each.value
        if isinstance(value, str) and value != old:
            if old in (value.lower(), value.upper(), value.strip(), value.strip().lower()):
                yield {each.key: new}
        elif type(value) is int and str(value) == old and re.fullmatch(r"-?\d{1,18}", new):
            yield {each.key: int(new)}


def _as_a_part(literals: Sequence[Literal], old: str, new: str) -> Iterator[_Places]:
    """Yield changes for a part of a longer text: its last or first occurrence, or in lower case."""
    for each in literals:
        text = each.value
        if not old or not isinstance(text, str) or text == old:
            continue
        for at in dict.fromkeys((text.find(old), text.rfind(old), text.lower().find(old.lower()))):
            if at >= 0:
                yield {each.key: text[:at] + new + text[at + len(old) :]}


def _in_bytes(literals: Sequence[Literal], old: bytes, new: bytes) -> Iterator[_Places]:
    """Yield changes for a part of longer bytes, from which a text may have been decoded."""
    for each in literals:
        if old and isinstance(each.value, bytes) and each.value != old and old in each.value:
            yield {each.key: each.value.replace(old, new, 1)}


def _of_parts(literals: Sequence[Literal], old: str, new: str) -> Iterator[_Places]:
    """Yield changes for a text that is joined from several literals with something between them."""
    parts: list[tuple[int, Literal, str]] = []
    for each in sorted(literals, key=lambda e: (-len(str(e.value)), e.key)):
        text = str(each.value)
        if not text or type(each.value) not in (str, int) or len(parts) >= _MOST_GROUPS:
            continue
        for form in dict.fromkeys((text, text.lower(), text.upper(), text.strip())):
            at = old.find(form) if form else -1
            if at >= 0 and all(at + len(form) <= p or p + len(f) <= at for p, _, f in parts):
                parts.append((at, each, form))
                break
    parts.sort(key=lambda part: part[0])
    if not parts or len(parts[0][2]) == len(old) or len(new) > _LONGEST_JOINED:
        return
    pattern, end = "", 0
    for at, _, form in parts:
        pattern += re.escape(old[end:at]) + "(.*?)"
        end = at + len(form)
    found = re.fullmatch(pattern + re.escape(old[end:]), new, re.DOTALL)
    if found is None:
        return
    values = [
        text if isinstance(each.value, str) else _as_int(text)
        for text, (_, each, _) in zip(found.groups(), parts, strict=True)
    ]
    if None not in values:
        yield {each.key: value for value, (_, each, _) in zip(values, parts, strict=True)}


def _as_int(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else None


def _computed(literals: Sequence[Literal], old: float, new: float) -> Iterator[_Places]:
    """Yield changes for a number that is a sum or product of a literal."""
    if max(abs(old), abs(new)) >= _LARGEST:
        return
    for each in literals:
        value = each.value
        if type(value) not in (int, float) or value == old:
            continue
        number = cast("float", value)
        if abs(number) >= _LARGEST:
            continue
        yield {each.key: number + (new - old)}
        if old and number:
            # a rounded value is reached half a step earlier
            for wanted in (Fraction(new), Fraction(new) - Fraction(1, 2)):
                scaled = wanted * Fraction(number) / Fraction(old)
                yield {each.key: scaled.numerator if scaled.denominator == 1 else float(scaled)}
