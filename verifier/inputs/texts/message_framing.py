"""Message framing: what a connection sends, with the size prefixes and delimiters that code
expects.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ....mocker.source.kept_code import KeptCode
from .socket_stand_ins import RECEIVED

_MOST = 6
_UNPACKS = ("unpack", "unpack_from", "iter_unpack", "Struct")
_ENDS = ("endswith", "split", "partition", "rpartition", "find", "index", "readline", "rsplit")
_FIELD = re.compile(r"(\d*)([a-zA-Z?])")
_WIDTHS = (4, 2, 8, 1)


@dataclass(frozen=True, slots=True)
class Framing:
    """The framing that the code expects."""

    ends: tuple[bytes, ...] = ()
    """Delimiters after a message."""
    formats: tuple[str, ...] = ()
    """Formats of `struct`, in the order of the code."""
    widths: tuple[int, ...] = ()
    """Widths in bytes of numbers made by `int.from_bytes`."""
    order: str = "big"
    """Byte order of the numbers."""

    def frame_messages(self, text: str) -> Iterator[str]:
        """Yield the expression with its received bytes in each framing; then unchanged."""
        if RECEIVED.search(text):
            for form in islice(dict.fromkeys(self._forms(text)), _MOST):
                yield RECEIVED.sub(lambda _, form=form: form, text)
        yield text

    def _forms(self, text: str) -> Iterator[str]:
        said: bytes = ast.literal_eval(RECEIVED.findall(text)[0])
        for end in self.ends:
            yield repr(said if said.endswith(end) else said.rstrip() + end)
        bodies = [(repr(said), len(said))]
        bodies += ((_packed(each), struct.calcsize(each)) for each in self.formats[1:])
        for body, size in bodies if self.formats else ():
            for place in (-1, 0):
                yield f"{_packed(self.formats[0], size, place)} + {body}"
        for width in self.widths:
            yield f"({len(said)}).to_bytes({width}, {self.order!r}) + {said!r}"
        if self.ends or self.formats or self.widths:
            yield "b''"


def framing(code: KeptCode) -> Framing:
    """Return the framing that the kept code expects."""
    ends, formats, widths = dict[bytes, None](), dict[str, None](), dict[int, None]()
    order = "big"
    for _, call in code.calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
        first = _constant(call.args[0], code) if call.args else None
        if name in _UNPACKS and _is_format(first):
            formats[str(first)] = None
        elif name == "from_bytes":
            said = [each.value for each in call.keywords if each.arg == "byteorder"]
            order = str(next((_constant(e, code) for e in (*call.args[1:], *said)), "big"))
            widths.update(dict.fromkeys(_WIDTHS))
        elif name in _ENDS:
            ends.update(dict.fromkeys(_ends(first)))
    for _, node in code.nodes(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
                ends.update(dict.fromkeys(_ends(_constant(left, code))))
            case _:
                pass
    if widths:
        asked = {n.value for _, c in code.calls for n in c.args if isinstance(n, ast.Constant)}
        widths = {width: None for width in _WIDTHS if width in asked} or {_WIDTHS[0]: None}
    return Framing((*ends,), (*formats,), (*widths,), order)


def _constant(node: ast.expr, code: KeptCode) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            values = [value for _, value in code.bindings.get(name, ())]
            match values:
                case [ast.Constant(value=value)]:
                    return value
                case _:
                    return None
        case _:
            return None


def _ends(value: object) -> tuple[bytes, ...]:
    """Return a delimiter: bytes without letters that are more than a word separator."""
    made = value.encode() if isinstance(value, str) else value
    is_one = isinstance(made, bytes) and made != b"" and re.search(rb"[\w ,=:]", made) is None
    return (made,) if isinstance(made, bytes) and is_one else ()


def _is_format(value: object) -> bool:
    try:
        return isinstance(value, str) and struct.calcsize(value) > 0
    except struct.error:
        return False


def _packed(form: str, size: int = 1, place: int = -1) -> str:
    """Return an expression for packed bytes of a format, with a size in one integer field."""
    values: list[str] = []
    numbers: list[int] = []
    for count, code in _FIELD.findall(form):
        if code in "sp":
            values.append(repr(b"abcdefghijklmnop"[: int(count or 1)]))
        elif code != "x":
            for _ in range(int(count or 1)):
                if code in "cefd?":
                    values.append({"c": "b'a'", "?": "True"}.get(code, "1.5"))
                else:
                    numbers.append(len(values))
                    values.append("1")
    if numbers:
        values[numbers[place]] = str(size)
    return f'__import__("struct").pack({", ".join((repr(form), *values))})'
