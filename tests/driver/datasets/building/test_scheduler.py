"""Which worker does what, with workers that answer at once, or are lost."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.batch.entries import Entry
from slicefunc.driver.datasets.building.engines.engine import WorkerLostError
from slicefunc.driver.datasets.building.journal_rows import made
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.datasets.building.scheduler import scheduled
from slicefunc.driver.datasets.building.tasks import Make, Result, Survey, Surveyed, Task
from slicefunc.slicer.model import Target


@dataclass
class Workers:
    """An engine whose workers answer at once; every so many tasks one is lost."""

    workers: int
    functions: dict[str, int]
    loses_every: int = 0
    given: list[tuple[int, Task]] = field(default_factory=list)
    tasks: int = 0
    gone: set[int] = field(default_factory=set)
    """Workers whose machine is gone for good, once one is lost."""
    keeps_lost: bool = True
    helps: int = 1

    @property
    def helps_from(self) -> int:
        return self.helps

    def is_available(self, worker: int) -> bool:
        return worker not in self.gone

    def submit(self, worker: int, task: Task) -> Future[Result]:
        self.tasks += 1
        self.given.append((worker, task))
        future: Future[Result] = Future()
        if self.loses_every and self.tasks % self.loses_every == 0:
            future.set_exception(WorkerLostError("gone"))
            if not self.keeps_lost and len(self.gone) < self.workers - 1:
                self.gone.add(worker)
        elif isinstance(task, Survey):
            repo = task.plan.repo
            targets = tuple(Target("m.py", f"f{n}") for n in range(self.functions[repo]))
            future.set_result(Surveyed(repo, targets))
        else:
            entry = Entry(task.target.path, task.target.qualname, sliced=True)
            future.set_result(made(task, entry))
        return future

    def close(self) -> None:
        """Nothing is open."""


REPOS = st.dictionaries(
    st.from_regex(r"[a-z]/[a-z]", fullmatch=True), st.integers(0, 6), max_size=5
)


def _done(engine: Workers, **options: int) -> list[tuple[Task, Result]]:
    plans = [RepositoryPlan(name, name) for name in sorted(engine.functions)]
    return list(scheduled(engine, plans, lambda _task: False, **options))


def _made(found: list[tuple[Task, Result]]) -> Counter[tuple[str, str]]:
    return Counter(
        (task.plan.repo, task.target.qualname) for task, _ in found if isinstance(task, Make)
    )


@given(REPOS, st.integers(1, 4), st.sampled_from([0, 4, 7]), st.sampled_from([1, 3]))
def test_each_function_is_made_once_though_workers_are_lost(
    functions: dict[str, int], workers: int, loses_every: int, helps: int
) -> None:
    found = _done(Workers(workers, functions, loses_every, helps=helps))
    lost = {
        task.plan.repo for task, result in found if isinstance(result, Surveyed) and result.rule
    }
    wanted = {
        (repo, f"f{n}"): 1
        for repo, count in functions.items()
        if repo not in lost
        for n in range(count)
    }
    assert _made(found) == wanted
    assert sum(isinstance(task, Survey) for task, _ in found) == len(functions)


@given(REPOS, st.integers(0, 10))
def test_no_more_functions_are_begun_than_the_limit(functions: dict[str, int], limit: int) -> None:
    found = _made(_done(Workers(2, functions), limit=limit))
    assert found.total() == min(limit, sum(functions.values()))


def test_a_worker_stays_with_its_repository() -> None:
    engine = Workers(2, {"a/a": 4, "b/b": 4})
    _done(engine)
    homes = {
        task.plan.repo: {w for w, t in engine.given if t.plan.repo == task.plan.repo}
        for _, task in engine.given
    }
    assert homes == {"a/a": {0}, "b/b": {1}}


def test_a_worker_without_work_helps_where_most_is_left() -> None:
    for limit in ({}, {"limit": 6}):
        engine = Workers(2, {"a/a": 6})
        _done(engine, **limit)
        assert {worker for worker, _ in engine.given} == {0, 1}


def test_a_task_whose_workers_are_always_lost_is_a_row() -> None:
    ((_, result),) = _done(Workers(1, {"a/a": 1}, loses_every=1))
    assert isinstance(result, Surveyed)
    assert result.rule == "worker_died"


def test_what_a_machine_had_when_it_was_lost_is_made_by_the_others() -> None:
    engine = Workers(3, {"a/a": 4, "b/b": 4}, loses_every=4, keeps_lost=False)
    assert _made(_done(engine)).total() == 8
    assert len(engine.gone) == 2


def test_a_worker_does_not_come_for_the_last_few_functions() -> None:
    engine = Workers(2, {"a/a": 3}, helps=4)
    _done(engine)
    assert {worker for worker, _ in engine.given} == {0}
