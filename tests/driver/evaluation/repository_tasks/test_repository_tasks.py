"""Tasks that a repository's own tests judge, on a small repository."""

from __future__ import annotations

import ast
import difflib
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.evaluation.options import EvaluationOptions
from slicefunc.driver.evaluation.patches import Unapplied
from slicefunc.driver.evaluation.repository_tasks.class_tasks import class_tasks
from slicefunc.driver.evaluation.repository_tasks.feature_tasks import LeftOut
from slicefunc.driver.evaluation.repository_tasks.grading import (
    EditError,
    Grader,
    apply_edits,
    write_generated_files,
)
from slicefunc.driver.evaluation.repository_tasks.local_repository import local_repository
from slicefunc.driver.evaluation.repository_tasks.python.removal import without_classes
from slicefunc.driver.evaluation.repository_tasks.repository_tasks import (
    RepositoryTasks,
    edits_of,
)
from slicefunc.driver.evaluation.repository_tasks.task_file import (
    RepositoryTask,
    TaskFileError,
    read_tasks,
    write_tasks,
)
from slicefunc.driver.evaluation.simulation.subjects import RepositorySubjects
from slicefunc.driver.evaluation.tasks import EvaluationTask, TaskName
from slicefunc.slicer.errors import OptionError
from slicefunc.verifier.execution.commands.sandboxed_command import copied

from tests.driver.datasets.conftest import git
from tests.driver.evaluation.repository_tasks.conftest import (
    CLASSES,
    FIRST,
    LAST,
    NEW_TESTS,
    TESTS,
    Clone,
)
from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox
NAME = "tests/test_text.py::"


def diff(before: str, after: str, path: str = "words/text.py") -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"So:\n\n```diff\n{''.join(lines)}```\n"


GOLD = diff(FIRST, FIRST + LAST)


def asked(task: RepositoryTask, grader: Grader, **options: object) -> EvaluationTask:
    given = EvaluationOptions(**{"context": "in-file", **options})  # type: ignore[arg-type]
    return RepositoryTasks({task.id: task}, given, grader).task(TaskName(task.id, task.repo))


# features


def test_a_commit_with_code_and_its_tests_is_a_task(feature: RepositoryTask) -> None:
    assert (feature.family, feature.language, feature.repo) == ("feature", "python", "lingua/words")
    assert feature.statements == {"message": "Give the last word\n\nOf any text."}
    assert feature.gold == {"words/text.py": FIRST + LAST}
    assert feature.tests == {"tests/test_text.py": TESTS + NEW_TESTS}


def test_the_start_of_a_feature_is_the_commit_before_it(
    feature: RepositoryTask, clone: Clone
) -> None:
    assert feature.commit == git(clone.folder, "rev-parse", "HEAD~2")


def test_tests_that_fail_before_and_pass_after_are_expected_and_others_kept(
    feature: RepositoryTask,
) -> None:
    names = ("test_last", "test_last_of_none", "test_last_of_one")
    assert feature.expected == tuple(f"{NAME}{each}" for each in names)
    assert feature.kept == (f"{NAME}test_first",)


def test_no_more_commits_are_tried_than_wanted(
    features: list[RepositoryTask | LeftOut],
) -> None:
    tasks = [each.name for each in features if isinstance(each, RepositoryTask)]
    assert tasks == ["Count", "Give the last word"]
    assert not [each for each in features if isinstance(each, LeftOut)]


def test_shown_and_hidden_tests_are_disjoint_and_all(
    feature: RepositoryTask, heads: RepositoryTask
) -> None:
    for task in (feature, heads):
        assert set(task.shown) | set(task.hidden) == {*task.expected, *task.kept}
        assert not set(task.shown) & set(task.hidden)
        assert len(task.shown) + len(task.hidden) == len(task.expected) + len(task.kept)
        assert 0 < len(task.shown) <= len(task.expected) / 2


