"""How much of what functions need retrieval finds, against the dependency closure.

python -m benchmarks.evaluation.retrieval FOLDER… --rows rows.jsonl [--model FOLDER] [--targets 40]
                                          [--seed 0] [--part tune|test] [-o retrieval.json]

FOLDER is a repository. Rows are saved as they come, and a repository with rows is not done again.
A quarter of the repositories, by the hash of their names, is for tuning (`--part tune`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from slicefunc.driver.evaluation.metrics.intervals import clustered_bootstrap
from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.code_corpus import CodeCorpus, corpus_of
from slicefunc.llm.retrieval.embedders import embedder_named
from slicefunc.llm.retrieval.ranking import Query, Ranker, best_chunks, bm25, dense, hybrid
from slicefunc.llm.retrieval.reachable_names import Hole, NameGraph, Weights, reachable
from slicefunc.llm.retrieval.source_files import source_files
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError

from benchmarks.common.report import Progress
from benchmarks.evaluation.dependency_truth import Needed, drawn_targets, is_found

DEPTHS = (1, 4, 8, 16, 32)
WINDOW = 20
"""Lines of the unfinished code in a query, as RepoCoder has it."""
LAMBDA = 0.3


@dataclass(frozen=True, slots=True)
class Situation:
    """A target, with all that a way of retrieval may use."""

    needed: Needed
    graph: NameGraph
    windows: CodeCorpus
    """The repository in windows of lines, as RepoCoder cuts it."""
    window: str
    """The last lines before the body."""
    draft: str
    """What stands for a model's first answer in RepoCoder's second query."""


Way = Callable[[Situation], tuple[str, Ranker]]
"""Returns the query and the ranker."""
_IN_WINDOWS = "windows of 20 lines"
"""End of the names of ways that search windows instead of chunks along the syntax."""


def _hole(situation: Situation, draft: str = "") -> Hole:
    needed = situation.needed
    return Hole(needed.target.path, needed.file_with_hole, needed.head, draft)


def _half(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[: max(1, len(lines) // 2)])


def _ways() -> Iterator[tuple[str, Way]]:
    """Yield the ways: the published ones with the queries that serve them best, and ours."""
    similar: dict[str, Ranker] = {"BM25": bm25, "dense": dense, "hybrid": hybrid(LAMBDA)}
    for name, ranker in similar.items():
        yield f"{name}, last {WINDOW} lines", lambda s, r=ranker: (s.window, r)
        yield f"{name}, head", lambda s, r=ranker: (_head(s), r)
        for label, part in (("half the body", _half), ("the body", _all)):
            yield (
                f"RepoCoder's second query, {name}, {label} as draft",
                lambda s, r=ranker, p=part: (f"{_head(s)}\n{p(s.draft)}", r),
            )
    for name, ranker in similar.items():
        yield (
            f"RepoCoder's second query, {name}, the body as draft, {_IN_WINDOWS}",
            lambda s, r=ranker: (f"{_head(s)}\n{s.draft}", r),
        )
    yield "reachable names", lambda s: (_head(s), reachable(s.graph, _hole(s), bm25, Weights()))
    for label, part in (("half the body", _half), ("the body", _all)):
        yield (
            f"reachable names, {label} as draft",
            lambda s, p=part: (
                f"{_head(s)}\n{p(s.draft)}",
                reachable(s.graph, _hole(s, p(s.draft)), bm25, Weights()),
            ),
        )


def _head(situation: Situation) -> str:
    target = situation.needed.target
    return f"{target.path} {target.qualname}\n{situation.needed.head}"


def _all(text: str) -> str:
    return text


WAYS: dict[str, Way] = dict(_ways())


def windows_of(folder: Path, model: str) -> CodeCorpus:
    """Return the Python files of a repository in windows of 20 lines, each ten lines further."""
    chunks: list[Chunk] = []
    for path in source_files(folder):
        if path.endswith(".py"):
            lines = (folder / path).read_text("utf-8", "replace").splitlines(keepends=True)
            for first in range(0, max(1, len(lines) - WINDOW // 2), WINDOW // 2):
                part = lines[first : first + WINDOW]
                if "".join(part).strip():
                    last = first + len(part)
                    chunks.append(Chunk(path, first + 1, last, "block", "", "".join(part)))
    return CodeCorpus(chunks, embedder_named(model))


def situation_of(needed: Needed, graph: NameGraph, windows: CodeCorpus) -> Situation:
    """Return what ways of retrieval are given for a target."""
    lines = needed.file_with_hole.splitlines(keepends=True)
    start = needed.file_with_hole.find(needed.head)
    end = needed.file_with_hole[:start].count("\n") + needed.head.count("\n") + 1
    window = "".join(lines[max(0, end - WINDOW) : end])
    body = needed.text[needed.text.find(needed.head) + len(needed.head) :]
    return Situation(needed, graph, windows, window, body)


def hits(needed: Needed, found: Sequence[Chunk]) -> dict[str, Any]:
    """Return, for each definition that is needed, the rank at which it is found; 0 for never."""

    def ranks(definitions: Sequence[Any]) -> list[int]:
        return [
            next((rank for rank, chunk in enumerate(found, 1) if is_found(each, chunk)), 0)
            for each in definitions
        ]

    useful = [
        rank
        for rank, chunk in enumerate(found, 1)
        if any(is_found(each, chunk) for each in needed.closure)
    ]
    return {"direct": ranks(needed.direct), "closure": ranks(needed.closure), "useful": useful}


def rows_of(folder: Path, model: str, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each target of a repository."""
    repository = Repository(folder)
    corpus = corpus_of(folder, embedder_named(model))
    graph = NameGraph(repository, corpus)
    windows = windows_of(folder, model)
    for needed in drawn_targets(repository, count, seed):
        situation = situation_of(needed, graph, windows)
        row: dict[str, Any] = {
            "repo": folder.name,
            "target": str(needed.target),
            "ways": {},
        }
        for name, way in WAYS.items():
            searched = windows if name.endswith(_IN_WINDOWS) else corpus
            row["ways"][name] = hits(needed, _found(searched, needed, *way(situation)))
        yield row


