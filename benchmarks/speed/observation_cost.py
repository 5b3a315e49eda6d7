"""What large observations cost: to encode where they are made, and to decode and compare here.

For each value, one child process encodes it (best of some rounds). The parent then judges records
of it as scoring does, three ways: the very text that was expected; another text of an equal value
(something else is written to standard error, which does not count); and a value of which the last
part differs.

python -m benchmarks.speed.observation_cost            the table
python -m benchmarks.speed.observation_cost --write    also kept among the results
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import slicefunc.verifier
from slicefunc.verifier.execution.executors.interface import Outcome
from slicefunc.verifier.observation.compare_observations import Comparison
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.scoring.verdict import Judgement, judge

from ..common.report import machine, table, write_result

ROUNDS = 5
FOLDER = Path(slicefunc.verifier.__file__).parent

CHILD = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from sandbox.encoders.encode import encode
import collections, dataclasses
@dataclasses.dataclass
class Point:
    x: int
    y: float
    name: str
def nested(depth, last=0):
    return {f"k{i}": nested(depth - 1, last * (i == 9)) for i in range(10)} if depth else last
def timed(value):
    rounds = []
    for _ in range(int(sys.argv[2])):
        start = time.perf_counter()
        text = encode(value, ("__main__",), True)
        rounds.append(time.perf_counter() - start)
    return min(rounds), text
try:
    seconds, text = timed(eval(sys.argv[3]))
    _, other = timed(eval(sys.argv[4]))
except ImportError as error:
    print(json.dumps({"missing": error.name}))
else:
    print(json.dumps({"seconds": seconds, "text": text, "other": other}))
"""

_NUMPY = "__import__('numpy')"
VALUES: dict[str, tuple[str, str]] = {
    "100,000 ints": ("list(range(100_000))", "[*range(99_999), 0]"),
    "40,000 floats": ("[i / 7 for i in range(40_000)]", "[*(i / 7 for i in range(39_999)), 0.0]"),
    "dict of 100,000 ints": (
        "{i: i for i in range(100_000)}",
        "{i: i if i < 99_999 else 0 for i in range(100_000)}",
    ),
    "nested dicts, 10,000 leaves": ("nested(4)", "nested(4, 1)"),
    "1 MB of text, one piece": ("'ab' * 500_000", "'ab' * 499_999 + 'ac'"),
    "1 MB of text, 10,000 lines": (
        "[f'{i:099}' for i in range(10_000)]",
        "[*(f'{i:099}' for i in range(9_999)), '']",
    ),
    "10,000 dataclass instances": (
        "[Point(i, i / 7, str(i)) for i in range(10_000)]",
        "[*(Point(i, i / 7, str(i)) for i in range(9_999)), Point(9_999, 9_999 / 7, '')]",
    ),
    "10,000 tuples in a set": (
        "{(i, str(i)) for i in range(10_000)}",
        "{*((i, str(i)) for i in range(9_999)), (9_999, '')}",
    ),
    "array of 1,000 by 1,000 f8": (
        f"{_NUMPY}.arange(1e6).reshape(1000, 1000)",
        f"{_NUMPY}.arange(1e6).reshape(1000, 1000)[:, ::-1]",
    ),
    "array of 500 by 1,000 f8": (
        f"{_NUMPY}.arange(5e5).reshape(500, 1000)",
        f"{_NUMPY}.append({_NUMPY}.arange(499_999.0), 0).reshape(500, 1000)",
    ),
}
"""The value, and one of which the last part is another."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one value costs, in milliseconds."""

    value: str
    encode_ms: float
    megabytes: float
    decode_ms: float
    same_text_ms: float
    """From records to verdict, as are the next two."""
    equal_value_ms: float
    other_value_ms: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="keep the result")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"(default {ROUNDS})")
    parser.add_argument("--only", default="", help="values whose name has this in it")
    arguments = parser.parse_args(argv)
    found = [measure(name, arguments.rounds) for name in VALUES if arguments.only in name]
    costs = [cost for cost in found if cost is not None]
    if arguments.write:
        write_result("observations", {"measured": [asdict(c) for c in costs], **machine()})
    print(markdown(costs))
    return 0


def measure(name: str, rounds: int) -> Cost | None:
    """The cost of one value; `None` where the package that makes it is not installed."""
    done = subprocess.run(
        [sys.executable, "-s", "-B", "-c", CHILD, FOLDER, str(rounds), *VALUES[name]],
        capture_output=True,
        check=True,
    )
    told = json.loads(done.stdout)
    if "missing" in told:
        print(f"left out: {name}: no {told['missing']}", file=sys.stderr)
        return None
    text, other = (_returned(told[part]) for part in ("text", "other"))
    expected = decode_text(text)
    assert isinstance(expected, Observation), expected

    def verdict(observed: str) -> Callable[[], object]:
        records = ('{"kind":"ready"}', _case(observed), '{"kind":"end"}')
        outcome = Outcome("exited", 0, records=records, is_set_up=True)
        return lambda: _checked(judge(outcome, (("a", expected),), Comparison()), observed != other)

    return Cost(
        name,
        round(told["seconds"] * 1e3, 2),
        round(len(text) / 1e6, 3),
        _best_ms(lambda: decode_text(text), rounds),
        _best_ms(verdict(text), rounds),
        _best_ms(verdict(_with_warning(text)), rounds),
        _best_ms(verdict(other), rounds),
    )


def markdown(costs: Sequence[Cost]) -> str:
    """The costs as a table."""
    head = (
        "value | encode, ms | MB sent | decode, ms | verdict: same text, ms | equal value, ms"
        " | last part differs, ms"
    ).split(" | ")
    rows = [
        [
            c.value,
            *(str(n) for n in (c.encode_ms, c.megabytes, c.decode_ms)),
            *(str(n) for n in (c.same_text_ms, c.equal_value_ms, c.other_value_ms)),
        ]
        for c in costs
    ]
    return table(head, rows)


def _returned(text: str) -> str:
    return '{"outcome":"returned",' + text.removeprefix("{")


def _with_warning(text: str) -> str:
    return text.removesuffix("}") + ',"stderr":"a warning"}'


def _case(text: str) -> str:
    return f'{{"kind":"case","name":"a","observation":{text}}}'


def _checked(found: Judgement, is_alike: bool) -> None:
    assert found.verdict == ("passed" if is_alike else "failed"), found


def _best_ms(run: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return round(best * 1e3, 2)


if __name__ == "__main__":
    sys.exit(main())
