"""The sample of survivors that people judge."""

from __future__ import annotations

from benchmarks.cases.survivors import markdown, sample

RECORDS = [
    {"repository": "a/b", "target": "m.py::f", "survived": [f"line {n}" for n in range(30)]},
    {"repository": "a/c", "target": "m.py::g", "survived": [f"line {n}" for n in range(20)]},
    {"repository": "a/d", "target": "m.py::h"},
]


def test_a_seed_draws_the_same_each_time() -> None:
    drawn = sample(RECORDS, [], 10, 3)
    assert drawn == sample(RECORDS, [], 10, 3)
    assert drawn != sample(RECORDS, [], 10, 4)
    assert len({(each["repository"], each["mutant"]) for each in drawn}) == 10


def test_all_are_taken_where_there_are_not_as_many() -> None:
    assert len(sample(RECORDS, [], 100, 0)) == 50


def test_what_was_judged_stays_judged() -> None:
    first = sample(RECORDS, [], 10, 0)
    judged = [{**first[0], "verdict": "equivalent", "why": "nobody reads it"}]
    again = sample(RECORDS, judged, 10, 0)
    assert again[0] == judged[0]
    assert {each["verdict"] for each in again[1:]} == {"not judged"}
    assert "| equivalent | 1 of 10 (10.0 %) |" in markdown(again)