def _found(corpus: CodeCorpus, needed: Needed, text: str, ranker: Ranker) -> list[Chunk]:
    query = Query(text, needed.hidden, other_files=True)
    return best_chunks(corpus, query, ranker, max(DEPTHS))


def table(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the measures of each way, with intervals over repositories."""
    found: dict[str, Any] = {}
    for way in rows[0]["ways"] if rows else ():
        measures: dict[str, Any] = {}
        for truth in ("direct", "closure"):
            counted = [row for row in rows if row["ways"][way][truth]]
            for depth in DEPTHS:
                measures[f"{truth} recall@{depth}"] = _measure(
                    counted, lambda row, d=depth, t=truth, w=way: _recall(row["ways"][w][t], d)
                )
        counted = [row for row in rows if row["ways"][way]["direct"]]
        measures["direct MRR"] = _measure(
            counted, lambda row, w=way: _reciprocal(row["ways"][w]["direct"])
        )
        measures["precision@8"] = _measure(
            rows, lambda row, w=way: sum(rank <= 8 for rank in row["ways"][w]["useful"]) / 8
        )
        found[way] = measures
    return found


def _recall(ranks: Sequence[int], depth: int) -> float:
    return sum(0 < rank <= depth for rank in ranks) / len(ranks)


def _reciprocal(ranks: Sequence[int]) -> float:
    found = [rank for rank in ranks if rank]
    return 1 / min(found) if found else 0.0


def _measure(
    rows: Sequence[Mapping[str, Any]], of: Callable[[Mapping[str, Any]], float]
) -> dict[str, Any]:
    groups: dict[str, list[float]] = {}
    for row in rows:
        groups.setdefault(row["repo"], []).append(of(row))
    values = [each for group in groups.values() for each in group]
    interval = clustered_bootstrap(groups)
    return {
        "value": round(fmean(values), 4) if values else None,
        "interval": interval and [round(each, 4) for each in interval],
        "targets": len(values),
    }


def is_for_tuning(name: str) -> bool:
    """Whether a repository is one of the quarter on which weights were chosen."""
    return hashlib.sha256(name.encode()).digest()[0] < 64


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--model", default="hashed")
    parser.add_argument("--targets", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=("tune", "test", "all"), default="test")
    parser.add_argument("--only", help="only ways whose names begin so, for tuning")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    folders = [
        each
        for each in sorted(given.folders, key=lambda each: each.name)
        if given.part == "all" or is_for_tuning(each.name) == (given.part == "tune")
    ]
    if given.only:
        for name in [each for each in WAYS if not each.startswith(given.only)]:
            del WAYS[name]
    lines = given.rows.read_text().splitlines() if given.rows.exists() else []
    rows = [json.loads(line) for line in lines]
    done = {row["repo"] for row in rows}
    progress = Progress("repositories", len(folders))
    with given.rows.open("a") as file:
        for folder in folders:
            if folder.name not in done:
                start = time.monotonic()
                try:
                    found = list(rows_of(folder, given.model, given.targets, given.seed))
                except SliceFuncError as error:
                    print(f"{folder.name}: left out: {error}", file=sys.stderr)
                    found = []
                rows += found or [{"repo": folder.name, "ways": None}]
                seconds = round(time.monotonic() - start, 1)
                print(f"{folder.name}: {len(found)} targets, {seconds} s", file=sys.stderr)
                for row in found or [{"repo": folder.name, "ways": None}]:
                    file.write(json.dumps(row) + "\n")
                file.flush()
            progress.advance()
    counted = [row for row in rows if row["ways"]]
    result = {
        "repositories": len({row["repo"] for row in counted}),
        "without_such_targets": sorted(row["repo"] for row in rows if not row["ways"]),
        "targets": len(counted),
        "dense_model": given.model if given.model == "hashed" else Path(given.model).name,
        "part": given.part,
        "seed": given.seed,
        "ways": table(counted),
    }
    if given.output:
        given.output.write_text(json.dumps(result, indent=1) + "\n")
    for way, measures in result["ways"].items():
        parts = [
            f"{name} {100 * measures[name]['value']:.1f}"
            for name in ("direct recall@8", "direct MRR", "closure recall@8", "precision@8")
        ]
        print(f"{way:75} {', '.join(parts)}")
    print(f"{len(counted)} targets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
