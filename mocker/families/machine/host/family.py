"""What a slice asks of the machine it runs on: the same name, user, size and load everywhere."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_FACTS: dict[str, tuple[str, ...]] = {
    "os": ("os.cpu_count", "os.getpid", "os.getppid", "os.getlogin", "os.getloadavg", "os.uname",
           "os.get_terminal_size", "os.getuid", "os.geteuid"),
    "platform": ("platform.node", "platform.release", "platform.version", "platform.platform",
                 "platform.processor", "platform.machine", "platform.uname"),
    "shutil": ("shutil.disk_usage", "shutil.get_terminal_size"),
    "psutil": ("psutil",),
    "socket": ("socket.gethostname", "socket.getfqdn"),
    "getpass": ("getpass.getuser",),
    "locale": ("locale.getlocale", "locale.getdefaultlocale", "locale.setlocale"),
    "multiprocessing": ("multiprocessing.cpu_count",),
    "uuid": ("uuid.getnode",),
}  # fmt: skip
_LIBRARIES = ("ctypes.CDLL", "ctypes.cdll", "ctypes.PyDLL")
"""Those of Windows belong to what is of another platform, with its modules."""


def applies(border: Border) -> tuple[Contact, ...]:
    """Questions about the machine, and libraries loaded by name."""
    return border.named(*(name for names in _FACTS.values() for name in names), *_LIBRARIES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Fixed facts for the slice's own code; libraries still see the real machine."""
    del contacts
    asked = [module for module, names in _FACTS.items() if border.named(*names)]
    facts = ", ".join(f"{module!r}: {module}_facts" for module in asked)
    setup = f"describe_machine({{{facts}}})\n" if asked else ""
    reason = "what is asked about the machine is the same everywhere"
    treated = [Treated(module, "faked", reason) for module in asked]
    if border.named(*_LIBRARIES):
        setup += "stand_in_libraries()\n"
        treated.append(Treated("ctypes", "faked", "libraries that are not here do nothing"))
    return Mock(tuple(treated), setup, pieces=("machine", "processes"))


EXAMPLES = (
    Example(
        title="the shell above, and programs that are ended",
        source="""\
import os

import psutil
from psutil import Process


def shell():
    process = Process(os.getpid())
    names = []
    while process is not None and process.pid > 0:
        names.append(process.name())
        process = process.parent()
    return names


def stop(pid):
    process = psutil.Process(pid)
    for child in process.children(recursive=True):
        child.kill()
    process.terminate()
    running = [p.info["pid"] for p in psutil.process_iter(["pid", "name"])]
    same = process == psutil.Process(pid), isinstance(process, Process), psutil.pid_exists(pid)
    return process.wait(3), running, same, process.as_dict(["status", "pid"]), shell()
""",
        target="stop",
        call="stop(77)",
        gives=("(0, [4242], (True, True, True), {'status': 'running', 'pid': 77}, ['python'])"),
        effects=("command kill -15 77",),
    ),
    Example(
        title="a status line of the machine",
        source="""\
import os
import platform
import shutil
import socket
import psutil


def status():
    memory = psutil.virtual_memory()
    disk = shutil.disk_usage("/")
    return (
        f"{socket.gethostname()} {platform.node()} {os.cpu_count()} {memory.percent:.0f}% "
        f"{disk.free // 2**30} GB {psutil.cpu_percent(interval=1)} {psutil.disk_usage('/').percent}"
    )
""",
        target="status",
        call="status()",
        gives="'machine machine 4 50% 300 GB 12.5 40.0'",
    ),
    Example(
        title="real types, and lists of them",
        source="""\
import psutil


class Monitor:
    def __init__(self):
        self.cores = psutil.cpu_count(logical=False)

    def look(self):
        network = psutil.net_io_counters()._asdict()
        names = [p.info["name"] for p in psutil.process_iter(["pid", "name"])]
        return self.cores, network["bytes_sent"], names, type(psutil.virtual_memory()).__name__, psutil.cpu_percent(percpu=True)
""",
        target="Monitor.look",
        call="Monitor().look()",
        gives="(2, 1000000, ['python'], 'svmem', [12.5, 12.5, 12.5, 12.5])",
    ),
    Example(
        title="text wrapped to the width of the terminal",
        source="""\
import shutil
import textwrap


def wrap(text):
    columns, lines = shutil.get_terminal_size()
    return textwrap.fill(text, width=columns // 8), lines
""",
        target="wrap",
        call="wrap('one two three')",
        gives="('one two\\nthree', 24)",
    ),
    Example(
        title="a library of another system",
        source="""\
import ctypes

user32 = ctypes.windll.user32
driver = ctypes.CDLL("./driver.so")
driver.open_port.restype = ctypes.c_int


def show(text):
    user32.MessageBoxW(0, text, "Title", 1)
    return driver.open_port(3) == 0
""",
        target="show",
        call="show('hello')",
        gives="True",
        effects=("call ctypes.windll.user32.MessageBoxW", "command driver.so.open_port"),
    ),
    Example(
        title="a lock with the number of the process",
        source="""\
import getpass
import os


class Lock:
    def __init__(self, name):
        self.name = name
        self.owner = f"{getpass.getuser()}:{os.getpid()}"

    def line(self):
        return f"{self.name} {self.owner} {os.uname().sysname}"
""",
        target="Lock.line",
        call="Lock('x').line()",
        gives="'x user:4242 Linux'",
    ),
)

FAMILY = Family("machine", applies, stub, EXAMPLES)
