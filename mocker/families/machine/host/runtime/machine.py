"""A machine that is the same everywhere: its name, its user, its size and its load."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from .....world.core.own_code import is_own_frame
from .....world.core.world import record, replace
from .processes import OWN_PROCESS, process_facts

_GIGABYTE = 1 << 30
_MACHINE_NAME = "machine"
_MACHINE_RELEASE = "6.1.0"


def describe_machine(facts: dict[str, Any]) -> None:
    """Answer what these modules say about the machine with the same numbers everywhere."""
    for name, facts_of in facts.items():
        try:
            owner = importlib.import_module(name)
        except ImportError:
            continue
        for attribute, value in facts_of(owner).items():
            real = getattr(owner, attribute, None)
            if real is not None or name == "os":
                is_class = isinstance(value, type)
                replace(owner, attribute, value if is_class else _for_slice(real, value))


def _for_slice(real: Any, value: Any) -> Any:
    """The fixed answer for the slice's own code; libraries get the real one."""

    def fact(*arguments: Any, **named: Any) -> Any:
        if real is not None and not is_own_frame(sys._getframe(1)):
            return real(*arguments, **named)
        return value(*arguments, **named) if callable(value) else value

    return fact


def os_facts(os_: Any) -> dict[str, Any]:
    """What `os` says of the machine."""
    facts: dict[str, Any] = {
        "cpu_count": 4,
        "getpid": OWN_PROCESS,
        "getppid": 4241,
        "getlogin": "user",
        "getloadavg": (0.5, 0.5, 0.5),
        "get_terminal_size": os.terminal_size((80, 24)),
        "getuid": 1000,
        "geteuid": 1000,
    }
    if hasattr(os, "uname_result"):
        words = "Linux", _MACHINE_NAME, _MACHINE_RELEASE, "#1 SMP", "x86_64"
        facts["uname"] = os.uname_result(words)
    return facts


def platform_facts(platform: Any) -> dict[str, Any]:
    """What `platform` says of the machine."""
    return {
        "node": _MACHINE_NAME,
        "release": _MACHINE_RELEASE,
        "version": "#1 SMP",
        "platform": f"Linux-{_MACHINE_RELEASE}-x86_64-with-glibc2.36",
        "processor": "x86_64",
        "machine": "x86_64",
        "uname": platform.uname_result(
            "Linux", _MACHINE_NAME, _MACHINE_RELEASE, "#1 SMP", "x86_64"
        ),
    }


def shutil_facts(shutil: Any) -> dict[str, Any]:
    """What `shutil` says of the machine."""
    usage = type(shutil.disk_usage("/"))
    return {
        "disk_usage": usage(500 * _GIGABYTE, 200 * _GIGABYTE, 300 * _GIGABYTE),
        "get_terminal_size": os.terminal_size((80, 24)),
    }


