"""Contents of files that a slice reads as text: lines to be split, names and values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....slicer.syntax.nodes import walk
from ...shapes import value_of
from ...shapes.answer_shape import Variant, shape_at, variants_at
from ...shapes.shape import Anything

if TYPE_CHECKING:
    from ...contacts import Border
    from ...source.kept_code import KeptCode, KeptStatement

_WHOLE = ("builtins.open().read()", "pathlib.Path().read_text()")
_BY_LINE = ("builtins.open()[]", "builtins.open().readline()")
_ROWS = 3
_PARTING = ("split", "rsplit", "partition", "rpartition", "index", "find")
_PATTERN = re.compile(r"^(?:compile|match|search|fullmatch|finditer|findall)$|regex|pattern", re.I)
_SIGNS = {"=": "pairs", ":": "colons"}


def text_contents(border: Border, code: KeptCode, kept: KeptStatement) -> Iterator[tuple[str, str]]:
    """Yield variants with their texts; the first lets the slice go on.

    Args:
        border: the border of the slice.
        code: the kept code of the slice.
        kept: the statement that reads the file.
    """
    yield from _texts(border, kept)
    yield from _pairs(code)


def _texts(border: Border, kept: KeptStatement) -> Iterator[tuple[str, str]]:
    plain = lines(kept)
    found = _of_lines(border) or variants_at(border, *_WHOLE, *_BY_LINE, kind="text")
    for variant in found:
        value = variant.value
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        yield variant.name, text or plain
    yield "empty", ""


def _of_lines(border: Border) -> tuple[Variant, ...]:
    """Return texts of several lines, if a text is only read line by line and the lines are used."""
    whole = shape_at(border, *_WHOLE, kind="text")
    line = shape_at(border, *_BY_LINE, kind="text")
    if not isinstance(whole, Anything) or isinstance(line, Anything):
        return ()
    first, *others = variants_at(border, *_BY_LINE, kind="text")
    made = [value_of(line, n + 1) for n in range(_ROWS)]
    return (
        Variant(first.name, "".join(map(_line, made))),
        *(Variant(other.name, _line(other.value)) for other in others),
    )


def _line(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text.rstrip("\n") + "\n"


def _pairs(code: KeptCode) -> Iterator[tuple[str, str]]:
    """Yield names and values, joined by the separator at which the code splits texts."""
    parted = "".join(
        arg.value
        for _, call in code.calls
        for arg in call.args[:1]
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str) and _parts(call)
    )
    for sign, name in _SIGNS.items():
        if sign in parted:
            yield name, f"NAME{sign}two words\nKEY{sign}value\n"


def _parts(call: ast.Call) -> bool:
    """Whether the first argument of a call is a separator, or a pattern that may contain one."""
    name = str(getattr(call.func, "attr", getattr(call.func, "id", "")))
    return name in _PARTING or _PATTERN.search(name) is not None


def lines(kept: KeptStatement) -> str:
    """Return lines that can be split and converted as the reading code does."""
    separator, is_number, fields = "", False, _ROWS
    for node in walk(kept.node):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="split"), args=[ast.Constant(value=str(text)), *_]
            ):
                if text.strip("\r\n"):
                    separator = text
            case ast.Call(func=ast.Name(id="int" | "float")):
                is_number = True
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="int" | "float"), *_]):
                is_number = True
            case ast.Assign(targets=[ast.Tuple(elts=items)]):
                fields = len(items) if len(items) > 1 else fields
            case ast.For(target=ast.Tuple(elts=items)):
                fields = len(items) if len(items) > 1 else fields
            case _:
                pass
    words = [str(n + 1) if is_number else f"text{n + 1}" for n in range(max(_ROWS, fields))]
    if separator:
        return f"{separator.join(words[:fields])}\n" * 2
    return "".join(word + "\n" for word in words[:_ROWS])
