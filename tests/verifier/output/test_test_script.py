"""Tests for pytest hold what was observed, in the words of Python."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.output.exporter import RecordedCase
from slicefunc.verifier.output.test_script import LEFT_OUT, pytest_script

from tests.nightly import one_in
from tests.verifier.observation.running import run_records

SCRIPT = """\
def f(value, items=(), text="", *, fails=False):
    if fails:
        raise KeyError(value)
    if text:
        print(text)
    if isinstance(items, list):
        items.append(value)
    return value


"""


EXPECTED = {
    "return f(None)": "assert f(None) is None",
    "return f(0.5)": "assert f(0.5) == pytest.approx(0.5)",
    "return f((1, {'a': {2}}))": "assert f(argument_1) == (1, {'a': {2}})",
    "return f(10**30)": f"assert f(10 ** 30) == {10**30}",
    "return f(b'x')": "assert f(b'x') == b'x'",
    "return f(1, fails=True)": "with pytest.raises(KeyError):",
    "items = []\nreturn f(2, items)": "assert items == [2]",
    "return f(None, text='x')": "assert capsys.readouterr().out == 'x\\n'",
}


def _seen(folder: Path, *bodies: str, script: str = SCRIPT, name: str = "f") -> list[RecordedCase]:
    _, *records, _ = run_records(folder, script, name, *bodies)
    head = '"observation":'
    found = [record[record.index(head) + len(head) : -1] for record in records]
    cases = [
        Case(f"case_{n}", f"def case_{n}():\n{textwrap.indent(body, '    ')}\n")
        for n, body in enumerate(bodies)
    ]
    return [RecordedCase(*pair) for pair in zip(cases, found, strict=True)]


def test_what_was_seen_is_expected(tmp_path: Path) -> None:
    text = pytest_script(SCRIPT, "f", _seen(tmp_path, *EXPECTED))
    for line in EXPECTED.values():
        assert f"    {line}\n" in text
    assert f"{len(EXPECTED)} passed" in _summary(tmp_path, SCRIPT, text)
    wrong = SCRIPT.replace("def f(", "def h(") + "\n\ndef f(*given, **named):\n    return []\n"
    assert f"{len(EXPECTED)} failed" in _summary(tmp_path, wrong, text)


def test_cases_that_are_left_out_are_named(tmp_path: Path) -> None:
    seen = _seen(tmp_path, "return f(object())", "return f(1)")
    text = pytest_script(SCRIPT, "f", seen, ["case_gone"])
    assert f"{LEFT_OUT}: case_0, case_gone." in " ".join(text.split())
    assert "1 passed" in _summary(tmp_path, SCRIPT, text)


TABLES = """\
import numpy as np
import pandas as pd

def f(kind):
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, float("nan")], "c": ["x", "y"]}, index=["p", "q"])
    return {"frame": frame, "series": frame["b"], "array": frame[["a", "b"]].to_numpy()[:1]}[kind]
"""


def test_tables_are_written_down(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    calls = [f"return f({kind!r})" for kind in ("frame", "series", "array")]
    text = pytest_script(TABLES, "f", _seen(tmp_path, *calls, script=TABLES))
    assert "3 passed" in _summary(tmp_path, TABLES, text)
    assert "3 failed" in _summary(tmp_path, TABLES.replace("0.5", "0.6"), text)


def test_what_no_literal_says_is_left_out(tmp_path: Path) -> None:
    assert "def test_" not in pytest_script(SCRIPT, "f", _seen(tmp_path, "return f(object())"))


def _summary(folder: Path, script: str, text: str) -> str:
    (folder / "script.py").write_text(script)
    (folder / "test_script.py").write_text(text)
    command = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_script.py",
    ]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # others load for seconds
    done = subprocess.run(command, check=False, cwd=folder, env=alone, capture_output=True)
    return done.stdout.decode().splitlines()[-1]


def test_what_a_decorator_keeps_is_called_as_in_the_case(tmp_path: Path) -> None:
    text = "class Command:\n    def __init__(self, callback):\n        self.callback = callback\n"
    script = f"{text}\n\n@Command\ndef greet(name):\n    return name.upper()\n"
    _, *records, _ = run_records(tmp_path, script, "greet", "return greet.callback('you')")
    observation = records[0].partition('"observation":')[2][:-1]
    case = Case("case_0", "def case_0():\n    return greet.callback('you')\n")
    tests = pytest_script(script, "greet", [RecordedCase(case, observation)])
    assert "    assert greet.callback('you') == 'YOU'\n" in tests
    assert "1 passed" in _summary(tmp_path, script, tests)


ITERATORS = """\
import contextlib


