"""How long trainers wait for rewards: 64 prompts with 8 answers each, at recorded speeds.

A model is not run. Its answers are right ones, mutants and broken ones of the dataset, each ends at
its recorded moment, and the trainer's own code then asks `slice-func serve` for its reward. What is
waited for is what is left when the last answer has ended. `benchmarks/data/training` says where the
times come from.

python -m benchmarks.training.reward_waits DATASET              TRL, verl and SkyRL
python -m benchmarks.training.reward_waits DATASET --write      the same, to benchmarks/results
python -m benchmarks.training.reward_waits DATASET --workers 8  a service with eight processors
python -m benchmarks.training.reward_waits DATASET --record     times of requests, recorded anew

64 environments want about 2.1 GiB of warm sandboxes, a little more than a service keeps by default;
then each batch starts them anew.

The trainers' environments are those of `benchmarks.training.consumers`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.exports.formats import skyrl, trl, verl
from slicefunc.driver.datasets.exports.reward_files import REWARD, reward_text
from slicefunc.driver.datasets.exports.task_files import fenced
from slicefunc.driver.datasets.storage.dataset import open_dataset

from ..common.report import machine, percentile, table, write_result
from ..datasets.reward_candidates import Request, requests_of
from ..datasets.reward_load import closed
from ..datasets.reward_server import Server, served
from .consumers import CONSUMERS, ROOT, SKYRL, TRL, installed, printed

PROMPTS = 64
ANSWERS = 8
GOAL = 0.10
"""Largest share of a step in which the trainer waits for rewards."""
DATA = ROOT / "benchmarks/data/training/generation_times.json"
PATHS = {
    "TRL, reward function": ("trl", "after"),
    "TRL, score_ahead": ("trl", "ahead"),
    "verl, reward loop": ("verl", ""),
    "SkyRL, env.step": ("skyrl", ""),
}
"""Ways to a reward: the child that goes it, and how."""

_REWARDS = {"trl": trl.__name__, "verl": verl.__name__, "skyrl": skyrl.__name__}
_CONSUMERS = {"trl": TRL, "verl": CONSUMERS["verl"], "skyrl": SKYRL}
_CUT = 0.6
"""What is left of a broken answer, as of one that met the limit of tokens."""
Result = dict[str, Any]


def main() -> int:
    """Measure, print, and return 1 where a share is above the goal or a reward is wrong."""
    given = _arguments().parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    answers = _answers(given.dataset, given.seed)
    if given.record:
        return _record(answers, given.work)
    recorded = json.loads(DATA.read_text())
    memory = ("--sandbox-memory", given.sandbox_memory)
    words = ("--workers", given.workers, "--remember", 0, *memory)
    with served(given.dataset, tuple(map(str, words))) as server:
        asyncio.run(closed(server.port, answers, 8))  # installs what environments need
        found = [_step(each, recorded, answers, server, given) for each in recorded["steps"]]
    result = {
        "dataset": given.dataset.name,
        "workers": given.workers,
        "sandbox_memory": given.sandbox_memory,
        "answers": dict(Counter(each.kind for each in answers)),
        "environments": len({each.environment for each in answers}),
        "steps": found,
        **machine(),
    }
    if given.write:
        write_result("training-rewards", result)
    print(json.dumps(result, indent=1) if given.json else _markdown(result))
    return int(any(_problems(found)))


def _answers(location: Path, seed: int) -> list[Request]:
    """Return as many answers to each of some environments, as models write them."""
    chance = random.Random(seed)
    by_environment: dict[str, list[Request]] = {}
    for each in requests_of(open_dataset(location), seed):
        if each.kind in {"right", "wrong"}:
            by_environment.setdefault(each.environment, []).append(each)
    some = chance.sample(sorted(by_environment), min(PROMPTS, len(by_environment)))
    return [
        Request(one.environment, fenced(one.candidate), one.kind)
        for environment in some
        for one in _eight(by_environment[environment])
    ]


def _eight(own: Sequence[Request]) -> list[Request]:
    """Return right and wrong answers, and broken ones for what is missing."""
    text = own[0].candidate
    whole = list(own[: ANSWERS - 1])
    cuts = (int(len(text) * _CUT) - at for at in range(ANSWERS - len(whole)))
    return [*whole, *(Request(own[0].environment, text[:cut], "broken") for cut in cuts)]


def _record(answers: Iterable[Request], work: Path) -> int:
    """Record anew when each request of a real generation ends, on this processor."""
    lengths = work / "lengths.json"
    lengths.write_text(json.dumps([len(each.candidate) for each in answers]))
    found = printed(installed(TRL, work), "record_generation.py", (lengths,), "")
    recorded = json.loads(DATA.read_text())
    recorded["requests"] = {**found, **machine()}
    DATA.write_text(_compact(json.dumps(recorded, indent=1)) + "\n")
    return 0


def _compact(text: str) -> str:
    """Return JSON with each list of numbers on one line."""
    return re.sub(r"\[\s+([\d.]+),\s+([\d.]+)\s+\]", r"[\1, \2]", text)


def _step(
    step: Result,
    recorded: Result,
    answers: Sequence[Request],
    server: Server,
    given: argparse.Namespace,
) -> Result:
    """Return what each trainer waits in one recorded step."""
    seconds = step["seconds"]
    generation = seconds["generate_sequences"]
    other = sum(seconds.values()) - generation
    plan = given.work / "step.json"
    plan.write_text(
        json.dumps(
            {
                "generation": generation,
                "answers": [
                    {"environment": each.environment, "text": each.candidate, "end": end}
                    for each, end in zip(
                        answers, _ends(answers, recorded["requests"], generation), strict=True
                    )
                ],
            }
        )
    )
    found: Result = {"model": step["model"], "generation": generation, "other": round(other, 2)}
    for name, (child, how) in PATHS.items():
        if given.path and child not in given.path:
            continue
        found[name] = _asked(child, how, plan, server, given, answers)
        waited = found[name]["waits"]
        found[name]["share"] = round(waited / (generation + other + waited), 4)
        print(f"{step['model']}, {name}: {json.dumps(found[name])}", file=sys.stderr, flush=True)
    return found


def _ends(answers: Sequence[Request], requests: Result, generation: float) -> list[float]:
    """Return the moment at which each answer ends: the recorded ones, in order of length."""
    recorded = sorted(end for _, end in requests["requests"])
    order = sorted(range(len(answers)), key=lambda at: len(answers[at].candidate))
    ends = [0.0] * len(answers)
    for rank, at in enumerate(order):
        ends[at] = generation * recorded[rank * len(recorded) // len(order)] / recorded[-1]
    return ends


def _asked(
    child: str,
    how: str,
    plan: Path,
    server: Server,
    given: argparse.Namespace,
    answers: Sequence[Request],
) -> Result:
    """Return what one trainer waits, and its rewards against those that are deserved."""
    folder = given.work / f"reward-{child}"
    folder.mkdir(exist_ok=True)
    (folder / REWARD).write_text(reward_text(_REWARDS[child], "reward.py.txt"))
    python = installed(_CONSUMERS[child], given.work)
    spent, starts = server.processor_seconds(), server.memory()["starts"]
    begin = time.monotonic()
    url = f"http://127.0.0.1:{server.port}"
    found = printed(python, f"{child}_waits.py", (plan, folder / REWARD, how), url)
    rewards, latencies = found["rewards"], found["latencies"]
    deserved = [float(each.kind == "right") for each in answers]
    return {
        "waits": round(found["waits"], 2),
        "seconds_of_scoring": round(found["scoring"], 2),
        "a_second": round(len(rewards) / found["scoring"], 1),
        "p50": round(percentile(latencies, 50), 3),
        "p99": round(percentile(latencies, 99), 3),
        "undeserved": sum(x != y for x, y in zip(rewards, deserved, strict=True)),
        "unknown": sum(each is None for each in rewards),
        "processor_seconds": round(server.processor_seconds() - spent, 1),
        "sandbox_starts": server.memory()["starts"] - starts,
        "seconds": round(time.monotonic() - begin, 1),
    }


def _problems(found: Iterable[Result]) -> list[str]:
    return [
        f"{step['model']}, {name}: waits {each['share']:.0%} of the step"
        for step in found
        for name, each in step.items()
        if name in PATHS and each["share"] > GOAL
    ]


def _markdown(result: Result) -> str:
    columns = ("waits", "share", "a_second", "p50", "p99", "undeserved", "unknown")
    rows = [
        [step["model"], step["generation"], step["other"], name, *(each[of] for of in columns)]
        for step in result["steps"]
        for name, each in step.items()
        if name in PATHS
    ]
    head = ("recorded step", "generates, s", "else, s", "path", *columns)
    problems = (f"problem: {each}" for each in _problems(result["steps"]))
    return "\n".join([table(head, rows), "", *problems])


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n\n")[0], prog="python -m benchmarks.training.reward_waits"
    )
    parser.add_argument("dataset", type=Path, metavar="DATASET")
    parser.add_argument("--path", action="append", choices=tuple(_REWARDS), help="(repeatable)")
    parser.add_argument("--workers", type=int, default=2, help="of the service (default 2)")
    parser.add_argument(
        "--sandbox-memory", type=int, default=8192, help="of the service, in MiB (default 8192)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="record times of requests anew")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="to benchmarks/results")
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".work/training", help="for environments"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
