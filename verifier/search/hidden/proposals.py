"""Proposals of further calls: known good calls, and variants of them in one or two places.

Each variant starts from a recorded or shown call and changes values type by type. None is made
smaller.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice, zip_longest
from random import Random

from ...evidence.recordings.value_sketches import sketch_of
from ...inputs.argument_pools import Inputs, Pool
from ...inputs.environment.environment_inputs import is_moment
from ...inputs.statements import Statement, is_on_receiver, on_receiver
from ...inputs.types.value_kinds import kind_of
from ...sandbox.cases.holders import mangled_name
from ..drafts.code_literals import CodeLiterals
from ..drafts.draft_trees import parsed
from ..drafts.drafts import Draft
from ..drafts.recording_stand_ins import recordings
from ..plausibility.plausible import GAPS, PlausibleValues, is_number
from ..variation.boundaries_in_code import NO_EDGES, Edges, boundary_values, neighbours, together
from ..variation.call_sequences import call_sequences
from ..variation.crossover import cross
from ..variation.kept_items import about_items
from ..variation.lookalikes import lookalikes
from ..variation.overlapping_mappings import overlapping
from ..variation.repeated_calls import repeated_calls
from ..variation.text_breadth import MOST_MINED
from ..variation.type_aware_values import changed_twice, literal_variations, variations, with_parts
from .constructor_options import constructed_otherwise

RECORDED = "recorded"
FORM = "form"
SEQUENCE = "sequence"
"""Kinds of proposals: a recorded call, one with a text form (`Pool.forms`), one after other
calls."""
_MOST_SEEDS = 64
_MOST_VARIED = 12
_MOST_TRIED = 640
_MOST_PAIRS = 96
_MOST_TWICE = 96
_MOST_RELATED = 4
_MOST_RECEIVERS = 8
"""Receivers on which each state is tried."""
_MOST_AT_EDGES = 2
"""Seeds whose literals are moved to the bounds that the target names."""
_MOST_NEIGHBOURS = 12
_MOST_LOOKALIKES = 6
"""Lookalikes tried for one parameter."""
_STAND_IN = "type('"
"""Marks the text of an object whose class the draft makes on the spot."""
_FALSY = {
    "str": "''", "bytes": "b''", "int": "0", "float": "0.0", "list": "[]", "tuple": "()",
    "dict": "{}",
}  # fmt: skip
"""The falsy value of each kind."""
_ENTERED = "__import__('contextlib').nullcontext('entered')"
"""A context manager whose `__enter__` gives another value than itself."""
_ARRAY = re.compile(r"\b(?:array|Series|DataFrame)\(")
_NUMBER = re.compile(r"(?<=[\[ ])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=[,\]])")
_PLAIN = ("3", "'text-1'", "[1, 2]")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A draft, and what is special about it."""

    tag: str
    draft: Draft
    spot: str | None = None
    """The spot at which the draft differs from a good call; `None` if it differs at several."""
    of: Draft | None = None
    """The good call that it was made from."""


