"""What annotations ask for, through aliases, type variables, new types and classes."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs import call_of
from slicefunc.verifier.inputs.argument_pools import inputs_of

if TYPE_CHECKING:
    from pathlib import Path

TYPES = '''
from collections.abc import Callable
from typing import Dict, Generic, List, NewType, Type, TypeAlias, TypeVar, Union

class Box:
    def __init__(self, width: int):
        self.width = width

Rows = Dict[str, List[int]]
"""Rows by name."""
BoxOrText = Union[Box, str]
Named: TypeAlias = "Box"
Item = TypeVar("Item", bound=Box)
Either = TypeVar("Either", Box, str)
Key = NewType("Key", bytes)
Hook = Callable[[str], Box]
'''


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("Rows", "{'key-1': [1, 2], 'key-2': [3, 4]}"),
        ("BoxOrText", "Box(width=1)"),
        ("Named", "Box(width=1)"),
        ("Item", "Box(width=1)"),
        ("Either", "Box(width=1)"),
        ("Key", "b'x-1'"),
        ("Hook", "(lambda *args, **named: Box(width=1))"),
        ("Callable[[int], 'Box']", "(lambda *args, **named: Box(width=1))"),
        ("Callable[[int], None]", "(lambda *args, **named: 1.5)"),
        ("type[Box]", "Box"),
        ("list[Type[Item]]", "[Box, Box]"),
    ],
)
@pytest.mark.parametrize("is_imported", [False, True])
def test_names_of_types_are_followed(
    tmp_path: Path, annotation: str, expected: str, *, is_imported: bool
) -> None:
    target = f"def f(x: {annotation}, y: Box):\n    return str(x)\n"
    if is_imported:
        (tmp_path / "types_of_it.py").write_text(TYPES)
        header = "from typing import Callable, Type\nfrom types_of_it import *\n"
        (tmp_path / "a.py").write_text(header + target)
    else:
        (tmp_path / "a.py").write_text(TYPES + target)
    repository = Repository(tmp_path)
    call = call_of(repository, slice_function(repository, "a.py::f"))
    made = call.partition("x=")[2].partition(", y=")[0]
    assert made.replace("__import__(\"importlib\").import_module('types_of_it').", "") == expected


MODELS = """
from typing import Generic, Optional, TypeVar
from pydantic import BaseModel

Output = TypeVar("Output", bound=BaseModel)

class Job(BaseModel):
    title: str
    owner: Optional[str] = None

class Result(BaseModel, Generic[Output]):
    job: Job
    output: Optional[Output] = None
    owner: Optional[Job] = None

class Done(BaseModel):
    result: Result
    note: Optional[str] = None

def told(done: Done):
    if done.result.output:
        return done.result.output.model_dump_json()
    return done.result.job.owner

def typed(kind: type[Output], given: BaseModel):
    return kind.model_validate({}), given.title
"""


def test_instances_inside_of_others_have_what_the_target_looks_at(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODELS)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::told"))
    assert found is not None
    (pool,) = found.pools
    least = "Done(result=Result(job=Job(title='title-1')))"
    model = '__import__("pydantic").create_model("Model", name=(str, \'name-1\'), count=(int, 1))()'
    job = "Job(title='title-1', owner='owner-1')"
    assert pool.texts[0] == least
    assert f"Done(result=Result(job={job}, output={model}))" in pool.texts


def test_models_of_no_known_class_are_models(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODELS)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::typed"))
    assert found is not None
    kind, given = (pool.texts[0] for pool in found.pools)
    made = {"kind": None, "given": None}
    exec(f"made['kind'], made['given'] = {kind}, {given}", {"made": made, "__name__": "a"})
    assert getattr(made["kind"], "model_fields", {}).keys() == {"name", "count"}
    assert getattr(made["given"], "title", None) == "title-1"


def test_an_alias_with_a_text_below_it_is_known_to_the_slicer(tmp_path: Path) -> None:
    source = textwrap.dedent('''
        from typing import Union

        class Box:
            def area(self):
                return 1

        class Other:
            def area(self):
                return 2

        AnyBox = Union[Box, None]
        """A box, or none."""

        def f(x: AnyBox):
            return x.area()
    ''')
    (tmp_path / "a.py").write_text(source)
    sliced = slice_function(Repository(tmp_path), "a.py::f")
    assert "class Box" in sliced.source
    assert "class Other" not in sliced.source


@pytest.mark.parametrize(
    "annotation",
    [
        "Union[str, Box, List[int], None]", "str | Box | list[int]", "Several",
        "Optional[Union[str, 'Box | List[int]']]", "'Several | None'", "Union[str, Itself]",
    ],
)  # fmt: skip
def test_each_member_of_a_union_is_given(tmp_path: Path, annotation: str) -> None:
    source = TYPES + "from typing import Optional\nSeveral = Union[str, Box, List[int]]\n"
    source += "Itself = Union['Itself', Box, List[int]]\n"
    source += f"def f(x: {annotation}, y: Box):\n    return repr(x)\n"
    (tmp_path / "a.py").write_text(source)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert found is not None
    given = next(pool.texts for pool in found.pools if pool.name == "x")
    assert given[0] == "'x-1'"
    assert {"Box(width=1)", "[1, 2]"} <= set(given)
