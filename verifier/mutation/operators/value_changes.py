"""Killing values: what a mutation operator needs of the literals that flow into its place.

A dropped `lower()` needs capitals, a changed relation its bound, swapped arguments need different
values. Each operator says which of these kill it (`killed_by`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product, zip_longest
from typing import cast

from .similar_values import DISTINCT, LETTERS, sized, unlike, with_items

_MOST_SINGLE = 6
_MOST_EQUAL = 12

Values = Mapping[tuple[int, int], object]
"""New values by the position of a literal."""
_Texts = Callable[[str], tuple[str, ...]]

_TEXTS: dict[str, _Texts] = {
    **dict.fromkeys(("lower", "casefold", "swapcase"), lambda t: (t.title(), t.upper(), "Ab")),
    **dict.fromkeys(("upper", "title", "capitalize"), lambda t: (t.lower(), "ab cd")),
    **dict.fromkeys(
        ("strip", "lstrip", "rstrip"), lambda t: (f" {t} ", f"{t}\n", f"\n{t}", " a b ")
    ),
    "split": lambda t: (f"{t} {t}", f" {t}  b ", "a b c"),
    "splitlines": lambda t: (f"{t}\nb\n", "a\nb"),
    **dict.fromkeys(
        ("normpath", "abspath", "realpath", "resolve", "absolute", "Path"),
        lambda t: (f"./{t}", f"{t}/", f"a/../{t}"),
    ),
    **dict.fromkeys(("basename", "dirname"), lambda t: (f"a/{t}", f"{t}/b")),
    **dict.fromkeys(("expanduser", "expandvars"), lambda t: (f"~/{t}", f"$HOME/{t}", "$HOME")),
    **dict.fromkeys(("unquote", "unquote_plus"), lambda t: (f"{t}%20a", f"{t}+%2F")),
    **dict.fromkeys(("quote", "quote_plus"), lambda t: (f"{t} &é", "a/b c")),
    **dict.fromkeys(
        ("match", "search", "fullmatch", "findall", "finditer"),
        lambda t: (f"{t}b", f"a{t}", f"{t}\n"),
    ),
    "escape": lambda t: (f"<{t}&'>", f"{t}.*["),
    "unescape": lambda t: (f"&lt;{t}&amp;",),
    **dict.fromkeys(("int", "float", "Decimal"), lambda _: ("7", "12", " 3 ")),
    **dict.fromkeys(("bool", "any", "all"), lambda t: ("", f"{t}a")),
    **dict.fromkeys(
        ("list", "tuple", "set", "sorted", "reversed", "frozenset", "dict", "iter", "Counter"),
        lambda t: ("cabba", f"{t}ba"),
    ),
}  # fmt: skip
"""Maps the name of a call to texts that the call changes."""
_READERS = frozenset({"int", "float", "Decimal"})
_DIGITS = re.compile(r"[0-9]+")
_ITEMS = frozenset(
    "list tuple set sorted reversed frozenset dict sum iter max min keys values items copy".split()
)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal in a draft, with its position."""

    text: int
    """Index of the text in the draft."""
    node: int
    """Index of the node in that text's syntax tree."""
    value: object

    @property
    def key(self) -> tuple[int, int]:
        """Return the position as a key."""
        return self.text, self.node


@dataclass(frozen=True, slots=True)
class MutatedPlace:
    """The change of a mutant, and the literals of a draft that flow into it."""

    literals: tuple[Literal, ...]
    words: tuple[object, ...]
    """Literals of the code that flow into it, the nearest first."""
    calls: tuple[str, ...]
    """Functions called on the way, the nearest first."""
    changed: str = ""
    """The text that the mutant puts in; empty where it changes no text."""

    @property
    def scalars(self) -> tuple[Literal, ...]:
        """Return the texts and numbers."""
        return tuple(each for each in self.literals if isinstance(each.value, (str, int, float)))

    @property
    def numbers(self) -> tuple[Literal, ...]:
        """Return the numbers, without booleans."""
        return tuple(each for each in self.literals if type(each.value) in (int, float))

    @property
    def texts(self) -> tuple[Literal, ...]:
        """Return the texts."""
        return tuple(each for each in self.literals if isinstance(each.value, str))

    @property
    def containers(self) -> tuple[Literal, ...]:
        """Return the lists, dictionaries and other containers, empty ones too."""
        return tuple(e for e in self.literals if isinstance(e.value, (list, tuple, set, dict)))


