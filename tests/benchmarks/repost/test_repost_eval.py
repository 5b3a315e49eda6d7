"""RepoST's scripts: where the candidate goes, what a run says, and which coverage was recorded."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.environments import Policy
from slicefunc.verifier.execution.executors.choose_executor import Choice, choose
from slicefunc.verifier.execution.executors.interface import Outcome

from benchmarks.repost.data.examples import Example
from benchmarks.repost.data.script_environments import Names, requirements
from benchmarks.repost.published.eval_bench import Bench, verdict_of
from benchmarks.repost.published.eval_candidate import KINDS, Kind, NoPlaceError, fill
from benchmarks.repost.published.eval_coverage import measures, why_full
from benchmarks.repost.published.eval_tables import markdown, summarise

SCRIPT = """\
import os

class Counter:
    step = 2

    @staticmethod
    def clamp(value):
        text = '''one
        two'''
        if value < 0:
            return 0
        return value


def test_clamp():
    for value in (-1, 3):
        assert Counter.clamp(value) == Counter.clamp_new_implementation(value)


if __name__ == "__main__":
    test_clamp()
"""
METHOD = """\
@staticmethod
def clamp(value):
    '''Never less
    than nothing.'''
    return value if value > 0 else 0
"""
FUNCTION = """\
def clamp(value):
    if value < 0:
        return 0
    return value


def test_clamp():
    assert clamp(3) == clamp_new_implementation(3)


if __name__ == "__main__":
    test_clamp()
