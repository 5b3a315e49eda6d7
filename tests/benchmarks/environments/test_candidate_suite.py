"""The suite of an environment: what it holds, and which of the record's mutants it calls killed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from slicefunc.driver.record.environment_files import Environment

from benchmarks.environments.candidate_suite import TIMES, NoSuiteError, suite

SCRIPT = """\
# a script

class A:
    @property
    def f(self):
        found = self.rows[0]
        if found > 1:
            return found + 1
        return found
    @f.setter
    def f(self, value):
        self.rows = [value]
"""


OVERLOADED = """\
from typing import overload
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x + x
"""


def environment(survived: list[str], qualname: str = "A.f", script: str = SCRIPT) -> Environment:
    """A record with what a suite needs."""
    record: dict[str, Any] = {
        "id": "0", "script": "script.py", "observations": "o.json", "lock": None,
        "target": {"path": "a.py", "qualname": qualname}, "imports": [],
        "cases": [{"name": "c", "code": "def c(): return A().f\n"}],
        "hidden": None,
        "run": {"one_process_a_case": False, "determinism": {}},
        "metrics": {"mutants": {"survived": survived}},
        "prompt": {"file_with_hole": "\n" * 100 + script},
    }  # fmt: skip
    names = ("arguments", "globals", "files", "effects", "shared")
    seen = {
        "outcome": "returned",
        "value": 7,
        "stdout": "",
        "stderr": "",
        **dict.fromkeys(names, ()),
    }
    observations = json.dumps([{"case": "c", "observation": seen}])
    return Environment(record, {"script.py": script, "o.json": observations})


def test_all_kinds_are_there_and_bring_the_setter_along() -> None:
    found = list(suite(environment([]), 0))
    kinds = Counter(member.kind for member in found)
    assert kinds["original"] == TIMES
    assert kinds["echo"] == kinds["empty body"] == kinds["failing"] == 1
    assert kinds["rewrite: renamed locals"] == 1
    assert all(member.text.count("@f.setter") == 1 for member in found)
    assert {m.passes for m in found if m.kind.startswith(("rewrite", "original"))} == {True}


def test_of_an_overloaded_function_the_one_that_runs_is_changed() -> None:
    found = list(suite(environment([], "f", OVERLOADED), 0))
    assert not [member for member in found if "overload" in member.text]
    (failing,) = (member for member in found if member.kind == "failing")
    assert failing.text.lstrip().startswith("def f(x):")
    assert "return x + x" not in failing.text


def test_half_of_the_killed_mutants_are_drawn_by_the_seed() -> None:
    drawn = [
        [m.name for m in suite(environment([]), s) if m.kind == "killed mutant"] for s in (0, 0, 1)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    names = {each.partition(": ")[2] for each in drawn[0]}
    alive = [
        f"line 107: {name.partition(': ')[2]}" for name in drawn[0] if name.startswith("line 7:")
    ]
    assert alive
    again = list(suite(environment(alive), 0))
    survivors = {m.name.partition(": ")[2] for m in again if m.kind == "surviving mutant"}
    assert survivors == {name.partition(": ")[2] for name in alive} <= names
    assert {m.passes for m in again if m.kind == "surviving mutant"} == {None}


def test_other_mutants_than_those_of_the_record_are_refused() -> None:
    with pytest.raises(NoSuiteError, match="not those of this version"):
        list(suite(environment(["line 5: x -> y (constant)"]), 0))
    with pytest.raises(NoSuiteError, match="not defined"):
        list(suite(environment([], "A.g"), 0))