def proposals(  # noqa: PLR0913 - what is known of a target, each by its name
    seeds: Sequence[Draft],
    inputs: Inputs,
    literals: CodeLiterals,
    is_plausible: PlausibleValues,
    *,
    idle: Collection[str] = (),
    recorded: Collection[Draft] = (),
    edges: Edges = NO_EDGES,
    seed: int = 0,
) -> list[Proposal]:
    """Return diverse drafts around calls that are known to be good, at most `_MOST_TRIED`.

    Args:
        seeds: the good calls, the best first.
        inputs: what can be given to the target.
        literals: literals of the code.
        is_plausible: tells whether a draft's arguments are of kinds that are known.
        idle: spots whose changes have no effect, which stay as they are.
        recorded: those of the seeds that were recorded.
        edges: bounds and texts that the target itself names.
        seed: seed of the random choice of pairs.
    """
    good = [each for each in seeds if is_plausible(each)]
    around = (
        (each, list(_changes(each, literals.turned(at, MOST_MINED), idle)))
        for at, each in enumerate(good)
    )
    first = list(islice((pair for pair in around if pair[1]), _MOST_VARIED))
    varied = [each for each, _ in first] or good[:_MOST_VARIED]
    changes = [_turned(of, at) for at, (_, of) in enumerate(first)] or [[] for _ in varied]
    alone = [
        [Proposal(c.tag, _changed(draft, c), draft.spots[c.place], draft) for c in of]
        for draft, of in zip(varied, changes, strict=True)
    ]
    near = [(each.of, each.draft) for of in alone for each in of if each.of is not None]
    across = [Proposal("crossed", each) for each in islice(cross(good), _MOST_PAIRS)]
    made = chain(
        (Proposal(RECORDED if e in recorded else "seed", e) for e in good[:_MOST_SEEDS]),
        _overlapping(good) if is_plausible.nests else (),
        across if idle else (),
        _plain(varied, is_plausible),
        _streams(varied, is_plausible),
        (
            Proposal(f"{SEQUENCE} {at}", each)
            for at, each in enumerate(call_sequences(inputs, good, Random(seed)))  # noqa: S311
        ),
        _interleaved(
            [each for turn in zip_longest(*alone) for each in turn if each is not None],
            *_at_edges(varied, edges, idle),
            list(_numbers_together(varied, edges)),
            list(_neighbours(good, is_plausible)),
            list(_of_forms(varied, inputs)),
            list(_optional(varied, inputs, is_plausible)),
            [Proposal("constructed", each) for each in constructed_otherwise(inputs, varied)],
            list(_keywords(varied, inputs, is_plausible)),
            list(_related(varied)),
            list(_pairs(varied, changes, Random(seed))),  # noqa: S311 - chance, not secrecy
            list(_twice(varied, literals, idle, Random(seed))),  # noqa: S311 - likewise
            across,
            list(_in_a_row(varied, inputs)),
            [Proposal("repeated", each) for each in repeated_calls(inputs, good, near)],
            list(_lookalikes(good, is_plausible)),
            list(_gaps(varied, inputs, is_plausible)),
            list(_falsy(varied, inputs, is_plausible)),
            list(_entered(varied, inputs, is_plausible)),
            list(_in_states(good, inputs, is_plausible)),
            [Proposal("about items", each) for of in good for each in about_items(of)],
        ),
    )
    known = dict[Draft, Proposal]()
    for each in made:
        draft = next(recordings(each.draft, inputs.signatures))
        if is_plausible.is_usual(draft):
            of = each.of and next(recordings(each.of, inputs.signatures))
            known.setdefault(draft, replace(each, draft=draft, of=of))
        if len(known) >= _MOST_TRIED:
            break
    return list(known.values())


def _interleaved(first: Sequence[Proposal], *groups: Sequence[Proposal]) -> Iterator[Proposal]:
    """Interleave proposals of all groups, three from the first group in each turn.

    So a short group comes early as a whole, however long the others are.
    """
    parts = (first[::3], first[1::3], first[2::3], *groups)
    yield from (each for turn in zip_longest(*parts) for each in turn if each is not None)


@dataclass(frozen=True, slots=True)
class _Change:
    """Another text at one place of a draft."""

    place: int
    tag: str
    text: str


def _changes(draft: Draft, literals: CodeLiterals, idle: Collection[str]) -> Iterator[_Change]:
    """Yield variations of each literal of a draft, one place after another by turns."""
    made = [
        [_Change(place, f"{place} {each.tag}", each.text) for each in variations(text, literals)]
        for place, text in enumerate(draft.texts)
        if text and draft.spots[place] not in idle and not is_moment(text)
    ]
    yield from (each for turn in zip_longest(*made) for each in turn if each is not None)


def _turned(changes: list[_Change], number: int) -> list[_Change]:
    """Rotate the changes differently for each seed, so that a limit cuts off different ones."""
    start = len(changes) * number // _MOST_VARIED
    return changes[start:] + changes[:start]


