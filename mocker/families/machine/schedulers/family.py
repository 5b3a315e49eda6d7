"""Threads, timers, pools, signals and schedulers that would never end, or leave the process."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

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
    """What starts something that goes on by itself."""
    return border.named(*_TIMERS, *_PROCESSES, *_SIGNALS, *_FORKS, *_SCHEDULERS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each part only where the slice names it."""
    setup = ""
    treated: list[Treated] = []
    for names, line, reason in _PARTS:
        if border.named(*names):
            setup += line
            modules = dict.fromkeys(name.partition(".")[0] for name in names)
            treated += [Treated(module, "faked", reason) for module in modules]
    named = [name for name in _SCHEDULERS if border.named(name)]
    if named:
        setup += f"note_schedulers({', '.join(map(repr, named))})\n"
        tops = {contact.name.partition(".")[0] for contact in contacts}
        reason = "what is scheduled or watched is noted, and starting comes back at once"
        treated += [
            Treated(top, "faked", reason) for top in ("apscheduler", "watchdog") if top in tops
        ]
    return Mock(tuple(treated), setup, pieces=("schedulers",))


EXAMPLES = (
    Example(
        title="jobs of a loop that never ends",
        source="""\
import schedule
import time

LOG = []


def tick():
    LOG.append(len(LOG))


def serve():
    schedule.every(10).minutes.do(tick)
    try:
        while True:
            schedule.run_pending()
            time.sleep(60)
    except KeyboardInterrupt:
        return len(LOG)
""",
        target="serve",
        call="serve()",
        gives="100",
    ),
    Example(
        title="a blocking scheduler",
        source="""\
from apscheduler.schedulers.blocking import BlockingScheduler


def collect():
    return 1


def serve(hours):
    scheduler = BlockingScheduler()
    scheduler.add_job(collect, "interval", hours=hours)
    scheduler.start()
    return "over"
""",
        target="serve",
        call="serve(2)",
        gives="'over'",
        effects=("command schedule collect", "command start BlockingScheduler"),
    ),
    Example(
        title="a pool of processes",
        source="""\
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process, Queue, cpu_count

DONE = []


def square(n):
    DONE.append(n)
    return n * n


def work(numbers):
    with Pool(cpu_count()) as pool:
        first = pool.map(square, numbers)
    with ProcessPoolExecutor(max_workers=2) as pool:
        second = list(pool.map(square, numbers, chunksize=2))
    process = Process(target=square, args=(9,))
    process.start()
    process.join()
    return first, second, DONE, process.exitcode
""",
        target="work",
        call="work([1, 2])",
        gives="([1, 4], [1, 4], [1, 2, 1, 2, 9], 0)",
    ),
    Example(
        title="a timer that starts itself anew, and handlers of signals",
        source="""\
import signal
import threading
import time


class Heart:
    def __init__(self):
        self.beats = 0
        self.over = threading.Event()
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, *_):
        self.over.set()

    def beat(self):
        self.beats += 1
        if self.beats == 3:
            self.over.set()
        timer = threading.Timer(3600, self.beat)
        timer.daemon = True
        timer.start()

    def run(self):
        self.beat()
        self.over.wait(10)
        return self.beats >= 3
""",
        target="Heart.run",
        call="Heart().run()",
        gives="True",
    ),
    Example(
        title="a watcher of a folder",
        source="""\
import time
from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer


class Handler(FileSystemEventHandler):
    def on_modified(self, event):
        print(event)


def watch(folder):
    observer = Observer()
    observer.schedule(Handler(), folder, recursive=True)
    observer.start()
    try:
        while True:
            time.sleep(1)
    except KeyboardInterrupt:
        observer.stop()
    observer.join()
    return "stopped"
""",
        target="watch",
        call="watch('incoming')",
        gives="'stopped'",
        effects=(
            "command watch incoming",
            "command start InotifyObserver",
            "command stop InotifyObserver",
        ),
    ),
)

FAMILY = Family("schedulers", applies, stub, EXAMPLES)