KillingValues = Callable[[MutatedPlace], Iterator[Values]]
"""Yields changes of literals that may kill the mutant, the likeliest first."""


def one_after_another(*sources: KillingValues) -> KillingValues:
    """Yield all changes of each source, then those of the next."""
    return lambda place: chain.from_iterable(source(place) for source in sources)


def alternating(*sources: KillingValues) -> KillingValues:
    """Yield one change of each source in turn."""
    return lambda place: in_turn(*(source(place) for source in sources))


def any_change(place: MutatedPlace) -> Iterator[Values]:
    """Yield the changes for an operator that names none."""
    yield from islice(of_calls(place), _MOST_SINGLE)
    yield from distinct(place)
    yield from true_or_false(place)
    yield from with_words(place)
    yield from longer(place)


def _other_forms(place: MutatedPlace, name: str) -> Iterator[Values]:
    """Yield values that a call changes."""
    if name in _TEXTS:
        yield from _each(place.texts, [_TEXTS[name](cast("str", e.value)) for e in place.texts])
    if name in _READERS:
        yield from _each(place.numbers, [("7",) for _ in place.numbers])
    if name in _ITEMS:
        yield from longer(place)
    match name:
        case "abs":
            yield {e.key: -abs(cast("float", e.value)) for e in place.numbers}
            yield from _each(place.numbers, [(-3, -2.5)] * len(place.numbers))
        case "round" | "floor" | "ceil" | "int":
            yield {e.key: cast("float", e.value) + 0.6 for e in place.numbers}
            yield from _each(place.numbers, [(2.6, -2.6)] * len(place.numbers))
        case "str" | "repr" | "bool":
            yield from _each(place.scalars, [(7, "a", "", None, 2.5)] * len(place.scalars))
        case _:
            pass


def of_calls(place: MutatedPlace) -> Iterator[Values]:
    """Yield the first such values for each call, in turn."""
    yield from in_turn(*(islice(_other_forms(place, name), _MOST_SINGLE) for name in place.calls))


def equal(place: MutatedPlace) -> Iterator[Values]:
    """Yield one literal set to another one's value; then equal but distinct values."""
    scalars = place.scalars
    pairs = [
        (one, other)
        for one, other in product(scalars, scalars)
        if one.key != other.key and isinstance(one.value, str) == isinstance(other.value, str)
    ]
    pairs.sort(key=lambda pair: (pair[0].text == pair[1].text, -pair[0].text))
    for one, other in pairs[:_MOST_EQUAL]:
        if one.value != other.value:
            yield {one.key: other.value}
        if type(other.value) is int and one.key > other.key:
            yield {one.key: float(other.value)}
    for each in place.containers:
        if isinstance(each.value, (list, tuple)):
            yield {each.key: with_items(cast("object", each.value), [1, 1.0, 0])}
    for word in place.words:
        same_type = [e for e in scalars if type(e.value) is type(word) and e.value != word]
        yield from ({each.key: word} for each in same_type)


def near_numbers(place: MutatedPlace) -> Iterator[Values]:
    """Yield numbers, and lengths of containers, at and beside the numbers in the code."""
    wanted = [n for n in place.words if isinstance(n, (int, float))]
    near = dict.fromkeys(n + d for n in wanted for d in (0, 1, -1))
    for number in near:
        yield from ({each.key: number} for each in place.numbers[:_MOST_SINGLE])
        if isinstance(number, int) and 0 <= number <= 40:
            for each in (*place.texts, *place.containers)[:_MOST_SINGLE]:
                made = sized(each.value, number)
                if made is not None:
                    yield {each.key: made}