def _changed(draft: Draft, *changes: _Change) -> Draft:
    texts = list(draft.texts)
    for each in changes:
        texts[each.place] = each.text
    return draft.with_texts(texts)


def _at_edges(
    seeds: Sequence[Draft], edges: Edges, idle: Collection[str]
) -> Iterator[list[Proposal]]:
    """Yield, for a few seeds, variants with literals at and around the target's bounds."""
    for draft in seeds[:_MOST_AT_EDGES]:
        places = [p for p, text in enumerate(draft.texts) if text and draft.spots[p] not in idle]
        made = (
            [
                Proposal(
                    f"edge {each.tag}",
                    _changed(draft, _Change(place, each.tag, each.text)),
                    draft.spots[place],
                    draft,
                )
                for each in literal_variations(draft.texts[place], partial(boundary_values, edges))
                if not is_moment(draft.texts[place])
            ]
            for place in places
        )
        yield [each for turn in zip_longest(*made) for each in turn if each is not None]


def _numbers_together(seeds: Sequence[Draft], edges: Edges) -> Iterator[Proposal]:
    """Yield pairs of numeric arguments, each at one of the bounds that the target names."""
    for draft in seeds[:1]:
        numbers = [name for name, text in draft.arguments if kind_of(text) in ("int", "float")]
        for one, other in combinations(numbers, 2):
            for first, second in together(edges):
                made = draft.with_arguments([(one, repr(first)), (other, repr(second))])
                yield Proposal(f"bounds {one} {other} {first}", made)


def _neighbours(seeds: Sequence[Draft], is_plausible: PlausibleValues) -> Iterator[Proposal]:
    """Yield the same values in neighbouring builtin classes, where several classes are allowed."""
    for draft in seeds[:_MOST_NEIGHBOURS]:
        for name, text in draft.arguments:
            if name in is_plausible.broad:
                for made in neighbours(kind_of(text), text):
                    yield Proposal(
                        f"neighbour {name}", draft.with_arguments([(name, made)]), name, draft
                    )
            for made in with_parts(text, _texts_near) if is_plausible.has_broad_items else ():
                yield Proposal(
                    f"neighbour in {name}", draft.with_arguments([(name, made)]), name, draft
                )


def _texts_near(text: str) -> Iterator[str]:
    return neighbours(kind_of(text), text)


def _of_forms(seeds: Sequence[Draft], inputs: Inputs) -> Iterator[Proposal]:
    """Yield the first seed with each text form of each parameter."""
    for draft in seeds[:1]:
        for pool in inputs.pools:
            for text in pool.forms if pool.how in ("position", "keyword") else ():
                yield Proposal(
                    f"{FORM} {pool.name} {text}", draft.with_arguments([(pool.name, text)])
                )


def _optional(
    seeds: Sequence[Draft], inputs: Inputs, is_plausible: PlausibleValues
) -> Iterator[Proposal]:
    """Yield choices of optional parameters: each alone, two together, all but one, and none."""
    pools = [p for p in inputs.pools if p.is_optional and p.how in ("keyword", "position")]
    values = {p.name: _values(p, is_plausible) for p in pools}
    named = [(name, text) for name, texts in values.items() for text in texts]
    for draft in _of_each_form(seeds, 3, values):
        least = replace(
            draft, arguments=tuple((n, t) for n, t in draft.arguments if n not in values)
        )
        yield Proposal("without options", least)
        yield from (
            Proposal(f"option {name}", least.with_arguments([(name, t)])) for name, t in named
        )
        for one, other in combinations(named, 2):
            if one[0] != other[0]:
                yield Proposal(f"options {one[0]} {other[0]}", least.with_arguments([one, other]))


