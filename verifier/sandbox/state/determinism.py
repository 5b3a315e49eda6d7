"""Make random numbers, clocks and entropy the same in every run.

Clocks are patched underneath, so that `datetime` keeps its own types: `time.time` and its kin, and
the class methods of `date` and `datetime`. While the clock is fixed, sleeping advances it and
hardly waits, and nothing takes time: `perf_counter` and `process_time` are fixed as well, and so is
`monotonic`, except for installed packages, since event loops wait by it. This works on every
machine, unlike the packages that do the same.
"""

from __future__ import annotations

import builtins
import datetime as dt
import os
import random
import sys
import time
import uuid
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ..raw import Class, Raw

__builtins__ = dict(vars(builtins))

_SECOND = 1_000_000_000
_SHORT = 0.001

_Random = random.Random
_generator: random.Random = vars(random)["_inst"]
"""The generator behind the functions of `random`."""

_UTC = dt.timezone(dt.timedelta())  # `UTC` is new in 3.11
_MEASURING = ("time", "time_ns", "perf_counter", "perf_counter_ns", "process_time",
              "process_time_ns", "thread_time", "thread_time_ns")  # fmt: skip
"""Functions that tell the time or measure durations."""
_STEADY = ("monotonic", "monotonic_ns")
"""Functions that tell the time since boot."""
_INSTALLED = (os.path.dirname(os.__file__) + os.sep, "<frozen ")
"""Prefixes of the standard library's file names."""
_bindings: list[tuple[dict[str, Raw], str, str]] = []
"""Places where modules bind these functions: namespace, name there, and name in `time`."""
_set: Callable[[Raw, str, Raw], None] = setattr
_seed = random.Random.seed
_sleep, _gmtime, _localtime = time.sleep, time.gmtime, time.localtime
_getframe = sys._getframe  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
_strftime, _asctime, _clock_gettime = time.strftime, time.asctime, time.clock_gettime


