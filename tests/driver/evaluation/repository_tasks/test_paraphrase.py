"""Names with other letter cases."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.evaluation.repository_tasks.class_tasks import class_tasks
from slicefunc.driver.evaluation.repository_tasks.grading import Grader
from slicefunc.driver.evaluation.repository_tasks.paraphrase import (
    paraphrased_task,
    renamed,
    with_names,
)
from slicefunc.driver.evaluation.repository_tasks.task_file import RepositoryTask
from slicefunc.slicer import Repository

from tests.driver.evaluation.repository_tasks.conftest import Clone

ALL = frozenset({"class", "function", "method"})


def test_only_letter_cases_change(clone: Clone) -> None:
    names = renamed(Repository(clone.folder), 0, ALL)
    assert names
    assert all(old != new and old.lower() == new.lower() for old, new in names.items())


def test_names_from_elsewhere_and_of_tests_stay(clone: Clone) -> None:
    names = renamed(Repository(clone.folder), 0, ALL)
    assert not {"Counter", "OrderedDict", "json", "test_often", "first"} & {
        name for name in names if name != "first"
    }


def test_the_same_seed_gives_the_same_names(clone: Clone) -> None:
    first, again = (renamed(Repository(clone.folder), 7, ALL) for _ in range(2))
    assert first == again


def test_no_two_names_become_one(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("".join(f"def name_{n}():\n    pass\n" for n in range(200)))
    names = renamed(Repository(tmp_path), 0, ALL)
    assert len(set(names.values())) == len(names)


@given(st.text("ab_ .('\n"), st.text("ab_ .('\n"))
def test_a_name_is_replaced_as_a_whole_word_alone(before: str, after: str) -> None:
    text = f"{before} Thing {after}Things"
    assert with_names(text, {"Thing": "tHING"}) == f"{before} tHING {after}Things"


def test_a_paraphrased_task_has_its_tests_and_a_solution(
    plan: RepositoryPlan, grader: Grader
) -> None:
    (task,) = (each for each in class_tasks(plan, grader, 5) if isinstance(each, RepositoryTask))
    found = paraphrased_task(task, grader)
    assert found is not None
    assert found.expected == task.expected
    assert found.name != task.name
    assert grader.score(found, found.gold).verdict == "passed"
    assert grader.score(found, {}).verdict != "passed"
