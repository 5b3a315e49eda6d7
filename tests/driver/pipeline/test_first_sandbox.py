"""The sandbox that starts while a target is sliced."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from slicefunc.driver.pipeline.passes import compile_environment
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.execution.executors.choose_executor import Choice
from slicefunc.verifier.execution.executors.interface import Capabilities, Executor


class _Closed:
    """An executor that is only closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_where_nothing_can_be_sliced_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.py").write_text("def f():\n    return 1\n")
    executor = _Closed()

    def chosen(*_: object, **__: object) -> Choice:
        return Choice("own", lambda: cast("Executor", executor), Capabilities("own", (), ()), ())

    monkeypatch.setattr("slicefunc.verifier.execution.executors.choose_executor.choose", chosen)
    with pytest.raises(SliceFuncError, match="no function or class g"):
        compile_environment(Repository(tmp_path), "m.py::g")
    assert executor.is_closed
