"""What people are told of a build in progress."""

from __future__ import annotations

import pytest
from slicefunc.driver.datasets.building.console_watcher import ConsoleWatcher
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.datasets.building.tasks import Surveyed
from slicefunc.slicer.model import Target


def _plan(repo: str, names: int | None) -> RepositoryPlan:
    functions = None if names is None else tuple(f"a.py::f{n}" for n in range(names))
    return RepositoryPlan(repo, repo, functions=functions)


def _surveyed(repo: str, count: int) -> Surveyed:
    return Surveyed(repo, tuple(Target("a.py", f"f{n}") for n in range(count)))


@pytest.mark.parametrize(
    ("names", "limit", "done", "said"),
    [
        ((3, 5), None, 0, "0 of 8 functions"),
        ((3, 5), 2, 0, "0 of 2 functions"),
        ((3, None), None, 0, "0 of about 6 functions"),
        ((3, None), 2, 0, "0 of 2 functions"),
        ((3, None), 5, 0, "0 of about 5 functions"),
        ((3, None), 50, 0, "0 of about 6 functions"),
        ((3, 5), 2, 4, "4 of 6 functions"),
    ],
)
def test_the_number_of_functions_is_that_of_the_list_and_the_limit(
    names: tuple[int | None, ...], limit: int | None, done: int, said: str
) -> None:
    watcher = ConsoleWatcher(limit=limit)
    watcher.begin([_plan(str(n), each) for n, each in enumerate(names)], done, 0)
    watcher.surveyed(_surveyed("0", 3))
    assert said in watcher.line()


def test_what_a_survey_finds_counts_and_not_what_the_list_names() -> None:
    watcher = ConsoleWatcher()
    watcher.begin([_plan("0", 3)], 0, 0)
    watcher.surveyed(_surveyed("0", 2))
    assert "0 of 2 functions" in watcher.line()


@pytest.mark.parametrize(
    ("done", "said"), [(0, "nothing to go on with: starting"), (4, "4 functions are done already")]
)
def test_a_build_says_what_it_goes_on_with(
    done: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    ConsoleWatcher(resumes=True).begin([], done, 0)
    assert capfd.readouterr().err == f"slice-func: {said}\n"


def test_a_build_that_has_not_begun_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    ConsoleWatcher().end()
    assert capfd.readouterr().err == ""
