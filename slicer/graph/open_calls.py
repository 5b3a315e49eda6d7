"""Calls whose callee the analysis does not know.

Either no callable value arrives, or only the result of a library function, whose class is unknown.
The graph then names the call after that function (`re.compile.match`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..repo.source import Source
from .facts import CallPlace
from .solver.calls.call_edges import Calls
from .solver.interned_values import ExternalValue, Value

_LONGEST_EXPRESSION = 80


@dataclass(frozen=True, slots=True, order=True)
class OpenCall:
    """A call whose callee is unknown."""

    path: str
    line: int
    column: int
    """Start of the called name, counted in characters from 0.

    If the callee has no name, as in `handlers[0]()`, the end of its expression.
    """
    name: str | None
    """The called name or attribute name, if there is one."""
    expression: str
    """The callee's expression, on one line and shortened."""
    caller: str
    """Id of the calling definition."""
    library: bool = False
    """Whether the callee comes from a library's result, and has an edge with the library's name."""


def open_calls(calls: Calls, sources: Sequence[Source]) -> tuple[OpenCall, ...]:
    """Return the open calls of all modules, sorted by position.

    Args:
        calls: the solved analysis, not yet released.
        sources: the texts of its modules, in their order.
    """
    return tuple(sorted(_open_calls(calls, sources)))


def _open_calls(calls: Calls, sources: Sequence[Source]) -> Iterator[OpenCall]:
    program = calls.program
    for linked, source in zip(program.modules, sources, strict=True):
        for place in linked.facts.calls:
            values = [] if place.callee is None else _values(calls, linked.variables + place.callee)
            if all(isinstance(value, ExternalValue) and value.calls for value in values):
                caller = program.definition_name(linked.definitions + place.caller)
                yield _open_call(place, source, caller, library=bool(values))


def _values(calls: Calls, callee: int) -> list[Value]:
    """Return the values that arrive, except constants, in the function or in a copy of it."""
    variables = (callee, *calls.copied_callees.get(callee, ()))
    found = {value for variable in variables for value in calls.engine.holds[variable]}
    return [calls.values[value] for value in sorted(found) if value >= 0]


def _open_call(place: CallPlace, source: Source, caller: str, *, library: bool) -> OpenCall:
    text = _text(source, place)
    line, column = place.end_line, _characters(source, place.end_line, place.end_column)
    name = place.name
    if name is not None and text.endswith(name):
        column -= len(name)
    elif name is not None:  # inside an f-string, where older Pythons have no positions
        text, name = name, None
    expression = " ".join(text.split())
    if len(expression) > _LONGEST_EXPRESSION:
        expression = "…" + expression[1 - _LONGEST_EXPRESSION :]
    return OpenCall(source.path, line, column, name, expression, caller, library)


def _text(source: Source, place: CallPlace) -> str:
    lines = [line.encode() for line in source.lines[place.line - 1 : place.end_line]]
    if lines:
        lines[-1] = lines[-1][: place.end_column]
        lines[0] = lines[0][place.column :]
    return b"".join(lines).decode(errors="replace")


def _characters(source: Source, line: int, column: int) -> int:
    """Return a column in characters for a column in bytes."""
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    return len(text.encode()[:column].decode(errors="replace"))
