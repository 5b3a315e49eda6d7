"""Names of the methods of builtin types."""

from __future__ import annotations

from pathlib import Path

MAPPING = frozenset(name for name in dir(dict) if not name.startswith("__"))
_LIST = frozenset(name for name in dir(list) if not name.startswith("__"))
SET = frozenset(
    "add discard union intersection difference symmetric_difference issubset issuperset isdisjoint "
    "difference_update intersection_update".split()
)
DEQUE = frozenset("appendleft popleft extendleft rotate maxlen".split())
SEQUENCE = _LIST | SET | DEQUE
TEXT = frozenset(name for name in dir(str) if not name.startswith("__"))
BYTES = frozenset(name for name in dir(bytes) if not name.startswith("__"))
NUMBER = frozenset(
    "bit_length to_bytes is_integer as_integer_ratio real imag conjugate numerator "
    "bit_count".split()
)
DATE = frozenset(
    "strftime isoformat year month day hour minute second date time timestamp weekday isoweekday "
    "timetuple astimezone utcoffset tzinfo replace ctime microsecond isocalendar toordinal".split()
)
PATH = frozenset(
    "glob rglob mkdir joinpath read_text write_text with_suffix iterdir is_file is_dir resolve "
    "suffix unlink read_bytes relative_to as_posix expanduser with_name".split()
)
OF_PATHS = frozenset(name for name in dir(Path) if not name.startswith("__"))
FILE = frozenset("read readlines readline getvalue read_text read_bytes close seek".split())
