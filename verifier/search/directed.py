"""Drafts that a surviving mutant asks for: its operator says what input would tell it apart.

A text that is no longer put into lower case needs capitals, a relation its bound, swapped
arguments values that differ. The literals that flow into the changed expression are given such
values; what the operator says nothing of is given the values that its parameter has in the pool.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product, zip_longest
from typing import cast

from ..inputs.pools import Inputs
from ..mutation.block import Block
from ..mutation.mutants import Made
from .drafts import Draft
from .flows import Flow, flow_into
from .literals import Literal, literals_of, with_literals

_MOST_OF_MUTANT = 12
_MOST_SINGLE = 6
_LONGEST = 200
_DISTINCT = (3, 5, 7, 11, 2, 13, 17, 19, 23, 29)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_Values = Mapping[tuple[int, int], object]
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
    "escape": lambda t: (f"<{t}&'>", f"{t}.*["),
    "unescape": lambda t: (f"&lt;{t}&amp;",),
    **dict.fromkeys(("int", "float", "Decimal"), lambda _: ("7", "12", " 3 ")),
    **dict.fromkeys(("bool", "any", "all"), lambda t: ("", f"{t}a")),
    **dict.fromkeys(
        ("list", "tuple", "set", "sorted", "reversed", "frozenset", "dict", "iter", "Counter"),
        lambda t: ("cabba", f"{t}ba"),
    ),
}  # fmt: skip
"""Name of a call → texts on which it does something."""
_READERS = frozenset({"int", "float", "Decimal"})
_ITEMS = frozenset(
    "list tuple set sorted reversed frozenset dict sum iter max min keys values items copy".split()
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A mutant, and the literals of a draft that flow into what it changes."""

    made: Made
    literals: tuple[Literal, ...]
    words: tuple[object, ...]
    """Literals that flow into it, the nearest ones first."""
    calls: tuple[str, ...]
    """What is called on the way, the nearest first."""

    @property
    def scalars(self) -> tuple[Literal, ...]:
        return tuple(each for each in self.literals if isinstance(each.value, (str, int, float)))

    @property
    def numbers(self) -> tuple[Literal, ...]:
        return tuple(each for each in self.literals if type(each.value) in (int, float))

    @property
    def texts(self) -> tuple[Literal, ...]:
        return tuple(each for each in self.literals if isinstance(each.value, str))

    @property
    def containers(self) -> tuple[Literal, ...]:
        return tuple(e for e in self.literals if isinstance(e.value, (list, tuple, set, dict)))


def directed(
    inputs: Inputs, block: Block, survivors: Sequence[Made], near: Mapping[int, Sequence[Draft]]
) -> Iterator[Draft]:
    """Drafts that may tell mutants from the original; one for each mutant in turn.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        survivors: mutants that are not told apart.
        near: line → drafts that reach it, the better ones first.
    """
    each = [_of_mutant(inputs, block, made, near.get(made.line, ())) for made in survivors]
    for together in zip_longest(*each):
        yield from (draft for draft in together if draft is not None)


def _of_mutant(
    inputs: Inputs, block: Block, made: Made, drafts: Sequence[Draft]
) -> Iterator[Draft]:
    flow = flow_into(block, made.node)
    for draft in drafts:
        yield from islice(_of_draft(inputs, draft, made, flow), _MOST_OF_MUTANT)


def _of_draft(inputs: Inputs, draft: Draft, made: Made, flow: Flow) -> Iterator[Draft]:
    names = flow.parameters
    literals = literals_of(draft)
    place = _Place(made, tuple(_flowing(draft, literals, names)), flow.words, flow.calls)
    by_values = (
        with_literals(draft, all_values)
        for values in _changes(place)
        if all(len(repr(value)) <= _LONGEST for value in values.values())
        for all_values in _alike(literals, values)
    )
    by_other = (
        _with_attributes(draft, flow),
        _as_receiver(draft, names),
        _with_states(inputs, draft, flow),
        _chosen(inputs, draft, made, names),
    )
    known = {draft}
    for changed in _in_turn(by_values, *by_other):
        if changed not in known:
            known.add(changed)
            yield changed


