"""`slice-func train-data` as a user runs it: what it writes and prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset

from tests.driver.conftest import run
from tests.driver.evaluation.conftest import Evaluate


def test_rejection_sampling_of_a_run(
    ledger: StoredDataset, evaluated: Evaluate, tmp_path: Path
) -> None:
    done = evaluated("--model", "varied-0.5", "-n", "6", "--seed", "1")
    place = tmp_path / "data"
    said = run("train-data", ledger.location, done.folder, "--recipe", "rft", "-o", place)
    assert said.status == 0, said.err
    rows = [json.loads(line) for line in (place / "train.jsonl").read_text().splitlines()]
    passed = {row.code.strip() for row in done.rows if row.is_passed}
    others = [each for each in rows if each["source"] != "gold"]
    assert others
    assert len(rows) - len(others) == 2  # two functions, the original of each
    for each in others:
        assert (
            each["completion"][0]["content"].split("\n", 1)[1].removesuffix("```\n").strip()
            in passed
        )
    assert "samples" in said.out.decode()


def test_samples_of_growing_size(ledger: StoredDataset, tmp_path: Path) -> None:
    place = tmp_path / "data"
    said = run(
        "train-data", ledger.location, "--recipe", "sft", "--sizes", "1,2", "--seeds", "2",
        "--sample-by", "example,repository", "-o", place, "--json",
    )  # fmt: skip
    assert said.status == 0, said.err
    report = json.loads(said.out)
    names = sorted(each.name for each in place.iterdir() if each.is_dir())
    assert names == sorted(each["sample"] for each in report["samples"])
    assert len(names) == 2 * 2 * 2
    first = (place / "by-example-size-1-seed-0/train.jsonl").read_text().splitlines()
    assert len(first) == 1


def test_the_same_words_give_the_same_bytes(ledger: StoredDataset, tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        place = tmp_path / name
        run("train-data", ledger.location, "--recipe", "dpo", "-o", place)
        found.append({each.name: each.read_bytes() for each in sorted(place.iterdir())})
    assert found[0] == found[1]
    assert b'"rejected_source": "mutant"' in found[0]["train.jsonl"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--recipe", "dpo", "--format", "verl"), "that trainer has no place for dpo"),
        (("--recipe", "grpo", "--format", "llama-factory"), "no place for grpo"),
        (("--recipe", "rft"), "--recipe rft needs a RUN"),
        (("--recipe", "grpo", "--mixed-only"), "--mixed-only needs a RUN"),
        (("no-run", "--recipe", "rft"), "no-run: no run"),
        (("no-run", "--recipe", "sft"), "--recipe sft reads no run"),
        (("--recipe", "sft", "--max-tokens", "3"), "no example is left (2 too long)"),
        (("--recipe", "sft", "--sizes", "100"), "--sizes 100: there are 2 functions"),
        (("--recipe", "sft", "--validation", "50"), "all functions are of one repository"),
        (("--recipe", "sft", "--sizes", "0"), "'0' is not a whole number"),
        (("--recipe", "sft", "--sample-by", "file"), "neither example nor repository"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    ledger: StoredDataset, tmp_path: Path, words: tuple[str, ...], line: str
) -> None:
    said = run("train-data", ledger.location, *words, "-o", tmp_path / "data")
    assert said.status == 2
    assert line in said.err
    assert len(said.err.splitlines()) == 2
    assert not (tmp_path / "data").exists()
