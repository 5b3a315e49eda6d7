"""What a stored answer costs: the time of one question that was asked before.

    python -m benchmarks.cases.model_cache [--questions N] [--write]

The cache is on disk and holds all N answers; each question is new to the process. Nothing is sent.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from slicefunc.llm.client.answer_cache import Cache
from slicefunc.llm.client.client import Client
from slicefunc.llm.client.cost_account import Account
from slicefunc.llm.client.model_settings import Settings
from slicefunc.llm.client.questions import Reply, Request
from slicefunc.llm.stages.uncovered_lines import Calls, InputGap, inputs_request

from ..common.report import machine, write_result

_ANSWER = '{"calls": [{"receiver": "", "arguments": [{"name": "a", "value": "1"}], "before": []}]}'
_LINES = 40
_CONTEXT = 300


def main(argv: list[str] | None = None) -> int:
    """Measure and print; the exit status is 0 when every answer came from the cache."""
    parser = argparse.ArgumentParser(prog="benchmarks.cases.model_cache", description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    settings = Settings("a-model", is_replay=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "answers.sqlite")
        requests = [_question(number, settings) for number in range(options.questions)]
        cache = Cache(file)
        for request in requests:
            key = request.key(settings.model, settings.temperature, settings.seed)
            cache.put(key, settings.model, Reply(_ANSWER, "stop", "", 1000, 50, 1.0))
        client = Client(settings, Cache(file))
        seconds: list[float] = []
        stored = 0
        for request in requests:
            start = time.perf_counter()
            stored += client.ask(request, Account()).is_stored
            seconds.append(time.perf_counter() - start)
        client.close()
    milliseconds = [1000 * each for each in seconds]
    result = {
        "questions": len(requests),
        "stored": stored,
        "median_ms": statistics.median(milliseconds),
        "p99_ms": sorted(milliseconds)[len(milliseconds) * 99 // 100],
        "characters_a_question": sum(len(m.text) for m in requests[0].messages),
        **machine(),
    }
    if options.write:
        write_result("model_cache", result)
    print(*(f"{name}: {value}" for name, value in result.items()), sep="\n")
    return 0 if stored == len(requests) else 1


def _question(number: int, settings: Settings) -> Request[Calls]:
    """One of the size that questions have: a function of 40 lines in a script of 300."""
    function = "\n".join(f"{n:>5}      value = value + {n}" for n in range(_LINES))
    context = "\n".join(f"CONSTANT_{n} = {number}" for n in range(_CONTEXT))
    gap = InputGap(function, context, "a: must be given", f"line {number}", "", "inputs")
    return inputs_request(gap, settings)


if __name__ == "__main__":
    raise SystemExit(main())
