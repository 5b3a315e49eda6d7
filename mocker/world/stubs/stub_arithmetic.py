"""Arithmetic and comparisons of stubs: as of the numbers that they stand for."""

from __future__ import annotations

import operator
from typing import Any

from .stub_answers import stub_argument

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_COMPARISONS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def stub_operators(cls: Any, make: Any) -> None:
    """Give a class every arithmetic operator: numbers are computed, texts and lists are joined."""

    def binary(name: str, sign: str, is_right: bool) -> Any:
        compute = getattr(operator, f"__{name}__")

        def method(self: Any, other: Any, _modulo: Any = None) -> Any:
            kind = next((k for k in (str, bytes, list, tuple) if isinstance(other, k)), None)
            if kind is not None and name == "add":
                mine = str(self) if kind is str else kind(b"" if kind is bytes else self)
                return other + mine if is_right else mine + other
            if kind is not None and not (name == "mul" and is_right):
                return NotImplemented
            one, two = (other, self) if is_right else (self, other)
            key = f"({stub_argument(one)} {sign} {stub_argument(two)})"
            first, second = (
                n._stub_number() if hasattr(type(n), "_stub_number") else n for n in (one, two)
            )
            try:
                value = compute(first, second)
            except Exception:
                value = 1
            if kind is not None:
                return value
            number = value if type(value) in (int, float, bool) else 1
            return make(self._stub_place()[0], key, number)

        method.__name__ = f"__{'r' if is_right else ''}{name}__"
        return method

    for name, sign in _SIGNS.items():
        setattr(cls, f"__{name}__", binary(name, sign, False))
        setattr(cls, f"__r{name}__", binary(name, sign, True))
    for name, compare in _COMPARISONS.items():
        setattr(cls, f"__{name}__", lambda self, other, c=compare: _compared(self, other, c))
    for name in ("neg", "pos", "abs", "invert"):
        compute = getattr(operator, name)
        setattr(cls, f"__{name}__", lambda self, compute=compute: compute(self._stub_number()))


def _compared(one: Any, other: Any, compare: Any) -> Any:
    if hasattr(type(other), "_stub_number"):
        return compare(one._stub_number(), other._stub_number())
    if isinstance(other, str):
        return compare(str(one), other)
    if isinstance(other, (int, float)):
        return compare(one._stub_number(), other)
    return NotImplemented
