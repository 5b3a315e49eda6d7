"""The repository's own tests and a solver as sources of cases, from the passes down."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.compile import Verification, compile_environment, compile_slice
from slicefunc.driver.own_tests import requirements
from slicefunc.slicer import Repository
from slicefunc.slicer.goals import find_goal
from slicefunc.slicer.model import Target
from slicefunc.slicer.requirements import needs_of
from slicefunc.verifier.executors.choose import choose
from slicefunc.verifier.executors.interface import Profile, Suite
from slicefunc.verifier.scoring.recording import STILL
from slicefunc.verifier.search.called import job_of, suite_of

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
    needs = needs_of(repository, [find_goal(repository, Target("src/lock/code.py", "opened"))])
    suite = Suite(("src", ""), ("tests/test_code.py",), "src/lock/code.py", "opened")
    found = list(requirements(repository, needs, suite))
    assert found == ["pytest", "pytest-mock>=3", "attrs", "click>=8", "PyYAML"]


@pytest.mark.parametrize("tests", ["opened('ali' + 'ce')", "raise OSError"])
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