@pytest.mark.parametrize("count", range(1, 12))
def test_a_third_of_the_expected_tests_is_shown(feature: RepositoryTask, count: int) -> None:
    task = replace(feature, expected=tuple(f"t::{n}" for n in range(count)))
    assert len(task.shown) == (count // 3 or int(count > 1))
    assert set(task.shown) <= set(task.expected)
    assert {*task.shown, *task.hidden} == {*task.expected, *task.kept}


# answers


def test_the_diff_of_the_commit_passes(feature: RepositoryTask, grader: Grader) -> None:
    score = asked(feature, grader).score(GOLD)
    assert (score.verdict, score.reward) == ("passed", 1.0)
    assert (score.cases_passed, score.hidden_passed) == (score.cases, score.hidden) == (1, 3)


def test_an_answer_without_a_diff_does_not_apply(feature: RepositoryTask, grader: Grader) -> None:
    score = asked(feature, grader).score("I cannot.")
    assert (score.verdict, score.reward, score.hidden_passed) == ("error", 0.0, 0)
    assert "there is none in the answer" in score.reason


def test_a_change_that_does_nothing_fails_but_keeps_what_passed(
    feature: RepositoryTask, grader: Grader
) -> None:
    score = asked(feature, grader).score(diff(FIRST, FIRST + "\nX = 1\n"))
    assert (score.verdict, score.cases_passed, score.hidden_passed) == ("failed", 0, 1)


def test_what_may_be_told_of_a_failure_names_no_hidden_test(
    feature: RepositoryTask, grader: Grader
) -> None:
    task = asked(feature, grader)
    told = task.feedback(task.score(diff(FIRST, FIRST + "\nX = 1\n")))
    (shown,) = feature.shown
    assert f"FAILED {shown}" in told
    for name in feature.hidden:
        assert f"{name} " not in f"{told} "


def test_a_change_of_the_tests_themselves_is_undone(
    feature: RepositoryTask, grader: Grader
) -> None:
    path = "tests/test_text.py"
    cheat = TESTS + NEW_TESTS.replace('text.last("a b")', '"b"')
    score = asked(feature, grader).score(diff(TESTS, cheat, path))
    assert score.verdict == "failed"
    assert score.cases_passed == 0


@pytest.mark.parametrize("path", ["conftest.py", "./conftest.py", "tests/conftest.py", "tox.ini"])
def test_a_change_of_how_tests_run_is_put_aside(
    feature: RepositoryTask, grader: Grader, path: str
) -> None:
    hook = "def pytest_runtest_makereport():\n    import os\n    os._exit(0)\n"
    text = hook if path.endswith(".py") else "[pytest]\naddopts = --nonsense\n"
    assert grader.score(feature, {**feature.gold, path: text}).verdict == "passed"


@pytest.mark.parametrize(
    "path",
    ["", ".", "words", "tests", "words/text.py/x.py", "a\0b.py", "a" * 300 + ".py",
     "a/" * 3000 + "x", "../../x.py", "/etc/x"],
)  # fmt: skip
def test_a_change_of_what_is_no_file_is_an_error_of_the_sample(
    feature: RepositoryTask, grader: Grader, path: str
) -> None:
    head = f"--- /dev/null\n+++ b/{path}\n" if path else ""
    score = asked(feature, grader).score(f"```diff\n{head}@@ -0,0 +1 @@\n+x = 1\n```\n")
    assert score.verdict in ("error", "failed")
    assert score.reward == 0


def test_a_file_may_be_renamed_with_a_change(feature: RepositoryTask) -> None:
    answer = "--- a/words/text.py\n+++ b/words/other.py\n@@ -1 +1 @@\n-x\n+y\n"
    files = {"words/text.py": "x\n"}
    assert edits_of(feature, files, answer) == {"words/text.py": None, "words/other.py": "y\n"}


def test_a_build_file_writes_nothing_outside_the_copy(tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg" / "__init__.py").write_text("")
    (folder / "lnk").symlink_to(tmp_path)
    (folder / "setup.cfg").write_text(
        f"[metadata]\nname = {tmp_path}/meta\nversion = 1\n[options.entry_points]\nx =\n  a = b\n"
    )
    names = ["../up.py", f"{tmp_path}/abs.py", "lnk/link.py"]
    tables = "".join(f'[tool.x{i}]\nwrite_to = "{each}"\n' for i, each in enumerate(names))
    (folder / "pyproject.toml").write_text(tables)
    copy = tmp_path / "deep" / "copy"
    copied(folder, copy)
    write_generated_files(folder, copy, "pkg/__init__.py")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["clone", "deep"]
    assert [each.name for each in copy.parent.iterdir()] == ["copy"]


def test_a_patch_for_another_text_does_not_apply(feature: RepositoryTask) -> None:
    found = edits_of(feature, {"words/text.py": "other\n"}, GOLD)
    assert isinstance(found, Unapplied)
    assert "words/text.py" in found.reason


def test_a_patch_may_make_a_new_file(feature: RepositoryTask) -> None:
    answer = "```diff\n--- /dev/null\n+++ b/words/new.py\n@@ -0,0 +1 @@\n+X = 1\n```"
    assert edits_of(feature, {}, answer) == {"words/new.py": "X = 1\n"}


def test_a_patch_may_take_a_file_away(feature: RepositoryTask) -> None:
    answer = "```diff\n--- a/words/text.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-X = 1\n```"
    assert edits_of(feature, {"words/text.py": "X = 1\n"}, answer) == {"words/text.py": None}


@pytest.mark.parametrize("path", ["../x.py", "/etc/x.py", "words/../../x.py", "link/x.py", "file"])
def test_edits_outside_of_the_repository_are_refused(tmp_path: Path, path: str) -> None:
    folder, outside = tmp_path / "repository", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "file").write_text("stays\n")
    (folder / "link").symlink_to(outside)
    (folder / "file").symlink_to(outside / "file")
    for text in ("x = 1\n", None):
        with pytest.raises(EditError, match="not a file of the repository"):
            apply_edits(folder, {path: text})
    assert sorted(each.name for each in tmp_path.iterdir()) == ["outside", "repository"]
    assert (outside / "file").read_text() == "stays\n"
    assert [each.name for each in outside.iterdir()] == ["file"]


def test_a_patch_outside_of_the_repository_is_a_failure_of_the_model(
    feature: RepositoryTask, grader: Grader
) -> None:
    answer = "```diff\n--- /dev/null\n+++ b/../x.py\n@@ -0,0 +1 @@\n+X = 1\n```"
    assert asked(feature, grader).score(answer).reward == 0


def test_edits_write_new_files_and_take_files_away(tmp_path: Path) -> None:
    (tmp_path / "old.py").touch()
    apply_edits(tmp_path, {"a/b/new.py": "x = 1\r\n", "old.py": None, "absent.py": None})
    assert (tmp_path / "a/b/new.py").read_bytes() == b"x = 1\r\n"
    assert not (tmp_path / "old.py").exists()


# what a model sees


def test_a_feature_is_asked_with_its_message_and_its_files_at_the_start(
    feature: RepositoryTask, grader: Grader
) -> None:
    question = asked(feature, grader).asked.question
    assert "Of any text." in question
    assert "def first(text):" in question
    assert "def last" not in question
    assert "test_last" not in question


def test_without_a_context_no_code_is_shown(feature: RepositoryTask, grader: Grader) -> None:
    question = asked(feature, grader, context="none").asked.question
    assert "def first" not in question


def test_tools_read_the_repository_at_the_start(feature: RepositoryTask, grader: Grader) -> None:
    place = asked(feature, grader).place
    assert place is not None
    assert "split()[0]" in place.call_tool("get_method_body", '{"method_name": "first"}')
    assert place.call_tool("get_method_body", '{"method_name": "last"}').startswith("error: ")


def test_tools_of_a_class_do_not_read_its_tests(heads: RepositoryTask, grader: Grader) -> None:
    place = asked(heads, grader).place
    assert place is not None
    assert "test_often" not in place.call_tool("get_related_snippets", '{"search_string": "often"}')
    assert not any(each.path.startswith("tests/") for each in place.search("Heads often", 10))


def test_copies_of_a_class_have_holes(heads: RepositoryTask, grader: Grader) -> None:
    task = asked(heads, grader, context="retrieved")
    place = task.place
    assert place is not None
    words = '{"search_string": "Counter first line in lines"}'
    passages = "".join(each.text for each in place.search("Tops most often", 10))
    shown = [task.asked.question, passages, place.call_tool("get_related_snippets", words)]
    assert "def most(self)" in passages
    for text in shown:
        assert "Counter(" not in text
        assert "json.dumps" not in text
        assert "key=self.counts.get" not in text


def test_a_simulated_model_knows_right_and_wrong_answers(
    feature: RepositoryTask, heads: RepositoryTask, grader: Grader
) -> None:
    subjects = RepositorySubjects({each.id: each for each in (feature, heads)}, grader)
    for each in (feature, heads):
        task = asked(each, grader)
        subject = subjects.find(task.asked.question)
        assert subject is not None
        assert task.score(subject.gold).reward == 1
        assert {task.score(wrong).reward for wrong in subject.wrong} == {0}


# classes


def test_a_class_whose_methods_are_tested_is_a_task(
    classes: list[RepositoryTask | LeftOut], heads: RepositoryTask
) -> None:
    assert (heads.name, heads.path) == ("Heads", "words/counts.py")
    assert len(heads.expected) == 3
    assert heads.kept == ()
    left_out = {each.commit: each.reason for each in classes if isinstance(each, LeftOut)}
    assert left_out == {
        "words/counts.py::Base": "no test names it",
        "words/counts.py::Tails": "no test names it",
        "words/old.py::Tops": "no test names it",
    }


def test_a_class_goes_with_the_imports_that_only_it_uses(heads: RepositoryTask) -> None:
    start = heads.start["words/counts.py"]
    assert start is not None
    assert "# the class Heads belongs here\n" in start
    assert "from collections import OrderedDict\n" in start
    assert not [word for word in ("class Heads(", "json", "Counter", "first") if word in start]
    ast.parse(start)


def test_the_original_class_passes_with_its_imports_above_it(
    heads: RepositoryTask, grader: Grader
) -> None:
    code = heads.metadata["code"]
    imports = heads.metadata["imports"]
    task = asked(heads, grader)
    assert task.score(f"```python\n{imports}\n\n{code}```").verdict == "passed"
    assert task.score(f"```python\n{code}```").verdict == "failed"


def test_an_empty_class_fails(heads: RepositoryTask, grader: Grader) -> None:
    score = asked(heads, grader).score("```python\nclass Heads:\n    pass\n```")
    assert (score.reward, score.cases_passed, score.hidden_passed) == (0.0, 0, 0)


def test_a_class_is_described_without_its_code(heads: RepositoryTask, grader: Grader) -> None:
    question = asked(heads, grader).asked.question
    assert "The class `Heads` of `words/counts.py` derives from Base." in question
    assert "- `def often(self, word: str) -> int`: How often a line began with a word." in question
    assert "- `known: int`" in question
    assert "sort_keys" not in question


def test_relatives_go_with_a_class_where_that_is_wanted(
    plan: RepositoryPlan, grader: Grader
) -> None:
    found = class_tasks(plan, grader, 5, removes_relatives=True)
    (task,) = (each for each in found if isinstance(each, RepositoryTask))
    assert task.metadata["relatives_removed"] == ["Tails"]
    start = task.start["words/counts.py"]
    assert start is not None
    assert "Tails" not in start
    assert "class Base" in start


def _parts(text: str) -> tuple[str, str]:
    """A file without its class `Gone`, and the imports that went with it."""
    (node,) = (
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.ClassDef) and each.name == "Gone"
    )
    return without_classes(text, [node], node)


