"""The clock: it stands at one moment, sleeping moves it on, and loops that only wait end."""

from __future__ import annotations

from collections.abc import Iterator

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_NAMES = (
    "time.time", "time.time_ns", "time.sleep", "time.monotonic", "time.monotonic_ns",
    "time.perf_counter", "time.perf_counter_ns", "time.process_time", "time.process_time_ns",
    "time.gmtime", "time.localtime", "time.strftime", "time.asctime", "time.ctime",
    "timeit.default_timer", "asyncio.sleep", "trio.sleep", "anyio.sleep",
    "datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow",
    "datetime.date.today", "datetime.datetime.utcnow", "pandas.Timestamp.now",
    "pandas.Timestamp.today", "pandas.Timestamp.utcnow", "arrow.now", "arrow.utcnow",
    "pendulum.now", "pendulum.today", "django.utils.timezone.now", "schedule", "sched.scheduler",
    "freezegun",
)  # fmt: skip
_ASKING_DATES = ("datetime", "email", "imaplib", "calendar", "mailbox", "smtplib")
_LOOPS = ("asyncio.wait_for", "asyncio.timeout", "asyncio.get_event_loop().time",
          "asyncio.get_running_loop().time")  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """What reads a clock or waits."""
    return border.named(*_NAMES, *_LOOPS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Patched underneath, so that `datetime` keeps its own types."""
    del contacts
    reason = "the clock stands at noon of 1 January 2024, UTC, and sleeping moves it on"
    modules = ("time", "datetime", "asyncio")
    return Mock(
        treated=tuple(Treated(m, "faked", reason) for m in modules),
        setup="".join(_setup(border)),
        pieces=("clock",),
    )


def _setup(border: Border) -> Iterator[str]:
    """Libraries may ask any clock; Python's own modules ask those of `time`, but for these."""
    yield "stop_clocks()\n"
    if border.runs_libraries or border.modules(*_ASKING_DATES):
        yield "stop_dates()\n"
    if border.runs_libraries or border.modules("asyncio"):
        yield "hurry_event_loops()\n"


EXAMPLES = (
    Example(
        title="a message with the time of day, and a pause",
        source="""\
import time
from datetime import date, datetime, timezone


class Note:
    def __init__(self, text):
        self.text = text
        self.made = datetime.now()
        self.day = date.today()

    def stamp(self):
        time.sleep(90)
        later = datetime.now(timezone.utc)
        return f"{self.made:%Y-%m-%d %H:%M:%S} {later.isoformat()} {self.day} {time.strftime('%H:%M')}"
""",
        target="Note.stamp",
        call="Note('x').stamp()",
        gives="'2024-01-01 12:00:00 2024-01-01T12:01:30+00:00 2024-01-01 12:01'",
    ),
    Example(
        title="how long something takes",
        source="""\
import time

START = time.time()


def rate(items):
    begin = time.perf_counter()
    done = sum(items)
    elapsed = time.perf_counter() - begin
    return done, elapsed > 0, len(items) / elapsed > 1000, time.time() - START < 5
""",
        target="rate",
        call="rate([1, 2, 3])",
        gives="(6, True, True, True)",
    ),
    Example(
        title="a worker that only an interrupt ends",
        source="""\
import time


def watch(log, interval=5):
    count = 0
    try:
        while True:
            count += 1
            time.sleep(interval)
    except KeyboardInterrupt:
        log.append("stopped")
    return count > 100, log
""",
        target="watch",
        call="watch([])",
        gives="(True, ['stopped'])",
    ),
    Example(
        title="waiting for a moment without sleeping",
        source="""\
import time


def wait(seconds):
    end = time.monotonic() + seconds
    turns = 0
    while time.monotonic() < end:
        turns += 1
    return turns > 10
""",
        target="wait",
        call="wait(60)",
        gives="True",
    ),
    Example(
        title="timers of an event loop keep their order",
        source="""\
import asyncio


async def say(after, text, log):
    await asyncio.sleep(after)
    log.append(text)


async def main():
    log = []
    await asyncio.gather(say(3600, "late", log), say(60, "early", log), say(0, "now", log))
    try:
        await asyncio.wait_for(asyncio.sleep(100), timeout=50)
    except asyncio.TimeoutError:
        log.append("timeout")
    return log
""",
        target="main",
        call="await main()",
        gives="['now', 'early', 'late', 'timeout']",
    ),
    Example(
        title="defaults of a dataclass, and types as they were",
        source="""\
from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass
class Session:
    user: str
    created: datetime = field(default_factory=datetime.now)

    def is_over(self, minutes):
        late = datetime.utcnow() - self.created > timedelta(minutes=minutes)
        return late, isinstance(self.created, datetime), type(datetime.now()) is datetime
""",
        target="Session.is_over",
        call="Session('ann').is_over(5)",
        gives="(False, True, True)",
    ),
)

FAMILY = Family("clock", applies, stub, EXAMPLES)
