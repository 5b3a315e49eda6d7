"""The repository's own tests and a solver as sources of cases, from the passes down."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Verification, compile_environment, compile_slice
from slicefunc.driver.pipeline.recording.repository_calls import recording_of
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Target
from slicefunc.verifier.execution.environments import InstallError
from slicefunc.verifier.execution.environments.install_policy import Policy
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Profile
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL
from slicefunc.verifier.search.strategies.recorded_test_calls import job_of, suite_of

from tests.nightly import one_in

CODE = """\
import hashlib

def opened(text):
    if hashlib.sha256(text.encode()).hexdigest().startswith("2bd806c97f0e00af"):
        return "open"
    return "shut"
"""
FILES = {
    "src/lock/__init__.py": "import click\n",
    "src/lock/code.py": CODE,
    "src/lock/other.py": "try:\n    import numpy\nexcept ImportError:\n    pass\n",
    "tests/conftest.py": "import yaml\n",
    "tests/test_code.py": "import attr, json\nfrom lock.code import opened\n",
    "pyproject.toml": (
        '[project]\nname = "lock"\ndependencies = ["click>=8"]\n'
        '[project.optional-dependencies]\ntest = ["pytest-cov", "pytest-mock>=3", "sphinx"]\n'
    ),
}


def _laid_out(folder: Path, files: dict[str, str]) -> Repository:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Repository(folder)


def test_installed_is_what_the_tests_and_the_package_import(tmp_path: Path) -> None:
    repository = _laid_out(tmp_path, FILES)
    found = recording_of(repository, choose()).place.requirements("src/lock/code.py")
    assert list(found) == ["pytest", "pytest-mock>=3", "attrs", "click>=8", "PyYAML"]


def test_what_runs_the_tests_may_be_younger_than_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was current then may not run on the interpreter of today."""
    seen: list[Policy] = []

    def provide(_requirements: object, _cache: object, policy: Policy) -> None:
        seen.append(policy)
        raise InstallError("seen enough")

    monkeypatch.setattr("slicefunc.driver.places.script_environment.provide", provide)
    place = recording_of(_laid_out(tmp_path, FILES), choose()).place
    with pytest.raises(InstallError):
        place.profile("tests/test_code.py")
    assert [policy.undated for policy in seen] == [("pytest",)]


def test_installed_is_what_provides_a_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_order.py").write_text("def test_order(requests_mock): pass\n")
    project = '[project]\nname = "order"\n[dependency-groups]\ntest = ["requests-mock", "sphinx"]\n'
    (tmp_path / "pyproject.toml").write_text(project)
    place = recording_of(Repository(tmp_path), choose()).place
    assert list(place.requirements("test_order.py")) == ["pytest", "requests-mock"]


def test_what_a_text_of_a_test_imports_is_not_installed(tmp_path: Path) -> None:
    files = {
        "test_order.py": (
            "def test_order():\n    assert '\\'\\'\\'' and \"\"\"\nimport numpy\n\"\"\"  # it's\n"
            "    assert r'''\nfrom pandas import Series\n\\''''\nimport attr\n"
        ),
    }
    place = recording_of(_laid_out(tmp_path, files), choose()).place
    assert list(place.requirements("test_order.py")) == ["pytest", "attrs"]


def test_what_tests_miss_is_installed_and_they_run_again(tmp_path: Path) -> None:
    files = {
        "order.py": "def total(items):\n    return sum(items)\n",
        "test_order.py": "try:\n    import attr\nexcept KeyError:\n    pass\n"
        "from order import total\ndef test_total():\n    total([3, 4])\n",
    }
    recording = recording_of(_laid_out(tmp_path, files), choose())
    assert len(recording.calls(Target("order.py", "total"))) == 1


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("from order import gone\n", "test_order.py: ImportError: cannot import name 'gone'"),
        ("from order import total\ndef test_it():\n    pass\n", "none is made by test_order.py"),
        ("", "no test of the repository is likely to make one"),
    ],
)
def test_why_no_call_was_recorded_is_told(tmp_path: Path, test: str, why: str) -> None:
    files = {
        "order.py": "def total(items):\n    return sum(items)\n",
        **({"test_order.py": test} if test else {}),
    }
    recording = recording_of(_laid_out(tmp_path, files), choose(), installs=False)
    told = recording.summary(Target("order.py", "total"))
    assert told.startswith(f"no call of it was recorded: {why}")
    assert told.endswith("so all cases come from the search alone (--cases FILE adds some)")


def test_a_call_with_a_text_that_was_cut_is_not_complete(tmp_path: Path) -> None:
    files = {
        "order.py": "def parsed(text):\n    return text.split()\n",
        "test_order.py": "from order import parsed\n"
        "def test_short():\n    parsed('a b')\ndef test_long():\n    parsed('a b' * 900)\n",
    }
    calls = recording_of(_laid_out(tmp_path, files), choose()).calls(Target("order.py", "parsed"))
    assert sorted(call.is_complete for call in calls) == [False, True]


