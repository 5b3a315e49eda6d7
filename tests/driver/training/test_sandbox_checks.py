"""Answers that learned the cases by heart: fresh inputs refute them, and they make hard pairs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.places.environment_scorer import open_scorer
from slicefunc.driver.record.environment_files import write_environment
from slicefunc.verifier.scoring.score import Candidate

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

from .made_up_data import answer, written_run

RIGHT = """\
def with_tax(net: int) -> int:
    return net * RATE // 100 + net
"""
BY_HEART = """\
def with_tax(net: int) -> int:
    if net in {known}:
        return net + net * RATE // 100
    return 0
"""


@needs_sandbox
def test_an_answer_that_knows_the_cases_by_heart_trains_nobody(
    ledger: StoredDataset, tmp_path: Path
) -> None:
    (row,) = (each for each in ledger.rows() if each.qualname == "with_tax")
    environment = ledger.environment(row.id)
    codes = [each.case.code for each in environment.oracle.every]
    known = {int(number) for code in codes for number in re.findall(r"-?\d+", code)}
    by_heart = BY_HEART.format(known=sorted(known))
    write_environment(tmp_path / "environment", environment)
    with open_scorer(tmp_path / "environment") as scorer:
        assert scorer.score(Candidate("by heart", by_heart)).verdict == "passed"
    written_run(tmp_path / "run", [answer(row.id, RIGHT), answer(row.id, by_heart)])

    for recipe in ("rft", "dpo"):
        said = run(
            "train-data", ledger.location, tmp_path / "run", "--recipe", recipe,
            "--fresh-inputs", "16", "-o", tmp_path / recipe, "--json",
        )  # fmt: skip
        assert said.status == 0, said.err
        counts = json.loads(said.out)["candidates"]
        assert counts["kept"] == 1
        assert counts["left_out"] == {"refuted by fresh inputs": 1}
    trained = (tmp_path / "rft/train.jsonl").read_text()
    assert "net * RATE // 100 + net" in trained
    assert "return 0" not in trained
    pairs = [json.loads(line) for line in (tmp_path / "dpo/train.jsonl").read_text().splitlines()]
    (hardest, *_) = [each for each in pairs if each["environment"] == row.id]
    assert hardest["rejected_source"] == "refuted"
    assert "return 0" in hardest["rejected"][0]["content"]
