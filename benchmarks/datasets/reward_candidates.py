"""Candidates for a reward service, and what they deserve: right, wrong, cheating, hanging ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slicefunc.driver.datasets.storage.dataset import Dataset
from slicefunc.driver.record.environment_files import Environment
from slicefunc.slicer.errors import SliceFuncError

from ..environments.candidate_suite import Member, suite
from ..environments.cheating_candidates import cheating_candidates

_RIGHT = 4
_WRONG = 4
_CHEATS = 3
_HANGING = ("while True:\n        pass", "import time\n    time.sleep(1000)")


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and what may be answered."""

    environment: str
    candidate: str
    kind: str
    """`right`, `wrong`, `cheat` or `hanging`."""


def requests_of(dataset: Dataset, seed: int) -> tuple[Request, ...]:
    """The candidates of each environment of a dataset that has a text to change."""
    return tuple(
        request
        for identity in sorted(dataset.ids())
        for request in _requests(dataset.environment(identity), random.Random(f"{seed} {identity}"))
    )


def _requests(environment: Environment, chance: random.Random) -> Iterator[Request]:
    identity = str(environment.record["id"])
    try:
        members = list(suite(environment, 0))
    except SliceFuncError:  # its text cannot be changed
        return
    right = [each for each in members if each.passes and not each.kind.startswith("original")]
    original = next(each for each in members if each.kind == "original")
    wrong = [each for each in members if each.passes is False]
    for each in (original, *_some(right, _RIGHT - 1, chance)):
        yield Request(identity, each.text, "right")
    for each in _some(wrong, _WRONG, chance):
        yield Request(identity, each.text, "wrong")
    name = environment.oracle.qualname
    if "." in name:  # cheats are functions
        return
    path = environment.oracle.path
    module = path.removesuffix(".py").replace("/", ".")
    cheats = sorted(cheating_candidates(name, path.rpartition("/")[2], module).values())
    for text in chance.sample(cheats, _CHEATS):
        yield Request(identity, text, "cheat")
    for body in _HANGING:
        yield Request(identity, f"def {name}(*args, **kwargs):\n    {body}\n", "hanging")


def _some(members: Sequence[Member], count: int, chance: random.Random) -> list[Member]:
    return chance.sample(members, min(count, len(members)))