class Determinism:
    """The settings of one run; `None` for `seed` or `clock` leaves those unchanged."""

    def __init__(
        self,
        seed: int | None = 0,
        clock: float | None = None,
        entropy: bool = False,
        unwatched: Collection[str] = (),
    ) -> None:
        self.unwatched = frozenset(unwatched)
        self._seed = seed
        self._clock = clock
        self._entropy = entropy
        self._nanoseconds = 0
        self._stream = _Random(0)

    def install(self) -> None:
        """Apply the patches, before the script is loaded."""
        if self._clock is not None:
            self._stop_clocks()
        if self._entropy:
            self._replace_entropy()

    def restart(self) -> None:
        """Reset, so that every case starts from the same state, whatever its position."""
        if self._clock is not None:
            self._nanoseconds = round(self._clock * _SECOND)
        if self._entropy:
            _seed(self._stream, self._seed or 0)
            if "tempfile" in sys.modules:
                vars(sys.modules["tempfile"])["_name_sequence"] = None  # names of temporary files
        if self._seed is None:
            return
        _seed(_generator, self._seed)
        numpy, torch = sys.modules.get("numpy.random"), sys.modules.get("torch")
        if numpy is not None:
            numpy.seed(self._seed % (1 << 32))
        if torch is not None:
            torch.manual_seed(self._seed)

    def _stop_clocks(self) -> None:
        def seconds() -> float:
            return self._nanoseconds / _SECOND

        def sleep(duration: Raw) -> None:
            _sleep(min(duration, _SHORT))
            self._nanoseconds += round(duration * _SECOND)

        def clock_gettime(clock: int) -> float:
            return seconds() if clock == time.CLOCK_REALTIME else _clock_gettime(clock)

        def clock_settime(clock: int, moment: Raw) -> None:
            if clock != time.CLOCK_REALTIME:
                raise OSError(22, "Invalid argument")
            self._nanoseconds = round(moment * _SECOND)

        def strftime(form: Raw, moment: Raw = None) -> str:
            return _strftime(form, _localtime(seconds()) if moment is None else moment)

        def asctime(moment: Raw = None) -> str:
            return _asctime(_localtime(seconds()) if moment is None else moment)

        def gmtime(moment: Raw = None) -> time.struct_time:
            return _gmtime(seconds() if moment is None else moment)

        def localtime(moment: Raw = None) -> time.struct_time:
            return _localtime(seconds() if moment is None else moment)

        def ctime(moment: Raw = None) -> str:
            return asctime(localtime(moment))

        for name in _MEASURING:  # one function each, since its name must match
            in_nanoseconds = name.endswith("_ns")
            _stand_in(time, name, lambda n=in_nanoseconds: self._nanoseconds if n else seconds())
        for name in _STEADY:
            in_nanoseconds, runs_on = name.endswith("_ns"), vars(time)[name]
            _stand_in(time, name, lambda n=in_nanoseconds, runs_on=runs_on: (
                runs_on() if _is_installed(_getframe(1).f_code.co_filename)
                else self._nanoseconds if n else seconds()
            ))  # fmt: skip
        for names, bound, name in _bindings:
            names[bound] = vars(time)[name]
        for function in (
            sleep, clock_gettime, clock_settime, gmtime, localtime, ctime, strftime, asctime,
        ):  # fmt: skip
            _stand_in(time, function.__name__, function)
        self._stop_dates()

    def _stop_dates(self) -> None:
        def now(cls: Class, tz: Raw = None) -> Raw:
            whole, rest = divmod(self._nanoseconds, _SECOND)
            return cls.fromtimestamp(whole, tz).replace(microsecond=rest // 1000)

        def utcnow(cls: Class) -> Raw:
            return now(cls, _UTC).replace(tzinfo=None)

        def today(cls: Class) -> Raw:
            return cls.fromtimestamp(self._nanoseconds // _SECOND)

        _replace(dt.datetime, now=now, utcnow=utcnow, today=now)
        _replace(dt.date, today=today)

    def _replace_entropy(self) -> None:
        def urandom(size: Raw) -> bytes:
            return self._stream.randbytes(size)

        def getrandom(size: int, flags: int = 0) -> bytes:
            return urandom(size)

        def seed(generator: Raw, a: Raw = None, version: Raw = 2) -> None:
            _seed(generator, self._stream.getrandbits(128) if a is None else a, version)

        def uuid1(node: Raw = None, clock_seq: Raw = None) -> uuid.UUID:
            return uuid.UUID(bytes=urandom(16), version=1)

        _stand_in(os, "urandom", urandom)
        _set(random, "_urandom", urandom)  # used by `SystemRandom` and `secrets`
        if hasattr(os, "getrandom"):
            _stand_in(os, "getrandom", getrandom)
        _stand_in(random.Random, "seed", seed)
        _set(random, "seed", partial(seed, _generator))
        _stand_in(uuid, "uuid1", uuid1)


def _is_installed(file: str) -> bool:
    return file.startswith(_INSTALLED) or "-packages/" in file


def find_holders() -> None:
    """Find loaded modules that bind functions of `time` themselves."""
    names_of = {id(vars(time)[name]): name for name in _MEASURING}
    for label, module in list(sys.modules.items()):
        if module is time or label.partition(".")[0] == (__package__ or "").partition(".")[0]:
            continue
        names: dict[str, Raw] = getattr(module, "__dict__", {})
        if type(names) is not dict:
            continue
        found = [(bound, names_of.get(id(value))) for bound, value in names.items()]
        _bindings.extend((names, bound, name) for bound, name in found if name is not None)


def _stand_in(holder: Raw, name: str, function: Raw) -> None:
    """Replace a function by one with the same name and module, since code asks for both."""
    before = getattr(holder, name)
    for attribute in ("__module__", "__name__", "__qualname__"):
        _set(function, attribute, getattr(before, attribute, None))
    _set(holder, name, function)


def _replace(cls: Class, **functions: Raw) -> None:
    """Replace class methods of a C class, which assignment cannot do."""
    import ctypes
    import gc

    (attributes,) = gc.get_referents(vars(cls))
    for name, function in functions.items():
        attributes[name] = classmethod(function)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
