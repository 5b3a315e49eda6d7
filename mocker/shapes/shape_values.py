"""From shapes to plain values: two items in a list, readable texts, small numbers."""

from __future__ import annotations

import base64
import csv
import datetime as dt
import io
import json
from collections.abc import Callable
from typing import cast
from xml.sax.saxutils import escape, quoteattr

from .sample_texts import sample
from .shape import (
    Anything,
    Either,
    Element,
    Holding,
    Mapping,
    Markup,
    Maybe,
    Object,
    Plain,
    Sequence,
    Shape,
)

_DAY = dt.datetime(2024, 1, 1, 10, tzinfo=dt.UTC)
ANY_KEY = "(any key)"
"""Stands in JSON for every missing key: holds the value, and the keys it is not for."""
_VOID = frozenset("img br hr input link meta".split())


def value_of(shape: Shape, n: int = 1) -> object:
    """Return the n-th value of a shape."""
    match shape:
        case Anything(hint=hint):
            return sample("", hint, n)
        case Plain(kind=kind, hint=hint, values=values, is_free=is_free):
            if values and not (is_free and n > 1):
                return values[0]
            return sample(kind, hint, n)
        case Mapping():
            return _mapping(shape, n)
        case Sequence(item=item, parts=parts, length=length):
            known = dict(parts)
            return [
                value_of(known.get(i) or known.get(i - length) or item, (n - 1) * length + i + 1)
                for i in range(length)
            ]
        case Holding():
            return _holding(shape, n)
        case Markup(root=root, is_xml=is_xml):
            text = _element(root, 1)
            return text if is_xml else f"<html>{text}</html>"
        case Object(type_name=name) if name in _PLAIN:
            return _PLAIN[name](shape, n)
        case Object(attributes=attributes):
            return {str(e.key): value_of(e.shape, n) for e in attributes}
        case Maybe(shape=inner, is_none=is_none):
            return None if is_none else value_of(inner, n)
        case Either(shape=inner):
            return value_of(inner, n)


def _numbers(shape: Object, n: int) -> object:
    del n
    row = [1.0, 2.0, 3.0]
    return [row, row, row] if shape.dimensions > 1 else row


def _rows(shape: Object, n: int) -> object:
    return [value_of(shape.columns, i) for i in (n, n + 1)] if shape.columns else []


_PLAIN: dict[str, Callable[[Object, int], object]] = {
    "numpy.ndarray": _numbers,
    "torch.Tensor": _numbers,
    "pandas.Series": _numbers,
    "pandas.DataFrame": _rows,
    "datetime.datetime": lambda _, n: _date("iso", n),
    "datetime.date": lambda _, n: _date("iso-day", n),
    "pathlib.Path": lambda shape, n: sample("text", shape.hint or "path", n),
}
"""Class → plain data that stand for an instance."""


def _mapping(shape: Mapping, n: int) -> dict[object, object]:
    made = {e.key: value_of(e.shape, n) for e in shape.entries if not e.is_unwanted}
    if shape.rest is not None and not made:
        for i, inner in enumerate((shape.first or shape.rest, shape.rest), start=1):
            made[f"key-{i}"] = value_of(inner, i)
    if shape.rest is not None and shape.has_any_key:
        absent = [e.key for e in shape.entries if e.is_unwanted]
        made[ANY_KEY] = [value_of(shape.rest), absent]
    return made


def as_json(value: object) -> object:
    """Return the value with text in place of bytes, which JSON lacks.

    Code may compare them with the value's items.
    """
    match value:
        case bytes():
            return value.decode("utf-8", "replace")
        case dict():
            items = cast("dict[object, object]", value).items()
            return {as_json(key): as_json(item) for key, item in items}
        case list() | tuple():
            return [as_json(item) for item in cast("list[object]", value)]
        case _:
            return value


def _holding(shape: Holding, n: int) -> str | bytes:
    text = _written(shape, n)
    return text.encode() if shape.is_bytes else text


def _written(shape: Holding, n: int) -> str:
    match shape.format:
        case ("json" | "yaml",):
            return json.dumps(as_json(value_of(shape.inner, n)))
        case ("toml",):
            return _toml(value_of(shape.inner, n))
        case ("python",):
            return repr(value_of(shape.inner, n))
        case ("csv", how):
            return _csv(shape.inner, str(how))
        case ("date", layout):
            return _date(str(layout), n)
        case ("base64",):
            inner = value_of(shape.inner, n)
            data = inner if isinstance(inner, bytes) else str(inner).encode()
            return base64.b64encode(data).decode()
        case ("hex",):
            return str(value_of(shape.inner, n)).encode().hex()
        case ("int" | "float",):
            return str(value_of(shape.inner, n))
        case ("split", separator):
            parts = cast("list[object]", value_of(shape.inner, n))
            sign = str(separator)
            instead = "_" if sign == "-" else "-"
            return sign.join(str(part).replace(sign, instead) for part in parts)
        case ("url" | "email" | "uuid" | "path" as kind,):
            return str(sample("text", str(kind), n))
        case ("ip",):
            return f"192.0.2.{n}"
        case _:
            return str(sample("text", shape.hint, n))


def _date(layout: str, n: int) -> str:
    day = _DAY + dt.timedelta(days=n - 1)
    if layout == "iso":
        return day.strftime("%Y-%m-%dT%H:%M:%S")
    if layout == "iso-day":
        return day.strftime("%Y-%m-%d")
    return day.strftime(layout)


def _toml(value: object) -> str:
    lines: list[str] = []
    tables: list[str] = []
    for key, inner in cast("dict[str, object]", value).items() if isinstance(value, dict) else ():
        if isinstance(inner, dict):
            tables.append(f"[{key}]\n{_toml(cast('object', inner))}")
        else:
            lines.append(f"{key} = {json.dumps(inner)}")
    return "\n".join([*lines, *tables]) + "\n"


def _csv(shape: Shape, how: str) -> str:
    rows = cast("list[object]", value_of(shape))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if how == "rows":
        writer.writerows(
            cast("list[list[object]]", [r if isinstance(r, list) else [r] for r in rows])
        )
        return out.getvalue()
    records = [cast("dict[object, object]", row) for row in rows if isinstance(row, dict)]
    if records:
        names = list(records[0])
        writer.writerow(names)
        writer.writerows([record.get(name, "") for name in names] for record in records)
    return out.getvalue()


def _element(element: Element, n: int) -> str:
    attributes = "".join(
        f" {name}={quoteattr(str(value_of(shape, n)))}" for name, shape in element.attributes
    )
    if element.tag in _VOID:
        return f"<{element.tag}{attributes}/>"
    text = escape(str(value_of(element.text, n))) if element.text is not None else ""
    if not text and not element.children:
        text = f"{element.tag}-{n}"
    inner = "".join(
        _element(_at(child, i), (n - 1) * child.count + i + 1)
        for child in element.children
        for i in range(child.count)
    )
    return f"<{element.tag}{attributes}>{text}{inner}</{element.tag}>"


def _at(element: Element, place: int) -> Element:
    parts = dict(element.parts)
    return parts.get(place) or parts.get(place - element.count) or element
