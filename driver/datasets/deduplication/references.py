"""Reference sets that users name: files of records, Python files, and folders of both.

A record's code is found by the names of its fields, which are those of the published sets:
HumanEval (`prompt` and `canonical_solution`), MBPP (`code`), RepoEval (`prompt` and
`ground_truth`), SWE-bench (`patch` and `test_patch`), and `text` or `content` of plain corpora.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ....slicer.errors import SliceFuncError
from ...settings.extras import require
from .function import Reference

_JOINED = (("prompt", "canonical_solution"), ("prompt", "ground_truth"))
_PATCHES = ("patch", "test_patch")
_PLAIN = ("code", "solution", "content", "text")
_NAMES = ("task_id", "instance_id", "id", "name", "question_id")
_SUFFIXES = (".py", ".jsonl", ".jsonl.gz", ".json", ".parquet")
_HUNK = re.compile(r"@@ -\S+ \+(\d+)\S* @@")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class ReferenceSetError(SliceFuncError):
    """A reference set cannot be read."""

    advice = "name .jsonl, .json, .parquet or .py files, or folders of them"


def read_references(
    locations: Iterable[str | Path], fields: Sequence[str] = ()
) -> Iterator[Reference]:
    """Yield the functions and fragments of reference sets.

    Args:
        locations: files and folders.
        fields: names of the fields whose texts, joined, are a record's code; without any, those
            of the published sets.

    Raises:
        ReferenceSetError: a file cannot be read, or no code is found at a location.
    """
    for location in map(Path, locations):
        files = _files(location)
        is_empty = True
        for file in files:
            for reference in _references(file, _shown(file, location), fields):
                is_empty = False
                yield reference
        if is_empty:
            wanted = ", ".join(fields) or ", ".join(
                dict.fromkeys((*(name for each in _JOINED for name in each), *_PATCHES, *_PLAIN))
            )
            raise ReferenceSetError(
                f"{location}: no code found: no record has {wanted}", "name the fields with --field"
            )


def _files(location: Path) -> list[Path]:
    if location.is_file():
        if not location.name.endswith(_SUFFIXES):
            raise ReferenceSetError(f"{location}: unknown kind of file")
        return [location]
    if not location.is_dir():
        raise ReferenceSetError(f"{location}: no such file or folder")
    found = sorted(each for each in location.rglob("*") if each.name.endswith(_SUFFIXES))
    files = [each for each in found if each.is_file()]
    if not files:
        raise ReferenceSetError(f"{location}: no {', '.join(_SUFFIXES)} file in it")
    return files


def _shown(file: Path, location: Path) -> str:
    """Return the name of a file in ids, which does not depend on where the set lies."""
    return file.relative_to(location.parent if location.is_dir() else file.parent).as_posix()


def _references(file: Path, shown: str, fields: Sequence[str]) -> Iterator[Reference]:
    try:
        if file.suffix == ".py":
            yield from code_references(file.read_bytes().decode("utf-8", "replace"), shown)
            return
        for number, record in enumerate(_records(file), 1):
            yield from _of_record(record, shown, number, fields)
    except (OSError, EOFError) as error:
        raise ReferenceSetError(f"{file}: {error}") from error


# ------------------------------------------------------------------- records


def _records(file: Path) -> Iterator[Mapping[str, Any]]:
    if file.suffix == ".parquet":
        yield from _parquet_records(file)
    elif file.suffix == ".json":
        try:
            content: object = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise ReferenceSetError(f"{file}: no JSON: {error}") from error
        many = cast("list[object]", content) if isinstance(content, list) else [content]
        yield from (cast("dict[str, Any]", each) for each in many if isinstance(each, dict))
    else:
        with file.open("rb") as raw:
            lines = gzip.GzipFile(fileobj=raw) if file.suffix == ".gz" else raw
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _json_record(line, f"{file}:{number}")


def _json_record(line: bytes, place: str) -> Mapping[str, Any]:
    try:
        record: object = json.loads(line)
    except ValueError as error:
        raise ReferenceSetError(f"{place}: no JSON: {error}") from error
    if not isinstance(record, dict):
        raise ReferenceSetError(f"{place}: no JSON object")
    return cast("dict[str, Any]", record)


def _parquet_records(file: Path) -> Iterator[Mapping[str, Any]]:
    require("datasets", "pyarrow")
    from ..storage.parquet import read_records

    try:
        with file.open("rb") as opened:
            yield from read_records(opened)
    except ValueError as error:
        raise ReferenceSetError(f"{file}: no parquet: {error}") from error


def _of_record(
    record: Mapping[str, Any], shown: str, number: int, fields: Sequence[str]
) -> Iterator[Reference]:
    nested = record.get("metadata")
    if isinstance(nested, dict):  # RepoEval keeps most of a task there
        record = {**cast("dict[str, Any]", nested), **record}
    name = next((record[each] for each in _NAMES if record.get(each) is not None), number)
    repo = record.get("repo")
    where = f"{shown}:{name}"
    texts = {key: value for key, value in record.items() if isinstance(value, str)}
    for part, text in _code_of(texts, fields):
        yield from code_references(text, where + part, repo if isinstance(repo, str) else "")


def _code_of(texts: Mapping[str, str], fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of code in a record, each with what its name ends with."""
    if fields:
        if found := [texts[name] for name in fields if name in texts]:
            yield "", "".join(found)
        return
    for names in _JOINED:
        if all(name in texts for name in names):
            yield "", "".join(texts[name] for name in names)
            return
    if any(name in texts for name in _PATCHES):
        for name in _PATCHES:
            for place, text in patched_code(texts.get(name, "")):
                yield f":{place}", text
        return
    for name in _PLAIN:
        if name in texts:
            yield "", texts[name]
            return


# ------------------------------------------------------------------- code


def code_references(text: str, name: str, repo: str = "") -> Iterator[Reference]:
    """Yield the functions in a text; one that has none or cannot be parsed is a fragment."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            functions = list(_functions(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        functions = []
    lines = text.split("\n")
    for qualname, node in functions:
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        code = "\n".join(lines[first - 1 : node.end_lineno])
        yield Reference(f"{name}::{qualname}", code, qualname, repo)
    if not functions and text.strip():
        yield Reference(name, text, None, repo)


def _functions(
    body: Iterable[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in body:
        if isinstance(node, _FUNCTIONS):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")


def patched_code(patch: str) -> Iterator[tuple[str, str]]:
    """Yield each hunk of a patch of Python files as it is afterwards, with `path:line`."""
    path, place, lines = "", "", list[str]()
    for line in [*patch.split("\n"), "diff "]:
        hunk = _HUNK.match(line)
        if hunk or line.startswith("diff "):
            if place and path.endswith(".py"):
                yield place, "\n".join(lines) + "\n"
            place, lines = f"{path}:{hunk[1]}" if hunk else "", []
        elif not place:
            if line.startswith("+++ "):
                path = line[4:].removeprefix("b/").partition("\t")[0]
        elif line[:1] in {" ", "+", ""}:
            lines.append(line[1:])
