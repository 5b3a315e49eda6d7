"""What is slow is imported once, where all of it can be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.preloaded_modules import (
    importable_preload,
    imported_by_calls,
    with_preload,
)
from slicefunc.slicer import Repository
from slicefunc.slicer.model import External, Manifest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import (
    NOT_PRELOADED,
    Capabilities,
    Case,
    Job,
    Outcome,
    Profile,
)


class _Lacking:
    """An executor that cannot import some modules."""

    def __init__(self, missing: str, *, breaks: bool = False) -> None:
        self.missing = missing
        self.breaks = breaks

    def start(self, profile: Profile) -> None:
        if self.breaks:
            raise SandboxError("it ended while it loaded its modules")
        wanted = {*profile.preload, "pytest", "coverage"}
        self.missing = ", ".join(m for m in self.missing.split(", ") if m in wanted)

    def run(self, job: Job) -> Outcome:
        raise AssertionError

    def close(self) -> None: ...

    def capabilities(self) -> Capabilities:
        lacks = ("Landlock: the kernel has none", NOT_PRELOADED + self.missing)
        return Capabilities("lacking", (), lacks if self.missing else ())


def _manifest(*modules: str) -> Manifest:
    externals = tuple(External(name, name, (), "real") for name in modules)
    stubbed = External("torch", "torch", (), "stubbed")
    return Manifest(
        (), "flat", "", (), (), (*externals, stubbed), (), (), (), (), (), (), (), seconds=0.0
    )


@pytest.mark.parametrize(
    ("missing", "breaks", "preload"),
    [
        ("", False, ("numpy", "pandas", "pandas.io")),
        ("pytest, coverage", False, ("numpy", "pandas", "pandas.io")),
        ("coverage, pandas", False, ("numpy",)),
        ("pandas.io", False, ("numpy", "pandas")),
        ("numpy, pandas", False, ()),
        ("", True, ()),
    ],
)
def test_all_that_is_slow_and_can_be_imported_is(
    missing: str, *, breaks: bool, preload: tuple[str, ...]
) -> None:
    manifest = _manifest("json", "pandas.io", "numpy", "pandas")
    found = importable_preload(lambda: _Lacking(missing, breaks=breaks), manifest, Profile())
    assert found == Profile(preload=preload)


def test_what_is_imported_by_calls_is_imported_too() -> None:
    names = ("json.tool", "numpy.fft", "torch.nn")
    found = importable_preload(lambda: _Lacking(""), _manifest("numpy"), Profile(), lambda _: names)
    assert found == Profile(preload=("numpy", "numpy.fft", "torch", "torch.nn"))


@pytest.mark.parametrize("line", ["import pygments.token", ""])
def test_what_a_script_imports_while_it_loads_is_told(line: str, tmp_path: Path) -> None:
    # a module that the script carries is the repository's, whatever is installed under its name
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich/__init__.py").write_text("")
    (tmp_path / "rich/console.py").write_text("WIDTH = 80\n")
    (tmp_path / "app.py").write_text(
        f"{line}\nfrom rich.console import WIDTH\n\n\ndef f():\n    return WIDTH\n"
    )
    sliced = compile_slice(Repository(tmp_path), ("app.py::f",), Options("modules"))
    sliced = replace(sliced, source=f"{line}\n{sliced.source}")
    executor = EmbeddedExecutor()
    executor.start(Profile())
    try:
        found = list(imported_by_calls(sliced, [Case("c", "def c(): return f()\n")], executor))
    finally:
        executor.close()
    assert found == (["pygments", "pygments.token"] if line else [])


def test_nothing_is_started_for_what_is_fast() -> None:
    found = importable_preload(lambda: _Lacking("", breaks=True), _manifest("json"), Profile())
    assert found == Profile()


def test_a_record_cannot_have_anything_imported_but_what_is_known() -> None:
    names = ("os", "numpy", "evil", "evil.numpy", "numpy.__main__", "torch.x; evil()", "torch.nn")
    assert with_preload(Profile(), names) == Profile(preload=("numpy", "torch", "torch.nn"))
