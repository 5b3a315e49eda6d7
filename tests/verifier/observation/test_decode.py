"""Nothing from a sandbox is believed: what is not exactly an observation is malformed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.verifier.observation.compare_observations import Comparison, Mode, first_difference
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Malformed, Observation

from tests.nightly import one_in
from tests.verifier.observation.running import seen


def returned(value: object, **parts: object) -> str:
    return json.dumps({"outcome": "returned", "value": value} | parts)


def node(kind: str, **parts: object) -> str:
    return returned({"kind": kind} | parts)


ARRAY = {"type": "numpy.ndarray", "dtype": "<i1", "shape": [1], "layout": "i1"}

MALFORMED = {
    "nothing": "",
    "no object": "[]",
    "no outcome": "{}",
    "unknown outcome": json.dumps({"outcome": "passed", "value": 1}),
    "value of an exception": json.dumps({"outcome": "raised", "value": 1}),
    "unknown field": returned(1, verdict="passed"),
    "a fraction": '{"outcome":"returned","value":1.5}',
    "an infinity": '{"outcome":"returned","value":Infinity}',
    "a key twice": '{"outcome":"returned","value":1,"value":2}',
    "a long number": '{"outcome":"returned","value":' + "9" * 5000 + "}",
    "escapes without end": '{"outcome":"' + '\\"' * 4_000_000,
    "brackets of two kinds": '{"outcome":"returned","value":' + "[}" * 4_000_000 + "}",
    "a key twice in a node": '{"outcome":"returned","value":{"kind":"list","items":[],"items":[]}}',
    "broken text": node("str", hex="ff"),
    "half a character in a type": '{"outcome":"returned","value":'
    '{"kind":"opaque","type":"\\ud800","why":"x"}}',
    "half a character": '{"outcome":"returned","value":"\\ud800"}',
    "a list": returned([1]),
    "deep lists": '{"outcome":"returned","value":' + "[" * 100_000,
    "deep nodes": '{"outcome":"returned","value":'
    + '{"kind":"list","items":[' * 200
    + "]}" * 200
    + "}",
    "too many values": returned({"kind": "list", "items": [1] * 2_000_000}),
    "no kind": returned({}),
    "kind of another type": returned({"kind": 1}),
    "unknown kind": node("pickle", data="x"),
    "bytes that are no text": node("str", hex="ff"),
    "missing field": node("list"),
    "field too many": node("list", items=[], extra=1),
    "items that are no list": node("list", items={}),
    "no number": node("float", value="1e"),
    "a number of another spelling": node("float", value="01.0"),
    "no hexadecimal": node("bytes", hex="xy"),
    "odd hexadecimal": node("bytes", hex="abc"),
    "number without digits": node("int", hex="0x"),
    "reference into nothing": node("ref", to=0),
    "negative reference": returned(
        {"kind": "ref", "to": -1}, shared=[{"kind": "list", "items": []}]
    ),
    "reference to a reference": returned(
        {"kind": "ref", "to": 0}, shared=[{"kind": "ref", "to": 0}]
    ),
    "reference that is true": returned(
        {"kind": "ref", "to": True}, shared=[{"kind": "list", "items": []}] * 2
    ),
    "shared leaf": returned(1, shared=[1]),
    "pair of three": node("dict", items=[[1, 2, 3]]),
    "name twice": node("object", type="C", state=[["a", 1], ["a", 2]]),
    "name that is no text": node("object", type="C", state=[[1, 1]]),
    "array without data": returned({"kind": "array", **ARRAY}),
    "array of another size": returned({"kind": "array", **ARRAY, "data": "AAAA"}),
    "array of no base64": returned({"kind": "array", **ARRAY, "data": "!"}),
    "array of a huge shape": returned(
        {"kind": "array", **ARRAY, "shape": [1 << 60], "data": "AA=="}
    ),
    "array of unknown layout": returned({"kind": "array", **ARRAY, "layout": "O8", "data": "AA=="}),
    "printed number": returned(1, stdout=1),
    "printed list": returned(1, stdout={"kind": "list", "items": []}),
    "truth that is a number": returned(1, awaited=1),
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_malformed(text: str) -> None:
    assert isinstance(decode_text(text), Malformed)


def test_an_array_of_the_right_size_is_well_formed() -> None:
    assert isinstance(
        decode_text(returned({"kind": "array", **ARRAY, "data": "AA=="})), Observation
    )


def test_self_reference_in_sets_and_keys_is_compared_in_finite_time() -> None:
    text = returned(
        {"kind": "ref", "to": 0},
        shared=[
            {"kind": "set", "items": [{"kind": "ref", "to": 0}, {"kind": "ref", "to": 1}]},
            {"kind": "dict", "items": [[{"kind": "ref", "to": 1}, {"kind": "ref", "to": 0}]]},
        ],
    )
    left, right = decode_text(text), decode_text(text)
    assert isinstance(left, Observation)
    assert isinstance(right, Observation)
    assert first_difference(left, right) is None


def chain(kind: str, last: object) -> str:
    """Nodes inside one another, each behind a reference."""
    inner = [{"kind": "ref", "to": number + 1} for number in range(20_000)]
    items = [[[one, 1]] if kind == "dict" else [one] for one in inner]
    shared = [{"kind": kind, "items": each} for each in items]
    return returned({"kind": "ref", "to": 0}, shared=[*shared, {"kind": "list", "items": [last]}])


def many(kind: str, *values: object) -> str:
    """A large collection."""
    items = [[value, 1] for value in values] if kind == "dict" else values
    return returned({"kind": kind, "items": items})


WIDE = range(60_000)
TUPLES = [{"kind": "tuple", "items": [n]} for n in range(8_000)]


@pytest.mark.parametrize("mode", one_in(2, ["outcome", "strict"]))
@pytest.mark.parametrize(
    ("made", "left", "right", "agree"),
    [
        *((chain, (kind, 1), (kind, 1), True) for kind in ("list", "frozenset", "dict")),
        *((chain, (kind, 1), (kind, 2), False) for kind in ("list", "frozenset", "dict")),
        (many, ("list", *WIDE), ("list", *WIDE, 0), False),
        *((many, (kind, *WIDE), (kind, *WIDE[::-1]), True) for kind in ("set", "dict")),
        *((many, (kind, *TUPLES), (kind, *TUPLES[::-1]), False) for kind in ("set", "dict")),
    ],
)
def test_what_is_large_deep_or_in_a_forged_order_takes_no_time(
    made: Callable[..., str], left: Any, right: Any, agree: bool, mode: Mode
) -> None:
    first, second = decode_text(made(*left)), decode_text(made(*right))
    assert isinstance(first, Observation)
    assert isinstance(second, Observation)
    start = time.process_time()
    found = first_difference(first, second, Comparison(mode))
    assert time.process_time() - start < 20
    assert (found is None) == agree


def test_references_out_of_order_are_what_they_lead_to() -> None:
    def text(*rest: int) -> str:
        count = 400
        shared = [{"kind": "list", "items": [n]} for n in (*rest, *range(count))]
        items = [{"kind": "ref", "to": n} for n in range(count)]
        return returned({"kind": "set", "items": items}, shared=shared)

    left, right = decode_text(text(-1, -2)), decode_text(text(-3, -4))
    assert isinstance(left, Observation)
    assert isinstance(right, Observation)
    assert first_difference(left, right) is not None


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3),
        st.text(max_size=3),
        st.sampled_from(["list", "dict", "float", "ref", "object", "returned", "1.0"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["kind", "items", "value", "type", "state", "to", "shared", "outcome"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None)
@given(JSON, JSON, JSON)
def test_no_document_crashes_the_reader(value: object, shared: object, whole: object) -> None:
    for text in (json.dumps(whole), returned(value, shared=shared)):
        found = decode_text(text)
        assert isinstance(found, Malformed | Observation)
        if isinstance(found, Observation):
            assert first_difference(found, found) is None


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=40))
def test_no_text_crashes_the_reader(text: str) -> None:
    assert isinstance(decode_text(text), Malformed)


def test_honest_text_survives() -> None:
    found = seen({'é\n"': ["\ud83d", b"\x00", 1.5, None]})
    assert isinstance(found, Observation)
