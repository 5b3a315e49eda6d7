"""The soak of the scorer sees verdicts that are lost, wrong or somebody else's."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.scoring.score import Scorer

from benchmarks.environments import scoring_soak

SOME = 5  # one of each kind


def test_a_verdict_that_is_anothers_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        choice = choose()
    except SandboxError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(scoring_soak, "HOSTILE_SHARE", 0)
    chance = random.Random(0)
    expected = [scoring_soak._expected(number, chance) for number in range(2 * SOME)]
    with Scorer(scoring_soak._oracle(choice.make()), make=choice.make) as scorer:
        scores = [scorer.score(each.candidate) for each in expected]
    assert not [
        problem
        for each, score in zip(expected, scores, strict=True)
        for problem in scoring_soak._problems(each, score)
    ]
    for each, score in zip(expected[:SOME], scores[SOME:], strict=True):
        assert [*scoring_soak._problems(each, score)]
        if each.told:  # even if the name were right
            renamed = replace(score, candidate=each.candidate.name)
            assert [*scoring_soak._problems(each, renamed)]
    passed = replace(scores[2], verdict="passed")
    assert [*scoring_soak._problems(expected[2], passed)]
