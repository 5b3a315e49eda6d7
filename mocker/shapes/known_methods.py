"""Names of the methods of builtin types."""

from __future__ import annotations

MAPPING = frozenset(name for name in dir(dict) if not name.startswith("__"))
SEQUENCE = frozenset(name for name in dir(list) if not name.startswith("__")) | frozenset(
    ("add", "appendleft", "popleft", "union", "intersection", "difference")
)
TEXT = frozenset(name for name in dir(str) if not name.startswith("__"))
BYTES = frozenset(name for name in dir(bytes) if not name.startswith("__"))
FILE = frozenset("read readlines readline getvalue read_text read_bytes close seek".split())
