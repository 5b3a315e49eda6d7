"""Cases that were compiled once show what they show when each run compiles them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import (
    Case,
    Executor,
    Job,
    Limits,
    Module,
    Outcome,
    Profile,
)
from slicefunc.verifier.scoring.oracle.compiled_cases import compiled_cases, compiled_modules
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.oracle.oracle_recording import record_stable
from slicefunc.verifier.scoring.score import Candidate, Scorer

SCRIPT = """
def halved(number):
    if number % 2:
        raise ValueError(number)
    return number // 2
"""
CASES = (
    Case("halves", "def halves():\n    return halved(4)\n"),
    Case("raises", "def raises():\n    return halved(3)\n"),
    Case(
        "goes_on",
        "def goes_on():\n    def more(x):\n        return [x, more]\n    print(more(halved(2)))\n",
    ),
    Case("calls_nothing", "def calls_nothing():\n    return 1\n"),
    Case("is_no_python", "def is_no_python(:\n"),
)


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    executor = choose().make()
    executor.start(Profile())
    yield executor
    executor.close()


def _job(cases: tuple[Case, ...]) -> Job:
    return Oracle(SCRIPT, "m.py", "halved", ()).job(SCRIPT, cases, Limits())


def test_the_records_are_the_same(executor: Executor) -> None:
    compiled = compiled_cases(executor.run, CASES, "halved", Limits())
    assert [bool(each.compiled) for each in compiled] == [True, True, True, False, False]
    assert executor.run(_job(compiled)).records == executor.run(_job(CASES)).records


def test_the_code_is_what_runs(executor: Executor) -> None:
    four, three = compiled_cases(executor.run, CASES[:2], "halved", Limits())
    swapped = Case(four.name, four.code, three.compiled)
    assert '"outcome":"raised"' in executor.run(_job((swapped,))).records[1]


def test_cases_that_are_recorded_run_compiled_and_their_names_stay_outside(
    executor: Executor,
) -> None:
    jobs: list[Job] = []

    def run(job: Job) -> Outcome:
        jobs.append(job)
        return executor.run(job)

    bare = Oracle(SCRIPT, "m.py", "halved", ())
    oracle, _ = record_stable(run, choose().make, Profile(), bare, CASES[:2], Limits())
    coding, *others = jobs
    assert coding.task == "codes"
    assert {case.name for case in coding.cases} == {"the_case"}
    assert others
    assert all(case.compiled for job in others for case in job.cases)
    assert [each.case.name for each in oracle.recorded] == ["halves", "raises"]


def test_without_a_compiling_run_the_texts_are_taken() -> None:
    found = compiled_cases(lambda _: Outcome("infrastructure"), CASES, "halved", Limits())
    assert [each.code for each in found] == [each.renamed("the_case").code for each in CASES]
    assert not any(each.compiled for each in found)


def test_later_candidates_are_judged_like_the_first(executor: Executor) -> None:
    oracle, _ = record(executor.run, Oracle(SCRIPT, "m.py", "halved", ()), CASES[:3])
    right, wrong = SCRIPT, SCRIPT.replace("// 2", "// 2 + (number == 2)")
    with Scorer(oracle) as scorer:
        scores = [scorer.score(Candidate("c", text)) for text in (right, wrong) * 3]
    assert [each.verdict for each in scores] == ["passed", "failed"] * 3
    assert len({repr(each.first_difference) for each in scores[1::2]}) == 1


LOADING = """
import builtins, os
was = compile
text, file = "x = 1\\n", os.path.join(os.path.dirname(os.path.abspath(__file__)), "m", "n.py")
held = {}
exec(compile(text, file, "exec", dont_inherit=True), held)

def halved(number):
    return held["x"], compile is builtins.compile, compile is was
"""


@pytest.mark.parametrize(
    ("text", "code_of", "value"), [("x = 1\n", "x = 2\n", 2), ("x = 3\n", "x = 2\n", 1)]
)
def test_a_script_is_given_the_code_of_the_same_text_while_it_is_loaded(
    executor: Executor, text: str, code_of: str, value: int
) -> None:
    (module,) = compiled_modules(executor.run, [Module("m/n.py", code_of)], Limits())
    case = Case("c", "def c():\n    return halved(0)\n")
    job = replace(_job((case,)), source=LOADING, modules=(replace(module, text=text),))
    shown = executor.run(job).records[1]
    assert f'"items":[{value},true,false]' in shown.replace(" ", "")


def test_a_module_that_does_not_compile_is_left_out(executor: Executor) -> None:
    modules = [Module("a.py", "def ("), Module("b.py", "")]
    assert [each.path for each in compiled_modules(executor.run, modules, Limits())] == ["b.py"]
