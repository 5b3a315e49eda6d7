"""A model says what stands in for what nobody has; only literals at known places come through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slicefunc.llm.stages.stand_in_answers import StandIn, StandIns, checked_answers

from tests.driver.conftest import Finished, run
from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import Service, saying, serving

DIGEST = hashlib.sha256(b"open sesame").hexdigest()
DOOR = f'''\
"""A door whose word stands in a file that nobody has."""
import hashlib

import settings


def enter(doors: int) -> str:
    if doors < 1:
        return "no door"
    if hashlib.sha256(settings.WORD.encode()).hexdigest() == "{DIGEST}":
        return f"{{doors}} open, {{settings.COLOUR}}"
    return "closed"
'''
NONE = {"calls": []}


def said(**values: str) -> dict[str, Any]:
    return {"answers": [{"place": f"settings.{k}", "value": v} for k, v in values.items()]}


class House:
    def __init__(self, folder: Path, service: Service) -> None:
        self.repository = folder / "house"
        self.repository.mkdir()
        (self.repository / "door.py").write_text(DOOR)
        self.folder = folder
        self.service = service

    def compiled(self, name: str, *words: str) -> tuple[Finished, dict[str, Any]]:
        done = run(
            self.repository, "door.py::enter", "--test", "--env", self.folder / name,
            "--no-install", "--llm", "--llm-model", "m", "--llm-base-url", self.service.url,
            "--llm-cache", self.folder / "answers", "--llm-stage", "answers", *words,
        )  # fmt: skip
        return done, json.loads((self.folder / name / "environment.json").read_text())


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    with serving(saying(NONE)) as service:
        yield House(tmp_path, service)


@needs_sandbox
def test_a_value_that_only_the_missing_module_has(house: House) -> None:
    house.service.will(saying(said(WORD="'open sesame'")))
    done, record = house.compiled("filled")
    assert done.status == 0, done.err
    assert record["metrics"]["branch_coverage"] == 1
    assert "open sesame" in (house.folder / "filled" / record["script"]).read_text()
    assert list(record["model_calls"]["gaps"]) == ["stand-ins of enter"]
    (asked,) = house.service.asked
    assert "settings.WORD" in asked["messages"][1]["content"]


@needs_sandbox
@pytest.mark.nightly
def test_values_that_lead_nowhere_are_not_taken(house: House) -> None:
    bad = said(WORD="print('PASSED')", COLOUR="__import__('os').getcwd()", OTHER="1")
    house.service.will(saying(bad), saying(said(WORD="'sesame'")))
    _, record = house.compiled("open")
    assert record["metrics"]["branch_coverage"] < 1
    text = (house.folder / "open" / record["script"]).read_text()
    assert "sesame" not in text
    assert "PASSED" not in text
    assert "it is no literal" in house.service.asked[1]["messages"][-1]["content"]
    assert "there is no such place" in house.service.asked[1]["messages"][-1]["content"]


LEVEL = f"""\
import hashlib

import requests


def enter(doors: int) -> str:
    said = requests.get("https://words.example/today").json()
    if hashlib.sha256(said["word"].encode()).hexdigest() == "{DIGEST}":
        return f"{{doors}} open"
    return "closed"
"""


@needs_sandbox
def test_what_a_service_answers(house: House) -> None:
    (house.repository / "door.py").write_text(LEVEL)
    given = {"answers": [{"place": "requests.*().json()", "value": "{'word': 'open sesame'}"}]}
    house.service.will(saying(given))
    _, record = house.compiled("served")
    assert record["metrics"]["branch_coverage"] == 1
    assert any("given 1" in case["code"] for case in record["cases"])
    (asked,) = house.service.asked
    assert "requests.*().json()" in asked["messages"][1]["content"]


def test_literals_are_written_anew() -> None:
    answers = [
        StandIn(place="a.B", value=" { 'x' : [1,2] } # ok"),
        StandIn(place="a.C", value="open('/etc/passwd')"),
        StandIn(place="a.D", value="1"),
        StandIn(place="a.E", value=repr("x" * 5000)),
    ]
    found, faults = checked_answers(StandIns(answers=answers), {"a.B": "", "a.C": "", "a.E": ""})
    assert found == {"a.B": "{'x': [1, 2]}"}
    assert [fault.partition(":")[0] for fault in faults] == ["a.C", "a.D", "a.E"]