def _of_each_form(seeds: Sequence[Draft], limit: int, left_out: Collection[str]) -> list[Draft]:
    """Return the first draft of each combination of required types, then others, at most `limit`.

    An option often has an effect only for some types of the other arguments.
    """
    forms: dict[tuple[object, ...], list[Draft]] = {}
    for draft in seeds:
        needed = (text for name, text in draft.arguments if name not in left_out)
        forms.setdefault(tuple(sketch_of(text).type for text in needed), []).append(draft)
    turns = zip_longest(*forms.values())
    return [each for turn in turns for each in turn if each is not None][: max(limit, len(forms))]


def _in_states(
    seeds: Sequence[Draft], inputs: Inputs, is_plausible: PlausibleValues
) -> Iterator[Proposal]:
    """Yield several receivers with each attribute set alone, so that the rest stays as it was."""
    states = [each for each in inputs.receivers.states if each.is_on_receiver and each.sets]
    plain = [draft for draft in seeds if not draft.before and draft.receiver]
    others = {draft.receiver: draft for draft in reversed(plain)}
    for draft in [*reversed(others.values())][:_MOST_RECEIVERS]:
        for state in states:
            made = replace(draft, before=(state,))
            if is_plausible(made):
                yield Proposal(f"state {state.text}", made)


def _related(seeds: Sequence[Draft]) -> Iterator[Proposal]:
    """Yield two arguments of one kind that are equal or have much in common."""
    for draft in seeds[:_MOST_RELATED]:
        for one, other in combinations(draft.arguments, 2):
            values = [_literal(text) for _, text in (one, other)]
            kinds = {type(value) for value in values}
            if len(kinds) == 1 and kinds <= {str, bytes, int, float}:
                yield Proposal("related: same", draft.with_arguments([(other[0], one[1])]))
            if kinds == {str}:
                whole = f"{values[0]} and {values[1]}"
                for tag, made in _with_parts_of(whole):
                    given = draft.with_arguments([(one[0], repr(whole)), (other[0], repr(made))])
                    yield Proposal(f"related: {tag}", given)


def _with_parts_of(text: str) -> Iterator[tuple[str, str]]:
    half = len(text) // 2
    yield "other end", f"{text[:-2]}zy"
    yield "other start", f"zy{text[2:]}"
    yield "first half", f"{text[:half]}{'z' * half}"
    yield "longer", f"{text} zy"
    yield "inside", text[2:-2]
    yield "two swapped", f"{text[:half]}{text[half : half + 2][::-1]}{text[half + 2 :]}"


def _literal(text: str) -> object:
    tree = parsed(text)
    node = tree and tree.expression
    return node.value if isinstance(node, ast.Constant) else None


def _keywords(
    seeds: Sequence[Draft], inputs: Inputs, is_plausible: PlausibleValues
) -> Iterator[Proposal]:
    """Yield collected keyword arguments: each alone, and two together."""
    for pool in (each for each in inputs.pools if each.how == "rest of keywords"):
        given = (text for d in seeds for name, text in d.arguments if name == pool.name)
        known = {k: v for text in (*pool.texts, *given) for k, v in _pairs_of(text)}
        # there `None` differs from nothing given
        marked = sorted(is_plausible.marked & known.keys())
        pairs = [*known.items(), *((key, "None") for key in marked)]
        both = [two for two in combinations(pairs, 2) if two[0][0] != two[1][0]]
        for some in (*((pair,) for pair in pairs), *both[:_MOST_PAIRS]):
            text = ", ".join(f"{key!r}: {value}" for key, value in some)
            for draft in seeds[:2]:
                made = draft.with_arguments([(pool.name, f"{{{text}}}")])
                labels = (f"{key} None" if value == "None" else key for key, value in some)
                yield Proposal(" ".join(("keywords", *labels)), made)


