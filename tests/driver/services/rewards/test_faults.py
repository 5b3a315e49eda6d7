"""A fault of a sandbox is nobody's zero, and memory is bounded."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.scoring.catalogue import open_catalogue
from slicefunc.driver.datasets.scoring.warm_scorers import WarmScorers
from slicefunc.driver.places.environment_scorer import ScoreOptions
from slicefunc.driver.record.environment_files import EnvironmentRecordError
from slicefunc.driver.services.rewards.metrics import Metrics
from slicefunc.driver.services.rewards.reward_service import (
    RewardService,
    ScoreRequest,
    ServiceOptions,
)
from slicefunc.driver.services.rewards.verdict_memory import VerdictMemory
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Executor,
    Job,
    Outcome,
    Profile,
)
from slicefunc.verifier.execution.executors.shared_sandboxes import SharedSandboxes


class _Broken:
    """An executor that is lost with each job, or does not start."""

    def __init__(self, *, starts: bool = True) -> None:
        self._starts = starts

    def start(self, profile: Profile) -> None:
        if not self._starts:
            raise SandboxError("no namespaces here", "ask for some")

    def run(self, job: Job) -> Outcome:
        return Outcome("infrastructure", detail="it was killed")

    def close(self) -> None: ...

    def capabilities(self) -> Capabilities:
        return Capabilities("broken", (), ())


def _not_starting() -> Executor:
    return _Broken(starts=False)


@pytest.mark.parametrize(
    ("make", "why"), [(_Broken, "it was killed"), (_not_starting, "no namespaces here")]
)
def test_a_lost_sandbox_gives_no_reward(
    dataset: tuple[Path, dict[str, str]], make: Any, why: str
) -> None:
    root, ids = dataset
    said: list[str] = []
    scorers = WarmScorers(open_catalogue(str(root)), SharedSandboxes(make), ScoreOptions())
    service = RewardService(scorers, ServiceOptions(1, 4), Metrics(), said.append)
    assert service.accept(2)
    request = ScoreRequest(ids["added"], "def added(a, b):\n    return 0\n")
    found = asyncio.run(service.scores([request, request]))
    service.close()
    assert [(each["verdict"], each["reward"]) for each in found] == [("infrastructure", None)] * 2
    assert why in found[0]["reason"]
    assert len(said) == 1
    assert service.room == 5


def test_what_was_scored_is_known_and_what_had_no_verdict_is_not() -> None:
    found = ["passed", "infrastructure", "timeout", "passed"]
    asked: list[str] = []
    memory = VerdictMemory(10)

    async def find() -> dict[str, Any]:
        asked.append("find")
        await asyncio.sleep(0)
        return {"verdict": found[len(asked) - 1]}

    async def ask(candidates: str) -> list[str]:
        every = [memory.answer("environment", each, find) for each in candidates]
        return [each["verdict"] for each in await asyncio.gather(*every)]

    async def ask_all() -> None:
        assert await ask("aa") == ["passed", "passed"]
        assert await ask("a") == ["passed"]
        assert await ask("b") == ["infrastructure"]
        assert await ask("b") == ["timeout"]
        assert await ask("b") == ["passed"]

    asyncio.run(ask_all())
    assert (len(asked), memory.repeated) == (4, 2)


def test_known_verdicts_are_bounded() -> None:
    memory = VerdictMemory(2)
    asked: list[str] = []

    async def ask(text: str) -> None:
        async def find() -> dict[str, Any]:
            asked.append(text)
            return {"verdict": "failed"}

        await memory.answer("environment", text, find)

    async def ask_all() -> None:
        for text in "abaca":
            await ask(text)
        await ask("b")

    asyncio.run(ask_all())
    assert asked == ["a", "b", "c", "b"]


def test_an_environment_that_cannot_be_read_gives_no_reward_and_is_tried_again_later(
    dataset: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    root, ids = dataset
    place = shutil.copytree(root, tmp_path / "copy")
    catalogue = open_catalogue(str(place))
    shutil.move(place / "added", tmp_path)
    now = [0.0]

    scorers = WarmScorers(catalogue, SharedSandboxes(_Broken), ScoreOptions(), clock=lambda: now[0])
    with pytest.raises(EnvironmentRecordError):
        scorers.prepare(ids["added"])
    shutil.move(tmp_path / "added", place)
    with pytest.raises(EnvironmentRecordError):
        scorers.prepare(ids["added"])
    now[0] = 100
    assert scorers.prepare(ids["added"])


def test_scorers_that_do_not_fit_are_dropped_the_oldest_first(
    dataset: tuple[Path, dict[str, str]],
) -> None:
    root, ids = dataset
    scorers = WarmScorers(
        open_catalogue(str(root)), SharedSandboxes(_Broken), ScoreOptions(), most_bytes=1
    )
    scorers.prepare(ids["added"])
    assert scorers.ready(ids["added"])
    scorers.prepare(ids["longest"])
    assert scorers.ready(ids["longest"])
    assert scorers.ready(ids["added"]) is None