def test_tests_run_without_what_they_share_where_that_does_not_load(tmp_path: Path) -> None:
    files = {
        "order.py": "def total(items):\n    return sum(items)\n",
        "conftest.py": "import pytest\npytest.exit('not here')\n",
        "test_order.py": "from order import total\ndef test_total():\n    total([3, 4])\n",
    }
    recording = recording_of(_laid_out(tmp_path, files), choose())
    assert len(recording.calls(Target("order.py", "total"))) == 1


def test_an_imported_function_prepares_no_tests_although_it_is_named_so(tmp_path: Path) -> None:
    files = {
        "order.py": "def total(items): return sum(items)\ndef setup(app): app.connect()\n",
        "test_order.py": "from order import setup, total\ndef test_total():\n    total([3, 4])\n",
        "test_other.py": "from order import total\ndef test_other():\n    total([5])\n",
        "pyproject.toml": '[project]\nname = "order"\n[dependency-groups]\n'
        'test = ["pytest-asyncio==0.23.4"]  # needs pytest 7\n',
    }
    recording = recording_of(_laid_out(tmp_path, files), choose())
    assert len(recording.calls(Target("order.py", "total"))) == 2


def test_installed_is_what_modules_beside_all_packages_import(tmp_path: Path) -> None:
    (tmp_path / "test_order.py").write_text("import order\n")
    (tmp_path / "order.py").write_text("import helper\nimport attr\n")
    (tmp_path / "helper.py").write_text("import click\n")
    (tmp_path / "tool.py").write_text("import requests\n")  # which no test loads
    place = recording_of(Repository(tmp_path), choose()).place
    assert sorted(set(place.requirements("order.py"))) == ["attrs", "click", "pytest"]


def test_calls_are_kept_on_disk_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLICE_FUNC_CACHE", str(tmp_path / "cache"))
    test = "from code_1 import opened\n\ndef test_it():\n    opened({text!r})\n"
    files = {"code_1.py": CODE, "tests/test_code_1.py": test.format(text="first")}
    target = Target("code_1.py", "opened")
    choice = choose()
    for text in ("first", "first", "second"):
        files["tests/test_code_1.py"] = test.format(text=text)
        repository = _laid_out(tmp_path / "repo", files)
        (call,) = recording_of(repository, choice).calls(target)
        assert call.arguments == (("text", repr(text)),)
        assert call.test.endswith("::test_it")
    rows = list((tmp_path / "cache/recordings").glob("*/*.json"))
    assert len(rows) == 2


def test_all_pieces_run_once_and_serve_every_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLICE_FUNC_CACHE", str(tmp_path / "cache"))
    files = {
        "pkg/__init__.py": "",
        "pkg/inner.py": (
            "def scale(number, by=2):\n"
            "    '''More of it.\n\n    >>> scale(3, by=5)\n    15\n    '''\n"
            "    return number * by\n"
        ),
        "pkg/outer.py": (
            "from .inner import scale\n\n"
            "def scaled(numbers):\n    return [scale(n) for n in numbers]\n"
        ),
        "tests/test_outer.py": (
            "from pkg.outer import scaled\n\ndef test_it():\n    scaled([1, -2.5])\n"
        ),
        "tests/test_broken.py": "import absent_of_all\n",
        "examples/show.py": "from pkg.outer import scaled\nscaled([])\n",
    }
    recording = recording_of(_laid_out(tmp_path / "repo", files), choose(), installs=False)
    recording.run_all()
    seen = {
        name: [dict(call.arguments) for call in recording.calls(Target(path, name))]
        for path, name in (("pkg/inner.py", "scale"), ("pkg/outer.py", "scaled"))
    }
    assert seen["scale"] == [{"number": "1"}, {"number": "-2.5"}, {"number": "3", "by": "5"}]
    assert seen["scaled"] == [{"numbers": "[1, -2.5]"}, {"numbers": "[]"}]
    rows = {path.name for path in (tmp_path / "cache/recordings").glob("*/*.json")}
    assert len(rows) == 4
    monkeypatch.setattr("slicefunc.driver.pipeline.recording.repository_calls.Recording._run", None)
    again = recording_of(Repository(tmp_path / "repo"), choose(), installs=False)
    again.run_all()
    assert again.calls(Target("pkg/outer.py", "scaled")) == recording.calls(
        Target("pkg/outer.py", "scaled")
    )


@pytest.mark.nightly
def test_what_others_have_recorded_makes_no_other_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/area.py": "def area(side):\n    return side * side\n",
        "pkg/show.py": "from .area import area\n\ndef shown(n):\n    return str(area(n))\n",
        "tests/test_area.py": "from pkg.area import area\n\ndef test_it():\n    area(3)\n",
        "tests/test_show.py": "from pkg.show import shown\n\ndef test_it():\n    shown(4)\n",
    }
    target = Target("pkg/area.py", "area")
    _laid_out(tmp_path / "repo", files)

    def recorded(*, all_first: bool) -> object:
        found = recording_of(Repository(tmp_path / "repo"), choose(), installs=False)
        if all_first:
            found.run_all()
        return found.evidence(target)

    monkeypatch.setenv("SLICE_FUNC_CACHE", str(tmp_path / "cache"))
    before = recorded(all_first=False)
    assert recorded(all_first=True) != before
    assert recorded(all_first=False) == before


