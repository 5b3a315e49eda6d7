"""A scorer in a process of another Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.places.environment_scorer import ScoreOptions
from slicefunc.driver.places.newer_scorer import NewerScorer, ScorerProcessError, python_for
from slicefunc.verifier.scoring.score import Candidate


def test_it_gives_the_verdicts_of_a_scorer_here(ledger: StoredDataset) -> None:
    row = next(row for row in ledger.rows() if row.qualname == "with_tax")
    environment = ledger.environment(row.id)
    scorer = NewerScorer(Path(sys.executable), environment, ScoreOptions(hidden_counts=True))
    good = scorer.score(Candidate("good", row.code))
    bad = scorer.score(Candidate("bad", "def with_tax(net):\n    return net\n"))
    assert (good.verdict, good.hidden_passed) == ("passed", good.hidden)
    assert bad.verdict == "failed"
    assert bad.first_difference is not None


def test_a_process_that_has_ended_is_named(ledger: StoredDataset) -> None:
    row = next(iter(ledger.rows()))
    scorer = NewerScorer(Path("/bin/false"), ledger.environment(row.id), ScoreOptions())
    with pytest.raises(ScorerProcessError, match="has ended"):
        scorer.score(Candidate("good", row.code))


def test_an_environment_that_this_python_reads_needs_no_other(ledger: StoredDataset) -> None:
    assert all(python_for(ledger.environment(row.id)) is None for row in ledger.rows())
