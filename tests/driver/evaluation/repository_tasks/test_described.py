"""Descriptions of classes by a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from slicefunc.driver.evaluation.repository_tasks.described import ModelDescriptions
from slicefunc.driver.evaluation.repository_tasks.task_file import RepositoryTask, RunOfTests
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.cost_account import Account
from slicefunc.llm.client.model_settings import Settings

from tests.llm.service import Handler, completion, saying, serving

CODE = "class Heads:\n    def often(self, word):\n        return self.counts[first_word_of(word)]\n"
WORDS = "It counts how often a line began with a word, and says which word came most often."
TASK = RepositoryTask(
    "class", "python", "a/b", "/nowhere", "c" * 40, "a.py", "Heads",
    {"skeleton": "Heads"}, {}, {}, {}, RunOfTests((), "pytest"), (), (), {"code": CODE},
)  # fmt: skip

DIFF = (
    "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old = 1\n+new_name_of_the_setting = compute_it_anew(1)\n"
)
CHANGE = replace(TASK, family="feature", statements={"message": "Compute it anew"}, metadata={})


@contextmanager
def described(handler: Handler, folder: Path) -> Iterator[ModelDescriptions]:
    with serving(handler) as service:
        settings = Settings("m", service.url, retries=0)
        client = Client(settings, Cache(folder / "answers"))
        try:
            yield ModelDescriptions(client, Account(), lambda _task: DIFF, lambda _line: None)
        finally:
            client.close()


def test_both_descriptions_are_added(tmp_path: Path) -> None:
    with described(saying({"detailed": WORDS, "sketchy": WORDS[:60]}), tmp_path) as describe:
        found = describe(TASK).statements
    assert found == {"skeleton": "Heads", "detailed": WORDS, "sketchy": WORDS[:60]}


def test_a_description_that_quotes_the_code_is_dropped(tmp_path: Path) -> None:
    quoting = f"{WORDS} It does return self.counts[first_word_of(word)] in the end."
    with described(saying({"detailed": quoting, "sketchy": WORDS}), tmp_path) as describe:
        assert set(describe(TASK).statements) == {"skeleton", "sketchy"}


def test_a_task_stays_where_the_model_answers_with_something_else(tmp_path: Path) -> None:
    with described(completion("no JSON"), tmp_path) as describe:
        assert describe(TASK) == TASK


def test_a_change_has_a_description_beside_its_message(tmp_path: Path) -> None:
    with described(saying({"description": WORDS}), tmp_path) as describe:
        found = describe(CHANGE).statements
    assert found == {"message": "Compute it anew", "detailed": WORDS}


def test_a_description_that_quotes_the_change_is_dropped(tmp_path: Path) -> None:
    quoting = f"{WORDS} Write new_name_of_the_setting = compute_it_anew(1)."
    with described(saying({"description": quoting}), tmp_path) as describe:
        assert describe(CHANGE) == CHANGE
