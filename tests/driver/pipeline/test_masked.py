"""Copies of the original in an environment are hidden from candidates, or the check fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.checks import Thresholds, Verified, verify
from slicefunc.driver.record.environment_files import environment_of
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import ORDER, Choice
from slicefunc.verifier.execution.executors.interface import Capabilities, Case, Profile
from slicefunc.verifier.scoring.leaks.file_masks import masked
from slicefunc.verifier.scoring.score import Candidate, Scorer

from tests.driver.conftest import empty_cache

TEXT = '''\
def settle(payments, fee=3):
    """Book payments."""
    total = 0
    for number, payment in enumerate(payments):
        if payment < 0:
            raise ValueError("negative")
        total += (payment * (number + 7) + 13) % 101 - fee
    return rounded(total)
'''
LIBRARY = "def rounded(number):\n    return round(number)\n"
THIEF = """\
def settle(payments, fee=3):
    import os, sys
    for top in [each for each in sys.path if each.endswith("site-packages")]:
        for folder, _, names in os.walk(top):
            for name in names:
                try:
                    text = open(os.path.join(folder, name), encoding="latin-1").read()
                except OSError:
                    continue
                if "def settle(" in text and "(number + 7)" in text:
                    scope = dict(globals())
                    exec(text, scope)
                    return scope["settle"](payments, fee)
    from vendored.pack.mod import settle
    return settle(payments, fee)
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "pack").mkdir(parents=True)
    (folder / "pack/__init__.py").write_text("")
    (folder / "pack/mod.py").write_text(f"from library import rounded\n\n\n{TEXT}")
    return folder


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Where packages are in an environment that has a copy of the target in another's folder."""
    words = [Path(sys.executable).resolve(), "-I", "-m", "venv", "--without-pip"]
    subprocess.run([*words, tmp_path / "venv"], check=True, capture_output=True)
    for each in (tmp_path, tmp_path.parent):
        each.chmod(0o755)
    (found,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (found / "library.py").write_text(LIBRARY)
    (found / "vendored/pack").mkdir(parents=True)
    (found / "vendored/__init__.py").write_text("")
    (found / "vendored/pack/__init__.py").write_text("")
    (found / "vendored/pack/mod.py").write_text(f"from library import rounded\n\n\n{TEXT}")
    return found


@pytest.fixture(params=[name for name, _, is_sandbox in ORDER if is_sandbox])
def choice(request: pytest.FixtureRequest) -> Choice:
    make = next(make for name, make, _ in ORDER if name == request.param)
    executor = make()
    try:
        executor.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    executor.close()
    return Choice(request.param, make, Capabilities(request.param, (), ()), ())


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLICE_FUNC_CACHE", str(empty_cache(tmp_path / "cache")))


CASES = [
    Case("some", "def some():\n    return settle([5, 80])\n"),
    Case("none", "def none():\n    return settle([], fee=1)\n"),
    Case("bad", "def bad():\n    return settle([-1])\n"),
]


def _verified(repo: Path, packages: Path, choice: Choice) -> tuple[Verified, Profile]:
    profile = Profile(python=packages.parents[2] / "bin/python")
    sliced = slice_function(Repository(repo), ("pack/mod.py::settle",))
    return verify(repo, sliced, CASES, Thresholds(0, 0), choice, profile), profile


def test_copy_that_nothing_needs_is_hidden(repo: Path, packages: Path, choice: Choice) -> None:
    found, profile = _verified(repo, packages, choice)
    (check,) = (each for each in found.checks if each.name == "original out of reach")
    assert check.passed
    assert "vendored/pack" in check.detail
    assert found.oracle is not None
    oracle = environment_of(found.oracle, {}).oracle
    assert oracle.masked == ("vendored/pack",)
    verdicts: dict[bool, list[str]] = {}
    for hides, used in ((True, masked(profile, oracle.masked)), (False, profile)):
        with Scorer(oracle, make=choice.make, profile=used) as scorer:
            texts = {"thief": THIEF, "original": TEXT}
            scores = [scorer.score(Candidate(name, text)) for name, text in texts.items()]
        verdicts[hides] = [each.verdict for each in scores]
    assert verdicts == {True: ["failed", "passed"], False: ["passed", "passed"]}


def test_copy_that_an_import_needs_fails_the_check(
    repo: Path, packages: Path, choice: Choice
) -> None:
    (packages / "library.py").write_text(
        "def rounded(number):\n    from vendored.pack import mod\n    return round(number)\n"
    )
    found, _ = _verified(repo, packages, choice)
    (check,) = (each for each in found.checks if each.name == "original out of reach")
    assert not check.passed
    assert "vendored/pack/mod.py" in check.detail
    assert found.oracle is not None
    assert found.oracle.masked == ()
    (passes,) = (each for each in found.checks if each.name == "original as a candidate")
    assert passes.passed