def _removed(text: str) -> str:
    return _parts(text)[0]


MARK = "# the class Gone belongs here\n"


@pytest.mark.parametrize(
    ("imports", "rest", "gone"),
    [
        ("import a\n", "", "import a\n"),
        ("import a, b\n", "import b\n", "import a\n"),
        ("from a import (\n    a,\n    b,\n)\n", "from a import b\n", "from a import a\n"),
        ("from .x import a as a, b as c\n", "from .x import b as c\n", "from .x import a as a\n"),
        ("import unused\n", "import unused\n", ""),
        ("from __future__ import annotations\n", "from __future__ import annotations\n", ""),
        ("import a.b\n", "", "import a.b\n"),
        ("import b\n", "import b\n", ""),
        ("import b\nimport a\nfrom x import a\n", "import b\n", "import a\nfrom x import a\n"),
    ],
)
def test_only_imports_that_the_class_alone_uses_go(imports: str, rest: str, gone: str) -> None:
    body = "class Gone:\n    x = a\n\n\ny = b, c\n"
    assert _parts(f"{imports}{body}") == (f"{rest}{MARK}\n\ny = b, c\n", gone)


def test_a_decorator_goes_with_its_class() -> None:
    assert _removed("@a\n@b(1)\nclass Gone:\n    pass\nlast = 1\n") == f"{MARK}last = 1\n"