def psutil_facts(psutil: Any) -> dict[str, Any]:
    """What `psutil` says of the machine."""

    def made(value: Any, **known: float) -> Any:
        """Of the real type, with the known numbers and zeros."""
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)([made(value[0], **known)] if value else [])
        if isinstance(value, dict):
            return {"eth0" if "bytes_sent" in known else "disk": made(v, **known)
                    for v in list(value.values())[:1]}  # fmt: skip
        if not hasattr(value, "_fields"):
            return value
        return type(value)(*(known.get(name, 0) for name in value._fields))

    def named(name: str, **known: Any) -> Any:
        """One of the real named tuples; they have moved between releases."""
        import collections

        owners = sys.modules.get("psutil._ntuples"), psutil._common, psutil
        found = next((getattr(o, name) for o in owners if hasattr(o, name)), None)
        cls = found or collections.namedtuple(name, known)
        return cls(*(known.get(field, 0) for field in cls._fields))

    def asked(function: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except Exception:
            return None

    memory = {"total": 16 * _GIGABYTE, "available": 8 * _GIGABYTE, "percent": 50.0,
              "used": 8 * _GIGABYTE, "free": 8 * _GIGABYTE}  # fmt: skip
    swap = {"total": 2 * _GIGABYTE, "free": 2 * _GIGABYTE}
    disk = {"total": 500 * _GIGABYTE, "used": 200 * _GIGABYTE, "free": 300 * _GIGABYTE,
            "percent": 40.0}  # fmt: skip
    sent = {"bytes_sent": 1_000_000, "bytes_recv": 2_000_000, "packets_sent": 1_000,
            "packets_recv": 2_000}  # fmt: skip
    traffic = {"read_count": 100, "write_count": 100, "read_bytes": 1_000, "write_bytes": 1_000}
    times = {"user": 100.0, "system": 50.0, "idle": 1_000.0}

    def cpu_percent(interval: Any = None, percpu: bool = False) -> Any:
        return [12.5] * 4 if percpu else 12.5

    def cpu_count(logical: bool = True) -> int:
        return 4 if logical else 2

    def cpu_times(percpu: bool = False) -> Any:
        one = made(psutil.cpu_times(), **times)
        return [one] * 4 if percpu else one

    network, disks = asked(psutil.net_io_counters), asked(psutil.disk_io_counters)
    return {
        "cpu_percent": cpu_percent,
        "cpu_count": cpu_count,
        "cpu_times": cpu_times,
        "virtual_memory": made(psutil.virtual_memory(), **memory),
        "swap_memory": made(asked(psutil.swap_memory), **swap),
        "disk_usage": lambda path: named("sdiskusage", **disk),
        "net_io_counters": lambda pernic=False, nowrap=True: (
            {"eth0": made(network, **sent)} if pernic else made(network, **sent)
        ),
        "disk_io_counters": lambda perdisk=False, nowrap=True: (
            {"disk": made(disks, **traffic)} if perdisk else made(disks, **traffic)
        ),
        "boot_time": 1_704_067_200.0,
        "users": list,
        "sensors_battery": named("sbattery", percent=80, secsleft=3600, power_plugged=False),
        "sensors_temperatures": lambda fahrenheit=False: {
            "coretemp": [named("shwtemp", label="Core 0", current=50.0, high=80.0, critical=100.0)]
        },
        "getloadavg": (0.5, 0.5, 0.5),
        "net_connections": lambda kind="inet": [],
        **process_facts(psutil),
    }


def socket_facts(_: Any) -> dict[str, Any]:
    """What `socket` says of the machine."""
    return {"gethostname": _MACHINE_NAME, "getfqdn": _MACHINE_NAME}


def getpass_facts(_: Any) -> dict[str, Any]:
    """What `getpass` says of the machine."""
    return {"getuser": "user"}


def locale_facts(_: Any) -> dict[str, Any]:
    """What `locale` says of the machine."""
    return {
        "getlocale": lambda category=0: ("en_US", "UTF-8"),
        "getdefaultlocale": lambda envvars=(): ("en_US", "UTF-8"),
        "setlocale": lambda category, locale=None: "en_US.UTF-8",
    }


def multiprocessing_facts(_: Any) -> dict[str, Any]:
    """What `multiprocessing` says of the machine."""
    return {"cpu_count": 4}


def uuid_facts(_: Any) -> dict[str, Any]:
    """What `uuid` says of the machine."""
    return {"getnode": 0x0242AC110002}


# ----------------------------------------------------------------------------- foreign libraries


class _ForeignLibrary:
    """A library that is not on this machine: each function gives 0, and the call is noted."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._functions: dict[str, _ForeignFunction] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: Any) -> Any:
        known = vars(self)["_functions"]
        if name not in known:
            known[name] = _ForeignFunction(f"{vars(self)['_name']}.{name}")
        return known[name]


class _ForeignFunction:
    """One function of it, and whatever is asked of that."""

    argtypes: Any = None
    restype: Any = None
    errcheck: Any = None

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        plain = [a for a in arguments if isinstance(a, (int, float, str, bytes))]
        record("command", self._name, *plain)
        return 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _ForeignFunction(f"{self._name}.{name}")


def stand_in_libraries() -> None:
    """Libraries that cannot be loaded are there, and do nothing."""
    import ctypes

    def lenient(real: Any) -> Any:
        class Library(real):
            """As the real one, where there is such a library."""

            def __new__(cls, name: Any = None, *arguments: Any, **named: Any) -> Any:
                try:
                    return real(name, *arguments, **named)
                except OSError:
                    return _ForeignLibrary(os.path.basename(str(name)))

            def __init__(self, *arguments: Any, **named: Any) -> None:
                """It is made already."""

        return Library

    class Loader:
        """What `ctypes.cdll` is."""

        def LoadLibrary(self, name: Any) -> Any:
            """A library."""
            return ctypes.CDLL(name)

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return ctypes.CDLL(name)

        def __getitem__(self, name: Any) -> Any:
            return ctypes.CDLL(name)

    for name in ("CDLL", "PyDLL"):
        replace(ctypes, name, lenient(getattr(ctypes, name)))
    replace(ctypes, "cdll", Loader())
