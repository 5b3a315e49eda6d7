"""Open what a run needs, evaluate, and close it again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...llm.client.model_settings import Settings
from ...verifier.execution.executors.choose_executor import choose
from ...verifier.execution.executors.shared_sandboxes import SharedSandboxes
from ..console.progress import Progress
from ..datasets.scoring.catalogue import open_catalogue
from ..datasets.scoring.warm_scorers import WarmScorers
from ..datasets.storage.store import Store
from ..model.model_session import opened
from ..places.environment_scorer import ScoreOptions
from .candidate_scores import CandidateScores
from .environment_tasks import EnvironmentTasks, require_repositories
from .evaluate import Evaluation, Excluded, Lost
from .options import EvaluationOptions
from .repository_places import RepositoryPlaces
from .repository_tasks.grading import Grader
from .repository_tasks.repository_tasks import RepositoryTasks
from .repository_tasks.task_file import is_task_folder, read_tasks
from .sample_rows import SampleRow
from .tasks import TaskSource


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run."""

    samples: Sequence[SampleRow]
    lost: Sequence[Lost]
    """Samples that could not be taken."""
    excluded: Sequence[Excluded]
    """Samples of environments of which the task cannot be made."""


def evaluate(
    dataset: str,
    output: str,
    options: EvaluationOptions,
    settings: Settings,
    executor: str | None,
    report: Callable[[str], None],
) -> Outcome:
    """Take all samples of a run, and score them.

    Args:
        dataset: folder or URL of a dataset, or a folder of tasks.
        output: folder or URL of the run.
        options: how samples are taken.
        settings: of the model.
        executor: name of the executor; by default the first sandbox that works here.
        report: prints a line for people.

    Raises:
        SliceFuncError: no dataset, no sandbox, no service, or the place is taken.
    """
    with (
        closing(opened(settings, _budget_name(output))) as client,
        _source(dataset, options, executor, report) as source,
        Progress(0, good=0, what="samples", good_what="passed") as progress,
    ):
        work = Evaluation(source, options, client, Store.at(output), progress)
        return Outcome(work.run(), work.lost, work.excluded)


@contextmanager
def _source(
    dataset: str, options: EvaluationOptions, executor: str | None, report: Callable[[str], None]
) -> Generator[TaskSource]:
    """Return the tasks of a dataset, or of a folder of tasks, within a `with` statement."""
    if is_task_folder(dataset):
        tasks = {task.id: task for task in read_tasks(dataset)}
        with closing(Grader(options.workers)) as grader:
            yield RepositoryTasks(tasks, options, grader, options.description)
        return
    catalogue = open_catalogue(dataset)
    require_repositories(catalogue.dataset, options)
    choice = choose(wanted=executor)
    for line in choice.lines():
        report(line)
    sandboxes = SharedSandboxes(choice.make)
    score = ScoreOptions(jobs=options.workers, executor=executor, hidden_counts=True)
    scores = CandidateScores(WarmScorers(catalogue, sandboxes, score), options.workers)
    places = RepositoryPlaces(catalogue.dataset, options.retriever, options.embedder)
    try:
        yield EnvironmentTasks(catalogue, options, places, scores.score)
    finally:
        sandboxes.close()


def _budget_name(output: str) -> str:
    """Return the name by which all processes and resumptions of a run share its budget."""
    place = str(Path(output).absolute()) if "://" not in output else output
    return "eval-" + hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:24]
