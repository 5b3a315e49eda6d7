"""`--test`: eval scripts from the command line, and beside the record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.record.environment_files import EnvironmentRecordError, read_environment

from tests.driver.conftest import run
from tests.driver.record.test_environment import TARGET, needs_sandbox

ALONE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Plugins of other libraries load for seconds."""


def _runs(file: Path) -> bool:
    command = [sys.executable, file]
    return not subprocess.run(command, check=False, capture_output=True, timeout=60).returncode


@needs_sandbox
def test_eval_script_is_printed(repo: Path, tmp_path: Path) -> None:
    done = run(repo, TARGET, "--test")
    assert done.status == 0, done.err
    assert b"def total_new_implementation(self):" in done.out
    file = tmp_path / "eval.py"
    assert run(repo, TARGET, "--test", "-o", file).out == b""
    assert file.read_bytes() == done.out
    assert _runs(file)
    head, mark, rest = file.read_text().partition("total_new_implementation")
    file.write_text(head + mark + rest.replace("return add_tax(self.net)", "return None", 1))
    assert not _runs(file)


@needs_sandbox
def test_who_lacks_a_module_is_told_what_installs_it(repo: Path) -> None:
    tax = repo / "shop/tax.py"
    tax.write_text("import no_such_module\ndef add_tax(net): return no_such_module.x(net)\n")
    done = run(repo, "shop/tax.py::add_tax", "--test", "--mock", "none")
    assert done.status == 1
    (line,) = [line for line in done.err.splitlines() if "no cases: " in line]
    assert "ModuleNotFoundError" in line
    assert line.endswith("; --verify or --env installs what it needs")


@needs_sandbox
def test_environment_has_the_eval_script(repo: Path, tmp_path: Path) -> None:
    env, file = tmp_path / "env", tmp_path / "eval.py"
    done = run(repo, TARGET, "--test", "--no-install", "--verify", "--env", env, "-o", file)
    assert "ok: cases" in done.err
    assert (
        f"{file} is the eval script, with the cases; the slice alone is {env}/script.py" in done.err
    )
    assert done.err.splitlines()[-1].endswith(
        f"accepted; score a candidate with: slice-func score {env} FILE"
    )
    record = json.loads((env / "environment.json").read_text())
    assert record["eval_script"] == "eval_script.py"
    assert (env / "eval_script.py").read_bytes() == file.read_bytes()
    assert _runs(file)
    assert read_environment(env).files["eval_script.py"] == file.read_text()
    (env / "eval_script.py").write_text("")
    with pytest.raises(EnvironmentRecordError, match="changed"):
        read_environment(env)


@needs_sandbox
def test_environment_has_tests_for_pytest(repo: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    file = tmp_path / "cases.py"
    file.write_text(
        "from shop.orders import Order\n\n\ndef case_small():\n    return Order(100).total()\n\n\n"
        "def case_text():\n    return Order('x').total()\n"
    )
    assert run(repo, TARGET, "--cases", file, "--no-install", "--env", env).status in (0, 1)
    text = (env / "test_script.py").read_text()
    assert "== 120" in text
    assert "with pytest.raises(TypeError):" in text
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_script.py"]
    done = subprocess.run(command, check=False, cwd=env, env=ALONE, capture_output=True)
    assert b"2 passed" in done.stdout, done.stdout.decode()


@needs_sandbox
def test_why_there_are_no_tests_for_pytest_is_told(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/tax.py").write_text("class Rate: pass\ndef rate(): return Rate()\n")
    file = tmp_path / "cases.py"
    file.write_text("from shop.tax import rate\ndef case(): return rate()\n")
    done = run(repo, "shop/tax.py::rate", "--cases", file, "--no-install", "--verify")
    assert "test_script.py (tests for pytest) is not written: no case ends in a plain" in done.err


HOURS = """\
import time

def greeting():
    return "day" if time.gmtime().tm_hour == 12 else "night"
"""


@needs_sandbox
def test_each_test_begins_in_the_world_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/hours.py").write_text(HOURS)
    env = tmp_path / "env"
    done = run(tmp_path / "repo", "hours.py::greeting", "--test", "--no-install", "--env", env)
    assert done.out == b""  # the environment has the eval script
    text = (env / "test_script.py").read_text()
    assert "slice_func_mocks.restart()" in text
    command = [sys.executable, "-m", "pytest", "-q", "test_script.py"]
    done = subprocess.run(command, cwd=env, env=ALONE, check=False, capture_output=True)
    assert done.returncode == 0, done.stdout
    assert "== 'day'" in text
    assert "== 'night'" in text


PRIVATE = """\
class _Words:
    def __init__(self, known=()):
        self.known = list(known)

    def __missing(self, word):
        if not word:
            raise ValueError("no word")
        return word not in self.known

    def all_known(self, words):
        return not any(self.__missing(word) for word in words)
"""


@needs_sandbox
def test_a_private_method_is_called_by_its_name_outside_of_the_class(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/words.py").write_text(PRIVATE)
    file, env = tmp_path / "eval.py", tmp_path / "env"
    target = "words.py::_Words.__missing"
    done = run(tmp_path / "repo", target, "--test", "--no-install", "--env", env, "-o", file)
    assert "ok: cases: " in done.err, done.err
    assert (
        "._Words__missing("
        in json.loads((env / "environment.json").read_text())["cases"][0]["code"]
    )
    assert _runs(file)
    head, mark, rest = file.read_text().partition("__missing_new_implementation")
    file.write_text(head + mark + rest.replace("return word not in", "return word in", 1))
    assert not _runs(file)
