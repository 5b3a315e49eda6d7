"""Calls of the library with values of other types are refused in one clear line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver import compile_environment, compile_slice
from slicefunc.driver.places.environment_scorer import open_scorer
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.scoring.score import Scorer

WRONG: dict[str, Callable[[Any, Path], object]] = {
    "the repository is a str; write Repository(folder)": (
        lambda _, folder: slice_function(str(folder), "shop/orders.py::Order.total")  # type: ignore[arg-type]
    ),
    "the target is a NoneType; write 'path::qualname'": (
        lambda repository, _: slice_function(repository, None)  # type: ignore[arg-type]
    ),
    "the repository is a PosixPath; write Repository(folder)": (
        lambda _, folder: compile_slice(folder, "shop/orders.py::Order.total")  # type: ignore[arg-type]
    ),
    "the options are a dict; write Options(...)": (
        lambda repository, _: compile_slice(repository, "shop/orders.py::Order.total", {})  # type: ignore[arg-type]
    ),
    "the target is a tuple; write 'path::qualname'; it is one": (
        lambda repository, _: compile_environment(repository, ("a.py::f",))  # type: ignore[arg-type]
    ),
    "the environment is a NoneType; name the folder that --env has written": (
        lambda _, __: open_scorer(None)  # type: ignore[arg-type]
    ),
    "the oracle is a str; open_scorer(folder) reads one": lambda _, __: Scorer("env"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("told", "call"), WRONG.items())
def test_a_wrong_type_is_told_in_one_line(
    repo: Path, told: str, call: Callable[[Any, Path], object]
) -> None:
    with pytest.raises(TypeError) as raised:
        call(Repository(repo), repo)
    assert str(raised.value) == told
    assert isinstance(raised.value, SliceFuncError)
