"""For every generated use of an answer: the other answers are what their names say."""

from __future__ import annotations

import re
import traceback
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, note, settings
from slicefunc.mocker.shapes.alternatives import MAX_ALTERNATIVES
from slicefunc.mocker.shapes.sample_texts import BROKEN

from tests.property.answer_uses import programs
from tests.property.answers import ABSENT, Change, changes, run, variants

if TYPE_CHECKING:
    from slicefunc.mocker.shapes.answer_shape import Variant

_EMPTY = ("", [], {})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_each_variant_differs_from_the_default_where_and_how_its_name_says(source: str) -> None:
    default, *others = variants(source)
    assert len({variant.name for variant in others}) == len(others)
    for variant in others:
        note(f"{source}\n{default}\n{variant}")
        (change,) = changes(default.value, variant.value)
        assert re.search(rf"(^|_)({_said(change)})(_\d+)?$", variant.name)
        keys = ["first" if key == "key-1" else key for key in change.path]
        assert all(key in variant.name for key in keys if isinstance(key, str))


def _said(change: Change) -> str:
    """How the name of a variant must end."""
    before, after = change.before, change.after
    key = change.path[-1] if change.path else ""
    if after is ABSENT:
        return f"without_{key}"
    if before is ABSENT:
        return f"with_{key}|{key}_.*"
    if after is None or before is None:
        return "none" if after is None else "value"
    if after in _EMPTY or before in ([], {}):
        return "empty" if after in _EMPTY else "items"
    if isinstance(after, list) and isinstance(before, list):
        return f"of_{len(after)}"
    if isinstance(after, bool):
        return str(after).lower()
    numbers = isinstance(before, (int, float)) and isinstance(after, (int, float))
    if after == BROKEN or (type(before) is not type(after) and not numbers):
        return f"not_[a-z]+|{type(after).__name__}"
    return "is_.*"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_each_variant_goes_through_or_fails_by_what_it_is_for(source: str) -> None:
    default, *others = variants(source)
    for variant in others:
        (change,) = changes(default.value, variant.value)
        raised = outcome(source, variant)
        note(f"{source}\n{default}\n{variant}\n{raised!r}")
        assert raised is None or _is_own(source, raised) or isinstance(raised, _failures(change))


def outcome(source: str, variant: Variant) -> Exception | None:
    """What a program raises with an answer."""
    try:
        assert run(source, variant.value) == "done"
    except Exception as error:  # noqa: BLE001 (whatever it raises is looked at)
        return error
    return None


def _line(error: Exception) -> int:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return (frame.lineno or 0) if frame.filename == "program.py" else 0


def _is_own(source: str, error: Exception) -> bool:
    """Whether the program itself raises it."""
    return source.splitlines()[_line(error) - 1].lstrip().startswith("raise ")


def _failures(change: Change) -> tuple[type[Exception], ...]:
    """What a program may raise where it has no answer to what an answer lacks."""
    if change.after is ABSENT or change.after is None:
        return (KeyError, TypeError, AttributeError)  # the latter two of what `get` gives
    if change.after in _EMPTY:
        return (LookupError, StopIteration, ZeroDivisionError, ValueError)
    return ()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_each_answer_of_a_program_to_an_answer_is_reached(source: str) -> None:
    """Unless they are more than are kept; and which place of what is sorted is last, is unknown."""
    others = variants(source)[1:]
    if len(others) == MAX_ALTERNATIVES or "sorted(" in source:
        return
    reached = {_line(error) for variant in others if (error := outcome(source, variant))}
    own = [n for n, line in enumerate(source.splitlines(), 1) if _tells(line)]
    note(f"{source}\n{others}")
    assert not [n for n in own if n not in reached]


def _tells(line: str) -> bool:
    return line.lstrip().startswith("raise ")
