"""Files of metadata: JSON lines or CSV, as public dumps of code hosts have them.

The names of fields are those of GitHub's API, of GitHub Archive and BigQuery, of the SEART search
and of The Stack; the first one that a row has counts.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, TextIO, cast

from .....slicer.errors import OptionError
from ..candidates import Candidate, Rejection
from .metadata_fields import candidate_of_fields
from .source import Said, Source, SourceOptions

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_SOME = 5
"""Names of fields shown when none is known."""


def _takes(word: str) -> bool:
    return Path(word).is_file() and word.lower().removesuffix(".gz").endswith(_ENDINGS)


def _read(word: str, _options: SourceOptions) -> Iterator[Said]:
    """Yield the repositories of a file; a row that cannot be read is a rejection.

    Raises:
        OptionError: no row names a repository.
    """
    found = False
    fields: list[str] = []
    for place, row in _rows(word):
        if isinstance(row, str):
            yield Rejection(place, word, "metadata", row)
            continue
        said = candidate_of_fields(row, place)
        found |= isinstance(said, Candidate)
        fields = fields or sorted(map(str, row))
        yield said
    if not found:
        told = f"; its fields are {', '.join(fields[:_SOME])}" if fields else ""
        raise OptionError(
            f"{word} names no repository{told}", "give each row a field full_name, as owner/name"
        )


def _rows(word: str) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """Yield each row with its place; or what is wrong with it."""
    name = word.lower().removesuffix(".gz")
    with _opened(word) as text:
        if name.endswith((".csv", ".tsv")):
            reader = csv.DictReader(text, delimiter="\t" if name.endswith(".tsv") else ",")
            for row in reader:
                yield f"{word}:{reader.line_num}", row
            return
        if name.endswith(".json"):
            yield from _of_document(word, text.read())
            return
        for number, line in enumerate(text, 1):
            if line.strip():
                yield f"{word}:{number}", _of_json(line)


def _opened(word: str) -> TextIO:
    if word.lower().endswith(".gz"):
        binary = cast("IO[bytes]", gzip.open(word))  # noqa: SIM115 - closed with the text
        return TextIOWrapper(binary, "utf-8", "replace", "")
    return Path(word).open(encoding="utf-8", errors="replace", newline="")


def _of_document(word: str, text: str) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """Yield the rows of one JSON document: a list, an object with a list, or JSON lines."""
    try:
        whole: Any = json.loads(text)
    except ValueError:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"{word}:{number}", _of_json(line)
        return
    if isinstance(whole, dict):
        document = cast("dict[str, Any]", whole)
        lists = [name for name, value in document.items() if isinstance(value, list)]
        whole = document[lists[0]] if lists else [document]
    for number, row in enumerate(cast("list[Any]", whole), 1):
        yield f"{word}:{number}", row if isinstance(row, dict) else "it is no object"


def _of_json(line: str) -> Mapping[str, Any] | str:
    try:
        row: Any = json.loads(line)
    except ValueError as error:
        return f"it is no JSON: {error}"
    return cast("dict[str, Any]", row) if isinstance(row, dict) else "it is no object"


SOURCE = Source(_takes, _read)
