"""Record the operands that an instrumented target's tests compare, as literals.

The target's code passes each operand to `Log.record_operand`, which returns it unchanged. Small
literals are kept; anything else, also inside containers, becomes `...`.
"""

from __future__ import annotations

import builtins
import re

from ..encoders.nodes import quoted
from ..raw import dict_items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..raw import Class, Raw

__builtins__ = dict(vars(builtins))

NAME = "__slice_func_seen__"
"""Name of the builtin function that instrumented code calls."""
_UNKNOWN = "..."
_MOST_MEMBERS = 20
_DEEPEST = 3
_LONGEST = 2000
"""Longest operand in characters."""
_MOST_OF_SITE = 12
_MOST = 400
"""Most pairs of one call; later ones are ignored."""
_CONTAINERS: tuple[Class, ...] = (list, tuple, set, frozenset)
_COMPUTING = frozenset(("numpy", "pandas"))
_PLAIN: tuple[Class, ...] = (int, float, str, bytes)


class Log:
    """The distinct pairs of operands that one call compared."""

    def __init__(self) -> None:
        self._first: dict[int, str] = {}
        self._pairs: dict[tuple[int, str, str], None] = {}
        self._counts: dict[int, int] = {}

    def install(self) -> None:
        """Install the function that instrumented code calls."""
        setattr(builtins, NAME, self.record_operand)

    def record_operand(self, site: int, side: int, value: Raw) -> Raw:
        """Record one operand of a test; the first side comes before the second."""
        count = self._counts.get(site, 0)
        if count >= _MOST_OF_SITE or len(self._pairs) >= _MOST:
            return value
        try:
            text = _text(value, _DEEPEST)
        except Exception:  # noqa: BLE001 - a class of theirs answers, or the text is no text
            text = _UNKNOWN
        text = text if len(text) <= _LONGEST else _UNKNOWN
        if side == 0:
            self._first[site] = text
        elif (pair := (site, self._first.get(site, _UNKNOWN), text)) not in self._pairs:
            self._pairs[pair] = None
            self._counts[site] = count + 1
        return value

    def text(self) -> str:
        """Return the pairs as JSON: the number of the test, and both operands."""
        pairs = [f"[{site},{quoted(a)},{quoted(b)}]" for site, a, b in self._pairs]
        return f"[{','.join(pairs)}]"


def _text(value: Raw, depth: int) -> str:
    if value is None or value is True or value is False:
        return repr(value)
    for plain in _PLAIN:
        if _is_a(value, plain):
            return ascii(plain.__str__(value) if plain is str else plain(value))
    if _is_a(value, type):
        return ascii(value.__name__)
    if _is_a(value, re.Pattern):
        return ascii(value.pattern)
    if depth and _is_a(value, dict):
        items = list(dict_items(value))[:_MOST_MEMBERS]
        return "{" + ", ".join([f"{_key(k)}: {_text(v, depth - 1)}" for k, v in items]) + "}"
    for kind in _CONTAINERS if depth else ():
        if _is_a(value, kind):
            return _members(kind, value, depth)
    return _text(_plain(value), depth - 1) if depth and _is_computed(value) else _UNKNOWN


def _is_computed(value: Raw) -> bool:
    """Whether it is a number, row or column of a numeric library."""
    is_theirs = type(value).__module__.partition(".")[0] in _COMPUTING
    return is_theirs and hasattr(value, "tolist") and getattr(value, "ndim", 2) < 2


def _plain(value: Raw) -> Raw:
    """Return the numbers or texts inside."""
    return value[:_MOST_MEMBERS].tolist() if value.ndim else value.tolist()


def _is_a(value: Raw, kind: Class) -> bool:
    return isinstance(value, kind)


def _key(value: Raw) -> str:
    """Return a dictionary key as text, if it can be hashed where it is read."""
    return _text(value, 1) if isinstance(value, (*_PLAIN, tuple, type(None))) else _UNKNOWN


def _members(kind: Class, value: Raw, depth: int) -> str:
    some = [each for each, _ in zip(kind.__iter__(value), range(_MOST_MEMBERS), strict=False)]
    texts = [_text(each, depth - 1) for each in some]
    inside = ", ".join(texts)
    if kind is list:
        return f"[{inside}]"
    if kind is tuple or not texts:
        return f"({inside},)" if texts else "()"
    return "{" + ", ".join(sorted(texts)) + "}"
