"""Threads, timers, pools, signals and schedulers that would never end, or leave the process."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_TIMERS = ("threading.Timer",)
_PROCESSES = (
    "multiprocessing.Pool", "multiprocessing.Process", "multiprocessing.pool.Pool",
    "multiprocessing.set_start_method", "concurrent.futures.ProcessPoolExecutor",
)  # fmt: skip
_SIGNALS = ("signal.signal", "signal.pause", "signal.alarm")
_FORKS = ("os.fork", "os.waitpid", "os.wait")
_SCHEDULERS = (
    "apscheduler.schedulers.blocking.BlockingScheduler",
    "apscheduler.schedulers.background.BackgroundScheduler",
    "apscheduler.schedulers.asyncio.AsyncIOScheduler",
    "watchdog.observers.Observer", "watchdog.observers.polling.PollingObserver",
)  # fmt: skip
_PARTS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (_TIMERS, "shorten_timers()\n", "timers fire at once"),
    (_PROCESSES, "keep_in_process()\n", "processes are threads of this one"),
    (_SIGNALS, "handle_no_signals()\n", "handlers are kept apart"),
    (_FORKS, "fork_nothing()\n", "a fork goes on as the parent"),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that start something which continues by itself."""
    return border.named(*_TIMERS, *_PROCESSES, *_SIGNALS, *_FORKS, *_SCHEDULERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Threads, timers, processes and signals are replaced, each if the slice names them."""
    setup = ""
    treated: list[ModuleTreatment] = []
    for names, line, reason in _PARTS:
        if border.named(*names):
            setup += line
            modules = dict.fromkeys(name.partition(".")[0] for name in names)
            treated += [ModuleTreatment(module, "faked", reason) for module in modules]
    named = [name for name in _SCHEDULERS if border.named(name)]
    if named:
        setup += f"note_schedulers({', '.join(map(repr, named))})\n"
        tops = {contact.name.partition(".")[0] for contact in contacts}
        reason = "what is scheduled or watched is noted, and starting comes back at once"
        treated += [
            ModuleTreatment(top, "faked", reason)
            for top in ("apscheduler", "watchdog")
            if top in tops
        ]
    return Mock(tuple(treated), setup, pieces=("schedulers",))


FAMILY = Family("schedulers", stub, applies)