def test_an_import_that_a_text_of_an_annotation_names_stays() -> None:
    text = "from a import b\n\n\nclass Gone:\n    x = b\n\n\ndef f(x: 'b') -> None: ...\n"
    assert "from a import b" in _removed(text)


def test_an_import_that_the_module_exports_stays() -> None:
    text = "from a import b\n\n__all__ = ['Gone', 'b']\n\n\nclass Gone:\n    x = b\n"
    assert "from a import b" in _removed(text)


def test_what_stands_beside_an_import_stays() -> None:
    assert "y = 1" in _removed("import a; y = 1\n\n\nclass Gone:\n    x = a\n")


def test_the_whole_file_is_the_classes_without_the_class() -> None:
    text = _removed(CLASSES.replace("Heads", "Gone"))
    assert text.count("class ") == 3  # Base, Tails, and the mark
    ast.parse(text)


# on disk


def test_tasks_are_read_as_they_were_written(
    feature: RepositoryTask, heads: RepositoryTask, tmp_path: Path
) -> None:
    assert write_tasks(tmp_path, [heads, feature]) == 2
    found = read_tasks(tmp_path)
    assert {each.id for each in found} == {feature.id, heads.id}
    (back,) = (each for each in found if each.family == "feature")
    assert back.expected == feature.expected
    assert back.run == feature.run


@pytest.mark.parametrize("text", ["", "{}\n", "[]\n", "no\n", '{"run": {}}\n'])
def test_a_folder_without_tasks_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(TaskFileError):
        read_tasks(tmp_path)
    (tmp_path / "tasks.jsonl").write_text(text)
    with pytest.raises(TaskFileError):
        read_tasks(tmp_path)


def test_a_folder_that_is_no_clone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no clone"), local_repository(str(tmp_path)):
        pass
