"""Records of a run, in the order in which an honest run sends them.

The result channel is untrusted. A run counts only if its records are exactly the expected ones, by
kind, order, number and name of the case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps as quoted

from .decode_records import read_observation
from .observation import Malformed, Observation
from .untrusted_json import Document, Json, MalformedError, no_collections, parse


@dataclass(frozen=True, slots=True)
class Run:
    """The records of a complete run."""

    load_failure: Observation | None = None
    """The exception that loading the script raised; then there are no cases."""
    observations: tuple[tuple[str, Observation], ...] = ()
    """Name and observation of each case, in order."""
    arcs: frozenset[tuple[int, int]] | None = None
    """Pairs of lines that ran after one another, if requested."""


def decode_run(
    records: Sequence[str],
    names: Sequence[str],
    *,
    has_arcs: bool = False,
    known: Sequence[Observation] = (),
) -> Run | Malformed:
    """Decode the records of a run.

    Args:
        records: lines of the result channel.
        names: names of the cases that were sent.
        has_arcs: whether arcs were requested.
        known: expected observations of the cases; a record that equals one byte for byte is not
            decoded again, and yields that very object.
    """
    try:
        with no_collections():
            return _run(records, names, has_arcs, known)
    except MalformedError as error:
        return Malformed(error.where, error.what)


def _run(
    texts: Sequence[str], names: Sequence[str], has_arcs: bool, known: Sequence[Observation]
) -> Run:
    if len(texts) > len(names) + 3:
        raise MalformedError("records", f"not as agreed: {len(texts)} of them")
    records = [_read(position, text, names, known) for position, text in enumerate(texts)]
    kinds = [record.kind for record in records]
    if kinds == ["load", "end"]:
        failure = records[0].observation
        if failure is None or failure.outcome != "raised":
            raise MalformedError("record 0", "a script that failed without raising")
        return Run(load_failure=failure)
    arcs = ["arcs"] if has_arcs else []
    if kinds != ["ready", *("case" for _ in names), *arcs, "end"]:
        raise MalformedError("records", f"not as agreed: {' '.join(kinds)[:200] or 'none'}")
    observations: list[tuple[str, Observation]] = []
    for position, name in enumerate(names, start=1):
        record = records[position]
        if record.name != name or record.observation is None:
            raise MalformedError(f"record {position}", f"not of the case {name}")
        observations.append((name, record.observation))
    return Run(observations=tuple(observations), arcs=records[-2].arcs if has_arcs else None)


@dataclass(frozen=True, slots=True)
class _Record:
    """One record."""

    kind: str
    name: Json = None
    observation: Observation | None = None
    arcs: frozenset[tuple[int, int]] | None = None


_FIELDS = {
    "ready": {"kind"},
    "load": {"kind", "observation"},
    "case": {"kind", "name", "observation"},
    "arcs": {"kind", "arcs"},
    "end": {"kind"},
}


def _read(position: int, text: str, names: Sequence[str], known: Sequence[Observation]) -> _Record:
    """Decode one record; that of a case may be a known one."""
    case = position - 1
    if 0 <= case < min(len(known), len(names)) and _is_known(text, names[case], known[case]):
        return _Record("case", names[case], known[case])
    document = parse(text)
    record = document.content
    kind = record.get("kind") if isinstance(record, dict) else None
    if not isinstance(record, dict) or not isinstance(kind, str) or kind not in _FIELDS:
        raise MalformedError(f"record {position}", "of no known kind")
    if record.keys() != _FIELDS[kind]:
        raise MalformedError(f"record {position}", f"not the fields of {kind}")
    if "observation" in record:
        return _Record(kind, record.get("name"), _observation(document, record, position))
    document.check_members(len(record))
    return _Record(kind, arcs=_arcs(record["arcs"], position) if kind == "arcs" else None)


def _is_known(text: str, name: str, observation: Observation) -> bool:
    """Whether a record is exactly what an honest run would send for this observation."""
    start = f'{{"kind":"case","name":{quoted(name)},"observation":'
    expected = observation.text
    return (
        bool(expected)
        and len(text) == len(start) + len(expected) + 1
        and text.startswith(start)
        and text.startswith(expected, len(start))
        and text.endswith("}")
    )


def _observation(document: Document, record: dict[str, Json], position: int) -> Observation:
    try:
        return read_observation(document, record["observation"], counted=len(record))
    except MalformedError as error:
        raise MalformedError(f"record {position}: {error.where}", error.what) from None


def _arcs(pairs: Json, position: int) -> frozenset[tuple[int, int]]:
    if not isinstance(pairs, list):
        raise MalformedError(f"record {position}", "no list of arcs")
    found: set[tuple[int, int]] = set()
    for pair in pairs:
        match pair:
            case [int(first), int(last)]:
                found.add((first, last))
            case _:
                raise MalformedError(f"record {position}", "no pair of lines")
    return frozenset(found)
