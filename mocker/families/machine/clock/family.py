"""The clock: it stands still, sleeping advances it, and loops that only wait come to an end."""

from __future__ import annotations

from collections.abc import Iterator

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

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
    """Return the contacts that read a clock or wait."""
    return border.named(*_NAMES, *_LOOPS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Clocks are patched at the lowest level, so that `datetime` keeps its own types."""
    del contacts
    reason = "the clock stands at noon of 1 January 2024, UTC, and sleeping moves it on"
    modules = ("time", "datetime", "asyncio")
    return Mock(
        treated=tuple(ModuleTreatment(m, "faked", reason) for m in modules),
        setup="".join(_setup(border)),
        pieces=("clock",),
    )


def _setup(border: Border) -> Iterator[str]:
    """Yield the statements: libraries may read any clock, the standard library mostly `time`'s."""
    yield "stop_clocks()\n"
    if border.runs_libraries or border.modules(*_ASKING_DATES):
        yield "stop_dates()\n"
    if border.runs_libraries or border.modules("asyncio"):
        yield "hurry_event_loops()\n"


FAMILY = Family("clock", stub, applies)
