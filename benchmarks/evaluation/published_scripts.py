"""Two judges of the same answers: RepoST's published eval scripts, and our environments.

    python -m benchmarks.evaluation.published_scripts DATASET --data FILE [-n 4] [-o FILE]

DATASET has environments of functions of the published set. Each simulated model is evaluated twice
on the functions that both have, with the same answers: once with our verdicts, once with those of
the published script, run as a program with the answer in its place. Where the original itself does
not pass the script, the function is left out. A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from slicefunc.driver.console.progress import Progress
from slicefunc.driver.datasets.exports.task_files import fenced
from slicefunc.driver.datasets.scoring.catalogue import Catalogue, open_catalogue
from slicefunc.driver.datasets.scoring.warm_scorers import WarmScorers
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.evaluation.answer_code import code_of
from slicefunc.driver.evaluation.candidate_scores import CandidateScores
from slicefunc.driver.evaluation.environment_tasks import EnvironmentTasks
from slicefunc.driver.evaluation.evaluate import Evaluation
from slicefunc.driver.evaluation.metrics.summary import items_of, pass_measure
from slicefunc.driver.evaluation.options import EvaluationOptions
from slicefunc.driver.evaluation.repository_places import RepositoryPlaces
from slicefunc.driver.evaluation.sample_rows import SampleRow
from slicefunc.driver.evaluation.tasks import EvaluationTask, TaskName, TaskSource
from slicefunc.driver.places.environment_scorer import ScoreOptions
from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.model_settings import Settings
from slicefunc.verifier.execution.environments import Environment, Policy
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Limits, Profile
from slicefunc.verifier.execution.executors.shared_sandboxes import SharedSandboxes
from slicefunc.verifier.scoring.verdict import Score

from ..common.records import Records, opened
from ..common.report import machine
from ..repost.data.examples import Example, read_examples
from ..repost.published.eval_bench import Bench, TooLargeError, verdict_of
from ..repost.published.eval_candidate import NoPlaceError, fill
from ..repost.published.eval_scripts import PUBLISHED
from ..sources.sdists import DEFAULT_WORK
from .overhead import simulated

MODELS: tuple[tuple[str, str], ...] = (
    ("gold-0.2", "slice"),
    ("gold-0.4", "slice"),
    ("gold-0.6", "slice"),
    ("gold-0.8", "slice"),
    ("needs-definitions", "none"),
    ("needs-definitions", "in-file"),
    ("needs-definitions", "slice"),
    ("cheats", "slice"),
)
"""Simulated models and what they see."""
_LIMITS = Limits(wall_seconds=60, cpu_seconds=30)


def definition_of(answer: str, name: str) -> str | None:
    """Return the function of an answer, with all else that the answer holds in its body.

    The published scripts have a place for a function alone.
    """
    try:
        body = ast.parse(code_of(answer)).body
    except (SyntaxError, ValueError):
        return None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    inner = [node for each in body if isinstance(each, ast.ClassDef) for node in each.body]
    for node in (*body, *inner):
        if isinstance(node, kinds) and node.name == name:
            others = [
                each for each in body if each is not node and not isinstance(each, ast.ClassDef)
            ]
            node.body = [*others, *node.body]
            return ast.unparse(ast.fix_missing_locations(node))
    return None


@dataclass(slots=True)
class ScriptScores:
    """Verdicts of published scripts; no text is judged twice. Thread-safe."""

    bench: Bench
    examples: Mapping[str, Example]
    """By the id of our environment."""
    environments: dict[str, Environment] = field(default_factory=dict[str, Environment])
    _known: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def verdict(self, identity: str, answer: str) -> str:
        """Return `passed`, or what else comes of a script with an answer in it.

        Raises:
            NoPlaceError: the script has no place for it.
            TooLargeError: what the script imports is more than may be installed.
        """
        key = identity, answer
        with self._lock:
            if key not in self._known:
                self._known[key] = self._judged(self.examples[identity], identity, answer)
            return self._known[key]

    def score(self, identity: str, answer: str) -> Score:
        """Return a verdict as one test."""
        found = self.verdict(identity, answer)
        verdict = "failed" if found not in ("passed", "error", "timeout") else found
        return Score(identity, verdict, int(found == "passed"), 1, 0, 0, None, found, 0.0)  # type: ignore[arg-type]

    def _judged(self, example: Example, identity: str, answer: str) -> str:
        name = example.qualname.rpartition(".")[2]
        definition = definition_of(answer, name)
        if definition is None:
            return "error"
        if identity not in self.environments:
            self.environments[identity] = self.bench.environment(example)
        text = fill(example.eval_script, example.qualname, definition, "repository").text
        outcome = self.bench.run(self.environments[identity], text, _LIMITS)
        return verdict_of(outcome)[0]


@dataclass(frozen=True, slots=True)
class Judged:
    """Some environments as tasks, with the verdicts of one judge."""

    inner: EnvironmentTasks
    kept: frozenset[str]
    score: Callable[[str, str], Score] | None = None
    """Judges an answer for the environment of an id; by default our verifier does."""

    def names(self) -> list[TaskName]:
        """Return the names of the functions that both judges have."""
        return [name for name in self.inner.names() if name.id in self.kept]

    def task(self, name: TaskName) -> EvaluationTask:
        """Return a task, judged by this judge."""
        task, judge = self.inner.task(name), self.score
        if judge is None:
            return task
        return replace(task, score=lambda answer: judge(name.id, answer))


def shared(
    codes: Mapping[str, str], scores: ScriptScores, records: Records
) -> tuple[frozenset[str], Counter[str]]:
    """Return the ids whose original passes its script, and how many do not, by reason."""
    known = {record["id"]: record["verdict"] for record in records.found}
    for identity in sorted(scores.examples):
        if identity not in known:
            try:
                known[identity] = scores.verdict(identity, fenced(codes[identity]))
            except NoPlaceError:
                known[identity] = "the script has no place for an answer"
            except TooLargeError:
                known[identity] = "what the script imports is too large"
            records.add({"id": identity, "verdict": known[identity]})
    kept = frozenset(each for each in scores.examples if known[each] == "passed")
    left_out = Counter(known[each] for each in scores.examples if known[each] != "passed")
    return kept, left_out


def measured(samples: Sequence[SampleRow]) -> dict[str, Any]:
    """Return Pass@1 of a run."""
    by_item = items_of(samples)
    found = pass_measure(by_item, 1)
    return {
        "environments": len(by_item),
        "samples": len(samples),
        "pass_at_1": found["value"],
        "interval": found["repositories"],
        "verdicts": dict(sorted(Counter(each.verdict for each in samples).items())),
    }


def agreement(ours: Sequence[SampleRow], theirs: Sequence[SampleRow]) -> dict[str, int]:
    """Return how many answers each judge passes."""
    by_sample = {(each.environment, each.sample): each for each in theirs}
    found: Counter[str] = Counter()
    for each in ours:
        other = by_sample.get((each.environment, each.sample))
        if other is not None and other.code == each.code:
            mine, published = each.is_passed, other.is_passed
            found[
                "both"
                if mine and published
                else "neither"
                if mine == published
                else "only ours"
                if mine
                else "only published"
            ] += 1
    return dict(sorted(found.items()))


def discordant(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the pairs of models that the judges put in opposite order."""
    return [
        [str(a["model"]), str(b["model"])]
        for a, b in itertools.combinations(rows, 2)
        if (a["ours"]["pass_at_1"] - b["ours"]["pass_at_1"])
        * (a["published"]["pass_at_1"] - b["published"]["pass_at_1"])
        < 0
    ]


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; return the exit status."""
    given = _arguments().parse_args(argv)
    work = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    catalogue = open_catalogue(given.dataset)
    by_target = {
        (each.repository, each.path, each.qualname): each for each in read_examples(given.data)
    }
    examples = {
        row.id: by_target[row.repo, row.path, row.qualname]
        for row in catalogue.dataset.rows()
        if (row.repo, row.path, row.qualname) in by_target
    }
    policy = Policy(exclude_newer=PUBLISHED)
    choice = choose(Profile())
    sandboxes = SharedSandboxes(choice.make)
    ours = CandidateScores(
        WarmScorers(catalogue, sandboxes, ScoreOptions(jobs=2, hidden_counts=True)), 2
    )
    rows: list[dict[str, Any]] = []
    with (
        opened(work / "originals.jsonl") as records,
        closing(Bench(choice, work, policy, preloads=True)) as bench,
        closing(sandboxes),
        simulated(given.dataset) as url,
    ):
        theirs = ScriptScores(bench, examples)
        codes = {row.id: row.code for row in catalogue.dataset.rows()}
        kept, left_out = shared(codes, theirs, records)
        for model, context in MODELS:
            inner = _tasks(catalogue, context, given, ours)
            label = f"{model} {context}"
            found: dict[str, list[SampleRow]] = {}
            for judge, source in (
                ("ours", Judged(inner, kept)),
                ("published", Judged(inner, kept, theirs.score)),
            ):
                found[judge] = _run(source, model, url, work / f"{model}-{context}-{judge}", inner)
            rows.append(
                {
                    "model": label,
                    **{judge: measured(samples) for judge, samples in found.items()},
                    "answers": agreement(found["ours"], found["published"]),
                }
            )
            print(_line(rows[-1]), flush=True)
    honest = [row for row in rows if not row["model"].startswith("cheats")]
    result = {
        "published": len(by_target),
        "ours": len(examples),
        "shared": len(kept),
        "originals_that_fail_their_script": dict(sorted(left_out.items())),
        "models": rows,
        "pairs": len(honest) * (len(honest) - 1) // 2,
        "pairs_in_opposite_order": discordant(honest),
        **machine(),
    }
    print(json.dumps({key: result[key] for key in result if key != "models"}, indent=1))
    if given.output:
        given.output.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _tasks(
    catalogue: Catalogue, context: str, given: argparse.Namespace, scores: CandidateScores
) -> EnvironmentTasks:
    options = EvaluationOptions(
        context=context, samples=given.samples, seed=0, concurrency=4, resumes=True
    )
    places = RepositoryPlaces(catalogue.dataset, options.retriever, options.embedder)
    return EnvironmentTasks(catalogue, options, places, scores.score)


def _run(
    source: TaskSource, model: str, url: str, place: Path, inner: EnvironmentTasks
) -> list[SampleRow]:
    settings = Settings(model, base_url=url)
    with (
        closing(Client(settings, Cache(place.parent / "answers.sqlite"))) as client,
        Progress(0, good=0, what="samples", good_what="passed") as progress,
    ):
        work = Evaluation(source, inner.options, client, Store.at(str(place)), progress)
        samples = work.run()
        for each in work.lost[:3]:
            print(f"lost: {each.environment} {each.why}", file=sys.stderr)
    return samples


def _line(row: Mapping[str, Any]) -> str:
    ours, theirs = row["ours"], row["published"]
    return (
        f"{row['model']:26} ours {100 * ours['pass_at_1']:5.1f} %  "
        f"published {100 * theirs['pass_at_1']:5.1f} %  {row['answers']}"
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--data", type=Path, required=True, help="the published set")
    parser.add_argument("-n", "--samples", type=int, default=4)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "published-scripts")
    parser.add_argument("-o", "--output", type=Path)
    return parser


if __name__ == "__main__":
    sys.exit(main())
