"""Two observations are compared part by part, and the first difference says where it is."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from types import SimpleNamespace as Row

import pytest
from slicefunc.verifier.observation.compare_observations import Comparison, first_difference
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation, Value
from slicefunc.verifier.observation.shown_evidence import evidence
from slicefunc.verifier.observation.values.unordered_partners import Unmatched

from tests.verifier.observation.running import STRICT, difference


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        (
            {"rows": [1, 2, 3, Row(price=3.5)]},
            {"rows": [1, 2, 3, Row(price=3.0)]},
            'value["rows"][3].price: 3.5 != 3.0',
        ),
        (1, 2, "value: 1 != 2"),
        (1, True, "value: 1 != True"),
        (1, 1.0, "value: 1 != 1.0"),
        ([1, 2], [1], "len(value): 2 != 1"),
        ([1, 2], [3], "value[0]: 1 != 3"),
        ({1: 2}, {}, "value[1]: 2 != missing"),
        ({}, {"a": 2}, 'value["a"]: missing != 2'),
        ({1}, {2}, "value{1}: present != missing"),
        ({1}, {1, 2}, "value{2}: missing != present"),
        (Row(a=1), Row(), "value.a: 1 != missing"),
        (Row(), Row(a=1), "value.a: missing != 1"),
        (KeyError(1), KeyError(2), "value.args[0]: 1 != 2"),
        ([1], (1,), "value: [1] != (1)"),
        ("a", "b", "value: 'a' != 'b'"),
        (
            "x" * 200 + "one",
            "x" * 200 + "two",
            f"value: '…{'x' * 20}one' != '…{'x' * 20}two'",
        ),
        ("x" * 200, "x" * 201, f"value: '…{'x' * 20}' != '…{'x' * 21}'"),
        ([1.0, {"a": (2, [3])}], [1.0, {"a": (2, [4])}], 'value[1]["a"][1][0]: 3 != 4'),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1), "value key 0: 'a' != 'b'"),
    ],
)
def test_the_first_difference_reads_like_python(left: object, right: object, text: str) -> None:
    assert difference(left, right) == text


def _traced(line: int, error: str, call: str = "f()") -> str:
    frames = f'  File "a.py", line {line}, in f\n    {call}\n    ^^^\n'
    return f"oh:\nTraceback (most recent call last):\n{frames}{error}\nend"


def test_where_code_stood_when_it_failed_is_not_compared() -> None:
    left = _traced(3, "KeyError: 1")
    assert difference([left], [_traced(30, "KeyError: 1", "return g(x)")]) is None
    assert difference([left], [_traced(3, "KeyError: 2")]) is not None
    assert difference(left, left.replace("end", "End")) is not None
    assert difference(left, "oh:\nKeyError: 1\nend") is not None
    assert difference(left, _traced(30, "KeyError: 1"), STRICT) is not None


def test_floats_are_close_enough_within_the_tolerance() -> None:
    assert difference([1.0], [1.0 + 1e-14]) is None
    assert difference([1.0], [1.0 + 1e-6]) is not None
    assert difference([1.0], [1.0 + 1e-6], Comparison(relative_tolerance=1e-3)) is None
    assert difference(0.0, 1e-12) is not None
    assert difference(0.0, 1e-12, Comparison(absolute_tolerance=1e-9)) is None
    assert difference({0.1 + 0.2: 1}, {0.3: 1}) is None
    assert difference({0.1 + 0.2, 5.0}, {0.3, 5.0}) is None
    assert difference({(0.1 + 0.2, "a"), (0.3, "b")}, {(0.3, "a"), (0.1 + 0.2, "b")}) is None
    assert difference(float("nan"), float("nan")) is None


def test_zeros_of_both_signs_differ_strictly() -> None:
    assert difference(0.0, -0.0) is None
    assert difference(0.0, -0.0, STRICT) is not None


def test_sharing_counts_strictly_only() -> None:
    one: list[object] = []
    assert difference([one, one], [[], []]) is None
    assert difference([one, one], [[], []], STRICT) is not None
    assert difference([one, one, []], [one, [], one], STRICT) is not None
    pair = (1, 2)
    assert difference([pair, pair], [(1, 2), tuple([1, 2])], STRICT) is None  # noqa: C409 - a new one


@pytest.mark.parametrize(
    ("apart", "together", "where"),
    [
        (lambda: Row(a=[], b=[1], c=[]), lambda one: Row(a=one, b=[1], c=one), "value.c"),
        (lambda: [[], 1, []], lambda one: [one, 1, one], "value[2]"),
        (lambda: [{"k": []}, []], lambda one: [{"k": one}, one], None),
        (lambda: {"a": [], "b": []}, lambda one: {"a": one, "b": one}, "value['b']"),
        (lambda: ([], []), lambda one: (one, one), "value[1]"),
    ],
)
def test_a_container_that_is_shared_anew_shows(
    apart: Callable[[], object], together: Callable[[list[object]], object], where: str | None
) -> None:
    shared = together([])
    found = difference(apart(), shared)
    assert (found is None) if where is None else str(found).startswith(f"{where}: a container")
    assert difference(shared, together([])) is None
    assert difference(shared, apart()) is None  # a copy too many is no mistake


def test_values_of_a_dictionary_that_are_no_longer_empty_may_be_shared() -> None:
    one = {"type": "text"}
    assert difference({"a": dict(one), "b": dict(one)}, {"a": one, "b": one}) is None


BASE = {"outcome": "returned", "value": None}


def told(**parts: object) -> Observation:
    found = decode_text(json.dumps(BASE | parts))
    assert isinstance(found, Observation), found
    return found


def exception(name: str, *args: object) -> dict[str, object]:
    node = {"kind": "exception", "type": name, "args": args, "state": []}
    return {"kind": "exception", **node}


def raising(name: str, *args: object, stdout: str = "") -> Observation:
    text = json.dumps({"outcome": "raised", "exception": exception(name, *args), "stdout": stdout})
    found = decode_text(text)
    assert isinstance(found, Observation), found
    return found


def differs(left: Observation, right: Observation) -> tuple[bool, bool]:
    """Whether they differ by outcome, and strictly."""
    return first_difference(left, right) is not None, first_difference(
        left, right, STRICT
    ) is not None


POST_A = ("request", "POST https://a.example/1", "x")
POST_A2 = ("request", "POST https://a.example/2", "y")
POST_B = ("request", "POST https://b.example/1", "x")
ROW = ("query", "mysql://localhost:3306/app", "INSERT INTO t VALUES (1)")
LOOK = ("query", "mysql://localhost:3306/app", "SELECT * FROM t")
OTHER_LOOK = ("query", "mysql://localhost:3306/app", "select a, b from t where 1 = 1")
KEY = ("query", "redis://h:6379/0", "GET")
CLOUD = ("query", "google bigquery", "SELECT 1")


def said(*effects: tuple[str, ...], **fields: object) -> dict[str, object]:
    """Fields of an observation with these effects."""
    return {"effects": [{"kind": "tuple", "items": [*each]} for each in effects], **fields}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({}, {"value": 1}, (True, True)),
        ({"stdout": "a"}, {"stdout": "b"}, (True, True)),
        ({"stdout": "a", "value": 1}, {"stdout": "b", "value": 1}, (False, True)),
        ({"stderr": "a"}, {"stderr": "b"}, (False, True)),
        ({"arguments": [["0", 1]]}, {}, (True, True)),
        ({}, {"arguments": [["0", 1]]}, (True, True)),
        ({"arguments": [["0", 1]]}, {"arguments": [["0", 2]]}, (True, True)),
        ({"globals": [["g", 1]]}, {"globals": [["g", 2]]}, (True, True)),
        ({"files": [["a", 1]]}, {"files": [["b", 1]]}, (True, True)),
        ({"effects": [1, 2]}, {"effects": [2, 1]}, (True, True)),
        ({"effects": [1]}, {"effects": [1, 2]}, (True, True)),
        (said(POST_A, POST_B), said(POST_B, POST_A), (False, True)),
        (said(POST_A, POST_A2), said(POST_A2, POST_A), (True, True)),
        (said(POST_A, ROW), said(ROW, POST_A), (False, True)),
        (
            said(("command", "git"), ("command", "make")),
            said(("command", "make"), ("command", "git")),
            (True, True),
        ),
        (said(POST_A), said(POST_A, POST_B), (True, True)),
        (said(ROW), said(), (True, True)),
        (said(LOOK, ROW), said(OTHER_LOOK, OTHER_LOOK, ROW), (False, True)),
        (said(LOOK, ROW), said(ROW, ROW), (True, True)),
        (said(KEY), said(), (False, True)),
        (said(CLOUD), said(), (True, True)),
        ({"value_is": "self", "value": 1}, {"value": 1}, (True, True)),
        ({"value_is": "0", "value": 1}, {"value": 1}, (False, True)),
        ({"awaited": True}, {}, (True, True)),
    ],
)
def test_what_counts_by_outcome_and_what_strictly(
    left: dict[str, object], right: dict[str, object], expected: tuple[bool, bool]
) -> None:
    assert differs(told(**left), told(**right)) == expected
    assert differs(told(**left), told(**left)) == (False, False)


@pytest.mark.parametrize(
    ("effect", "shows"),
    [
        (("read", "data.csv"), False),
        (("query", "app.db", " SELECT * FROM t"), False),
        (("query", "app.db", "(select 1)"), False),
        (("query", "app.db", "update t set a = 1"), True),
        (("query", "app.db"), True),
        (("query", "django default", "SELECT 1"), False),
        (("query", "redis://h:6379/0", "HGETALL"), False),
        (("query", "redis://h:6379/0", "SET"), True),
        (("query", "mongodb://h:27017/app", "users.find_one"), False),
        (("query", "mongodb://h:27017/app", "users.insert_one"), True),
        (("query", "aws iam.GetAccountSummary"), False),
        (("query", "aws sqs.ReceiveMessage"), True),
        (("query", "google bigquery", "SELECT 1"), False),
        (("query", "google bigquery", "DELETE FROM t"), True),
        (("request", "GET https://a.example/1"), True),
        (("write", "out.txt"), True),
    ],
)
def test_printed_text_counts_beside_what_is_only_looked_up(
    effect: tuple[str, ...], shows: bool
) -> None:
    one, other = (told(**said(effect, stdout=text)) for text in ("a", "b"))

    assert differs(one, other) == (not shows, True)


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [((1,), (2,), False), ((0,), (), True), ((None,), (), True), (("a",), (1,), True),
     ((True,), (1,), True), (("a",), (0,), False), ((1, 2), ("b",), True)],
)  # fmt: skip
def test_of_what_ends_the_process_the_status_counts(
    left: tuple[object, ...], right: tuple[object, ...], is_same: bool
) -> None:
    one, other = (raising("SystemExit", *args) for args in (left, right))

    assert differs(one, other) == (not is_same, True)


@pytest.mark.parametrize(("status", "counts"), [((0,), True), ((), True), ((2,), False)])
def test_what_is_printed_by_who_then_ends_well_is_what_it_is_for(
    status: tuple[object, ...], counts: bool
) -> None:
    one, other = (raising("SystemExit", *status, stdout=text) for text in ("usage: a", "usage: b"))

    assert differs(one, other) == (counts, True)


@pytest.mark.parametrize(("status", "counts"), [(0, True), (False, False), (3, False)])
def test_what_is_printed_counts_where_a_command_gives_that_it_ended_well(
    status: int, counts: bool
) -> None:
    one, other = (told(value=status, stdout=text) for text in ("3 found", "4 found"))

    assert differs(one, other) == (counts, True)


def test_of_a_raised_exception_only_the_class_counts_by_outcome() -> None:
    assert differs(raising("KeyError", 1), raising("KeyError", 2)) == (False, True)
    assert differs(raising("KeyError", 1), raising("ValueError", 1)) == (True, True)
    assert differs(raising("KeyError", 1), told()) == (True, True)


OPAQUE = {"kind": "opaque", "type": "socket", "why": "x"}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"value": 1}, "full"),
        ({}, "full"),
        ({"value": OPAQUE}, "none"),
        ({"value": OPAQUE, "arguments": [["0", 1]]}, "partial"),
        ({"value": None, "arguments": [["0", OPAQUE]]}, "none"),
        ({"value": {"kind": "list", "items": [OPAQUE]}}, "partial"),
        ({"value": {"kind": "ref", "to": 0}, "shared": [OPAQUE]}, "none"),
    ],
)
def test_evidence(parts: dict[str, object], expected: str) -> None:
    assert evidence(told(**parts)) == expected


def test_opaque_values_are_compared_by_type() -> None:
    other = OPAQUE | {"type": "file"}
    assert differs(told(value=OPAQUE), told(value=OPAQUE | {"why": "y"})) == (False, False)
    assert differs(told(value=OPAQUE), told(value=other)) == (True, True)
    assert differs(told(value=1), told(value=OPAQUE)) == (True, True)


@pytest.mark.parametrize("step", [1, -1])
def test_a_large_set_in_any_order_is_compared_in_linear_time(step: int) -> None:
    tried = 0

    def is_same(left: Value, right: Value) -> bool:
        nonlocal tried
        tried += 1
        return left == right

    forged = [*range(10_000, 30_000), *range(5_000)][::step]
    rest = Unmatched(forged, is_same)
    found = [rest.partner(number) for number in range(5_000)]
    assert [None if at is None else forged[at] for at in found] == list(range(5_000))
    assert rest.partner(1) is None
    assert rest.partner(True) is None
    assert tried <= 5_002
    left = rest.first()
    assert left is not None
    assert forged[left] in {10_000, 29_999}
