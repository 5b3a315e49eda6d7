"""A run: samples of a model for the environments of a dataset, and their verdicts, as rows on disk.

Samples are taken in threads, many at once, and scored beside that. A finished one is a row in the
run's journal, and every answer is in the cache of `llm`: a killed run goes on where it was, and
pays for nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from ...llm.agents import AGENTS
from ...llm.client.client import Client
from ...llm.client.cost_account import Account
from ...llm.errors import ModelServiceError
from ...slicer.errors import SliceFuncError
from ..console.progress import Progress
from ..datasets.storage.columns import from_json, to_json
from ..datasets.storage.journal import Journal, packed, require_same
from ..datasets.storage.store import Store
from .answer_code import code_of
from .metrics.likeness import likeness
from .options import EvaluationOptions
from .runs import FOLDER, SAMPLES, SCHEMA, read_run, write_run
from .sample_rows import SampleRow
from .tasks import EvaluationTask, NoTaskError, TaskName, TaskSource
from .workbench import SampleWorkbench

_AHEAD = 4
"""Samples that are planned ahead, as a multiple of those under way."""
_HOPELESS = 16
"""Lost samples with which a run ends that has taken none."""
_PARSES = 3
"""How often a sample is taken again because the parser has failed."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A sample that could not be taken, which says nothing of the model."""

    environment: str
    sample: int
    why: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """A sample of an environment of which this task cannot be made."""

    environment: str
    sample: int
    why: str