def numbers_inside(place: MutatedPlace) -> Iterator[Values]:
    """Yield texts with other numbers in them, where the code parses numbers: small, large, its own.

    The texts keep their length: a month has two digits.
    """
    if not _READERS & {*place.calls}:
        return
    wanted = [n for n in place.words if type(n) is int and n >= 0]
    near = dict.fromkeys(n + step for n in wanted for step in (0, 1, -1) if n + step >= 0)
    runs = [
        (each, found)
        for each in place.texts[:_MOST_SINGLE]
        for found in islice(_DIGITS.finditer(cast("str", each.value)), _MOST_SINGLE)
    ]
    filling: list[int | str] = ["0", "9", *near]
    for wish, (each, found) in product(filling, runs):
        text, size = cast("str", each.value), len(found[0])
        number = wish * size if isinstance(wish, str) else str(wish).zfill(size)
        if number != found[0]:
            yield {each.key: f"{text[: found.start()]}{number}{text[found.end() :]}"}


def longer(place: MutatedPlace) -> Iterator[Values]:
    """Yield containers with more items, unsorted and with a duplicate; and without items."""
    for each in place.containers[:_MOST_SINGLE]:
        match each.value:
            case list() | tuple():
                value = cast("Sequence[object]", each.value)
                more = cast("Sequence[object]", sized(value, len(value) + 2))
                yield {each.key: with_items(cast("object", each.value), [*more[::-1], *more[:1]])}
                yield {each.key: more}
            case _:
                pass
    for each in place.texts[:_MOST_SINGLE]:
        text = cast("str", each.value)
        yield {each.key: f"{text}b{text}a"}
    for each in place.containers[:_MOST_SINGLE]:
        if each.value and not isinstance(each.value, set):
            yield {each.key: type(each.value)()}


def one_more(place: MutatedPlace) -> Iterator[Values]:
    """Yield non-empty containers, each with one more item like the last one."""
    for each in place.containers[:_MOST_SINGLE]:
        match each.value:
            case list() | tuple():
                items = list(cast("Sequence[object]", each.value))
                for last in items[-1:]:
                    longer = with_items(cast("object", each.value), [*items, unlike(last, 1)])
                    yield {each.key: longer}
            case dict():
                entries = cast("dict[object, object]", each.value)
                for key, value in list(entries.items())[-1:]:
                    yield {each.key: {**entries, unlike(key, 1): unlike(value, 1)}}
            case _:
                pass


def distinct(place: MutatedPlace) -> Iterator[Values]:
    """Yield all numbers different, and all texts; then each alone."""
    numbers, texts = place.numbers, place.texts
    yield {each.key: DISTINCT[n % len(DISTINCT)] for n, each in enumerate(numbers)}
    yield {each.key: DISTINCT[-1 - n % len(DISTINCT)] for n, each in enumerate(numbers)}
    yield {each.key: DISTINCT[n % len(DISTINCT)] + 0.5 for n, each in enumerate(numbers)}
    if len(texts) > 1:
        yield {e.key: f"{e.value}{LETTERS[n % 26]}" for n, e in enumerate(texts)}
    yield from _each(numbers, [(2, -3, 0.5)] * len(numbers))


def in_turn(*sources: Iterator[Values]) -> Iterator[Values]:
    """Yield one of each source in turn; a source that is given twice yields two."""
    for together in zip_longest(*sources):
        yield from (values for values in together if values is not None)