def _in_turn(*sources: Iterator[Draft]) -> Iterator[Draft]:
    """Two of the first source, then one of each of the others, and so on."""
    first, *others = sources
    for pair in zip_longest(first, first, *others):
        yield from (draft for draft in pair if draft is not None)


def _alike(literals: Sequence[Literal], values: _Values) -> Iterator[_Values]:
    """The same change of all texts that are equal, which may have to be; then the change alone."""
    if len(values) == 1:
        ((place, new),) = values.items()
        old = next(each.value for each in literals if each.key == place)
        equal = [e.key for e in literals if isinstance(old, str) and old and e.value == old]
        if len(equal) > 1:
            yield dict.fromkeys(equal, new)
    yield values


def _flowing(draft: Draft, literals: Sequence[Literal], names: frozenset[str]) -> Iterator[Literal]:
    """The literals of the arguments for some parameters, and of a receiver that is one."""
    given = [name.rpartition(":")[2] in names for name, _ in draft.arguments]
    is_own = bool(names & {"self", "cls"}) or not any(given)
    wanted = [is_own, *given, *(is_own for _ in draft.before)]
    yield from (each for each in literals if wanted[each.text])


# ----------------------------------------------------------------- what an operator asks for


def _changes(place: _Place) -> Iterator[_Values]:
    match place.made.operator:
        case "dropped call":
            yield from _of_calls(place)
            yield from _distinct(place)
        case "relational" | "off by one":
            yield from _equal(place)
            yield from _beside(place)
            yield from _distinct(place)
        case "arithmetic":
            yield from _distinct(place)
            yield from _longer(place)
        case "constant":
            yield from _beside(place)
            yield from _longer(place)
            yield from _distinct(place)
        case "text" | "formatted text":
            yield from _with_words(place)
            yield from _distinct(place)
        case "swapped arguments" | "swapped elements":
            yield from _distinct(place)
            yield from _longer(place)
        case "boolean" | "negated condition":
            yield from _true_or_false(place)
            yield from _equal(place)
            yield from _of_calls(place)
            yield from _with_words(place)
        case _:
            yield from islice(_of_calls(place), _MOST_SINGLE)
            yield from _distinct(place)
            yield from _true_or_false(place)
            yield from _with_words(place)
            yield from _longer(place)


def _other_forms(place: _Place, name: str) -> Iterator[_Values]:
    """Values that a call does something to."""
    if name in _TEXTS:
        yield from _each(place.texts, [_TEXTS[name](cast("str", e.value)) for e in place.texts])
    if name in _READERS:
        yield from _each(place.numbers, [("7",) for _ in place.numbers])
    if name in _ITEMS:
        yield from _longer(place)
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


def _of_calls(place: _Place) -> Iterator[_Values]:
    """The first forms that each call asks for, in turn."""
    found = [islice(_other_forms(place, name), _MOST_SINGLE) for name in place.calls]
    for together in zip_longest(*found):
        yield from (values for values in together if values is not None)


def _equal(place: _Place) -> Iterator[_Values]:
    """One literal as another one, those of other arguments first; equal things that differ."""
    scalars = place.scalars
    pairs = [
        (one, other)
        for one, other in product(scalars, scalars)
        if one.key != other.key and isinstance(one.value, str) == isinstance(other.value, str)
    ]
    pairs.sort(key=lambda pair: (pair[0].text == pair[1].text, -pair[0].text))
    for one, other in pairs[:_MOST_OF_MUTANT]:
        if one.value != other.value:
            yield {one.key: other.value}
        if type(other.value) is int and one.key > other.key:
            yield {one.key: float(other.value)}
    for each in place.containers:
        if isinstance(each.value, (list, tuple)):
            yield {each.key: _like(cast("object", each.value), [1, 1.0, 0])}
    for word in place.words:
        alike = [e for e in scalars if type(e.value) is type(word) and e.value != word]
        yield from ({each.key: word} for each in alike)


def _beside(place: _Place) -> Iterator[_Values]:
    """Numbers, and the lengths of what is counted, at and beside those of the code."""
    wanted = [n for n in place.words if isinstance(n, (int, float))]
    near = dict.fromkeys(n + d for n in wanted for d in (0, 1, -1))
    for number in near:
        yield from ({each.key: number} for each in place.numbers[:_MOST_SINGLE])
        if isinstance(number, int) and 0 <= number <= 40:
            for each in (*place.texts, *place.containers)[:_MOST_SINGLE]:
                sized = _sized(each.value, number)
                if sized is not None:
                    yield {each.key: sized}


