"""What annotations say of items, keys and values."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.inputs.types.declared_items import items_fit

FITS = [
    ("list[tuple[int, int]]", "[(1, 2), (3, -4)]"),
    ("list[tuple[int, int]]", "[]"),
    ("list[tuple[int, int]]", "[made(), (1, n)]"),
    ("'list[int] | None'", "[True, 2]"),
    ("tuple[str, ...]", "('a', 'b', 'c')"),
    ("dict[str, list[float]]", "{'a': [1, 2.5]}"),
    ("Optional[Sequence[str]]", "('a',)"),
    ("Iterable[Sequence[str]]", "['ab', ['a']]"),
    ("list[int | None]", "[1, None]"),
    ("list[Any]", "[1, 'a']"),
    ("int", "[1]"),
    ("list", "['a', 1]"),
    ("list[int]", "None"),
]
FITS_NOT = [
    ("list[tuple[int, int]]", "[(1, 2, 3)]"),
    ("list[tuple[int, int]]", "[()]"),
    ("list[tuple[int, int]]", "[('a', 2)]"),
    ("list[int]", "[1, 'a']"),
    ("list[int]", "[None]"),
    ("dict[str, int]", "{1: 2}"),
    ("dict[str, list[int]]", "{'a': 'b'}"),
    ("Union[list[int], dict[str, int]]", "['a']"),
]


@pytest.mark.parametrize(("annotation", "text"), FITS)
def test_a_value_fits(annotation: str, text: str) -> None:
    is_scalar = annotation == "int"  # another kind is not what is asked about here
    assert items_fit(ast.parse(annotation, mode="eval").body, text) is not is_scalar


@pytest.mark.parametrize(("annotation", "text"), FITS_NOT)
def test_a_value_does_not_fit(annotation: str, text: str) -> None:
    assert not items_fit(ast.parse(annotation, mode="eval").body, text)
