"""What coverage costs on a run: the same script in a forked child, with and without its arcs.

A run is what a warm process does for one script, without the sandbox around it: fork, compile the
text, execute it, call the target some times, send the arcs as JSON, end. The pairs are interleaved.
The ratio in a sandbox is smaller, since setting that up costs the same on both sides.

python -m benchmarks.speed.coverage_cost            the table; exit status 1 where the goal is
missed
python -m benchmarks.speed.coverage_cost --write    also kept among the results
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from slicefunc.verifier.sandbox.cases.arcs import collecting
from slicefunc.verifier.script.branch_coverage import branch_coverage, parsed_arcs

from ..common.report import machine, median, table, write_result

GOAL = 1.3
RUNS = 61
FILE = "/box/script.py"
"""What the script believes to be called; nothing is written there."""


@dataclass(frozen=True, slots=True)
class Work:
    """A module of the standard library as the script, one function of it as the target."""

    module: str
    target: str
    calls: str
    """What is run in the module, ten times over as ten cases would."""
    is_typical: bool = True
    """Whether the goal holds for it: it calls the target as cases do, and computes little."""


TEXT = "'The quick, brown fox -- ' * 6"
WORK = (
    Work("textwrap", "TextWrapper._split_chunks", f"wrap({TEXT}, 20)"),
    Work("textwrap", "TextWrapper._wrap_chunks", f"fill({TEXT}, 20)"),
    Work("shlex", "shlex.read_token", "split('one \"two three\" fo\\\\ur')"),
    Work("fractions", "Fraction.limit_denominator", "Fraction('3.1415926').limit_denominator(9)"),
    Work("statistics", "quantiles", "quantiles([1, 2, 5, 7, 10], n=4)"),
    Work("difflib", "get_close_matches", "get_close_matches('appel', ['ape', 'apple', 'pear'])"),
    Work("string", "capwords", "capwords('one two three')"),
    Work("fnmatch", "translate", "translate('*.[ch]?')"),
    Work("heapq", "merge", "list(merge([1, 3], [2, 4]))"),
    Work("colorsys", "rgb_to_hsv", "rgb_to_hsv(0.2, 0.4, 0.4)"),
    Work("calendar", "monthrange", "monthrange(2024, 2)"),
    Work("heapq", "merge", "list(merge(range(3000), range(3000)))", is_typical=False),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians of one work."""

    work: str
    plain_ms: float
    traced_ms: float
    ratio: float
    """Median of the pairs' ratios."""
    arcs: int
    analysis_ms: float
    """The parent's work on the arcs, once the target is parsed."""
    parsing_ms: float
    """The parent's work for the first run of a target."""
    is_typical: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and say whether the goal is met."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS, help=f"pairs of runs (default {RUNS})")
    parser.add_argument("--write", action="store_true", help="keep the result")
    arguments = parser.parse_args(argv)
    branch_coverage("def f(): pass\n", 1, 1, frozenset())  # loads the parser
    costs = [measure(work, arguments.runs) for work in WORK]
    ratio = median([cost.ratio for cost in costs if cost.is_typical])
    print(markdown(costs, ratio))
    if arguments.write:
        measured = {"ratio": round(ratio, 3), "works": [asdict(cost) for cost in costs]}
        write_result("coverage_cost", {**measured, **machine()})
    return int(ratio > GOAL)


def measure(work: Work, runs: int) -> Cost:
    """Pairs of runs, with and without."""
    origin = importlib.util.find_spec(work.module)
    text = Path(origin.origin or "").read_text(encoding="utf-8") if origin else ""
    span = _span(text, work.target)
    pairs: list[tuple[float, float]] = []
    for at in range(runs + 1):
        order = (None, span) if at % 2 else (span, None)  # neither is always the first
        seconds = {trace: _run(text, work.calls, trace)[0] for trace in order}
        if at:  # the first pair warms up
            pairs.append((seconds[None], seconds[span]))
    arcs = parsed_arcs(json.loads(_run(text, work.calls, span)[1]))
    analyses = [_analysis_seconds(text, span, arcs) for _ in range(20)]
    return Cost(
        f"{work.module}: {work.calls}",
        round(1000 * median([pair[0] for pair in pairs]), 2),
        round(1000 * median([pair[1] for pair in pairs]), 2),
        round(median([traced / plain for plain, traced in pairs]), 3),
        len(arcs),
        round(1000 * median(analyses[1:]), 3),
        round(1000 * analyses[0], 2),
        work.is_typical,
    )


def _span(text: str, target: str) -> tuple[int, int]:
    body: Sequence[ast.stmt] = ast.parse(text).body
    for name in target.split("."):
        node = next(n for n in body if getattr(n, "name", "") == name)
        assert isinstance(node, ast.ClassDef | ast.FunctionDef)
        body = node.body
    return node.lineno, node.end_lineno or node.lineno


def _run(text: str, calls: str, trace: tuple[int, int] | None) -> tuple[float, bytes]:
    """Seconds of one run in a child, and what it sent."""
    reading, writing = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if not child:
        _child(text, calls, trace, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        sent = stream.read()
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit(f"{calls}: the child ended with {status}")
    return seconds, sent


def _child(text: str, calls: str, trace: tuple[int, int] | None, writing: int) -> None:
    """Run the script, send what was collected, and end."""
    status = 1
    try:
        scope: dict[str, object] = {"__name__": "script", "__file__": FILE}
        sys.modules["script"] = type(sys)("script")
        exec(compile(text, FILE, "exec"), scope)
        code = compile(f"for _ in range(10): {calls}", "<cases>", "exec")
        found: list[tuple[int, int]] = []
        if trace is None:
            exec(code, scope)
        else:
            with collecting(FILE, *trace) as collector:
                exec(code, scope)
            found = collector.arcs()
        os.write(writing, json.dumps(found).encode())
        status = 0
    finally:
        os._exit(status)


def _analysis_seconds(text: str, span: tuple[int, int], arcs: frozenset[tuple[int, int]]) -> float:
    started = time.perf_counter()
    branch_coverage(text, *span, arcs)
    return time.perf_counter() - started


def markdown(costs: Sequence[Cost], ratio: float) -> str:
    """The table, and the ratio that counts."""
    head = ("run", "plain ms", "with arcs ms", "ratio", "arcs", "parent ms", "first time ms")
    rows = [
        (c.work, c.plain_ms, c.traced_ms, c.ratio, c.arcs, c.analysis_ms, c.parsing_ms)
        for c in costs
    ]
    goal = "met" if ratio <= GOAL else "missed"
    heavy = "The last row computes in the target for long; it does not count."
    verdict = f"Median of the ratios: {ratio:.2f} (goal: at most {GOAL}; {goal}). {heavy}"
    return f"{table(head, rows)}\n\n{verdict}"


if __name__ == "__main__":
    sys.exit(main())
