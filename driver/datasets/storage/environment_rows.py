"""Environments as rows of a dataset, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ....verifier.scoring.substitute import template
from ...record.environment_files import (
    Environment,
    EnvironmentRecordError,
    checked_environment,
)
from .columns import EnvironmentRow, FileRef, to_json
from .digests import digest

_USED = frozenset(
    {"record", "id", "commit", "path", "qualname", "signature", "docstring", "prompt", "python"}
)
"""Columns that must be what the record says; others may be counted anew by a later version."""
_COPY = "copy the dataset again from where it was built"


@dataclass(frozen=True, slots=True)
class Source:
    """What a dataset says of an environment beyond its record."""

    repo: str
    """Name of its repository."""
    created: str | None = None
    split: str = "train"
    licence: str | None = None
    """Where the record's own words are no SPDX identifier."""


def environment_row(
    environment: Environment, source: Source, code: str | None = None
) -> EnvironmentRow:
    """Return the row of an environment.

    Args:
        environment: the environment.
        source: what its record does not say.
        code: text of the original function, if it is known.
    """
    record, prompt = environment.record, environment.record["prompt"]
    metrics = record["metrics"]
    faithful: dict[str, int] = metrics.get("faithful") or {}
    mutants: dict[str, Any] = metrics.get("mutants") or {}
    hidden: dict[str, int] = metrics.get("hidden") or {}
    return EnvironmentRow(
        id=record["id"],
        repo=source.repo,
        commit=record["commit"],
        licence=source.licence or record["licence"],
        created=source.created,
        path=record["target"]["path"],
        qualname=record["target"]["qualname"],
        split=source.split,
        signature=prompt["signature"],
        docstring=prompt["docstring"],
        prompt=prompt["context"],
        code=original_code(environment) if code is None else code,
        layout=record["layout"],
        python=environment.python,
        requirements=tuple(record["requirements"]),
        mocks=tuple(each["family"] for each in record["mocks"]),
        branch_coverage=metrics["branch_coverage"],
        kill_rate=metrics["kill_rate"],
        unseen_kill_rate=metrics["unseen_kill_rate"],
        mutants=mutants.get("killed", 0) + len(mutants.get("survived", ())),
        cases=len(record["cases"]),
        hidden=hidden.get("kept", 0),
        compared=faithful.get("compared", 0),
        same=faithful.get("same", 0),
        lines=environment.files[record["script"]].count("\n"),
        tool_version=record["tool_version"],
        record=json.dumps(record, sort_keys=True, separators=(",", ":")),
        files=tuple(
            FileRef(name, digest(content)) for name, content in file_contents(environment).items()
        ),
    )


def file_contents(environment: Environment) -> Mapping[str, bytes]:
    """Return the content of each file beside the record, sorted by name."""
    return {
        name: text.encode("utf-8", "surrogatepass")
        for name, text in sorted(environment.files.items())
    }


def environment_from(
    location: str, row: EnvironmentRow, read: Callable[[str], bytes]
) -> Environment:
    """Return the environment of a row that anybody may have written.

    Args:
        location: the dataset, for messages.
        row: the row.
        read: returns the blob of a hash.

    Raises:
        EnvironmentRecordError: it is none, or it is not what the row says.
        SliceFuncError: a blob cannot be read.
    """
    blobs = {each.name: each.blob for each in row.files}
    place = f"{location}: environment {row.id}"
    found = checked_environment(
        place, row.record, lambda name: read(blobs.get(name, "")).decode("utf-8", "surrogatepass")
    )
    odd = differing_columns(found, row, row.code)
    if not _USED.isdisjoint(odd):
        raise EnvironmentRecordError(
            f"{place}: its record is not what its row says: {', '.join(odd)}", _COPY
        )
    return found


def differing_columns(
    environment: Environment, row: EnvironmentRow, code: str | None = None
) -> list[str]:
    """Return the columns of a row that its environment does not give.

    Args:
        environment: the environment.
        row: the row.
        code: text of the original function, so that it is not looked for again.
    """
    source = Source(row.repo, row.created, row.split, row.licence)
    try:
        given = to_json(environment_row(environment, source, code))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ["record"]
    return [name for name, value in to_json(row).items() if value != given[name]]


def original_code(environment: Environment) -> str:
    """Return the definitions of the target, with the indentation that its file gives them."""
    oracle = environment.oracle
    return template(oracle.script, oracle.path, oracle.qualname).original