def test_what_the_build_would_have_written_is_there(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": (
            '[project]\nname = "lock-pkg"\ndynamic = ["version"]\n'
            '[tool.setuptools_scm]\nversion_file = "src/lock/_version.py"\n'
        ),
        "src/lock/__init__.py": (
            "from importlib.metadata import version\nfrom ._version import __version__\n"
            "assert version('lock-pkg')\n"
        ),
        "src/lock/code.py": CODE,
        "tests/test_code.py": "from lock.code import opened\ndef test_it():\n    opened('a')\n",
    }
    recording = recording_of(_laid_out(tmp_path, files), choose(), installs=False)
    (call,) = recording.calls(Target("src/lock/code.py", "opened"))
    assert call.arguments == (("text", "'a'"),)


def test_in_a_large_repository_the_likeliest_tests_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slicefunc.driver.pipeline.recording.recording_place._MOST_NOTED", 0)
    test = "from code_1 import opened\n\ndef test_it():\n    opened('a')\n"
    repository = _laid_out(tmp_path, {"code_1.py": CODE, "tests/test_code_1.py": test})
    recording = recording_of(repository, choose(), installs=False)
    recording.run_all()
    found = recording.evidence(Target("code_1.py", "opened"))
    assert [call.arguments for call in found.calls] == [(("text", "'a'"),)]
    assert found.scope == "target"


SPELLED = """\
class Length:
    def __init__(self, value, unit="m"):
        self._value = value * (1000 if unit == "km" else 1)

    def metres(self):
        return self._value


def summed(lengths):
    '''All of them together.

    >>> summed([Length(4), Length(1, "km")])
    1004
    '''
    return sum(each.metres() for each in lengths)
"""


@pytest.mark.parametrize("has_tests", one_in(2, [True, False]), ids=["tests", "docstring"])
def test_classes_that_tests_hand_over_are_in_the_slice_and_in_cases(
    tmp_path: Path, *, has_tests: bool
) -> None:
    texts = SPELLED.split("\n\n\n")
    files = {
        "src/units/__init__.py": "",
        "src/units/length.py": texts[0] + "\n",
        "src/units/total.py": texts[1],
    }
    if has_tests:
        files["tests/test_total.py"] = (
            "from units.total import summed\nfrom units.length import Length\n\n"
            "def test_it():\n    assert summed([Length(4), Length(1, 'km')]) == 1004\n"
        )
        files["src/units/total.py"] = texts[1].replace(">>>", "...")
    else:
        files["src/units/total.py"] = texts[1].replace(
            "    >>>", "    >>> from units.length import Length\n    >>>", 1
        )
    repository = _laid_out(tmp_path, files)
    verification = Verification(test=True, installs=False)
    found = compile_environment(repository, "src/units/total.py::summed", verification=verification)
    reasons = {d.qualname: d.reason for d in found.sliced.manifest.definitions}
    assert reasons["Length"] == "recorded"
    assert found.synthesis is not None
    assert any("Length(" in case.code for case in found.synthesis.cases)


@pytest.mark.parametrize("tests", one_in(2, ["opened('ali' + 'ce')", "raise OSError"]))
def test_what_tests_give_becomes_a_case(tmp_path: Path, tests: str) -> None:
    test = f"from code_1 import opened\n\ndef test_it():\n    {tests}\n"
    repository = _laid_out(tmp_path, {"code_1.py": CODE, "tests/test_code_1.py": test})
    verification = Verification(test=True, installs=False)
    found = compile_environment(repository, "code_1.py::opened", verification=verification)
    assert found.synthesis is not None
    assert found.synthesis.coverage is not None
    assert found.synthesis.coverage.share == (1.0 if "ce" in tests else 0.5)


def test_tests_that_make_no_call_are_soon_left(tmp_path: Path) -> None:
    busy = "def test_{n}():\n    for _ in range(400_000): pass\n"
    last = "def test_it():\n    opened('alice')\n"
    repository = _laid_out(
        tmp_path,
        {
            "code_1.py": CODE,
            "tests/test_code_1.py": "from code_1 import opened\n"
            + "".join(busy.format(n=n) for n in range(4))
            + last,
        },
    )
    sliced = compile_slice(repository, ("code_1.py::opened",))
    suite = suite_of(repository, sliced)
    assert suite is not None
    with closing(choose().make()) as executor:
        executor.start(Profile())
        patient, hasty = (
            executor.run(job_of(repository, replace(suite, words=(), idle_seconds=most), STILL))
            for most in (60.0, 0.001)
        )
    assert any("alice" in each for each in patient.records)
    assert not any("alice" in each for each in hasty.records)
