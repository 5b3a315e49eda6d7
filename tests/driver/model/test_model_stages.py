"""Tests and docstrings that a model writes, from the command line to the environment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.driver.conftest import run
from tests.driver.model.test_model_part import DIGEST, DOOR
from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import Service, saying, serving

pytestmark = needs_sandbox
TEST = """\
def test_enter():
    print("PASSED")
    globals()["digest"] = enter.__globals__["digest"] = lambda word: "altered"
    for doors in (1, 3):
        assert enter("open sesame", doors) == enter_new_implementation("open sesame", doors)
"""
GOOD = "Say whether a word opens as many doors as are given, in words for people."
BAD = f"Open it:\n\n    if digest(word) == '{DIGEST}':\n        return f'{{{{doors}}}} open'\n"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    docstrings = [BAD, GOOD]

    def answer(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        asked = body["response_format"]["json_schema"]["name"]
        said: dict[str, Any] = {"imports": [], "test": TEST}
        if asked == "Docstring":
            said = {"docstring": docstrings.pop(0)}
        saying(said)(http, body)

    with serving(answer) as found:
        yield found


def test_a_test_gives_calls_and_a_docstring_stands_beside_the_original(
    tmp_path: Path, service: Service
) -> None:
    repository = tmp_path / "house"
    repository.mkdir()
    (repository / "door.py").write_text(DOOR)
    done = run(
        repository, "door.py::enter", "--test", "--env", tmp_path / "env", "--no-install", "--llm",
        "--llm-model", "m", "--llm-base-url", service.url, "--llm-cache", tmp_path / "answers",
        "--llm-stage", "tests", "--llm-stage", "docstring",
    )  # fmt: skip
    assert done.status == 0, done.err
    files = {file.name: file.read_text() for file in (tmp_path / "env").iterdir()}
    record = json.loads(files["environment.json"])
    assert record["metrics"]["branch_coverage"] == 1
    assert any("open sesame" in case["code"] for case in record["cases"])
    assert all("altered" not in text and "PASSED'" not in text for text in files.values())
    assert record["prompt"]["generated_docstring"] == GOOD
    assert record["prompt"]["docstring"].startswith("Open a door.")
    gaps = record["model_calls"]["gaps"]
    assert {"docstring of enter", "tests of enter"} == set(gaps)
    assert gaps["docstring of enter"]["calls"] == 2, "the first one gave the body away"
