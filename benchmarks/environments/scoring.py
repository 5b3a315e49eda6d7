"""How many candidates a second are scored, against bare subprocesses that import nothing.

The target is trivial and its ten cases do not influence each other, so what is measured is the way
from a candidate's text to its verdict.

python -m benchmarks.environments.scoring                      400 candidates, two workers
python -m benchmarks.environments.scoring --candidates 2000    more
python -m benchmarks.environments.scoring --hidden 128         with hidden cases, which those run
that pass
python -m benchmarks.environments.scoring --large              one function of pyparsing, 12,000
lines
python -m benchmarks.environments.scoring --command            one call of the command line
python -m benchmarks.environments.scoring --soak 3000          a soak: cheats among them, and
workers killed
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from slicefunc.driver import write_environment
from slicefunc.driver.pipeline.passes import Verification, compile_environment, compile_slice
from slicefunc.driver.record.environment_files import Environment, environment_of
from slicefunc.slicer import Repository
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Limits, Profile
from slicefunc.verifier.scoring.oracle.hidden_oracle import with_hidden
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer

from ..common.processor_time import Clock, accounted
from ..common.report import machine, table, write_result
from .scoring_soak import soak

CASES = 10
GOAL = 100.0
"""Candidates a second on two workers, each with a processor of its own."""
GOAL_WITH_HIDDEN = 60.0
GOAL_LARGE = 10.0
GOAL_COMMAND = 1.0
"""Seconds of one call."""
CALLS = 7
BARE = 200
"""Bare subprocesses that are timed."""


def main() -> int:
    """Measure, write the result, and print it.

    The exit status is 1 where the goal is missed, or the soak found something.
    """
    arguments = _arguments().parse_args()
    if arguments.soak:
        chance = random.Random(arguments.seed)
        told = soak(arguments.soak, arguments.jobs, arguments.executor, chance)
        print(json.dumps(told, indent=1))
        return 1 if told["problems"] else 0
    with accounted() as used:
        if arguments.command:
            seconds = _command_seconds(used)
            told = [round(each, 2) for each in seconds]
            print(f"one call of slice-func score, seconds of processor time: {told}")
            return 0 if sorted(seconds)[len(seconds) // 2] <= GOAL_COMMAND else 1
        kind = _large if arguments.large else partial(_small, arguments.hidden)
        result = measure(arguments.candidates, arguments.jobs, used, kind)
    if arguments.write:
        write_result("scoring", {"measured": result, **machine()})
    print(json.dumps(result, indent=1) if arguments.json else markdown(result))
    goal = GOAL_LARGE if arguments.large else GOAL_WITH_HIDDEN if arguments.hidden else GOAL
    return 0 if result["a_second_of_cpu"] >= goal else 1


Kind = Callable[[], tuple[Oracle, tuple[str, ...]]]
"""Gives what is scored by, and texts of two right candidates and a wrong one."""


def _small(hidden: int) -> tuple[Oracle, tuple[str, ...]]:
    """A sum, with so many hidden cases."""
    texts = ("return a + b", "return b + a", "return a - b")
    oracle = _with_hidden(_environment().oracle, hidden)
    return oracle, tuple(f"def added(a, b):\n    {text}\n" for text in texts)


def _environment() -> Environment:
    """Of a sum."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "sums.py").write_text("def added(a, b):\n    return a + b\n")
        calls = (f"def case_{n}():\n    return added({n + 1}, {2 * n + 1})\n" for n in range(CASES))
        cases = place.with_name(f"{place.name}-cases.py")
        cases.write_text("\n\n".join(calls))
        try:
            compiled = compile_environment(
                Repository(place), "sums.py::added", verification=Verification(cases=str(cases))
            )
        finally:
            cases.unlink()
    assert compiled.environment is not None
    return compiled.environment


def write_sum(folder: Path, hidden: int) -> None:
    """Write the environment of a sum, with so many hidden cases, into a folder."""
    made = _environment()
    files = {"script", "cases", "observations", "hidden", "lock", "run", "imports", "target", "id"}
    about = {name: value for name, value in made.record.items() if name not in files}
    oracle = _with_hidden(made.oracle, hidden)
    write_environment(folder, environment_of(oracle, {**about, "accepted": True}))