def _pairs_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield keys and values of a dictionary display."""
    tree = parsed(text)
    node = tree and tree.expression
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, ast.unparse(value)


def _values(pool: Pool, is_plausible: PlausibleValues) -> list[str]:
    accepted = [text for text in pool.texts if is_plausible.takes(pool.name, text)]
    nothing = ["None"] if pool.name in is_plausible.marked or "None" in accepted else []
    first = dict[str, str]()  # one of each kind, then the others
    for text in accepted:
        first.setdefault(kind_of(text), text)
    return list(dict.fromkeys((*list(dict.fromkeys((*first.values(), *accepted)))[:4], *nothing)))


def _pairs(
    seeds: Sequence[Draft], changes: Sequence[Sequence[_Change]], random: Random
) -> Iterator[Proposal]:
    """Yield seeds with two places changed at once."""
    groups = [
        (draft, of)
        for draft, of in zip(seeds, changes, strict=True)
        if len({change.place for change in of}) > 1
    ]
    for _ in range(_MOST_PAIRS if groups else 0):
        draft, of = random.choice(groups)
        one = random.choice(of)
        other = random.choice([each for each in of if each.place != one.place])
        yield Proposal(f"pair {one.tag} {other.tag}", _changed(draft, one, other))


def _twice(
    seeds: Sequence[Draft], literals: CodeLiterals, idle: Collection[str], random: Random
) -> Iterator[Proposal]:
    """Yield seeds with one text changed in two ways at once."""
    groups = [
        (draft, places)
        for draft in seeds
        if (places := [p for p, text in enumerate(draft.texts) if _has_text(draft, p, text, idle)])
    ]
    for _ in range(_MOST_TWICE if groups else 0):
        draft, places = random.choice(groups)
        place = random.choice(places)
        made = changed_twice(draft.texts[place], literals, random)
        if made is not None:
            change = _Change(place, f"twice {place} {made.tag}", made.text)
            yield Proposal(change.tag, _changed(draft, change), draft.spots[place], draft)


def _has_text(draft: Draft, place: int, text: str, idle: Collection[str]) -> bool:
    is_shown = draft.spots[place] not in idle and not is_moment(text)
    return is_shown and ("'" in text or '"' in text)


def _falsy(
    seeds: Sequence[Draft], inputs: Inputs, is_plausible: PlausibleValues
) -> Iterator[Proposal]:
    """Yield each parameter alone with the falsy value of its kind, which code easily takes for
    missing.

    The same for each attribute that can be set.
    """
    kinds = {
        each.place: kind_of(each.value)
        for each in reversed(inputs.receivers.states)
        if each.is_on_receiver
    }
    for draft in seeds[:2]:
        given = dict(draft.arguments)
        for pool in (p for p in inputs.pools if p.how in ("position", "keyword")):
            known = {kind_of(given.get(pool.name, "")), *is_plausible.kinds.get(pool.name, ())}
            for text in (_FALSY[kind] for kind in sorted(known & _FALSY.keys())):
                if given.get(pool.name) != text:
                    yield Proposal(f"falsy {pool.name}", draft.with_arguments([(pool.name, text)]))
        for place in (place for place, kind in kinds.items() if kind in _FALSY):
            before = (*draft.before, Statement.setting(place, _FALSY[kinds[place]]))
            yield Proposal(f"falsy {place}", replace(draft, before=before))


def _entered(seeds: Sequence[Draft], inputs: Inputs, known: PlausibleValues) -> Iterator[Proposal]:
    """Yield context managers for arguments that the target only passes on.

    Private attributes are left out: the class sets them itself, to a kind of its own.
    """
    names = {pool.name for pool in inputs.pools if pool.how in ("position", "keyword")}
    for draft in seeds[:2]:
        for name in sorted(known.returned_or_stored - known.kinds.keys() - known.declared.keys()):
            if name in names:
                yield Proposal(f"entered {name}", draft.with_arguments([(name, _ENTERED)]))
            elif is_on_receiver(name) and not is_on_receiver(name, "._") and draft.receiver:
                before = (*draft.before, Statement.setting(name, _ENTERED))
                yield Proposal(f"entered {name}", replace(draft, before=before))


def _gaps(
    seeds: Sequence[Draft], inputs: Inputs, is_plausible: PlausibleValues
) -> Iterator[Proposal]:
    """Yield NaN, infinities and zero for numbers and for first numbers of arrays.

    A parameter with a default is rather a setting, for which nobody means such values.
    """
    settings = {pool.name for pool in inputs.pools if pool.is_optional}
    for draft in seeds if is_plausible.treats_gaps else ():
        for name, text in draft.arguments:
            for gap in (*GAPS, "0.0") if name not in settings else ():
                if is_number([text]) and text != gap:
                    yield Proposal(f"gap {name} {gap}", draft.with_arguments([(name, gap)]))
                elif _ARRAY.search(text) and (made := _NUMBER.sub(gap, text, count=1)) != text:
                    yield Proposal(f"gap {name} {gap}", draft.with_arguments([(name, made)]))


def _lookalikes(seeds: Sequence[Draft], is_plausible: PlausibleValues) -> Iterator[Proposal]:
    """Yield objects that are easily mistaken for an instance, in calls that pass an instance."""
    made = dict[str, list[Proposal]]()
    for draft in seeds:
        for name, text in lookalikes(draft.arguments, is_plausible.tested):
            found = Proposal(f"lookalike {name}", draft.with_arguments([(name, text)]))
            made.setdefault(name, []).append(found)
    yield from (each for found in made.values() for each in found[:_MOST_LOOKALIKES])


def _overlapping(seeds: Sequence[Draft]) -> Iterator[Proposal]:
    """Yield dictionaries that share keys, each pair with an overlap of its own."""
    for draft in seeds:
        made = [Proposal(f"overlap {at}", each) for at, each in enumerate(overlapping(draft))]
        if made:
            yield from made
            return


def _plain(seeds: Sequence[Draft], is_plausible: PlausibleValues) -> Iterator[Proposal]:
    """Yield plain values for parameters that only got stand-ins and whose type nothing tells."""
    for draft in seeds:
        for name, text in draft.arguments:
            if _STAND_IN in text and name not in is_plausible.kinds:
                for plain in _PLAIN:
                    yield Proposal(f"plain {name} {plain}", draft.with_arguments([(name, plain)]))


def _streams(seeds: Sequence[Draft], is_plausible: PlausibleValues) -> Iterator[Proposal]:
    """Yield iterators in place of lists in a generator's loops: they show how much is read."""
    for draft in seeds:
        for name, text in draft.arguments:
            if name in is_plausible.streams and text.startswith("["):
                yield Proposal(f"stream {name}", draft.with_arguments([(name, f"iter({text})")]))


