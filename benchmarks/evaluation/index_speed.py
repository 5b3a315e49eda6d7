"""Time to index a large repository, and to answer a query; and the repository tools on it.

python -m benchmarks.evaluation.index_speed FOLDER [-o index-speed.json] [--queries 100]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from slicefunc.llm.retrieval.code_corpus import CodeCorpus, corpus_of
from slicefunc.llm.retrieval.embedders import embedder_named
from slicefunc.llm.retrieval.index_store import IndexStore
from slicefunc.llm.retrieval.ranking import Query, best_chunks, bm25, dense, hybrid
from slicefunc.llm.tools import REPOSITORY_TOOLS
from slicefunc.llm.tools.code_index import index_of
from slicefunc.llm.tools.file_records import Definition
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError

from benchmarks.common.report import median, percentile


def _ready(folder: Path, store: IndexStore) -> tuple[CodeCorpus, float]:
    """Return a corpus whose indexes are built, and the seconds that this took."""
    start = time.perf_counter()
    corpus = corpus_of(folder, embedder_named("hashed"), store)
    corpus.by_words("solve")
    corpus.by_vector("solve")
    return corpus, time.perf_counter() - start


def tool_times(folder: Path) -> dict[str, float]:
    """Return the seconds to index for the tools, and of each tool the slowest of ten calls."""
    start = time.perf_counter()
    index = index_of(Repository(folder))
    found = {"index_seconds": round(time.perf_counter() - start, 2)}
    classes = [each for each in index.definitions if each.kind == "class"]
    methods = [each for each in index.definitions if each.kind == "method"]
    chance = random.Random(0)
    arguments: dict[str, list[dict[str, str]]] = {
        "get_related_snippets": [{"search_string": each.signature} for each in methods],
        "get_imports": [{"code": f"{each.name}()"} for each in classes],
        "get_class_info": [{"class_name": each.label} for each in classes],
        "get_signature": [_named(each) for each in methods],
        "get_method_body": [_named(each) for each in methods],
        "get_relevant_code": [{"search_string": each.summary or each.name} for each in classes],
    }
    for tool in REPOSITORY_TOOLS:
        times: list[float] = []
        for given in chance.sample(arguments[tool.name], 10):
            begin = time.perf_counter()
            try:
                tool.call(index, given)
            except SliceFuncError as error:
                print(f"{tool.name}: {error}", file=sys.stderr)
            times.append(time.perf_counter() - begin)
        found[f"{tool.name}_first"] = round(times[0], 3)
        found[tool.name] = round(max(times[1:]), 3)
    return found


def _named(method: Definition) -> dict[str, str]:
    owner = method.label.rpartition(".")[0]
    return {"class_name": owner, "method_name": method.name}


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        store = IndexStore(Path(place))
        corpus, cold = _ready(given.folder, store)
        _, again = _ready(given.folder, store)
        size = sum(file.stat().st_size for file in Path(place).rglob("*"))
    texts = [each.text for each in corpus.chunks if each.kind == "function"]
    drawn = random.Random(0).sample(texts, given.queries)
    queries = [Query(text[:600]) for text in drawn]
    found: dict[str, Any] = {
        "chunks": len(corpus.chunks),
        "cold_seconds": round(cold, 2),
        "unchanged_seconds": round(again, 2),
        "store_megabytes": round(size / 1e6, 1),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    for name, ranker in (("bm25", bm25), ("dense", dense), ("hybrid", hybrid(0.3))):
        times: list[float] = []
        for query in queries:
            start = time.perf_counter()
            best_chunks(corpus, query, ranker, 8)
            times.append(1000 * (time.perf_counter() - start))
        found[f"{name}_query_ms"] = {
            "median": round(median(times), 1),
            "p99": round(percentile(times, 99), 1),
        }
    found["tools"] = tool_times(given.folder)
    print(json.dumps(found, indent=1))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
