"""Samples that are taken again where Python's parser has failed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from slicefunc.driver.console.progress import Progress
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.evaluation.evaluate import Evaluation
from slicefunc.driver.evaluation.options import EvaluationOptions
from slicefunc.driver.evaluation.tasks import EvaluationTask, NoTaskError, TaskName
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.model_settings import Settings
from slicefunc.llm.errors import ModelServiceError
from slicefunc.slicer.errors import OptionError


class Failing:
    """A source whose first tasks fail as the parser does."""

    def __init__(self, failures: int) -> None:
        self.left = failures

    def names(self) -> list[TaskName]:
        return [TaskName("a", "b/c")]

    def task(self, name: TaskName) -> EvaluationTask:
        self.left -= 1
        if self.left >= 0:
            raise SystemError("AST constructor recursion depth mismatch")
        raise NoTaskError("nothing to do")


def evaluation(folder: Path, failures: int, client: Client) -> Evaluation:
    options, store = EvaluationOptions(), Store.at(str(folder / "run"))
    return Evaluation(Failing(failures), options, client, store, Progress(0))


def test_a_sample_is_taken_again_where_the_parser_failed(tmp_path: Path) -> None:
    with closing(Client(Settings("m"), Cache(tmp_path / "answers"))) as client:
        work = evaluation(tmp_path, 2, client)
        assert work.run() == []
        assert [each.environment for each in work.excluded] == ["a"]


class Lost:
    """A source of which no task can be had."""

    def names(self) -> list[TaskName]:
        return [TaskName(f"{number}", "b/c") for number in range(200)]

    def task(self, name: TaskName) -> EvaluationTask:
        raise OptionError(f"{name.id}: no repository", "get it")


def test_a_run_ends_where_nothing_can_be_taken(tmp_path: Path) -> None:
    with closing(Client(Settings("m"), Cache(tmp_path / "answers"))) as client:
        store = Store.at(str(tmp_path / "run"))
        work = Evaluation(Lost(), EvaluationOptions(), client, store, Progress(0))
        with pytest.raises(ModelServiceError, match=r"no repository.*the first 16 samples are all"):
            work.run()
    assert len(work.lost) == 16


def test_a_parser_that_always_fails_ends_the_run(tmp_path: Path) -> None:
    with (
        closing(Client(Settings("m"), Cache(tmp_path / "answers"))) as client,
        pytest.raises(SystemError),
    ):
        evaluation(tmp_path, 99, client).run()
