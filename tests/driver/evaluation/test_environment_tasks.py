"""What is asked for an environment, in each regime, of a dataset with its repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.datasets.scoring.catalogue import open_catalogue
from slicefunc.driver.datasets.storage.dataset import EnvironmentFolder, StoredDataset
from slicefunc.driver.evaluation.environment_tasks import EnvironmentTasks, require_repositories
from slicefunc.driver.evaluation.options import EvaluationOptions
from slicefunc.driver.evaluation.repository_places import RepositoryPlaces
from slicefunc.driver.evaluation.tasks import EvaluationTask, NoTaskError
from slicefunc.slicer.errors import OptionError
from slicefunc.verifier.scoring.verdict import FirstDifference, Score

from tests.driver.evaluation.conftest import TOTAL
from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox
BODY = "whole = sum("
DOC = "less a discount"
HELPER = "def with_tax(net: int) -> int:"
OWN_FILE = '"""Orders."""'


def failed(_identity: str, text: str) -> Score:
    """Whatever is written fails in the first shown case."""
    found = FirstDifference("case_1", "1", "2", "value")
    return Score(text, "failed", 0, 5, 0, 9, found, "", 0.0)


def passed(_identity: str, text: str) -> Score:
    return Score(text, "passed", 5, 5, 9, 9, None, "", 0.0)


def task_of(dataset: StoredDataset, name: str = "total", **options: object) -> EvaluationTask:
    """What is asked for a function."""
    scores = options.pop("scores", failed)
    given = EvaluationOptions(**options)  # type: ignore[arg-type]
    places = RepositoryPlaces(dataset, given.retriever)
    tasks = EnvironmentTasks(open_catalogue(dataset.location), given, places, scores)  # type: ignore[arg-type]
    row = next(row for row in dataset.rows() if row.qualname == name)
    return next(tasks.task(each) for each in tasks.names() if each.id == row.id)


@pytest.mark.parametrize(
    ("context", "helper", "own_file"),
    [
        ("none", False, False),
        ("in-file", False, True),
        ("dependencies", True, False),
        ("slice", True, False),
        ("retrieved", True, True),
    ],
)
def test_a_regime_shows_its_part_of_the_repository(
    ledger: StoredDataset,
    context: str,
    helper: bool,
    own_file: bool,
) -> None:
    asked = task_of(ledger, context=context).asked.question
    assert "def total(prices: list[int], discount: int) -> int:" in asked
    assert DOC in asked
    assert (HELPER in asked, OWN_FILE in asked) == (helper, own_file)


@pytest.mark.parametrize("context", ["none", "in-file", "dependencies", "slice", "retrieved"])
@pytest.mark.parametrize("docstring", ["original", "none"])
def test_no_regime_shows_the_body_or_a_docstring_that_is_not_wanted(
    ledger: StoredDataset, context: str, docstring: str
) -> None:
    task = task_of(ledger, context=context, docstring=docstring)
    assert BODY not in task.asked.question
    assert (DOC in task.asked.question) == (DOC in task.asked.unfinished)
    assert (DOC in task.asked.question) == (docstring == "original")


OVER = "the lines above passages and where code is left out are not in the budget"


@pytest.mark.parametrize(
    "context",
    [
        "in-file",
        "slice",
        "dependencies",
        "retrieved",
    ],
)
def test_a_budget_binds_every_regime(ledger: StoredDataset, context: str) -> None:
    whole = task_of(ledger, context=context)
    bound = task_of(ledger, context=context, context_tokens=30)
    assert bound.context.tokens <= 30 < whole.context.tokens
    assert "    ...\n" in bound.context.text
    assert bound.context.cut > 0 == whole.context.cut


def test_a_task_is_about_its_function(ledger: StoredDataset) -> None:
    task = task_of(ledger)
    assert (task.repo, task.path, task.qualname) == ("shop/ledger", "ledger/orders.py", "total")
    assert task.code.strip() == TOTAL.strip()
    assert task.lines == 6
    assert task.dependencies == 1
    assert task.families == ()


def test_a_slice_with_code_of_two_files_is_of_two_files(ledger: StoredDataset) -> None:
    assert task_of(ledger).files == 2


def test_a_slice_of_one_file_is_of_one_file(ledger: StoredDataset) -> None:
    assert task_of(ledger, "with_tax").files == 1


# repair


def test_a_repair_shows_a_wrong_version_in_its_context_and_a_case_that_fails(
    ledger: StoredDataset,
) -> None:
    asked = task_of(ledger, task="repair", context="in-file").asked.question
    assert "`total` in `ledger/orders.py` has a mistake" in asked
    assert OWN_FILE in asked
    assert "expected: 1\nobserved: 2" in asked
    assert "\n    ...\n" not in asked
    assert TOTAL.strip() not in asked


def test_a_repair_shows_no_docstring_that_is_not_wanted(ledger: StoredDataset) -> None:
    assert DOC not in task_of(ledger, task="repair", docstring="none").asked.question


def test_a_patch_of_the_file_is_a_repair(ledger: StoredDataset) -> None:
    task = task_of(ledger, task="repair", context="in-file")
    wrong = task.asked.question.split("```python\n")[1].split("\n```")[0].splitlines()
    first = wrong.index("def total(prices: list[int], discount: int) -> int:")
    removed, added = wrong[first + 2 :], TOTAL.splitlines()[2:]
    hunk = "\n".join([*(f"-{line}" for line in removed), *(f"+{line}" for line in added)])
    header = "--- a/ledger/orders.py\n+++ b/ledger/orders.py\n@@ -8,1 +8,1 @@\n"
    assert task.candidate(f"```diff\n{header}{hunk}\n```\n").strip() == TOTAL.strip()


def test_a_patch_that_does_not_apply_is_a_candidate_that_cannot_pass(
    ledger: StoredDataset,
) -> None:
    task = task_of(ledger, task="repair")
    answer = "```diff\n--- a/ledger/orders.py\n+++ b/ledger/orders.py\n@@ -1 +1 @@\n-no\n+yes\n```"
    assert task.candidate(answer).startswith("raise SyntaxError(")


def test_a_whole_definition_is_a_repair_as_it_is(ledger: StoredDataset) -> None:
    answer = f"```python\n{TOTAL}```"
    assert task_of(ledger, task="repair").candidate(answer) == answer


def test_a_function_without_a_wrong_version_that_fails_is_no_task(ledger: StoredDataset) -> None:
    with pytest.raises(NoTaskError, match="no wrong version"):
        task_of(ledger, task="repair", scores=passed)


@pytest.mark.parametrize("change", [{"context": "retrieved"}, {"agent": "rrr"}])
def test_what_reads_repositories_needs_a_dataset_that_names_them(
    ledger: StoredDataset, change: dict[str, str]
) -> None:
    plain = EnvironmentFolder(Path("here"), {})
    with pytest.raises(OptionError, match="does not say where its repositories are"):
        require_repositories(plain, EvaluationOptions(**change))
    require_repositories(ledger, EvaluationOptions(**change))
    require_repositories(plain, EvaluationOptions())
