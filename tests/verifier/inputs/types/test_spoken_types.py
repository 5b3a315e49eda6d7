"""Types in docstrings: what the notations of people mean, and what parameters get of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs import isinstance_classes
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.types.docstring_types import annotation_from_prose, kind_from_prose

if TYPE_CHECKING:
    from pathlib import Path

SAID = {
    "str": "str",
    "string, optional": "str",
    "list of str": "list[str]",
    "list of strings": "list[str]",
    "a list of integers": "list[int]",
    "List[string]": "list[str]",
    "list(int)": "list[int]",
    "[str]": "list[str]",
    "(int, float)": "tuple[int, float]",
    "tuple of (int, int)": "tuple[int, int]",
    "tuple of int": "tuple[int, ...]",
    "dict of str to int": "dict[str, int]",
    "dict of {str: list of int}": "dict[str, list[int]]",
    "dict[str, Box]": "dict[str, Box]",
    "int or None": "int | None",
    "None or list of str": "None | list[str]",
    "str | bytes, default: b''": "str | bytes",
    "{'r', 'w'}": "Literal['r', 'w']",
    "{'r', 'w'}, optional": "Literal['r', 'w']",
    ":class:`~shapes.Box`": "shapes.Box",
    ":py:class:`Box` instance": "Box",
    "an instance of Box": "Box",
    "list of Box objects": "list[Box]",
    "callable": "Callable",
    "Optional[Box]": "Optional[Box]",
}
UNSAID = ["", "the name of the user", "array of shape (n, m)", "see below", "ndarray", "f(x)", "]["]


@pytest.mark.parametrize(("text", "annotation"), SAID.items())
def test_notations_of_people_are_annotations(text: str, annotation: str) -> None:
    found = annotation_from_prose(text)
    assert found is not None
    assert ast.unparse(found) == annotation


@pytest.mark.parametrize("text", UNSAID)
def test_what_is_not_understood_is_no_annotation(text: str) -> None:
    assert annotation_from_prose(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ndarray of shape (n,)", "instance numpy.ndarray"),
        ("array-like, optional", "instance numpy.ndarray"),
        ("pd.DataFrame with columns", "instance pandas.DataFrame"),
        ("path", "path"),
        ("string that is shown", "str"),
        ("nothing known", None),
    ],
)
def test_the_first_word_that_is_known_says_the_kind(text: str, kind: str | None) -> None:
    assert kind_from_prose(text) == kind


@given(st.text(alphabet="abS [](){}|,.:'`~or listofdict\n", max_size=60))
def test_no_text_is_too_strange(text: str) -> None:
    found = annotation_from_prose(text)
    assert found is None or ast.unparse(found)


CLASSES = """
class Box:
    def __init__(self, width: int):
        self.width = width

"""
GOOGLE = "    Args:\n        x ({}): what it is.\n"
NUMPY = "    Parameters\n    ----------\n    x : {}\n        What it is.\n"
SEVERAL = "    Parameters\n    ----------\n    w, x, z : {}\n        What they are.\n"
REST = "    :param x: what it is.\n    :type x: {}\n"
SHORT = "    :param {} x: what it is.\n"


@pytest.mark.parametrize("notation", [GOOGLE, NUMPY, SEVERAL, REST])
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("list of str", "['x-1', 'x-2']"),
        ("dict of str to int", "{'key-1': 1, 'key-2': 2}"),
        ("Box", "Box(width=1)"),
        (":class:`Box`, optional", "Box(width=1)"),
        ("list of Box", "[Box(width=1), Box(width=1)]"),
        ("tuple(int, str)", "(1, 'x-2')"),
        ("{'up', 'down'}", "'up'"),
    ],
)
def test_parameters_are_what_the_docstring_says(
    tmp_path: Path, notation: str, said: str, expected: str
) -> None:
    _ = (tmp_path / "a.py").write_text(
        f'{CLASSES}def f(x):\n    """Shown.\n\n{notation.format(said)}    """\n    return str(x)\n'
    )
    assert _first(tmp_path) == expected


def test_the_short_notation_of_rest(tmp_path: Path) -> None:
    text = SHORT.format("list[int]")
    _ = (tmp_path / "a.py").write_text(f'def f(x):\n    """Shown.\n\n{text}    """\n    return x\n')
    assert _first(tmp_path) == "[1, 2]"


def _first(root: Path) -> str:
    repository = Repository(root)
    sliced = slice_function(repository, "a.py::f")
    more = isinstance_classes(repository, sliced)
    inputs = inputs_of(repository, slice_function(repository, "a.py::f", keep=more))
    assert inputs is not None
    return inputs.pools[0].texts[0]
