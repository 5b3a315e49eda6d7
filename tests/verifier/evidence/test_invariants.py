"""Invariants that recorded calls share, and what breaks them."""

from __future__ import annotations

import pytest
from slicefunc.verifier.evidence.recordings.likely_invariants import Domain, domain_of
from slicefunc.verifier.evidence.recordings.recorded_calls import RecordedCall


def domain(*rows: dict[str, str]) -> Domain:
    return domain_of(RecordedCall("a.py", "f", tuple(row.items())) for row in rows)


def numbers(*texts: str) -> Domain:
    return domain(*({"a": text} for text in texts))


@pytest.mark.parametrize(
    ("seen", "good", "bad"),
    [
        (["1", "2"], ["-1", "10**9"], ["'x'", "None", "1.5", "True"]),
        (["1.5", "2.0"], ["1"], ["'x'"]),
        (["1", "None"], ["None"], ["''"]),
        (["1", "2", "5"], ["3"], ["0", "-1"]),
        (["0", "2", "5"], ["0"], ["-1"]),
        (["[1]", "[2, 3]"], ["[]", "[7, 7]"], ["['x']", "(1,)", "[None]"]),
        (["[1]", "[2, 3]", "[4, 1, 4]"], ["[1]"], ["[]", "[0]"]),
        (["'a'", "'bc'", "'def'", "'ghij'"], ["''", "'x'"], ["1"]),
        ([repr("a" * size) for size in range(1, 9)], ["'x'"], ["''"]),
        (["{'a': 1}"], ["{'b': 2}"], ["{1: 2}", "{'a': 'b'}"]),
        (["[1, 2, 3]", "[2, 4, 9, 10]"], ["[5]", "[1, 3]"], ["[3, 1]"]),
        (["[1, 2]", "[2, 4]"], ["[3, 1]"], []),
        (["slice_func_repository('a.py', 'Length')(3)"], ["Length(4)"], ["5", "Width(4)"]),
        (["slice_func_repository('a.py', 'Kind').BOOK"], ["Kind.FOOD"], ["'BOOK'"]),
        (["__import__('datetime').date(2024, 1, 2)"], ["__import__('datetime').date(1, 1, 1)"],
         ["__import__('datetime').time(1)"]),
        (["__import__('importlib').import_module('numpy').ndarray()", "1"],
         ["__import__('numpy').arange(1.0, 7.0).reshape(2, 3)", "-__import__('numpy').eye(3)", "7"],
         ["__import__('torch').zeros(3)", "[1]", "'x'"]),
        (["slice_func_unknown", "1"], ["'x'"], []),
    ],
)  # fmt: skip
def test_what_breaks_what_all_calls_share(seen: list[str], good: list[str], bad: list[str]) -> None:
    found = numbers(*seen)
    assert [text for text in good if found.refusal({"a": text})] == []
    assert [text for text in bad if not found.refusal({"a": text})] == []


def test_few_texts_that_come_again_are_all_there_are() -> None:
    texts = ["up", "down"]
    rows = [{"way": repr(text), "by": str(by)} for by in (1, 2, 3) for text in texts]
    found = domain(*rows)
    assert found.refusal({"way": "'left'"}) == "way: it is none of down, up"
    assert domain(*rows[:4]).refusal({"way": "'left'"}) == ""


@pytest.mark.parametrize(
    ("rows", "good", "bad"),
    [
        ([("[1]", "['a']"), ("[1, 2]", "[None, 3]"), ("[]", "[]"), ("[4]", "['b']")],
         ("[1, 2]", "['a', 'b']"), ("[1, 2]", "['a']")),
        ([("1", "2"), ("3", "9"), ("-4", "0"), ("7", "8")], ("1", "9"), ("9", "1")),
        ([("1", "1"), ("3", "9"), ("-4", "0"), ("7", "8")], ("5", "5"), ("9", "1")),
        ([("1", "[1, 2]"), ("3", "[3]"), ("4", "[5, 4]"), ("7", "[7, 1]")],
         ("1", "[1]"), ("9", "[1]")),
    ],
    ids=["lengths", "less", "at most", "member"],
)  # fmt: skip
def test_relations_between_arguments(
    rows: list[tuple[str, str]], good: tuple[str, str], bad: tuple[str, str]
) -> None:
    found = domain(*({"a": a, "b": b} for a, b in rows))
    assert not found.refusal({"a": good[0], "b": good[1]})
    assert found.refusal({"a": bad[0], "b": bad[1]}).startswith("a and b: not ")
    fewer = domain(*({"a": a, "b": b} for a, b in rows[:2]))
    assert not fewer.relations


def test_nothing_recorded_refuses_nothing() -> None:
    assert domain() == Domain()
    assert not Domain().refusal({"a": "1"})


def test_calls_with_a_text_that_was_cut_tell_no_relations() -> None:
    rows = [(("a", str(n)), ("b", str(n * n + 2))) for n in range(1, 9)]
    assert domain_of(RecordedCall("a.py", "f", row) for row in rows).relations
    assert not domain_of(RecordedCall("a.py", "f", row, is_cut=True) for row in rows).relations


def test_what_constructors_were_given_is_known_of_receivers() -> None:
    made = "slice_func_repository('a.py', 'Reader')(base={})"
    known = domain_of(RecordedCall("a.py", "Reader.read", (), made.format(n)) for n in (2, 8, 16))
    assert known.refusal({"self.base": "0"})
    assert not known.refusal({"self.base": "10"})


def test_a_parameter_that_no_call_can_give_as_recorded_is_left_out() -> None:
    known = domain(
        {"text": "'a'", "match": "outside.Match()"}, {"text": "'b'", "match": "outside.Match()"}
    )
    calls = [{"text": "'c'", "match": "'match-1'"}]
    assert known.refusal(calls[0])
    assert not known.attained(calls).refusal(calls[0])
    assert known.attained(calls).refusal({"text": "1"})
