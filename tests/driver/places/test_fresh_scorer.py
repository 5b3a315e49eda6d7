"""Candidates on inputs that no verdict has used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from slicefunc.driver.places.environment_scorer import ScoreOptions, comparison_of
from slicefunc.driver.places.fresh_scorer import FreshScorer, fresh_environment
from slicefunc.driver.record.environment_files import Environment
from slicefunc.verifier.execution.executors.interface import Job, Outcome
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.search.fresh.case_calls import same_case

from tests.driver.places.small_environments import (
    GRADE,
    GRADE_CALLS,
    LEARNED_GRADE,
    RIGHT_GRADE,
    small_environment,
)
from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def grade() -> Environment:
    return small_environment(GRADE, "grade", GRADE_CALLS)


@pytest.fixture(scope="module")
def fresh(grade: Environment) -> Iterator[FreshScorer]:
    with FreshScorer(grade, seed=1, count=12) as made:
        yield made


def test_a_candidate_that_has_learned_the_cases_is_refuted(
    grade: Environment, fresh: FreshScorer
) -> None:
    with Scorer(grade.oracle, comparison=comparison_of(grade, ScoreOptions())) as scorer:
        assert scorer.score(Candidate("learned", LEARNED_GRADE)).verdict == "passed"
    found = fresh.check(LEARNED_GRADE)
    assert found.answer == "refuted"
    assert found.difference is not None
    assert (found.difference.expected, found.difference.observed) == ("'pass'", "'fail'")
    assert "grade(" in found.code


def test_the_original_and_a_right_candidate_agree(fresh: FreshScorer) -> None:
    assert [fresh.check(text).answer for text in (GRADE, RIGHT_GRADE)] == ["agrees", "agrees"]


def test_inputs_are_new_and_end_as_cases_end(grade: Environment, fresh: FreshScorer) -> None:
    assert fresh.oracle is not None
    known = {same_case(each.case.code) for each in grade.oracle.every}
    assert not known & {same_case(each.case.code) for each in fresh.oracle.recorded}
    for each in fresh.oracle.recorded:
        found = decode_text(each.observation)
        assert isinstance(found, Observation)
        assert found.outcome == "returned" or "ValueError" in each.observation


def test_the_same_seed_gives_the_same_environment(grade: Environment) -> None:
    one, again, other = (fresh_environment(grade, seed=seed, count=6) for seed in (3, 3, 4))
    assert one is not None
    assert again is not None
    assert other is not None
    assert one.record == again.record
    assert one.files == again.files
    assert one.record["id"] != other.record["id"]
    assert one.record["fresh"] == {"of": grade.record["id"], "seed": 3}
    with Scorer(one.oracle) as scorer:
        assert scorer.score(Candidate("learned", LEARNED_GRADE)).verdict == "failed"


def test_without_a_value_to_change_nothing_is_known() -> None:
    environment = small_environment("def answer():\n    return 42\n", "answer", ("answer()",))
    with FreshScorer(environment) as fresh:
        found = fresh.check("def answer():\n    return 43\n")
    assert (found.answer, found.reason) == ("unknown", "no other value fits the cases")
    assert fresh_environment(environment) is None


def test_a_lost_sandbox_refutes_nobody(fresh: FreshScorer, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Outcome("infrastructure", detail="the sandbox was lost")

    def run(_pool: object, _job: Job) -> Outcome:
        return lost

    monkeypatch.setattr("slicefunc.verifier.execution.executors.executor_pool.Pool.run", run)
    found = fresh.check(LEARNED_GRADE)
    assert found.answer == "unknown"
    assert "the sandbox was lost" in found.reason


def test_a_candidate_that_hangs_is_not_refuted(grade: Environment) -> None:
    options = ScoreOptions(seconds=1)
    with FreshScorer(grade, seed=1, count=4, options=options) as fresh:
        found = fresh.check("def grade(points, limit=50):\n    while True:\n        pass\n")
    assert found.answer == "unknown"
    assert found.reason.startswith("timeout")
