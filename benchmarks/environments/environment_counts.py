"""Parts of a result of `benchmarks.environments.environments`: by state, and as RepoST chose.

    python -m benchmarks.environments.environment_counts NAME --repos DIR [--data FILE] [--earlier
    NAME ...]

RepoST leaves out files that need GPU or a cloud, and takes at most thirty functions of a repository
(arXiv 2503.07358, section 3); thirty are drawn with the seed. Which imports that means is in
`GPU_AND_CLOUD`. What the earlier results hold had been looked at before; the others had not.
Of a data set in RepoST-Eval's form its targets are counted; those of another commit than the one at
hand are not there.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from slicefunc.driver.batch.waterfall import Summary

from ..common.report import RESULTS, share, table
from ..repost.data.examples import read_examples
from .environments import entries_of

GPU_AND_CLOUD = frozenset(
    "accelerate azure bitsandbytes boto3 botocore cupy diffusers docker firebase_admin google jax "
    "keras kubernetes minio numba openai pycuda pymilvus pyspark qdrant_client ray tensorflow "
    "torch torchvision transformers triton vllm".split()
)
"""Top-level packages of hardware and of hosted services."""
_AT_MOST = 30
Record = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Print one row for each selection."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.environments.environment_counts", description=__doc__
    )
    parser.add_argument("name", help="of the file among the results")
    parser.add_argument("--repos", type=Path, required=True, help="folder of repositories")
    parser.add_argument("--earlier", nargs="*", default=[], metavar="NAME", help="results as well")
    parser.add_argument("--data", type=Path, help="whose targets are counted as well")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    records = _records(options.name)
    seen = {_key(record) for name in options.earlier for record in _records(name)}
    rows = [_row(*each) for each in _selections(records, seen, options.repos, options.seed)]
    if options.data is not None:
        wanted = {
            (each.repository.replace("/", "___"), each.target)
            for each in read_examples(options.data)
        }
        found = [record for record in records if _key(record) in wanted]
        rows.append(_row(f"of the {len(wanted)} targets of {options.data.name}", found))
    print(table(["functions", "environments", "80 % of the branches"], rows))
    return 0


def _records(name: str) -> list[Record]:
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))["functions"]


def _key(record: Record) -> tuple[str, str]:
    return record["repository"], record["target"]


def _selections(
    records: Sequence[Record], visited: set[tuple[str, str]], repos: Path, seed: int
) -> Iterator[tuple[str, list[Record]]]:
    """The selections with their names."""
    every = list(records)
    largest = Counter(record["repository"] for record in every).most_common(1)[0][0]
    plain = [record for record in every if not _needs_hardware(repos, record)]
    yield "all", every
    yield f"without the largest repository, {largest}", _without(every, largest)
    yield "without GPU and cloud", plain
    yield f"at most {_AT_MOST} of a repository", _at_most(every, seed)
    yield f"without GPU and cloud, at most {_AT_MOST} of a repository", _at_most(plain, seed)
    if visited:
        fresh = [record for record in every if _key(record) not in visited]
        yield "not in an earlier result", fresh
        yield f"not in an earlier result, without {largest}", _without(fresh, largest)
    for state in dict.fromkeys(record.get("state", "unknown") for record in every):
        found = [record for record in every if record.get("state", "unknown") == state]
        yield f"measured at {state}", found
        yield f"measured at {state}, without {largest}", _without(found, largest)


def _without(records: Sequence[Record], repository: str) -> list[Record]:
    return [record for record in records if record["repository"] != repository]


def _at_most(records: Sequence[Record], seed: int) -> list[Record]:
    """So many of each repository, drawn."""
    drawn: list[Record] = []
    for repository in sorted({record["repository"] for record in records}):
        own = sorted((r for r in records if r["repository"] == repository), key=_key)
        drawn += random.Random(seed).sample(own, min(_AT_MOST, len(own)))
    return drawn


def _needs_hardware(repos: Path, record: Record) -> bool:
    return not _imports(repos / record["repository"] / record["path"]).isdisjoint(GPU_AND_CLOUD)


@cache
def _imports(file: Path) -> frozenset[str]:
    """Top-level packages that a file imports; none where it does not parse."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return frozenset()
    names = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom) and node.module and not node.level
            else []
        )
    ]
    return frozenset(name.partition(".")[0] for name in names)


def _row(name: str, records: Sequence[Record]) -> list[str]:
    counts = Summary(tuple(entries_of(records)), (), has_runs=True, has_cases=True).counts()
    total = len(records)
    return [name, share(counts["environments"], total), share(counts["branches_80"], total)]


if __name__ == "__main__":
    sys.exit(main())
