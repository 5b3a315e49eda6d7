"""A load on a reward service: so many requests at once, or so many a second whatever comes back."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from .reward_candidates import Request

PATIENCE = 120.0
"""Seconds for one answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    request: Request
    status: int
    """0 where nothing came back."""
    body: dict[str, Any]
    seconds: float

    @property
    def is_deserved(self) -> bool:
        """Whether right candidates are rewarded and others not; without a verdict it is."""
        reward = self.body.get("reward")
        return reward is None or (reward == 1.0) == (self.request.kind == "right")


async def closed(port: int, requests: Sequence[Request], at_once: int) -> list[Answer]:
    """Send each request once, so many at a time."""
    left = iter(requests)
    answers: list[Answer] = []

    async def client() -> None:
        for request in left:
            answer = await sent(port, request)
            answers.append(answer)

    await asyncio.gather(*(client() for _ in range(at_once)))
    return answers


async def open_loop(
    port: int, requests: Sequence[Request], a_second: float, seconds: float, chance: random.Random
) -> list[Answer]:
    """Send requests at random moments, so many a second on average, whatever is answered."""
    tasks: list[asyncio.Task[Answer]] = []
    start = time.perf_counter()
    for request, moment in zip(cycle(requests), _moments(a_second, seconds, chance), strict=False):
        await asyncio.sleep(max(0.0, start + moment - time.perf_counter()))
        tasks.append(asyncio.create_task(sent(port, request)))
    return list(await asyncio.gather(*tasks))


def _moments(a_second: float, seconds: float, chance: random.Random) -> Iterator[float]:
    moment = 0.0
    while (moment := moment + chance.expovariate(a_second)) < seconds:
        yield moment


async def sent(port: int, request: Request) -> Answer:
    """Send one request on a connection of its own."""
    begin = time.perf_counter()
    body = json.dumps({"environment": request.environment, "candidate": request.candidate}).encode()
    try:
        status, text = await asyncio.wait_for(_post(port, body), PATIENCE)
        found: dict[str, Any] = json.loads(text)
    except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError) as error:
        status, found = 0, {"error": f"{type(error).__name__}: {error}"}
    return Answer(request, status, found, time.perf_counter() - begin)


async def _post(port: int, body: bytes) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = (
            "POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        whole = await reader.read()
    finally:
        writer.close()
    first, _, rest = whole.partition(b"\r\n")
    return int(first.split()[1]), rest.partition(b"\r\n\r\n")[2]


def mixed(requests: Sequence[Request], count: int, chance: random.Random) -> list[Request]:
    """So many requests in a random order, each environment as often as the others."""
    shuffled = list(requests)
    chance.shuffle(shuffled)
    return list(islice(cycle(shuffled), count))