"""


def executed(text: str) -> dict[str, object]:
    space: dict[str, object] = {"__name__": "__main__"}
    exec(compile(text, "script.py", "exec"), space)
    return space


@pytest.mark.parametrize("kind", KINDS)
def test_a_candidate_goes_behind_the_copy_in_the_class(kind: Kind) -> None:
    filled = fill(SCRIPT, "Counter.clamp", METHOD, kind)
    lines = filled.text.split("\n")
    first = filled.candidate[0]
    assert lines[first - 2 : first] == ["        return value", "    @staticmethod"]
    assert lines[first].startswith("    def clamp_new_implementation(")
    assert lines[filled.candidate[1] - 1].startswith("        return value")
    assert (filled.test, filled.brings_own, filled.is_rewritten) == ("test_clamp", False, True)
    executed(filled.text)


def test_a_candidate_that_does_something_else_fails() -> None:
    filled = fill(SCRIPT, "Counter.clamp", METHOD.replace("> 0", "> 9"), "repository")
    with pytest.raises(AssertionError):
        executed(filled.text)


def test_the_text_of_strings_stays_whatever_the_depth() -> None:
    copied = fill(SCRIPT, "Counter.clamp", METHOD, "copy")
    assert copied.text.count("'''one\n        two'''") == 2
    other = fill(SCRIPT, "Counter.clamp", METHOD.replace("'''N", "x = '''N"), "repository")
    assert "Never less\\n    than nothing." in other.text


def test_what_a_script_writes_in_its_container_goes_to_a_temporary_folder() -> None:
    script = FUNCTION.replace("    return value", "    open('/home/user/tmp/x')\n    return value")
    assert "open('/tmp/x')" in fill(script, "clamp", FUNCTION, "copy").text


@pytest.mark.parametrize(
    ("script", "why"),
    [("x = 1\n", "not defined"), (FUNCTION.replace("test_", "check_"), "no test")],
)
def test_a_script_that_has_no_place_for_one_says_why(script: str, why: str) -> None:
    with pytest.raises(NoPlaceError, match=why):
        fill(script, "clamp", FUNCTION, "copy")


def test_a_candidate_that_the_script_brings_is_noticed() -> None:
    script = FUNCTION.replace("def test_", "def clamp_new_implementation(v): ...\n\n\ndef test_")
    filled = fill(script, "clamp", FUNCTION, "copy")
    assert (filled.brings_own, filled.is_rewritten) == (True, False)


# The data set's program excluded all other lines, and with a class's line all of the class.
@pytest.mark.parametrize(
    ("script", "name", "why"),
    [
        (FUNCTION, "clamp", ""),
        (SCRIPT, "Counter.clamp", "class-excluded"),
        (FUNCTION.replace("if value < 0:", "while False:"), "clamp", ""),
        (FUNCTION.replace("if value < 0:\n        return 0", "pass"), "clamp",
         "no-branching-statement"),
    ],
)  # fmt: skip
def test_why_a_recorded_coverage_is_full(script: str, name: str, why: str) -> None:
    filled = fill(script, name, FUNCTION, "copy")
    assert why_full(filled.text, filled.candidate) == why


def test_measures_tell_branches_from_lines() -> None:
    filled = fill(FUNCTION, "clamp", FUNCTION, "copy")
    first = filled.candidate[0]
    copy = (1, 2)  # of the copy: it does not count
    arcs = frozenset({copy, (-first, first + 1), (first + 1, first + 3), (first + 3, -first)})
    found = measures(filled.text, filled.candidate, arcs)
    assert (found.branches, found.lines, found.together) == (0.5, 0.6667, 0.6)
    assert (found.as_recorded, found.because) == (0.6, "")
    assert found.is_called
    assert found.missing[0].startswith(f"line {first + 1} never jumped to line {first + 2}")
    assert not measures(filled.text, filled.candidate, frozenset({copy})).is_called


def test_what_a_run_says_is_counted_by_its_kind() -> None:
    def ended(status: int, errors: str = "") -> tuple[str, str]:
        return verdict_of(Outcome("exited", exit_status=status, stderr=errors.encode()))

    assert ended(0) == ("passed", "")
    assert ended(1, "Traceback:\n  x\nAssertionError\n") == ("failed", "AssertionError")
    assert ended(1, "a.b.KindError: no '/home/x' 12\n")[0] == "error"
    assert ended(1, "a.b.KindError: no '/home/x' 12\n")[1] == "KindError: no <name> N"
    assert ended(3) == ("error", "exit status 3")
    assert verdict_of(Outcome("timeout", detail="too long")) == ("timeout", "too long")


def test_a_script_asks_an_index_for_what_is_known_and_not_its_own() -> None:
    names = Names(frozenset({"numpy"}))
    script = (
        "import os, numpy, yaml\nimport no_such_thing\nfrom PIL import Image\nfrom . import a\n"
    )
    assert requirements(script, names) == ("PyYAML", "pillow")


@pytest.fixture(scope="module")
def choice() -> Choice:
    try:
        return choose(wanted="embedded")
    except SandboxError as error:
        pytest.skip(str(error))


def test_scripts_run_and_are_reported(choice: Choice, tmp_path: Path) -> None:
    bench = Bench(choice, tmp_path, Policy(no_index=True))
    try:
        good = bench.record(example("1", "Counter.clamp", METHOD, SCRIPT))
        bad = bench.record(example("2", "clamp", METHOD.replace("> 0", "> 9")[14:], FUNCTION))
        environment = bench.merged([good["lock"]])[good["lock"]]
        good["merged"] = bench.verdicts(example("1", "Counter.clamp", METHOD, SCRIPT), environment)
        none = bench.record(example("3", "clamp", METHOD, "x = 1\n"))
    finally:
        bench.close()
    records = [{**json.loads(json.dumps(r)), "recorded": 1.0} for r in (good, bad, none)]
    found = summarise(records)
    assert found["verdicts"] == {
        "repository": {"failed": 1, "passed": 1, "unfit": 1},
        "copy": {"passed": 2, "unfit": 1},
    }
    assert found["reasons"]["repository"][0]["scripts"] == ["2"]
    assert found["merged"] == {"scripts": 1, "otherwise": []}
    assert found["rewritten"] == ["1", "2"]
    assert found["differently_as_case"] == []
    assert found["environments"]["environments"] == found["environments"]["merged"] == 1
    # of the function, half the branches; that of the method is recorded without being looked at
    assert found["coverage"]["copy"]["agree"] == {
        "branches": 1, "together": 1, "lines": 1, "as_recorded": 1,
    }  # fmt: skip
    assert [d["number"] for d in found["coverage"]["copy"]["differences"]] == ["2"]
    text = markdown({"summary": found})
    assert "| passed | 1 of 3 (33.3 %) | 2 of 3 (66.7 %) |" in text


def example(number: str, qualname: str, published: str, script: str) -> Example:
    found = Example(
        number, "owner/name", "0" * 40, "m.py", qualname, published,
        "```python\n## m.py\nx = 1\n```", script,
    )  # fmt: skip
    assert Example(**asdict(found)) == found
    return found