def with_changed(place: MutatedPlace) -> Iterator[Values]:
    """Yield the mutant's text around a value, alone, as a key, and as an item."""
    new = place.changed
    if not new:
        return
    for each in place.texts[:_MOST_SINGLE]:
        yield {each.key: f"{new}{each.value}{new}"}
        yield {each.key: new}
    for each in place.containers[:_MOST_SINGLE]:
        match each.value:
            case dict():
                entries = cast("dict[object, object]", each.value)
                yield {each.key: {**entries, new: next(iter(entries.values()), 1)}}
            case list() | tuple():
                items = cast("Sequence[object]", each.value)
                yield {each.key: with_items(cast("object", each.value), [*items, new])}
            case _:
                pass


def with_words(place: MutatedPlace) -> Iterator[Values]:
    """Yield the code's texts whole, as parts, and as keys that are present or missing."""
    words = [word for word in place.words if isinstance(word, str)]
    for word in words:
        for each in place.texts[:_MOST_SINGLE]:
            yield {each.key: word}
            yield {each.key: f"{each.value}{word}{each.value}b"}
        for each in place.containers[:_MOST_SINGLE]:
            match each.value:
                case dict():
                    entries = cast("dict[object, object]", each.value)
                    rest = {key: value for key, value in entries.items() if key != word}
                    yield {each.key: rest}
                    first = next(iter(entries.values()), 1)
                    for value in (entries.get(word), first, "text-1", 7, 0):
                        yield {each.key: {**rest, word: value}}
                case list() | tuple():
                    items = cast("Sequence[object]", each.value)
                    yield {each.key: with_items(cast("object", each.value), [*items, word])}
                case _:
                    pass


def true_or_false(place: MutatedPlace) -> Iterator[Values]:
    """Yield each literal with the opposite truth value."""
    for each in place.literals[: 2 * _MOST_SINGLE]:
        match each.value:
            case bool():
                yield {each.key: not each.value}
            case str():
                yield {each.key: "" if each.value else "a"}
                yield {each.key: None}
            case int() | float():
                yield {each.key: 0 if each.value else 1}
                yield {each.key: None}
            case None:
                yield {each.key: "a"}
                yield {each.key: 1}
            case _ if not isinstance(each.value, set):
                yield {each.key: None}
            case _:
                pass


def empty(place: MutatedPlace) -> Iterator[Values]:
    """Yield each literal replaced by the falsy value of its type."""
    for each in place.literals[: 2 * _MOST_SINGLE]:
        if each.value:
            yield {each.key: type(each.value)()}


def around_words(place: MutatedPlace) -> Iterator[Values]:
    """Yield the code's texts in other case, and with characters before or after them."""
    words = [word for word in place.words if isinstance(word, str) and word]
    for word in words[:_MOST_SINGLE]:
        for new in (f"{word}x", f"x{word}", f"x{word}x", word.swapcase(), word[:-1]):
            yield from ({each.key: new} for each in place.texts[:_MOST_SINGLE])
    for each in place.texts[:_MOST_SINGLE]:
        text = cast("str", each.value)
        yield from ({each.key: new} for new in (f"{text}x", f"x{text}", text.swapcase()))


def around_others(place: MutatedPlace) -> Iterator[Values]:
    """Yield one text as another one with something before or after, as when searching in it."""
    texts = [(each, cast("str", each.value)) for each in place.texts]
    for (one, _), (other, text) in product(texts, texts):
        if one.text != other.text and text:
            yield from ({one.key: new} for new in (f"{text}b", f"a{text}", f"{text}b{text}"))


def _each(literals: Sequence[Literal], forms: Sequence[Sequence[object]]) -> Iterator[Values]:
    """Yield all literals in their first form, then each alone; then the second form, and so on."""
    together: Iterator[Values] = (
        {e.key: value for e, value in zip(literals, values, strict=True)}
        for values in zip(*forms, strict=False)
        if len(literals) > 1
    )
    pairs = zip(literals[:_MOST_SINGLE], forms, strict=False)
    singles = [({each.key: value} for value in values) for each, values in pairs]
    yield from in_turn(together, *singles)
