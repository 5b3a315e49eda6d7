"""An evaluation from end to end: simulated models, whose figures are known, by the command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.evaluation.runs import read_run

from tests.driver.conftest import run
from tests.driver.evaluation.conftest import KEY, Evaluate, Simulation
from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import completion, serving, slow

pytestmark = needs_sandbox
HALF = ("--model", "gold-0.5", "-n", "4", "-k", "1,2,4")
FEEDBACK = ("--model", "needs-feedback", "--repair", "2")
TOOLS = ("--model", "needs-definitions", "--context", "none", "--agent", "tool-calling")


def test_a_model_that_writes_the_originals_passes_all(evaluated: Evaluate) -> None:
    found = evaluated("--model", "gold-1")
    assert found.status == 0, found.err
    assert found.verdicts == {"total": ["passed"], "with_tax": ["passed"]}
    assert re.search(r"Pass@1 +100\.0%", found.out)
    assert all(row.exact_match and row.reward == row.test_rate == 1 for row in found.rows)


def test_a_model_that_writes_mutants_passes_none(evaluated: Evaluate) -> None:
    found = evaluated("--model", "gold-0")
    assert found.status == 0, found.err
    assert found.verdicts == {"total": ["failed"], "with_tax": ["failed"]}
    assert re.search(r"Pass@1 +0\.0%", found.out)
    assert not any(row.exact_match or row.reward for row in found.rows)


def test_a_model_that_ends_the_process_passes_none(evaluated: Evaluate) -> None:
    found = evaluated("--model", "cheats")
    assert found.status == 0, found.err
    assert len(found.rows) == 2
    assert not any(row.is_passed or row.reward or row.cases_passed for row in found.rows)


def test_every_sample_is_a_row_and_one_request(evaluated: Evaluate) -> None:
    found = evaluated(*HALF)
    assert found.asked == 8
    assert sorted((row.qualname, row.sample) for row in found.rows) == [
        (name, number) for name in ("total", "with_tax") for number in range(4)
    ]
    passed = [row.exact_match for row in found.rows]
    assert [row.is_passed for row in found.rows] == passed
    assert 0 < sum(passed) < 8


def test_a_run_says_what_it_cost(evaluated: Evaluate) -> None:
    rows = evaluated(*HALF).rows
    assert all(row.requests == 1 and row.input_tokens and row.output_tokens for row in rows)
    assert all(0 < row.context_tokens < row.input_tokens and not row.context_cut for row in rows)


def test_the_same_run_from_the_cache_has_the_same_bytes_and_asks_nobody(
    evaluated: Evaluate, evaluate: Evaluate, tmp_path: Path
) -> None:
    first = evaluated(*HALF)
    again = evaluate(tmp_path, *HALF, "--concurrency", "3", "--llm-cache", first.cache)
    assert again.status == 0, again.err
    assert again.asked == 0
    assert set(again.files) == {"run.json", "samples.parquet"}
    assert again.files == first.files
    assert again.out == first.out


def test_a_place_that_is_taken_is_not_written_to(evaluated: Evaluate, evaluate: Evaluate) -> None:
    first = evaluated("--model", "gold-1")
    before = first.files
    again = evaluate(first.place, "--model", "gold-0")
    assert again.status == 2
    assert again.asked == 0
    assert first.files == before


def test_a_finished_run_is_shown_again_when_it_is_resumed(
    evaluated: Evaluate, evaluate: Evaluate
) -> None:
    first = evaluated("--model", "gold-1")
    again = evaluate(first.place, "--model", "gold-1", "--resume")
    assert (again.status, again.out, again.asked) == (0, first.out, 0)


@pytest.mark.parametrize(
    ("words", "differs"),
    [
        (("--model", "gold-0"), "model"),
        (("--model", "gold-1", "-n", "2"), "samples"),
        (("--model", "gold-1", "--context", "none"), "context"),
    ],
)
def test_a_finished_run_goes_on_with_its_own_options_alone(
    evaluated: Evaluate, evaluate: Evaluate, words: tuple[str, ...], differs: str
) -> None:
    first = evaluated("--model", "gold-1")
    again = evaluate(first.place, *words, "--resume")
    assert (again.status, again.asked) == (2, 0)
    assert f"was begun with other {differs}" in again.err


@pytest.mark.parametrize("content", ["", "[]", '{"schema": 1}', '{"schema": 1, "model": 1}'])
def test_settings_of_a_run_that_say_nothing_are_refused(
    evaluated: Evaluate, tmp_path: Path, content: str
) -> None:
    first = evaluated("--model", "gold-1")
    copy = tmp_path / "copy"
    shutil.copytree(first.folder, copy)
    (copy / "run.json").write_text(content)
    found = run("eval", "compare", copy)
    assert found.status == 2
    assert "run.json" in found.err


def test_a_replay_without_answers_asks_nobody_and_says_what_to_do(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    found = evaluate(tmp_path, "--model", "gold-1", "--llm-replay")
    assert (found.status, found.asked) == (4, 0)
    assert "the cache has no answer" in found.err
    assert "2 samples could not be taken: go on with --resume" in found.err
    assert not (found.folder / "samples.parquet").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--greedy", "-n", "2"), "--greedy takes one sample"),
        (("--greedy", "--temperature", "1"), "--greedy is temperature 0"),
        (("-n", "2", "-k", "3"), "-k 3 needs as many samples"),
        (("--temperature", "3"), "--temperature"),
        (("-n", "0"), "-n"),
    ],
)
def test_options_that_exclude_each_other_are_refused(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    found = run("eval", tmp_path, "--model", "m", "-o", tmp_path / "run", *words)
    assert found.status == 2
    assert said in found.err


def test_a_folder_without_environments_is_refused(tmp_path: Path) -> None:
    words = ("--model", "m", "--base-url", "http://127.0.0.1:1/v1", "-o", tmp_path / "run")
    found = run("eval", tmp_path, *words, env={**os.environ, **KEY})
    assert found.status == 2
    assert "no dataset" in found.err


# feedback, contexts, tools, repair


def test_feedback_twice_is_what_a_model_needs_that_needs_it_twice(evaluated: Evaluate) -> None:
    found = evaluated(*FEEDBACK)
    assert found.verdicts == {"total": ["passed"], "with_tax": ["passed"]}
    assert re.search(r"by round +0\.0%, 0\.0%, 100\.0%", found.out)
    assert [[each.verdict for each in row.rounds] for row in found.rows] == [
        ["failed", "failed", "passed"]
    ] * 2
    assert [[each.is_final for each in row.rounds] for row in found.rows] == [
        [False, False, True]
    ] * 2


def test_feedback_once_is_not_enough_for_it(evaluated: Evaluate) -> None:
    found = evaluated("--model", "needs-feedback", "--repair", "1")
    assert found.verdicts == {"total": ["failed"], "with_tax": ["failed"]}
    assert found.asked == 4


@pytest.mark.parametrize("words", [FEEDBACK, TOOLS], ids=["feedback", "tools"])
def test_no_hidden_case_is_in_any_message(
    evaluated: Evaluate, ledger: StoredDataset, words: tuple[str, ...]
) -> None:
    messages = "\n".join(json.dumps(each) for each in evaluated(*words).messages)
    assert "with_tax" in messages
    for row in ledger.rows():
        hidden = ledger.environment(row.id).oracle.hidden
        assert hidden
        for each in hidden:
            assert json.dumps(each.case.code.partition("\n")[2])[1:-1] not in messages
            assert each.case.name not in messages


def test_the_shown_case_that_fails_is_in_the_feedback(
    evaluated: Evaluate, ledger: StoredDataset
) -> None:
    told = [m["content"] for m in evaluated(*FEEDBACK).messages if "expected:" in m["content"]]
    shown = [
        case.case.code
        for row in ledger.rows()
        for case in ledger.environment(row.id).oracle.recorded
    ]
    assert len(told) == 4
    assert all(any(code.strip() in each for code in shown) for each in told)


@pytest.mark.parametrize(("context", "verdict"), [("none", "failed"), ("retrieved", "passed")])
def test_what_a_model_needs_to_see_decides_whether_it_passes(
    evaluated: Evaluate, context: str, verdict: str
) -> None:
    found = evaluated("--model", "needs-definitions", "--context", context)
    assert found.verdicts == {"total": [verdict], "with_tax": ["passed"]}


def test_a_model_that_calls_tools_finds_what_its_context_lacks(evaluated: Evaluate) -> None:
    found = evaluated(*TOOLS)
    assert found.verdicts == {"total": ["passed"], "with_tax": ["passed"]}
    (answer,) = (each for each in found.messages if each["role"] == "tool")
    assert "def with_tax(net: int) -> int:" in answer["content"]


def test_a_right_definition_repairs_a_wrong_version(evaluated: Evaluate) -> None:
    found = evaluated("--model", "gold-1", "--task", "repair")
    assert found.verdicts == {"total": ["passed"], "with_tax": ["passed"]}
    questions = [each["content"] for each in found.messages if each["role"] == "user"]
    assert all("has a mistake" in each and "expected:" in each for each in questions)


# an interruption


def test_a_run_that_was_killed_goes_on_and_asks_nothing_twice(
    ledger: StoredDataset, simulation: Simulation, tmp_path: Path
) -> None:
    before = simulation.counts()
    words = [
        "eval", ledger.location, "--model", "gold-0.25", "-n", "12",
        "--base-url", f"{simulation.url}/v1", "--concurrency", "2",
        "--llm-cache", str(tmp_path / "answers"), "-o", str(tmp_path / "run"),
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *words],
        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, **KEY},
    )  # fmt: skip
    while simulation.counts()["requests"] < before["requests"] + 6:
        assert process.poll() is None
    process.kill()
    process.wait()
    assert not (tmp_path / "run/samples.parquet").exists()
    done = run(*words, "--resume", env={**os.environ, **KEY})
    assert done.status == 0, done.err
    rows = read_run(str(tmp_path / "run")).samples
    assert len({(row.environment, row.sample) for row in rows}) == len(rows) == 24
    counts = simulation.counts()
    assert counts["distinct"] - before["distinct"] == 24
    assert 0 <= counts["requests"] - before["requests"] - 24 <= 2

    replayed = run(*words[:-1], str(tmp_path / "again"), "--llm-replay", env={**os.environ, **KEY})
    assert replayed.status == 0, replayed.err
    for name in ("run.json", "samples.parquet"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["term", "int"]
)
def test_a_run_that_is_stopped_while_requests_hang_ends_and_goes_on(
    ledger: StoredDataset, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    good = completion("```python\npass\n```")
    with serving(good, slow(3600.0, good)) as service:
        words = [
            "eval", ledger.location, "--model", "some-model", "-n", "3", "--base-url", service.url,
            "--concurrency", "2", "--llm-cache", str(tmp_path / "answers"),
            "-o", str(tmp_path / "run"),
        ]  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-m", "slicefunc.driver.cli.command", *words],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env={**os.environ, **KEY}, text=True,
        )  # fmt: skip
        while len(service.asked) < 3:  # the first has its answer, and two wait
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode == status, said
        assert "stopped: the same command with --resume goes on" in said
        assert "Traceback" not in said
        service.will(good)
        done = run(*words, "--resume", env={**os.environ, **KEY})
        assert done.status == 0, done.err
        assert len(read_run(str(tmp_path / "run")).samples) == 6
        assert len(service.asked) == 1 + 2 + 5


# runs side by side


@pytest.fixture
def two(evaluated: Evaluate) -> tuple[str, str]:
    """The folders of a bad run and a good one."""
    return (
        str(evaluated("--model", "gold-0").folder),
        str(evaluated("--model", "gold-1").folder),
    )


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("text", r"gold-1 vs gold-0 +Pass@1 +2 +\+100\.0 +2 / 0 +0\.5"),
        ("markdown", r"\| gold-1 vs gold-0 \| Pass@1 \| 2 \| \+100\.0 \|  \| 2 / 0 \| 0\.5 \|"),
        ("latex", r"gold-1 vs gold-0 & Pass@1 & 2 & \+100\.0 &  & 2 / 0 & 0\.5 \\\\"),
    ],
)
def test_two_runs_are_compared_in_each_form(two: tuple[str, str], form: str, said: str) -> None:
    done = run("eval", "compare", *two, "--form", form, "--by", "scope")
    assert done.status == 0, done.err
    assert re.search(said, done.out.decode())
    assert "Pass@1 by scope" in done.out.decode()


def test_two_runs_are_compared_as_json(two: tuple[str, str]) -> None:
    done = run("eval", "compare", *two, "--form", "json")
    found = json.loads(done.out)
    assert [each["measures"]["pass_at"]["1"]["value"] for each in found["runs"]] == [0.0, 1.0]
    (pair,) = found["pairs"]
    assert (pair["difference"], pair["gained"], pair["lost"]) == (1.0, 2, 0)


def test_a_folder_without_a_run_is_not_compared(two: tuple[str, str], tmp_path: Path) -> None:
    done = run("eval", "compare", two[0], tmp_path)
    assert done.status == 2
    assert "no run" in done.error
