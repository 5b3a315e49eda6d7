"""Java classes as tasks: made, answered, and judged by their tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.evaluation.options import EvaluationOptions
from slicefunc.driver.evaluation.repository_tasks.build_tasks import BuildOptions, build_tasks
from slicefunc.driver.evaluation.repository_tasks.class_tasks import class_tasks
from slicefunc.driver.evaluation.repository_tasks.feature_tasks import LeftOut
from slicefunc.driver.evaluation.repository_tasks.grading import Grader
from slicefunc.driver.evaluation.repository_tasks.local_repository import local_repository
from slicefunc.driver.evaluation.repository_tasks.repoclassbench import (
    read_rows,
    repoclassbench_tasks,
)
from slicefunc.driver.evaluation.repository_tasks.repository_tasks import RepositoryTasks
from slicefunc.driver.evaluation.repository_tasks.task_file import RepositoryTask
from slicefunc.driver.evaluation.simulation.subjects import RepositorySubjects
from slicefunc.driver.evaluation.tasks import EvaluationTask, TaskName
from slicefunc.llm.stages.task_descriptions import is_usable
from slicefunc.slicer.errors import OptionError

from tests.driver.datasets.conftest import git
from tests.driver.evaluation.repository_tasks.java_clone import (
    CLASS,
    FILES,
    HEADS,
    HEADS_TEST,
    IMPORTS,
    needs_java,
    write,
)
from tests.driver.record.test_environment import needs_sandbox

pytestmark = [needs_sandbox, needs_java]
TESTS = tuple(f"lingua.counts.HeadsTest::{name}()" for name in ("most", "often", "ofLines"))


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> RepositoryPlan:
    folder = write(tmp_path_factory.mktemp("java") / "lingua+java-words")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Count")
    with local_repository(str(folder)) as (found, _):
        return found


@pytest.fixture(scope="module")
def made(java: RepositoryPlan, grader: Grader) -> list[RepositoryTask | LeftOut]:
    return list(class_tasks(java, grader, 5, removes_relatives=True))


@pytest.fixture(scope="module")
def heads(made: list[RepositoryTask | LeftOut]) -> RepositoryTask:
    (found,) = (each for each in made if isinstance(each, RepositoryTask))
    return found


def asked(task: RepositoryTask, grader: Grader) -> EvaluationTask:
    options = EvaluationOptions(context="in-file")
    return RepositoryTasks({task.id: task}, options, grader).task(TaskName(task.id, task.repo))


def answer(code: str) -> str:
    return f"So:\n\n```java\n{code}```\n"


def test_a_class_whose_methods_are_tested_is_a_task(
    made: list[RepositoryTask | LeftOut], heads: RepositoryTask
) -> None:
    assert (heads.family, heads.language, heads.path) == ("class", "java", HEADS)
    assert heads.gold == {HEADS: FILES[HEADS]}
    assert heads.start == {HEADS: "package lingua.counts;\n\n// the class Heads belongs here\n"}
    assert {each.commit: each.reason for each in made if isinstance(each, LeftOut)} == {
        "src/main/java/lingua/text/Keyed.java::Keyed": "no test names it",
        "src/main/java/lingua/text/Words.java::Words": "tests call fewer than two of its methods",
    }


def test_the_tests_that_name_the_class_decide_alone(heads: RepositoryTask) -> None:
    assert heads.expected == tuple(sorted(TESTS))
    assert heads.kept == ()


def test_the_metadata_are_those_of_other_languages(heads: RepositoryTask) -> None:
    about = heads.metadata
    assert (about["class_name"], about["file"]) == ("Heads", HEADS)
    assert about["ground_truth_class_body"] == about["code"] == FILES[HEADS]
    assert about["tested_methods"] == ("Heads", "most", "of", "often", "size")
    assert about["dependencies"] == [
        "src/main/java/lingua/counts/Lines.java::Lines",
        "src/main/java/lingua/text/Keyed.java::Keyed.key",
        "src/main/java/lingua/text/Words.java::Words",
    ]
    assert about["relatives_removed"] == []


@pytest.mark.parametrize(
    ("code", "reward"),
    [
        (FILES[HEADS], 1),
        (f"{IMPORTS}\n{CLASS}", 1),
        (f"package elsewhere;\n\n{IMPORTS}\n{CLASS}", 1),
        (CLASS, 0),
        ("public class Heads {\n}\n", 0),
        (FILES[HEADS].replace("1, Integer::sum", "2, Integer::sum"), 0),
        ("no class\n", 0),
    ],
    ids=["whole", "no package", "another package", "no imports", "empty", "wrong", "nothing"],
)
def test_an_answer_is_a_whole_file(
    heads: RepositoryTask, grader: Grader, code: str, reward: int
) -> None:
    assert asked(heads, grader).score(answer(code)).reward == reward


def test_without_the_class_no_test_passes(heads: RepositoryTask, grader: Grader) -> None:
    assert "passed" not in grader.run(heads, {}).results.values()


def test_a_class_is_asked_for_in_java_with_its_skeleton(
    heads: RepositoryTask, grader: Grader
) -> None:
    question = asked(heads, grader).asked.question
    assert f"Write the Java class `Heads` of `{HEADS}`" in question
    assert "// the class Heads belongs here" in question
    assert "`public int often(String word)`: How often a line began with a word." in question
    assert "getOrDefault" not in question


def test_tools_do_not_read_the_tests(heads: RepositoryTask, grader: Grader) -> None:
    place = asked(heads, grader).place
    assert place is not None
    paths = {each.path for each in place.search("Heads often Words first", 20)}
    assert paths
    assert not [path for path in paths if "src/test/" in path]


def test_a_simulated_model_knows_right_and_wrong_answers(
    heads: RepositoryTask, grader: Grader
) -> None:
    task = asked(heads, grader)
    subject = RepositorySubjects({heads.id: heads}, grader).find(task.asked.question)
    assert subject is not None
    assert task.score(subject.gold).reward == 1
    assert {task.score(wrong).reward for wrong in subject.wrong} == {0}


@pytest.mark.parametrize(
    ("quoted", "usable"),
    [
        ("public int often(String word) {", True),
        ("import static lingua.text.Words.first;", True),
        ("return counts.getOrDefault(key(word), NONE);", False),
    ],
)
def test_a_description_may_quote_heads_and_no_code(quoted: str, usable: bool) -> None:
    assert is_usable(f"The class has this, and says how often: {quoted}", FILES[HEADS]) is usable


def test_names_are_not_paraphrased(java: RepositoryPlan, tmp_path: Path) -> None:
    options = BuildOptions("class", 1, paraphrases=True)
    with pytest.raises(OptionError, match="lingua/java-words: names in Java cannot be paraphrased"):
        build_tasks([java.source], tmp_path, options, print)
    assert not list(tmp_path.iterdir())


# the public benchmark

ROW: dict[str, Any] = {
    "task_id": "7",
    "class_name": "Heads",
    "file": f"java-words/{HEADS}",
    "repo_metadata": {"repo_name": "java-words"},
    "evaluation_metadata": {
        "test_class_name": "HeadsTest",
        "test_file": f"java-words/{HEADS_TEST}",
    },
    "ground_truth_class_body": FILES[HEADS],
    "detailed_description": "It counts first words, one by one.",
    "sketchy_description": "It counts.",
}


def test_a_row_of_the_benchmark_is_laid_on_the_clone(
    java: RepositoryPlan, grader: Grader, tmp_path: Path
) -> None:
    file = tmp_path / "java_data.json"
    file.write_text(json.dumps([ROW]))
    (task,) = repoclassbench_tasks(read_rows(file), [java], grader)
    assert isinstance(task, RepositoryTask)
    assert (task.path, task.commit) == (HEADS, java.commit)
    assert task.expected == tuple(sorted(TESTS))
    assert task.statements["sketchy"] == "It counts."
    assert task.metadata["has_changed_since"] is False
    assert grader.score(task, task.gold).verdict == "passed"


def test_a_class_that_has_changed_since_is_said_to_have(
    java: RepositoryPlan, grader: Grader
) -> None:
    row = {**ROW, "ground_truth_class_body": "class Heads {}"}
    (task,) = repoclassbench_tasks([row], [java], grader)
    assert isinstance(task, RepositoryTask)
    assert task.metadata["has_changed_since"] is True
    assert task.gold == {HEADS: FILES[HEADS]}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"repo_metadata": {"repo_name": "other"}}, "its repository is not at hand"),
        ({"file": "java-words/src/No.java"}, "its file is not in the clone's commit"),
        ({"class_name": "Tails"}, "its class is not in the clone's commit"),
        (
            {"evaluation_metadata": {"test_file": "java-words/src/test/NoTest.java"}},
            "its tests are not in the clone's commit",
        ),
    ],
)
def test_rows_that_are_no_tasks_are_left_out_by_reason(
    java: RepositoryPlan, grader: Grader, changed: dict[str, Any], reason: str
) -> None:
    found = list(repoclassbench_tasks([{**ROW, **changed}], [java], grader))
    assert found == [LeftOut("7", reason)]


def test_a_clone_without_an_owner_in_its_name_is_found(
    java: RepositoryPlan, grader: Grader
) -> None:
    row = {**ROW, "class_name": "Tails"}
    (found,) = repoclassbench_tasks([row], [replace(java, repo="java-words")], grader)
    assert found == LeftOut("7", "its class is not in the clone's commit")
