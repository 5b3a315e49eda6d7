"""What the formats of trainers share: the reward, and answers that are known to be wrong."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from slicefunc.driver.datasets.exports import exporter_named
from slicefunc.driver.datasets.exports.answers import empty_definition, reply, wrong_definitions
from slicefunc.driver.datasets.exports.exporter import Pair
from slicefunc.driver.datasets.exports.write_export import write_export
from slicefunc.driver.datasets.storage.dataset import Dataset
from slicefunc.driver.record.environment_files import Environment, read_environment
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block

from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def pairs(dataset: Dataset) -> dict[str, Pair]:
    """The rows with their environments, by the target's name."""
    return {row.qualname: (row, dataset.environment(row.id)) for row in dataset.rows()}


def _loaded(dataset: Dataset, name: str, folder: Path) -> ModuleType:
    """Return the reward of an export as a module, loaded by its path as trainers do."""
    write_export(dataset, name, folder)
    spec = spec_from_file_location("slice_func_reward", folder / "slice_func_reward.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trl(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return _loaded(dataset, "trl", tmp_path_factory.mktemp("trl") / "out")


def _content(name: str, given: list[Pair]) -> dict[str, str]:
    files = exporter_named(name).files(iter(given))
    return {each.path: each.content.decode("utf-8", "replace") for each in files}


def test_a_reward_is_1_for_the_original_and_0_for_an_empty_body(
    trl: ModuleType, pairs: dict[str, Pair]
) -> None:
    row, environment = pairs["add_tax"]
    empty = empty_definition(row, environment)
    assert empty is not None
    completions = [[reply(row.code)], [reply(empty)]]
    found = trl.slice_func_reward(completions, [row.id, row.id], prompts=[], trainer_state=None)
    assert found == [1.0, 0.0]


def test_an_answer_may_be_a_text(trl: ModuleType, pairs: dict[str, Pair]) -> None:
    row, _ = pairs["Order.total"]
    assert trl.slice_func_reward([row.code, ""], [row.id, row.id]) == [1.0, 0.0]


class _Service(BaseHTTPRequestHandler):
    """Answers 429 first, and then with the next of `rewards`."""

    rewards: Iterator[float | None]
    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_first = not self.asked
        self.asked.append({**body, "path": self.path, "token": self.headers["Authorization"]})
        self.send_response(429 if is_first else 200)
        if is_first:
            self.send_header("Retry-After", "0")
        self.end_headers()
        if not is_first:
            self.wfile.write(json.dumps({"reward": next(self.rewards)}).encode())

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Service]]:
    class Service(_Service):
        rewards = iter((None, 1.0))
        asked: list[dict[str, Any]] = []  # noqa: RUF012 - one server, one list

    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever).start()
    monkeypatch.setenv("SLICE_FUNC_URL", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("SLICE_FUNC_TOKEN", "secret")
    yield Service
    server.shutdown()
    server.server_close()


def test_a_service_that_is_busy_is_asked_again(trl: ModuleType, service: type[_Service]) -> None:
    assert trl.reward_of("id", "text") is None
    assert trl.reward_of("id", "text") == 1.0
    sent = {"environment": "id", "candidate": "text", "path": "/score", "token": "Bearer secret"}
    assert service.asked == [sent] * 3


def test_an_answer_that_is_scored_ahead_is_scored_once(
    trl: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[str] = []

    def reward_of(_environment: str, answer: str) -> float:
        scored.append(answer)
        return float(answer == "right")

    monkeypatch.setattr(trl, "reward_of", reward_of)
    trl.score_ahead("id", "right")
    assert trl.rewards_of(["id", "id", "id"], ["wrong", "right", "right"]) == [0.0, 1.0, 1.0]
    assert sorted(scored) == ["right", "wrong"]
    assert trl.rewards_of(["id"], ["right"]) == [1.0]
    assert len(scored) == 3


def test_without_a_service_and_environments_it_says_what_is_missing(
    dataset: Dataset, tmp_path: Path
) -> None:
    trl = _loaded(dataset, "trl", tmp_path / "out")
    shutil.rmtree(tmp_path / "out/environments")
    with pytest.raises(RuntimeError, match="set SLICE_FUNC_URL to the address") as raised:
        trl.slice_func_reward(["text"], ["id"])
    assert "\n" not in str(raised.value)


def test_verl_gets_an_error_and_no_zero_where_the_sandbox_fails(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verl = _loaded(dataset, "verl", tmp_path / "out")
    monkeypatch.setattr(verl, "reward_of", lambda _environment, _answer: None)
    with pytest.raises(RuntimeError, match="environment id: the sandbox failed 3 times"):
        verl.compute_score("slice_func", "text", "id", {}, further=True)


def _with_mutants(pair: Pair, **counts: Any) -> tuple[Pair, list[str]]:
    """Return a pair whose record counts all mutants as killed but the first, and their changes."""
    row, environment = pair
    script = environment.oracle.script
    first = script[: script.index(row.code)].count("\n") + 1
    block = Block(script, first, first + row.code.count("\n") - 1)
    found = mutants_of(block).counted()
    told = {
        "killed": len(found.records) - 1,
        "survived": [str(found.records[0]).replace("line ", "line 10")],
        "equivalent": found.equivalent,
        "not_compared": found.not_compared,
    }
    metrics = {**environment.record["metrics"], "mutants": {**told, **counts}}
    record = {**environment.record, "metrics": metrics}
    texts = [each.mutant.text.lstrip("\n") for each in found.records]
    return (row, Environment(record, environment.files)), texts


def test_wrong_answers_are_killed_mutants_and_an_empty_body(pairs: dict[str, Pair]) -> None:
    given, texts = _with_mutants(pairs["add_tax"])
    *mutants, empty = wrong_definitions(*given)
    assert mutants
    assert set(mutants) <= set(texts[1:])
    assert empty == empty_definition(*given)


def test_no_mutant_is_wrong_where_the_record_counts_others(pairs: dict[str, Pair]) -> None:
    given, _ = _with_mutants(pairs["add_tax"], equivalent=99)
    assert wrong_definitions(*given) == [empty_definition(*given)]


def test_an_empty_body_that_passes_is_no_wrong_answer(pairs: dict[str, Pair]) -> None:
    passing = {"cheap_solutions_that_pass": ["empty body"], "equivalent": 99}
    given, _ = _with_mutants(pairs["add_tax"], **passing)
    assert wrong_definitions(*given) == []


def test_an_empty_body_stands_where_the_original_does(pairs: dict[str, Pair]) -> None:
    row, environment = pairs["Order.total"]
    empty = empty_definition(row, environment)
    assert empty is not None
    assert empty.splitlines() == [*row.code.splitlines()[:1], "        pass"]


def test_a_gold_patch_fills_the_hole(
    dataset: Dataset, pairs: dict[str, Pair], tmp_path: Path
) -> None:
    module = _loaded(dataset, "swe-bench", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out/train.jsonl").read_text().splitlines()]
    for row in rows:
        whole = module.patched(row, row["patch"])
        code = next(own.code for own, _ in pairs.values() if own.id == row["environment"])
        assert code in whole
        assert code not in row["file_with_hole"]
        assert module.patched(row, "no patch") == ""


def test_a_row_on_the_hub_holds_its_environment(
    dataset: Dataset, pairs: dict[str, Pair], tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    write_export(dataset, "huggingface", tmp_path / "out")
    for row in pq.read_table(tmp_path / "out/data/train-00000.parquet").to_pylist():
        folder = tmp_path / row["id"]
        folder.mkdir()
        for file in row["files"]:
            (folder / file["name"]).write_text(file["content"], "utf-8")
        assert read_environment(folder) == pairs[row["qualname"]][1]


def test_each_file_of_llamafactory_is_named_in_its_list(pairs: dict[str, Pair]) -> None:
    content = _content("llamafactory", list(pairs.values()))
    info = json.loads(content.pop("dataset_info.json"))
    assert sorted(each["file_name"] for each in info.values()) == sorted(content)
    assert [name for name, each in info.items() if each.get("ranking")] == ["slice_func_dpo_train"]


def _locked(pair: Pair, *pins: str) -> Pair:
    row, environment = pair
    lock = "".join(f"{each}\n" for each in ("# python 3.11", "# platform linux-x86_64", *pins))
    record = {**environment.record, "lock": "requirements.lock"}
    return row, Environment(record, {**environment.files, "requirements.lock": lock})


def test_the_image_of_repost_has_the_newer_of_two_pins(pairs: dict[str, Pair]) -> None:
    one, other = pairs.values()
    given = [_locked(one, "idna==3.9", "six==1.17"), _locked(other, "idna==3.10")]
    content = _content("repost", given)
    assert content["requirements.txt"] == "idna==3.10\nsix==1.17\n"
    assert content["Dockerfile"].startswith("FROM python:3.11\n")


def test_splits_go_into_files_of_their_own(pairs: dict[str, Pair]) -> None:
    one, other = pairs.values()
    given = [one, (replace(other[0], split="eval"), other[1])]
    assert {"grpo/train.jsonl", "grpo/eval.jsonl"} <= set(_content("trl", given))
    assert {"train.jsonl", "test.jsonl"} <= set(_content("swe-bench", given))
    names = {path for path in _content("skyrl", given) if path.endswith(".parquet")}
    assert names == {"train.parquet", "validation.parquet"}
