"""Contents for missing files that a slice reads: in the format that the reader expects."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from ....slicer.syntax.nodes import walk
from ...shapes.answer_shape import Kind, variants_at
from .file_formats import READERS, format_of_name
from .option_files import option_file
from .text_contents import lines, text_contents

if TYPE_CHECKING:
    from ...contacts import Border
    from ...source.kept_code import KeptCode, KeptStatement

Content = object
"""Text, or (kind, data) for content that the runtime makes; `None` for a missing file."""

_ROWS = 3
_HTML = "<!DOCTYPE html>\n<html><head><title>Title</title></head><body><p>Text</p></body></html>\n"


def contents(
    border: Border,
    code: KeptCode,
    kept: KeptStatement,
    path: str,
    reader: str,
    call: ast.Call | None = None,
) -> dict[str, Content]:
    """Return the possible contents of a file, by variant; the first lets the slice go on.

    Args:
        border: the border of the slice.
        code: the kept code of the slice.
        kept: the statement that reads the file.
        path: the path as the slice spells it.
        reader: the format that the reading function implies, else "".
        call: the call that opens the file.
    """
    format_ = reader or _format(code, kept, path, call)
    found = dict(_variants(border, code, kept, path, format_))
    found["missing"] = None
    return found


def _format(code: KeptCode, kept: KeptStatement, path: str, call: ast.Call | None) -> str:
    name = path.lower().replace("\\", "/").rpartition("/")[2]
    by_name = format_of_name(name)
    named = _readers_of_stream(code, kept, call)
    if by_name in named or not named:
        return by_name or "text"
    if "json" in named and by_name == "jsonl":
        return "jsonl"
    if len(named) == 1 or not by_name:
        return min(named)
    return by_name


def _readers_of_stream(code: KeptCode, kept: KeptStatement, call: ast.Call | None) -> set[str]:
    """Return the formats of functions passed the stream, its text, or an unknown value."""
    names, scope = _stream(kept.node, call)
    found: set[str] = set()
    for node in walk(scope):
        if isinstance(node, ast.Call):
            reader = READERS.get(code.dotted(node.func, kept.path))
            inside = {id(n) for n in walk(node)}
            used = {n.id for n in walk(node) if isinstance(n, ast.Name)}
            if reader and (not names or names & used or (call is not None and id(call) in inside)):
                found.add(reader)
    return found


def _stream(whole: ast.stmt, call: ast.Call | None) -> tuple[set[str], ast.AST]:
    """Return the variables that hold an opened file or its text, and the scope they are in."""
    names: set[str] = set()
    scope: ast.AST = whole
    for node in walk(whole):
        match node:
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.context_expr is call and isinstance(item.optional_vars, ast.Name):
                        names.add(item.optional_vars.id)
                        scope = node
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
                names.add(name)
            case _:
                pass
    for _ in range(2):  # text = stream.read(); for line in stream
        for node in walk(whole) if names else ():
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    source = value
                case ast.For(target=ast.Name(id=name), iter=iterated):
                    source = iterated
                case _:
                    continue
            if any(isinstance(n, ast.Name) and n.id in names for n in walk(source)):
                names.add(name)
    return names, scope


def _variants(  # noqa: C901 - a case for each format
    border: Border, code: KeptCode, kept: KeptStatement, path: str, format_: str
) -> Iterator[tuple[str, Content]]:
    match format_:
        case "json":
            places = ("json.load()", "json.loads()", "orjson.loads()", "ujson.load()")
            for name, value in _values(border, places, "json"):
                yield name, json.dumps(value, ensure_ascii=False) + "\n"
            yield "broken", "{"
        case "jsonl":
            for name, value in _values(border, ("json.loads()",), "json"):
                yield name, (json.dumps(value, ensure_ascii=False) + "\n") * 2
        case "records":
            yield from _records(code, path)
        case "csv":
            yield from _tables(code, kept, "\t" if path.endswith(".tsv") else "")
        case "yaml":
            places = ("yaml.safe_load()", "yaml.load()", "yaml.full_load()")
            for name, value in _values(border, places, "any"):
                yield name, json.dumps(value, ensure_ascii=False) + "\n"  # JSON is YAML
        case "toml":
            places = ("tomllib.load()", "tomllib.loads()", "toml.load()", "tomli.load()")
            for name, value in _values(border, places, "any"):
                yield name, _toml(value)
        case "ini":
            yield "default", option_file(code, _keys(code))
        case "env":
            yield "default", "KEY=value\n"
        case "pickle":
            places = ("pickle.load()", "joblib.load()", "dill.load()", "pandas.read_pickle()")
            for name, value in _values(border, places, "any"):
                yield name, ("pickle_file", value)
        case "numpy":
            names = sorted({*_keys(code, kept)})
            numbers = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
            is_archive = path.endswith(".npz")
            yield (
                "default",
                (
                    "numpy_file",
                    dict.fromkeys(names, numbers) if is_archive else [1.0, 2.0, 3.0, 4.0],
                ),
            )
        case "numbers":
            yield "default", "1 2 3\n4 5 6\n7 8 9\n"
        case "image":
            yield "default", ("png_file", (16, 16))
        case "xml":
            yield "default", _xml(code)
        case "html":
            yield "default", _HTML
        case "sound":
            yield "default", ("wav_file", 0.25)
        case "zip" | "tar":
            yield "default", (f"{format_}_file", {"file.txt": "text\n"})
        case "gzip":
            yield "default", ("gzip_file", lines(kept))
        case "sheet":
            yield "default", ("sheet_file", _sheet(code, kept))
        case _:
            yield from text_contents(border, code, kept)


def _values(border: Border, places: Sequence[str], kind: Kind) -> Iterator[tuple[str, object]]:
    for variant in variants_at(border, *places, kind=kind):
        yield variant.name, variant.value


# ----------------------------------------------------------------------------- formats


def _keys(code: KeptCode, kept: KeptStatement | None = None) -> Iterator[str]:
    """Yield the literal texts used as subscripts in the kept code, or listed as columns."""
    for one in [kept] if kept is not None else code.statements:
        for node in code.walk(one.node):
            match node:
                case ast.Subscript(slice=ast.Constant(value=str(key))):
                    yield key
                case ast.Call() if key := _column(node):
                    yield key
                case ast.Subscript(slice=ast.List(elts=items) | ast.Tuple(elts=items)):
                    yield from _constants(items)
                case ast.keyword(
                    arg="usecols" | "columns" | "subset" | "by" | "on" | "index_col" | "parse_dates"
                    | "x" | "y" | "hue" | "values" | "index", value=value,
                ):  # fmt: skip
                    items = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
                    yield from _constants(items)
                case ast.Call(
                    func=ast.Attribute(
                        attr="groupby"
                        | "drop"
                        | "sort_values"
                        | "set_index"
                        | "pivot_table"
                        | "melt"
                    ),
                    args=[first, *_],
                ):
                    items = first.elts if isinstance(first, (ast.List, ast.Tuple)) else [first]
                    yield from _constants(items)
                case _:
                    pass


def _constants(items: Iterable[ast.expr]) -> Iterator[str]:
    for item in items:
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value


def _tables(code: KeptCode, kept: KeptStatement, separator: str) -> Iterator[tuple[str, Content]]:
    columns = _columns(code)
    for call_kept, call in code.calls:
        name = code.dotted(call.func, call_kept.path)
        for word in call.keywords:
            if (
                word.arg in ("sep", "delimiter")
                and name in READERS
                and isinstance(word.value, ast.Constant)
            ):
                separator = separator or str(word.value.value).replace("\\s+", " ")
    separator = separator or ","
    rows = [list(columns), *_cells(code, columns)]
    yield "default", "".join(separator.join(map(str, row)) + "\n" for row in rows)
    yield "header", separator.join(columns) + "\n"
    yield "empty", ""


def _records(code: KeptCode, path: str) -> Iterator[tuple[str, Content]]:
    """Yield a table as JSON: a list of its rows, or one row per line."""
    columns = _columns(code)
    rows = [dict(zip(columns, row, strict=True)) for row in _cells(code, columns)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    yield "default", lines if path.endswith((".jsonl", ".ndjson")) else json.dumps(rows)
    yield "empty", "[]"


def _columns(code: KeptCode) -> list[str]:
    names = list(dict.fromkeys(_keys(code)))
    positions = [
        node.slice.value
        for kept in code.statements
        for node in code.walk(kept.node)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    ]
    width = max([_ROWS, *(p + 1 for p in positions if 0 <= p < 64)])
    plain = [f"column{n + 1}" for n in range(max(0, width - len(names)))]
    return [*names, *plain]


def _cells(code: KeptCode, columns: Sequence[str]) -> list[list[object]]:
    """Return rows of numbers, which also parse as text; of dates and words where used so."""
    dates, words = _uses(code)
    rows: list[list[object]] = []
    for n in range(_ROWS):
        row: list[object] = []
        for column in columns:
            if column in dates or column.lower() in ("date", "timestamp", "datetime"):
                row.append(f"2024-01-0{n + 1}")
            elif column in words:
                choices = [*words[column], f"text{n + 1}"]  # also one that no test asks for
                row.append(choices[n % len(choices)])
            else:
                row.append(n + 1)
        rows.append(row)
    return rows


def _uses(code: KeptCode) -> tuple[set[str], dict[str, list[str]]]:
    """Return the columns used as dates; and those used as words → the words compared with."""
    dates: set[str] = set()
    words: dict[str, list[str]] = {}
    for kept in code.statements:
        for node in code.walk(kept.node):
            match node:
                case ast.Attribute(value, "dt") if key := _column(value):
                    dates.add(key)
                case ast.Attribute(value, "str" | "lower" | "upper" | "split" | "strip") if (
                    key := _column(value)
                ):
                    words.setdefault(key, [])
                case ast.Call(
                    func=ast.Attribute(attr="to_datetime" | "strptime" | "fromisoformat"),
                    args=[value, *_],
                ) if key := _column(value):
                    dates.add(key)
                case ast.Compare(
                    left=value,
                    ops=[ast.Eq() | ast.NotEq()],
                    comparators=[ast.Constant(value=str(text))],
                ) if key := _column(value):
                    words.setdefault(key, []).append(text)
                case _:
                    pass
    return dates, words


def _column(node: ast.expr) -> str:
    """Return the column of a cell expression: `row["name"]`, `row.get("name", "")`."""
    match node:
        case (
            ast.Subscript(slice=ast.Constant(value=str(key)))
            | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_])
        ) if "/" not in key:
            return key
        case _:
            return ""


def _sheet(code: KeptCode, kept: KeptStatement) -> list[list[object]]:
    columns = _columns(code)
    names: dict[str, None] = {}
    for node in code.walk(kept.node):
        match node:
            case ast.keyword(arg="sheet_name", value=ast.Constant(value=str(name))):
                names.setdefault(name)
            case _:
                pass
    loads = [k for k, c in code.calls if code.dotted(c.func, k.path) == "openpyxl.load_workbook"]
    if loads:
        for key in _keys(code):
            if ":" not in key and not key[-1:].isdigit():
                names.setdefault(key[:31])
    return [list(names), list(columns), *_cells(code, columns)]


def _toml(value: object, prefix: str = "") -> str:
    if not isinstance(value, dict):
        return "# empty\n"
    table = cast("dict[str, object]", value)
    plain = {k: v for k, v in table.items() if not isinstance(v, dict) and v is not None}
    text = "".join(f"{json.dumps(k)} = {_toml_value(v)}\n" for k, v in plain.items())
    for key, below in table.items():
        if isinstance(below, dict):
            name = f"{prefix}{json.dumps(key)}"
            text += f"[{name}]\n{_toml(cast('object', below), name + '.')}"
    return text


def _toml_value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml_value(v) for v in cast('Sequence[object]', value))}]"
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return f"{{{', '.join(f'{json.dumps(k)} = {_toml_value(v)}' for k, v in pairs)}}}"
    return json.dumps(value)


def _xml(code: KeptCode) -> str:
    """Return XML with an element for each searched tag, and the attributes that are read."""
    tags: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for kept in code.statements:
        for node in code.walk(kept.node):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="find" | "findall" | "iter" | "findtext" | "iterfind"),
                    args=[ast.Constant(value=str(tag)), *_],
                ):
                    tags.setdefault(tag.rpartition("/")[2].partition("[")[0])
                case ast.Call(
                    func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]
                ):
                    attributes.setdefault(name)
                case ast.Subscript(
                    value=ast.Attribute(attr="attrib"), slice=ast.Constant(value=str(name))
                ):
                    attributes.setdefault(name)
                case _:
                    pass
    given = "".join(f' {name}="1"' for name in attributes if name.isidentifier())
    names = [tag for tag in tags if tag.isidentifier()]
    leaves = "".join(f"<{tag}{given}>1</{tag}>" for tag in names)
    inner = "".join(
        f"<{tag}{given}>{leaves.replace(f'<{tag}{given}>1</{tag}>', '')}1</{tag}>" for tag in names
    )
    return f'<?xml version="1.0"?>\n<root{given}>{inner}</root>\n'