def _sized(value: object, size: int) -> object:
    """A text or a list as long as that, with items that differ."""
    match value:
        case str():
            return (value + _LETTERS * 2)[:size]
        case list() | tuple():
            items = list(cast("Sequence[object]", value))
            while len(items) < size:
                items.append(_other_item(items[-1] if items else 1, len(items)))
            return _like(cast("object", value), items[:size])
        case _:
            return None


def _like(value: object, items: list[object]) -> object:
    return items if isinstance(value, list) else tuple(items)


def _other_item(item: object, position: int) -> object:
    """Something like an item, but not equal to it."""
    match item:
        case bool() | None:
            return position
        case int() | float():
            return item + _DISTINCT[position % len(_DISTINCT)]
        case str():
            return f"{item}{_LETTERS[position % len(_LETTERS)]}"
        case dict():
            held = cast("dict[object, object]", item)
            return {key: _other_item(value, position) for key, value in held.items()}
        case list() | tuple():
            items = [_other_item(each, position) for each in cast("Sequence[object]", item)]
            return _like(cast("object", item), items)
        case _:
            return item


def _longer(place: _Place) -> Iterator[_Values]:
    """Containers with more items, in no order, one of them twice; and without any."""
    for each in place.containers[:_MOST_SINGLE]:
        match each.value:
            case list() | tuple():
                value = cast("Sequence[object]", each.value)
                more = cast("Sequence[object]", _sized(value, len(value) + 2))
                yield {each.key: _like(cast("object", each.value), [*more[::-1], *more[:1]])}
                yield {each.key: more}
            case _:
                pass
    for each in place.texts[:_MOST_SINGLE]:
        text = cast("str", each.value)
        yield {each.key: f"{text}b{text}a"}
    for each in place.containers[:_MOST_SINGLE]:
        if each.value and not isinstance(each.value, set):
            yield {each.key: type(each.value)()}


def _distinct(place: _Place) -> Iterator[_Values]:
    """All numbers different, and all texts; then each alone."""
    numbers, texts = place.numbers, place.texts
    yield {each.key: _DISTINCT[n % len(_DISTINCT)] for n, each in enumerate(numbers)}
    yield {each.key: _DISTINCT[-1 - n % len(_DISTINCT)] for n, each in enumerate(numbers)}
    yield {each.key: _DISTINCT[n % len(_DISTINCT)] + 0.5 for n, each in enumerate(numbers)}
    if len(texts) > 1:
        yield {e.key: f"{e.value}{_LETTERS[n % 26]}" for n, e in enumerate(texts)}
    yield from _each(numbers, [(2, -3, 0.5)] * len(numbers))


def _with_words(place: _Place) -> Iterator[_Values]:
    """The words of the code: as they are, as a part, and as keys that are there or not."""
    words = [word for word in place.words if isinstance(word, str)]
    for word in words:
        for each in place.texts[:_MOST_SINGLE]:
            yield {each.key: word}
            yield {each.key: f"{each.value}{word}{each.value}b"}
        for each in place.containers[:_MOST_SINGLE]:
            match each.value:
                case dict():
                    held = cast("dict[object, object]", each.value)
                    rest = {key: value for key, value in held.items() if key != word}
                    yield {each.key: rest}
                    for value in (held.get(word), next(iter(held.values()), 1), "text-1", 7, 0):
                        yield {each.key: {**rest, word: value}}
                case list() | tuple():
                    items = cast("Sequence[object]", each.value)
                    yield {each.key: _like(cast("object", each.value), [*items, word])}
                case _:
                    pass


def _true_or_false(place: _Place) -> Iterator[_Values]:
    """Each literal empty, zero or false, or the other way round."""
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