@dataclass(slots=True)
class Evaluation:
    """One run."""

    source: TaskSource
    options: EvaluationOptions
    client: Client
    store: Store
    progress: Progress
    lost: list[Lost] = field(default_factory=list[Lost])
    excluded: list[Excluded] = field(default_factory=list[Excluded])
    _tasks: OrderedDict[str, Future[EvaluationTask]] = field(
        default_factory=OrderedDict[str, "Future[EvaluationTask]"]
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> list[SampleRow]:
        """Take all samples, and write the run if none is lost; return the rows.

        Raises:
            SliceFuncError: the place is taken, or the service rejects all requests.
        """
        names = chosen(self.source.names(), self.options.limit)
        header = self._header(names)
        if self.options.resumes and self.store.exists(SAMPLES):
            finished = read_run(self.store.location)
            same = json.loads(json.dumps({k: v for k, v in header.items() if k != "version"}))
            require_same(self.store.location, finished.settings, same)
            return list(finished.samples)
        journal = Journal.open(self.store, header, resumes=self.options.resumes, folder=FOLDER)
        done = {(each["environment"], each["sample"]) for _, each in journal.rows()}
        has_samples = bool(done)
        self.progress.begin(len(names) * self.options.samples, len(done))
        wanted = (
            (name, number)
            for name in names
            for number in range(self.options.samples)
            if (name.id, number) not in done
        )
        try:
            for found in self._taken(wanted):
                if isinstance(found, Lost):
                    self.lost.append(found)
                    self._require_hope(has_samples=has_samples)
                elif isinstance(found, Excluded):
                    self.excluded.append(found)
                else:
                    has_samples = True
                    journal.add(packed(to_json(found)))
                self.progress.add(is_good=isinstance(found, SampleRow) and found.is_passed)
        finally:
            journal.flush()
        found = [from_json(SampleRow, each) for _, each in journal.rows()]
        samples = sorted(found, key=lambda each: (each.environment, each.sample))
        if not self.lost:
            left_out = sorted({each.environment for each in self.excluded})
            write_run(self.store, {**header, "left_out": left_out}, samples)
            self.store.remove(FOLDER)
        return samples

    def _require_hope(self, *, has_samples: bool) -> None:
        """Check that not all samples are lost so far.

        Raises:
            ModelServiceError: many are, and none was taken.
        """
        if not has_samples and len(self.lost) >= _HOPELESS:
            raise ModelServiceError(
                f"{self.lost[-1].why}; the first {_HOPELESS} samples are all lost",
                "see whether the service answers, and go on with --resume",
            )

    def _header(self, names: Sequence[TaskName]) -> dict[str, Any]:
        ids = "\n".join(name.id for name in names)
        return {
            "schema": SCHEMA,
            "model": self.client.settings.model,
            **self.options.header(),
            "environments": len(names),
            "dataset": hashlib.sha256(ids.encode()).hexdigest(),
            "version": version("slice-func"),
        }

    def _taken(
        self, wanted: Iterator[tuple[TaskName, int]]
    ) -> Iterator[SampleRow | Lost | Excluded]:
        """Yield the samples as they are done. An interrupt leaves those under way behind."""
        pool = ThreadPoolExecutor(self.options.concurrency, "sample")
        coming: set[Future[SampleRow | Lost | Excluded]] = set()
        most = _AHEAD * self.options.concurrency
        try:
            for name, number in wanted:
                coming.add(pool.submit(self._retried, name, number))
                if len(coming) >= most:
                    done, coming = wait(coming, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in done)
            while coming:
                done, coming = wait(coming, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        except Exception:
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _task(self, name: TaskName) -> EvaluationTask:
        """Return a task, made once for all its samples.

        Raises:
            SliceFuncError: what it needs cannot be had.
        """
        with self._lock:
            coming = self._tasks.get(name.id)
            is_mine = coming is None
            if coming is None:
                coming = self._tasks[name.id] = Future()
                while len(self._tasks) > _AHEAD * self.options.concurrency:
                    self._tasks.popitem(last=False)
        if is_mine:
            try:
                coming.set_result(self.source.task(name))
            except BaseException as error:  # noqa: BLE001 - every waiting thread raises it
                with self._lock:
                    self._tasks.pop(name.id, None)
                coming.set_exception(error)
        return coming.result()

    def _retried(self, name: TaskName, number: int) -> SampleRow | Lost | Excluded:
        """Return a sample; take it again if Python's parser has failed.

        CPython counts the depth of trees for all threads together, so parsing in several threads
        can raise `SystemError` (python/cpython#106905). Answers and verdicts are known by then.
        """
        for _ in range(_PARSES):
            with suppress(SystemError):
                return self._sample(name, number)
        return self._sample(name, number)

    def _sample(self, name: TaskName, number: int) -> SampleRow | Lost | Excluded:
        options, account = self.options, Account()
        try:
            task = self._task(name)
        except NoTaskError as error:
            return Excluded(name.id, number, error.problem)
        except SliceFuncError as error:
            return Lost(name.id, number, f"{error.problem}; {error.advice}")
        bench = SampleWorkbench(
            self.client,
            options,
            number,
            f"{task.repo} {task.path}::{task.qualname}, sample {number}",
            task,
            account,
        )
        try:
            completion = AGENTS[options.agent](task.asked, bench)
            score = bench.final(completion)
        except ModelServiceError:  # it rejects all requests: the run ends
            raise
        except SliceFuncError as error:
            return Lost(name.id, number, error.problem)
        code = code_of(task.candidate(completion), task.qualname)
        like, total = likeness(code, task.code), account.total
        return SampleRow(
            environment=task.id,
            sample=number,
            repo=task.repo,
            path=task.path,
            qualname=task.qualname,
            families=task.families,
            lines=task.lines,
            dependencies=task.dependencies,
            files=task.files,
            messages=bench.trajectory.to_json(),
            completion=completion,
            code=code,
            verdict=score.verdict,
            reward=score.reward or 0.0,
            cases_passed=score.cases_passed,
            cases=score.cases,
            hidden_passed=score.hidden_passed or 0,
            hidden=score.hidden,
            reason=score.reason,
            rounds=tuple(bench.trajectory.rounds),
            exact_match=like.exact_match,
            edit_similarity=like.edit_similarity,
            codebleu=like.codebleu,
            context_tokens=task.context.tokens,
            context_cut=task.context.cut,
            requests=total.calls,
            input_tokens=total.input_tokens,
            output_tokens=total.output_tokens,
            cost=round(total.cost, 6),
            seconds=round(total.seconds, 3),
        )


def chosen(names: Sequence[TaskName], limit: int | None) -> list[TaskName]:
    """Return tasks by repository; with a limit, those whose ids, which are hashes, are lowest."""
    first = sorted(names, key=lambda name: name.id)[:limit]
    return sorted(first, key=lambda name: (name.repo, name.id))
