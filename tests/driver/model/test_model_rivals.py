"""Rivals that a model writes: what they claim is tried, and only what runs decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.driver.conftest import run
from tests.driver.model.test_model_part import DIGEST, DOOR
from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import Service, saying, serving

pytestmark = needs_sandbox
HALL = '''\
def told(bell, name: str, volume: int) -> str:
    """Greet somebody, and ring where it should be loud."""
    if volume < 50:
        return f"hello {name}"
    first = bell.swing(name)
    second = bell.strike(2)
    return f"{name}: {first} {second}"
'''


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    with serving(saying({"rivals": []})) as found:
        yield found


def rival(code: str, *, right: bool = False, calls: tuple[dict[str, Any], ...] = ()) -> Any:
    return {"what": "another way", "right": right, "code": code, "calls": list(calls)}


def made(
    folder: Path, service: Service, text: str, target: str, *rivals: Any
) -> tuple[dict[str, Any], str]:
    """The record, and all cases as text."""
    service.will(saying({"rivals": rivals}))
    repository = folder / "house"
    repository.mkdir()
    (repository / "house.py").write_text(text)
    run(
        repository, f"house.py::{target}", "--test", "--env", folder / "env", "--no-install",
        "--min-branches", "0", "--llm", "--llm-model", "m", "--llm-base-url", service.url,
        "--llm-cache", folder / "answers", "--llm-stage", "rivals",
    )  # fmt: skip
    record = json.loads((folder / "env/environment.json").read_text())
    shown = "".join(each["code"] for each in record["cases"])
    return record, shown + (folder / "env/hidden.json").read_text()


def test_a_wrong_one_that_passes_makes_a_case_of_the_call_that_tells_it(
    tmp_path: Path, service: Service
) -> None:
    wrong = 'def enter(word, doors):\n    return "no door" if doors < 1 else "closed"'
    same = (
        wrong[: -len('"closed"')]
        + f'(f"{{doors}} open" if digest(word) == {DIGEST!r} else "closed")'
    )
    given = [{"name": "word", "value": "'open sesame'"}, {"name": "doors", "value": "2"}]
    kinds = [{"name": "word", "value": "7"}, {"name": "doors", "value": "[]"}]
    calls = ({"arguments": kinds}, {"arguments": given})
    record, cases = made(
        tmp_path, service, DOOR, "enter",
        rival(wrong, calls=calls), rival(same, calls=calls),
        rival("def enter(word, doors):\n    pass"), rival("import os"),
        rival("def other(word, doors):\n    return 1", right=True),
    )  # fmt: skip
    assert record["metrics"]["rivals"] == {
        "wrong": 3, "told": 1, "found": 1, "unproved": 1,
        "right": 0, "confirmed": 0, "removed": 0, "unusable": 2,
    }  # fmt: skip
    assert "open sesame" in cases
    assert "doors=[]" not in cases
    assert record["metrics"]["branch_coverage"] == 1
    assert record["model_calls"]["gaps"]["rivals of enter"]["calls"] == 1


def test_a_right_one_removes_only_what_the_order_of_calls_decides(
    tmp_path: Path, service: Service
) -> None:
    lines = HALL.splitlines()
    turned = "\n".join([*lines[:4], lines[5], lines[4], lines[6]])
    wrong = turned.replace("hello", "hi")
    record, _ = made(
        tmp_path, service, HALL, "told", rival(turned, right=True), rival(wrong, right=True)
    )
    found = record["metrics"]["rivals"]
    assert (found["right"], found["confirmed"]) == (2, 1)
    assert found["removed"] > 0


@pytest.mark.nightly
def test_an_answer_that_cannot_be_read_leaves_the_cases_as_they_are(
    tmp_path: Path, service: Service
) -> None:
    record, _ = made(tmp_path, service, DOOR, "enter", {"code": 7})
    assert record["metrics"]["rivals"]["wrong"] == 0
    assert record["model_calls"]["calls"] == len(service.asked) == 2