def _each(literals: Sequence[Literal], forms: Sequence[Sequence[object]]) -> Iterator[_Values]:
    """All of them in their first form, then in the second, and so on; then each alone."""
    if len(literals) > 1:
        for together in zip(*forms, strict=False):
            yield {e.key: value for e, value in zip(literals, together, strict=True)}
    pairs = zip(literals[:_MOST_SINGLE], forms, strict=False)
    singles = [[{each.key: value} for value in values] for each, values in pairs]
    yield from chain.from_iterable(singles)


def _with_attributes(draft: Draft, flow: Flow) -> Iterator[Draft]:
    """Stand-ins with an attribute more that the code names, in all arguments or in one."""
    words = [word for word in flow.words if isinstance(word, str) and word.isidentifier()]
    given = [name for name, _ in draft.arguments if name.rpartition(":")[2] in flow.parameters]
    groups = dict.fromkeys((tuple(given), *((name,) for name in reversed(given))))
    for word, names in product(words, groups):
        for values in _ATTRIBUTES:
            arguments = tuple(
                (name, _with_attribute(text, word, values[at % 2]) if name in names else text)
                for at, (name, text) in enumerate(draft.arguments)
            )
            if arguments != draft.arguments:
                yield replace(draft, arguments=arguments)


_ATTRIBUTES = (("3", "5"), ("{'a': 3}", "{'a': 5}"), ("'text-1'", "'text-2'"))
"""Values of an attribute, which differ from one argument to the next."""


def _with_attribute(text: str, name: str, value: str) -> str:
    """The expression with an attribute more on its outermost stand-in."""
    if "type(" not in text and "SimpleNamespace" not in text:
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    new = ast.parse(value, mode="eval").body
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict(keys=keys) as held]):
                known = [key.value for key in keys if isinstance(key, ast.Constant)]
                if name in known:
                    return text
                held.keys[:0], held.values[:0] = [ast.Constant(name)], [new]
                return ast.unparse(tree)
            case ast.Call(func=ast.Attribute(attr="SimpleNamespace"), keywords=keywords):
                if name in [each.arg for each in keywords]:
                    return text
                keywords.append(ast.keyword(name, new))
                return ast.unparse(tree)
            case _:
                pass
    return text


def _with_states(inputs: Inputs, draft: Draft, flow: Flow) -> Iterator[Draft]:
    """The receiver with another value of an attribute that the changed expression is made of."""
    if inputs.kind not in ("method", "property"):
        return
    numbers = [word for word in flow.words if isinstance(word, (int, float))]
    texts = [word for word in flow.words if isinstance(word, str)]
    near = [number + step for number in numbers[:2] for step in (1, 0, -1)]
    values = dict.fromkeys(map(repr, (*near, *texts[:2], None, True, False, 3, "a", ["a", "b"])))
    for value, name in product(values, flow.attributes[:_MOST_SINGLE]):
        head = f"{{it}}.{name} = "
        kept = [each for each in draft.before if not each.startswith(head)]
        yield replace(draft, before=(*kept, f"{head}{value}"))


def _as_receiver(draft: Draft, names: frozenset[str]) -> Iterator[Draft]:
    """The receiver as an argument, and another one like it: what compares itself with others."""
    if "self" not in names or not draft.receiver.endswith(")"):
        return
    for name, _ in draft.arguments:
        if name in names:
            alike = _with_argument(draft, name, draft.receiver)
            yield alike
            at = 1 + [each for each, _ in draft.arguments].index(name)
            for each in literals_of(alike):
                if each.text == at and isinstance(each.value, (str, int, float)):
                    yield with_literals(alike, {each.key: _other_item(each.value, 1)})


def _chosen(inputs: Inputs, draft: Draft, made: Made, names: frozenset[str]) -> Iterator[Draft]:
    """Other values of the parameters, those of each in turn."""
    given = dict(draft.arguments)
    plain = ("2",) if made.operator == "arithmetic" else ()
    pools = [pool for pool in inputs.pools if pool.name.rpartition(":")[2] in names]
    for together in zip_longest(*((*plain, *pool.texts) for pool in pools)):
        for pool, text in zip(pools, together, strict=True):
            if text is not None and given.get(pool.name) != text:
                yield _with_argument(draft, pool.name, text)


def _with_argument(draft: Draft, name: str, text: str) -> Draft:
    return replace(draft, arguments=tuple((dict(draft.arguments) | {name: text}).items()))