def _command_seconds(used: Clock) -> list[float]:
    """What each of some calls of the command line takes, where the environment is warm."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_environment(place / "env", _environment())
        (place / "candidate.py").write_text("def added(a, b):\n    return b + a\n")
        script = "import sys; from slicefunc.driver.cli.command import main; sys.exit(main())"
        words = ("score", str(place / "env"), str(place / "candidate.py"))
        found: list[float] = []
        for _ in range(CALLS):
            start = used()
            subprocess.run((sys.executable, "-c", script, *words), check=True, capture_output=True)
            found.append(used() - start)
    return found


def _large() -> tuple[Oracle, tuple[str, ...]]:
    """A function of a module on which much hangs, on ten texts that it parses.

    Raises:
        ModuleNotFoundError: pyparsing is not installed.
    """
    import pyparsing

    place, name = Path(pyparsing.__file__).parent, "pyparsing/helpers.py"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(place, Path(folder) / "pyparsing")
        sliced = compile_slice(Repository(Path(folder)), (f"{name}::counted_array",))
    script = sliced.files[0].content.decode()
    words = "ab cd ef gh ij kl mn op qr st".split()
    parsed = "counted_array(Word(alphas)).parse_string({!r}).as_list()"
    calls = [parsed.format(" ".join([str(n), *words])) for n in range(CASES)]
    head = "def case_{0}():\n    from pyparsing.core import Word, alphas\n    return {1}\n"
    cases = [Case(f"case_{n}", head.format(n, call)) for n, call in enumerate(calls)]
    executor = choose().make()
    executor.start(Profile())
    try:
        oracle, _ = record(executor.run, Oracle(script, name, "counted_array", ()), cases)
    finally:
        executor.close()
    right = ast.get_source_segment(
        (place / "helpers.py").read_text(), _function((place / "helpers.py"), "counted_array")
    )
    assert right is not None
    wrong = right.replace("(expr * n) if n", "(expr * 2) if n")
    return oracle, (right, right, wrong)


def _function(path: Path, name: str) -> ast.FunctionDef:
    tree = ast.parse(path.read_text())
    return next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)


def measure(count: int, jobs: int, used: Clock, kind: Kind) -> dict[str, Any]:
    """Every third candidate is wrong, so that verdicts can be told apart.

    `used` is the processor time of this program, in seconds.
    """
    oracle, texts = kind()
    candidates = [Candidate(str(n), texts[n % 3]) for n in range(count)]
    with Scorer(oracle, jobs=jobs) as scorer:
        list(scorer.score_all(candidates[: 4 * jobs]))
        start, spent = time.perf_counter(), used()
        verdicts = Counter(score.verdict for score in scorer.score_all(candidates))
        scored, spent = time.perf_counter() - start, used() - spent
    bare = _bare(jobs)
    return {
        "candidates": count,
        "cases": len(oracle.recorded),
        "hidden": len(oracle.hidden),
        "workers": jobs,
        "verdicts": dict(verdicts),
        "cpu_ms": round(1000 * spent / count, 1),
        "a_second_of_cpu": round(jobs * count / spent, 1),
        "a_second": round(count / scored, 1),
        "bare_a_second": round(BARE / bare, 1),
        "ratio": round((count / scored) / (BARE / bare), 2),
    }


def _with_hidden(oracle: Oracle, count: int) -> Oracle:
    names = [f"hidden_{n}" for n in range(count)]
    cases = [
        Case(name, f"def {name}():\n    return added({-n}, {3 * n})\n")
        for n, name in enumerate(names)
    ]
    executor = choose().make()
    executor.start(Profile())
    try:
        return with_hidden(executor.run, oracle, cases, Limits())[0] if cases else oracle
    finally:
        executor.close()


def _bare(jobs: int) -> float:
    """Seconds for the bare subprocesses, on as many threads as there are workers."""
    command = (sys.executable, "-I", "-S", "-c", "pass")
    start = time.perf_counter()
    with ThreadPoolExecutor(jobs) as threads:
        list(threads.map(lambda _: subprocess.run(command, check=True), range(BARE)))
    return time.perf_counter() - start


def markdown(result: dict[str, Any]) -> str:
    """One row."""
    return table(
        (
            "candidates",
            "hidden cases",
            "verdicts",
            "workers",
            "ms of processor time each",
            "a second, by that",
            "a second",
            "bare subprocesses a second",
            "ratio",
        ),
        [
            (
                result["candidates"],
                result["hidden"],
                ", ".join(f"{name} {count}" for name, count in sorted(result["verdicts"].items())),
                *(result["workers"], result["cpu_ms"], result["a_second_of_cpu"]),
                *(result["a_second"], result["bare_a_second"], result["ratio"]),
            )
        ],
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.environments.scoring", description=__doc__
    )
    parser.add_argument("--candidates", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2, help="workers")
    parser.add_argument("--hidden", type=int, default=0, metavar="N", help="hidden cases")
    parser.add_argument("--command", action="store_true", help="one call of the command line")
    parser.add_argument("--large", action="store_true", help="a large module")
    parser.add_argument("--soak", type=int, default=0, metavar="N", help="candidates of the soak")
    parser.add_argument("--executor", help="of the soak: this one instead of the first that works")
    parser.add_argument("--seed", type=int, default=0, help="of the soak")
    parser.add_argument("--write", action="store_true", help="keep the result")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