def f(items, fails=None):
    yield from items
    if fails:
        raise ValueError(fails)


@contextlib.contextmanager
def opened(items):
    yield items


async def later(items):
    for item in items:
        yield item
"""


@pytest.mark.parametrize(
    ("target", "body", "expected"),
    [
        ("f", "return f('ab')", "assert list(f('ab')) == ['a', 'b']"),
        ("f", "return f('ab', 'x')", "with pytest.raises(ValueError):\n        list(f('ab', 'x'))"),
        ("later", "return later('ab')", "assert asyncio.run(_all_of(later('ab'))) == ['a', 'b']"),
    ],
)
def test_what_an_iterator_gives_is_listed(
    tmp_path: Path, target: str, body: str, expected: str
) -> None:
    tests = pytest_script(ITERATORS, target, _seen(tmp_path, body, script=ITERATORS, name=target))
    assert f"    {expected}\n" in tests
    assert "1 passed" in _summary(tmp_path, ITERATORS, tests)


def test_what_is_entered_is_not_listed(tmp_path: Path) -> None:
    seen = _seen(tmp_path, "return opened('ab')", script=ITERATORS, name="opened")
    assert "def test_" not in pytest_script(ITERATORS, "opened", seen)


def test_a_target_with_the_name_of_a_builtin_is_the_script_s(tmp_path: Path) -> None:
    script = "def list(value):\n    yield value\n    yield value\n"
    tests = pytest_script(
        script, "list", _seen(tmp_path, "return list(1)", script=script, name="list")
    )
    assert "from script import list\n" in tests
    assert "assert [*list(1)] == [1, 1]\n" in tests
    assert "1 passed" in _summary(tmp_path, script, tests)


def test_files_of_a_case_are_left_in_a_folder_of_its_own(tmp_path: Path) -> None:
    body = "import pathlib\npathlib.Path('a.txt').write_text('x')\nreturn f('a.txt')"
    script = "def f(name):\n    with open(name) as file:\n        return file.read()\n"
    tests = pytest_script(script, "f", _seen(tmp_path, body, script=script))
    assert "1 passed" in _summary(tmp_path, script, tests)
    assert not (tmp_path / "a.txt").exists()


VALUES = {
    "decimal.Decimal('1.50')": "decimal.Decimal('1.50')",
    "[pathlib.Path('a/b')]": "[pathlib.Path('a/b')]",
    "datetime.date(2024, 2, 3)": "datetime.date.fromisoformat('2024-02-03')",
    "datetime.datetime(2024, 2, 3, 4)": (
        "datetime.datetime.fromisoformat('2024-02-03T04:00:00.000000')"
    ),
    "datetime.datetime(2024, 2, 3, tzinfo=datetime.timezone.utc)": (
        "datetime.datetime.fromisoformat('2024-02-03T00:00:00.000000')"
        ".replace(tzinfo=datetime.timezone(datetime.timedelta()))"
    ),
    "datetime.datetime(2024, 2, 3, fold=1)": (
        "datetime.datetime.fromisoformat('2024-02-03T00:00:00.000000').replace(fold=1)"
    ),
    "[datetime.timedelta(days=-1, seconds=2)]": "[datetime.timedelta(days=-1, seconds=2)]",
    "datetime.time(1, 2)": "datetime.time.fromisoformat('01:02:00.000000')",
    "uuid.UUID(int=5)": "uuid.UUID('00000000000000000000000000000005')",
}


@pytest.mark.parametrize(("value", "expected"), one_in(3, VALUES.items()))
def test_values_of_the_library_are_made_of_their_text(
    tmp_path: Path, value: str, expected: str
) -> None:
    module = next(name for name in ("decimal", "pathlib", "datetime", "uuid") if name in value)
    script = f"def f():\n    import {module}\n    return {value}\n"
    tests = pytest_script(script, "f", _seen(tmp_path, "return f()", script=script))
    words = "".join(tests.split()).replace(",)", ")")
    assert f"import{module}assertf()=={''.join(expected.split())}" in words
    assert "1 passed" in _summary(tmp_path, script, tests)
    named = f"{module} = 1\n\n\n{script}"
    assert "def test_" not in pytest_script(
        named, "f", _seen(tmp_path, "return f()", script=script)
    )


@pytest.mark.parametrize("value", ["decimal.Decimal('nan')", "datetime.datetime.now"])
def test_values_that_their_text_does_not_make_are_left_out(tmp_path: Path, value: str) -> None:
    module = value.partition(".")[0]
    script = f"def f():\n    import {module}\n    return {value}\n"
    seen = _seen(tmp_path, "return f()", script=script)
    assert "def test_" not in pytest_script(script, "f", seen)
