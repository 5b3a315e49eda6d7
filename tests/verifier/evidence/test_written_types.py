"""Objects of which annotations are made, written as expressions."""

from __future__ import annotations

import collections.abc
import dataclasses
import typing

import pytest
from slicefunc.verifier.sandboxed.written import Writer

FORMS = [
    "typing.List[int]",
    "list[int]",
    "typing.Optional[int]",
    "int | None",
    "typing.Any",
    "typing.Dict",
    "typing.Literal['a', 1]",
    "typing.Callable[[int], str]",
    "collections.abc.Callable[..., str]",
    "typing.Tuple[int, ...]",
    "typing.ClassVar[typing.Union[int, str]]",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_written_as_what_makes_it(form: str) -> None:
    value = eval(form, {"typing": typing, "collections": collections})
    assert eval(Writer("/nowhere").text(value)) == value


def test_initialising_and_new_types_are_written_with_what_they_hold() -> None:
    made = eval(Writer("/nowhere").text(dataclasses.InitVar[int]))
    assert isinstance(made, dataclasses.InitVar)
    assert made.type is int
    named = eval(Writer("/nowhere").text(typing.NewType("Count", int)))
    assert (named.__name__, named.__supertype__) == ("Count", int)
