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
from slicefunc.llm.retrieval.ranking import Query, best_chunks, bm25, dense, hybrid

from benchmarks.common.report import median, percentile


def _ready(folder: Path, store: Path) -> tuple[CodeCorpus, float]:
    """Return a corpus whose indexes are built, and the seconds that this took."""
    start = time.perf_counter()
    corpus = corpus_of(folder, embedder_named("hashed"), store)
    corpus.by_words("solve")
    corpus.by_vector("solve")
    return corpus, time.perf_counter() - start


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        store = Path(place, "chunks.sqlite")
        corpus, cold = _ready(given.folder, store)
        _, again = _ready(given.folder, store)
        size = store.stat().st_size
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
    print(json.dumps(found, indent=1))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
