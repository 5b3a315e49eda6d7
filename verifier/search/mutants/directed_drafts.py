"""Drafts aimed at surviving mutants, with killing values in the literals that matter.

These are the literals that flow into the changed expression. For operators without known killing
values, drafts vary attributes, the state, or the parameter's values from the pool.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product, zip_longest

from ...inputs.argument_pools import Inputs
from ...inputs.statements import Statement, on_receiver, without
from ...inputs.texts.render_values import has_stand_in
from ...mutation.mutants import MutantRecord
from ...mutation.mutated_block import Block
from ...mutation.operators.killing_values import killing_values
from ...mutation.operators.similar_values import unlike
from ...mutation.operators.value_changes import Literal, MutatedPlace, Values
from ..drafts.argument_flows import Flow, flow_into
from ..drafts.draft_literals import literals_of, with_literals
from ..drafts.drafts import Draft
from ..strategies.path_conditions import deciding

_MOST_OF_MUTANT = 12
"""Drafts made from one draft for one mutant."""
_MOST_OF_FEW = 72
"""Drafts for all mutants together, where there are few mutants."""
_MOST_SINGLE = 6
_LONGEST = 200


def directed(
    inputs: Inputs,
    block: Block,
    survivors: Sequence[MutantRecord],
    near: Mapping[int, Sequence[Draft]],
) -> Iterator[Draft]:
    """Yield drafts that may kill mutants, one for each mutant in turn.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        survivors: mutants that no case kills yet.
        near: maps a line to drafts that reach it, the better ones first.
    """
    most = max(_MOST_OF_MUTANT, _MOST_OF_FEW // max(len(survivors), 1))
    each = [_of_mutant(inputs, block, made, near.get(made.line, ()), most) for made in survivors]
    for together in zip_longest(*each):
        yield from (draft for draft in together if draft is not None)


def _of_mutant(
    inputs: Inputs, block: Block, made: MutantRecord, drafts: Sequence[Draft], limit: int
) -> Iterator[Draft]:
    flow = flow_into(block, made.node)
    each = [islice(_of_draft(inputs, draft, made, flow), limit) for draft in drafts]
    for together in zip_longest(*each):
        yield from (draft for draft in together if draft is not None)


def _of_draft(inputs: Inputs, draft: Draft, made: MutantRecord, flow: Flow) -> Iterator[Draft]:
    names = flow.parameters
    literals = literals_of(draft)
    flowing = tuple(_flowing(draft, literals, names))
    place = MutatedPlace(flowing, flow.words, flow.calls, _changed(made))
    by_values = (
        with_literals(draft, all_values)
        for values in killing_values(made.operator)(place)
        if all(len(repr(value)) <= _LONGEST for value in values.values())
        for all_values in _all_equal_changed(literals, values)
    )
    by_other = (
        deciding(inputs, draft, made.node),
        _with_attributes(draft, flow),
        _as_attribute_name(draft, flow, made),
        _as_receiver(draft, names),
        _with_states(inputs, draft, flow),
        _chosen(inputs, draft, made, names),
    )
    known = {draft}
    for changed in _in_turn(by_values, *by_other):
        if changed not in known:
            known.add(changed)
            yield changed


def _changed(made: MutantRecord) -> str:
    """Return the text literal that the mutant puts in place of another one, else an empty text."""
    try:
        new: object = ast.literal_eval(made.after) if made.operator == "text" else ""
    except (ValueError, SyntaxError):  # a long literal was cut off
        return ""
    return new if isinstance(new, str) else ""


def _in_turn(*sources: Iterator[Draft]) -> Iterator[Draft]:
    """Yield two items of the first source, then one of each other source, and so on."""
    first, *others = sources
    for pair in zip_longest(first, first, *others):
        yield from (draft for draft in pair if draft is not None)


def _all_equal_changed(literals: Sequence[Literal], values: Values) -> Iterator[Values]:
    """Yield the same change for all equal texts, which may have to match, then the change alone."""
    if len(values) == 1:
        ((place, new),) = values.items()
        old = next(each.value for each in literals if each.key == place)
        equal = [e.key for e in literals if isinstance(old, str) and old and e.value == old]
        if len(equal) > 1:
            yield dict.fromkeys(equal, new)
    yield values


def _flowing(draft: Draft, literals: Sequence[Literal], names: frozenset[str]) -> Iterator[Literal]:
    """Yield the literals of the arguments for some parameters, and those of the receiver."""
    given = [name.rpartition(":")[2] in names for name, _ in draft.arguments]
    is_own = bool(names & {"self", "cls"}) or not any(given)
    wanted = [is_own, *given, *(is_own for _ in draft.before)]
    yield from (each for each in literals if wanted[each.text])


def _with_attributes(draft: Draft, flow: Flow) -> Iterator[Draft]:
    """Yield drafts whose stand-ins get one more attribute that the code names."""
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


def _as_attribute_name(draft: Draft, flow: Flow, made: MutantRecord) -> Iterator[Draft]:
    """Yield drafts with an object instead of a text that may be the name of an attribute."""
    word = getattr(made.node, "value", None)
    if made.operator != "text" or not isinstance(word, str) or not word.strip("_").isidentifier():
        return
    flowing = {name: text for name, text in draft.arguments if name in flow.parameters}
    for name, text in flowing.items():
        if text[:1] in "'\"":
            for value in (*(other for each, other in flowing.items() if each != name), "3"):
                yield draft.with_arguments(
                    [(name, f'__import__("types").SimpleNamespace({word}={value})')]
                )


_ATTRIBUTES = (("3", "5"), ("{'a': 3}", "{'a': 5}"), ("'text-1'", "'text-2'"))
"""Pairs of attribute values, so that two arguments get different ones."""


def _with_attribute(text: str, name: str, value: str) -> str:
    """Return the expression with one more attribute on its outermost stand-in."""
    if not has_stand_in(text):
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    new = ast.parse(value, mode="eval").body
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict(keys=keys) as attributes]):
                known = [key.value for key in keys if isinstance(key, ast.Constant)]
                if name in known:
                    return text
                attributes.keys[:0], attributes.values[:0] = [ast.Constant(name)], [new]
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
    """Yield drafts with other values for attributes that the changed expression reads."""
    if inputs.kind not in ("method", "property"):
        return
    numbers = [word for word in flow.words if isinstance(word, (int, float))]
    texts = [word for word in flow.words if isinstance(word, str)]
    near = [number + step for number in numbers[:2] for step in (1, 0, -1)]
    values = dict.fromkeys(map(repr, (*near, *texts[:2], None, True, False, 3, "a", ["a", "b"])))
    for value, name in product(values, flow.attributes[:_MOST_SINGLE]):
        place = on_receiver(f".{name}")
        state = Statement.setting(place, value)
        yield replace(draft, before=(*without(draft.before, place), state))


def _as_receiver(draft: Draft, names: frozenset[str]) -> Iterator[Draft]:
    """Yield drafts that pass the receiver, or its like, as an argument of itself."""
    if "self" not in names or not draft.receiver.endswith(")"):
        return
    for name, _ in draft.arguments:
        if name in names:
            same_receiver = draft.with_arguments([(name, draft.receiver)])
            yield same_receiver
            at = 1 + [each for each, _ in draft.arguments].index(name)
            for each in literals_of(same_receiver):
                if each.text == at and isinstance(each.value, (str, int, float)):
                    yield with_literals(same_receiver, {each.key: unlike(each.value, 1)})


def _chosen(
    inputs: Inputs, draft: Draft, made: MutantRecord, names: frozenset[str]
) -> Iterator[Draft]:
    """Yield drafts with other values of the parameters, one parameter after another."""
    given = dict(draft.arguments)
    plain = ("2",) if made.operator == "arithmetic" else ()
    pools = [pool for pool in inputs.pools if pool.name.rpartition(":")[2] in names]
    for together in zip_longest(*((*plain, *pool.texts) for pool in pools)):
        for pool, text in zip(pools, together, strict=True):
            if text is not None and given.get(pool.name) != text:
                yield draft.with_arguments([(pool.name, text)])
