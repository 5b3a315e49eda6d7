"""The reader that is fast says the same as the plain one, of honest and of other records."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from slicefunc.verifier.execution.executors.interface import Outcome
from slicefunc.verifier.observation.compare_observations import Comparison, first_difference
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Malformed, Observation
from slicefunc.verifier.sandbox.encoders.encode import encode
from slicefunc.verifier.scoring.verdict import judge

from tests.verifier.observation import plain_reader
from tests.verifier.sandbox.encoders.test_encode import VALUES

Json = Any
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2),
    st.sampled_from(["a", "b", "é"]),
    st.builds(
        lambda text: {"kind": "float", "value": text},
        st.sampled_from(["1.0", "1.0000000000001", "2.0", "0.0", "-0.0", "nan"]),
    ),
    st.builds(lambda n: {"kind": "ref", "to": n}, st.integers(0, 2)),
    st.builds(lambda w: {"kind": "opaque", "type": "T", "why": w}, st.sampled_from("xy")),
)


def node(kind: str, **parts: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({"kind": st.just(kind), **parts})


def containers(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    items = st.lists(inner, max_size=3)
    pairs = st.lists(st.tuples(inner, inner).map(list), max_size=3)
    names = st.sampled_from("ab")
    state = st.lists(st.tuples(names, inner).map(list), max_size=2, unique_by=lambda pair: pair[0])
    return st.one_of(
        *(node(kind, items=items) for kind in ("list", "tuple", "set", "frozenset")),
        *(node(kind, items=pairs) for kind in ("dict", "ordered_dict")),
        node("object", type=names, state=state),
        node("object", type=names, base=inner, state=state),
    )


NODES = st.recursive(LEAVES, containers, max_leaves=8)
OBSERVATIONS = st.fixed_dictionaries(
    {
        "outcome": st.just("returned"),
        "value": NODES,
        "shared": st.lists(containers(LEAVES), min_size=3, max_size=3),
    }
)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def is_read(text: str) -> bool:
    """Whether both readers take it for an observation."""
    try:
        plain_reader.read(text)
    except plain_reader.WrongError:
        assert isinstance(decode_text(text), Malformed), text
        return False
    found = decode_text(text)
    assert isinstance(found, Observation), (text, found)
    return True


def agree(left: str, right: str) -> bool:
    """Whether both readers say that the values agree, and so does the verdict on records."""
    old, new = json.loads(left), json.loads(right)
    plainly = plain_reader.Agreement(old, new).of(old["value"], new["value"])
    first, second = decode_text(left), decode_text(right)
    assert isinstance(first, Observation)
    assert isinstance(second, Observation)
    assert (first_difference(first, second) is None) == plainly, (left, right)
    record = f'{{"kind":"case","name":"a","observation":{right}}}'
    outcome = Outcome(
        "exited", 0, records=('{"kind":"ready"}', record, '{"kind":"end"}'), is_set_up=True
    )
    verdict = judge(outcome, [("a", first)], Comparison()).verdict
    assert verdict == ("passed" if plainly else "failed")
    return plainly


def changed(document: Json, random: Random) -> Json:
    """The document with one part of it changed, which may make it none."""
    document = copy.deepcopy(document)
    places: list[tuple[Json, Json]] = []
    pending: list[Json] = [document]
    while pending:
        container = pending.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            places.append((container, key))
            if isinstance(container[key], dict | list):
                pending.append(container[key])
    if not places:
        return document
    container, key = random.choice(places)
    others: list[Json] = [None, True, 0, 1, "1.0", [], {"kind": "ref", "to": 2}, container[key]]
    match random.randrange(4):
        case 0:
            container[key] = random.choice(others)
        case 1:
            del container[key]
        case 2 if isinstance(container, list):
            container.insert(key, random.choice(others))
        case 2:
            container[random.choice(["items", "kind", "type", "b"])] = random.choice(others)
        case _ if isinstance(container, list):
            random.shuffle(container)
        case _:
            pass
    return document


@FEW
@given(OBSERVATIONS, OBSERVATIONS, st.randoms(use_true_random=False))
def test_forged_documents(left: Json, right: Json, random: Random) -> None:
    old, new = json.dumps(left), json.dumps(right)
    assert is_read(old)
    assert agree(old, old)
    agree(old, new)
    for _ in range(5):
        left = changed(left, random)
        if is_read(json.dumps(left)):
            agree(old, json.dumps(left))
            agree(json.dumps(left), old)


@FEW
@given(VALUES, VALUES, st.randoms(use_true_random=False))
def test_honest_documents_and_changed_ones(left: object, right: object, random: Random) -> None:
    old, new = (
        '{"outcome":"returned",' + encode(value, ("__main__",)).removeprefix("{")
        for value in (left, right)
    )
    assert is_read(old)
    assert agree(old, old)
    agree(old, new)
    document = changed(json.loads(old), random)
    if is_read(json.dumps(document)):
        agree(old, json.dumps(document))


@FEW
@given(OBSERVATIONS, st.integers(0, 20))
@example({"outcome": "returned", "value": {"kind": "list", "items": []}}, 1)
def test_a_member_that_stands_twice_is_refused_wherever_it_is(document: Json, skip: int) -> None:
    text = json.dumps(document)
    places = [position for position, letter in enumerate(text) if letter == "{"]
    place = places[skip % len(places)] + 1
    first = "kind" if text[place:].startswith('"kind"') else "outcome"
    assert not is_read(f'{text[:place]}"{first}": "list", {text[place:]}')


@FEW
@given(st.text(alphabet='{}[]":,\\ 01eE.-utrfalsn', max_size=30))
def test_texts_of_the_letters_of_json(text: str) -> None:
    assert not is_read(text)
