"""What ran in the repository and is missing in a slice is kept, and the slice is made again."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Compiled, compile_environment
from slicefunc.driver.settings.options import Verification
from slicefunc.slicer import Repository, slice_function

from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox


def _write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def _compiled(folder: Path, files: dict[str, str], target: str, case: str) -> Compiled:
    _write(folder, files)
    (folder / "cases.txt").write_text(f"def case_one():\n    return {case}\n")
    asked = Verification(cases=str(folder / "cases.txt"), installs=False)
    return compile_environment(Repository(folder), target, None, asked)


def _observed(found: Compiled) -> list[str]:
    return [f"{each.path}:{each.first_line}" for each in found.sliced.manifest.observed]


HIDDEN = "importlib.import_module('.'.join(['pkg', {name!r}[::-1]]))"
"""A way to a module that no analysis of names follows."""


@pytest.mark.parametrize(
    ("files", "observed"),
    [
        pytest.param(
            {
                "pkg/m.py": "import importlib\n\nfrom pkg.table import TABLE\n"
                + HIDDEN.format(name="redro")
                + "\n\n\ndef f(x):\n    return [each(x) for each in TABLE]\n",
                "pkg/table.py": "TABLE = []\n",
                "pkg/order.py": "from pkg import table\n\nLEFT = 1\n\n\n"
                "def double(x):\n    return x * 2\n\n\n"
                "vars(table)['TAB' + 'LE'].append(double)\nLEFT = 2\n",
            },
            ["pkg/order.py:10"],
            id="a statement that changes what is read",
        ),
        pytest.param(
            {
                "pkg/m.py": "from pkg import order\n\n\n"
                "def f(x):\n    return eval('ord' + 'er.double')(x)\n",
                "pkg/order.py": "def double(x):\n    return x * 2\n\n\n"
                "def unused(x):\n    return x\n",
            },
            ["pkg/order.py:1"],
            id="a function that the call runs",
        ),
        pytest.param(
            {
                "pkg/m.py": "def f(x):\n    return eval('RA' + 'TE') * x\n\n\n"
                "RATE = 3\nOTHER = 4\n",
            },
            ["pkg/m.py:5"],
            id="a name that the call asks for in vain",
        ),
    ],
)
def test_what_was_observed_is_kept_and_no_more(
    tmp_path: Path, files: dict[str, str], observed: list[str]
) -> None:
    found = _compiled(tmp_path, {"pkg/__init__.py": "", **files}, "pkg/m.py::f", "f(3)")
    assert found.verified.faithful is not None
    assert str(found.verified.faithful) == "1 case, as in the repository"
    assert _observed(found) == observed
    reasons = {each.reason for each in found.sliced.manifest.definitions}
    assert "observed" in reasons


def test_modules_keep_their_names_where_a_call_shows_them(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/box.py": "class Box:\n    pass\n",
        "pkg/m.py": "from .box import Box\n\n\ndef f(x):\n    return f'{x} in a {Box}'\n",
    }
    _write(tmp_path, files)
    assert slice_function(Repository(tmp_path), "pkg/m.py::f").manifest.layout == "flat"
    found = _compiled(tmp_path, files, "pkg/m.py::f", "f(3)")
    manifest = found.sliced.manifest
    assert (manifest.layout, manifest.layout_reason) == ("modules", "a call shows a module's name")
    assert str(found.verified.faithful) == "1 case, as in the repository"
    assert _observed(found) == []


def test_a_key_that_no_case_asks_for_is_kept_with_what_puts_it_there(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/m.py": "import importlib\n\nfrom pkg.table import TABLE\n"
        + HIDDEN.format(name="redro")
        + "\n\n\ndef f(x):\n    return TABLE.get(x)\n",
        "pkg/table.py": "TABLE = {3: 1}\n",
        "pkg/order.py": "from pkg import table\n\nvars(table)['TAB' + 'LE'][4] = 2\n",
    }
    found = _compiled(tmp_path, files, "pkg/m.py::f", "f(3)")
    assert _observed(found) == ["pkg/order.py:3"]


def test_a_constructor_that_the_repository_calls_otherwise_is_kept(tmp_path: Path) -> None:
    files = {
        "m.py": "class Box:\n    def __init__(self, size):\n        self.size = size\n\n\n"
        "def f(box):\n    return box is None\n",
    }
    found = _compiled(tmp_path, files, "m.py::f", "f(eval('Box')())")
    assert _observed(found) == ["m.py:1", "m.py:2"]


def test_an_abstract_method_that_the_repository_asks_for_is_kept(tmp_path: Path) -> None:
    files = {
        "m.py": "import abc\n\n\nclass Box(abc.ABC):\n    size = 3\n\n"
        "    @abc.abstractmethod\n    def open(self):\n        ...\n\n\n"
        "def f(box):\n    return box is None\n",
    }
    found = _compiled(tmp_path, files, "m.py::f", "f(type('B', (eval('Box'),), {})())")
    assert "m.py:7" in _observed(found)


def test_nothing_is_kept_where_nothing_that_was_observed_helps(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/m.py": "def unused():\n    return 1\n\n\n"
        "def f(x):\n    return x + f.__code__.co_firstlineno\n",
    }
    found = _compiled(tmp_path, files, "pkg/m.py::f", "f(3)")
    assert _observed(found) == []
    assert "unfaithful" in [each.code for each in found.reasons]


def test_a_slice_without_verification_is_static(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x):\n    return eval('RA' + 'TE') * x\n\n\nRATE = 3\n")
    assert "RATE" not in slice_function(Repository(tmp_path), "m.py::f").source
    kept = slice_function(Repository(tmp_path), "m.py::f", observed=("m.py:5",))
    assert "RATE = 3" in kept.source
    assert [(each.first_line, each.kind) for each in kept.manifest.observed] == [(5, "variable")]