def _in_a_row(seeds: Sequence[Draft], inputs: Inputs) -> Iterator[Proposal]:
    """Yield sequences of calls on one object: one seed's arguments, then another's."""
    if inputs.kind != "method" or inputs.is_awaited or inputs.holder or inputs.calls > 1:
        return
    if inputs.is_async_generator or any(p.how == "rest" for p in inputs.pools):
        return
    name = mangled_name(inputs.qualname)
    made = [d for d in seeds if d.receiver.endswith(")")][:4]
    for first in made:
        for second in (*made, *_with_flags(first, inputs)):
            given = ", ".join(
                text if _how(inputs, key) == "position" else f"{key}={text}"
                for key, text in first.arguments
                if _how(inputs, key) in ("position", "keyword")
            )
            # the plain call is observed
            call = Statement(f"getattr({on_receiver('')}, {name!r})({given})")
            yield Proposal("in a row", replace(second, before=(*second.before, call)))


def _with_flags(draft: Draft, inputs: Inputs) -> Iterator[Draft]:
    """Yield the draft with each optional flag, after earlier calls that may matter to it."""
    for pool in inputs.pools:
        if pool.is_optional and pool.how in ("position", "keyword"):
            yield from (
                draft.with_arguments([(pool.name, text)])
                for text in pool.texts
                if text in ("True", "False")
            )


def _how(inputs: Inputs, name: str) -> str:
    return next((p.how for p in inputs.pools if p.name == name), "")
