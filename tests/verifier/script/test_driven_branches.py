"""What the observer drives after the call counts: its branches are those of `coverage run`."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.verifier.script.branch_coverage import BranchCoverage, branch_coverage

from tests.nightly import one_in
from tests.verifier.observation.running import observe, run

MODULE = """\
import asyncio


def generator(n):
    for i in range(n):
        try:
            if i % 2:
                sent = yield i
            else:
                yield from (j for j in range(i) if j)
        finally:
            n -= 1
    return n


async def coroutine(n):
    while n:
        await asyncio.sleep(0)
        n -= 1
    return n


async def async_generator(n):
    async def later(i):
        if i > 1:
            await asyncio.sleep(0)
        return i

    for i in range(n):
        if i:
            yield await later(i)
        else:
            yield 0


def lazy(n):
    def one(x):
        return 1 if x else 2

    def is_wanted(x):
        if x:
            return True
        return False

    return map(one, filter(is_wanted, range(n)))


def coroutines_in_a_list(n):
    async def one(x):
        if x:
            await asyncio.sleep(0)
            return x
        return None

    return [one(x) for x in range(n)]


def async_generators_in_a_dict(n):
    async def one(x):
        if x:
            yield x
        elif n > 5:
            yield None

    return {x: one(x) for x in range(n)}


def argument(n, out):
    def one():
        for i in range(n):
            if i:
                yield i

    out.append(one())


def fails(n):
    for i in range(3):
        if i == n:
            raise KeyError(i)
        yield i
"""

TARGETS = [node.name for node in ast.parse(MODULE).body if not isinstance(node, ast.Import)]  # type: ignore[attr-defined]

DRIVER = """
import asyncio, sys
import driven

def drive(value):
    if isinstance(value, (list, tuple)):
        return [drive(each) for each in value]
    if isinstance(value, dict):
        return drive(list(value.values()))
    if value is None or isinstance(value, int):
        return None
    if hasattr(value, "__await__"):
        return asyncio.run(value)
    if hasattr(value, "__anext__"):
        async def collect():
            return [each async for each in value]
        return asyncio.run(collect())
    try:
        return drive(list(value))
    except (KeyError, TypeError):
        return None

name, n = sys.argv[1], int(sys.argv[2])
out = []
drive([getattr(driven, name)(n, *([out] if name == "argument" else []))])
drive(out)
"""


def lines_of(name: str) -> tuple[int, int]:
    (node,) = (n for n in ast.parse(MODULE).body if getattr(n, "name", "") == name)
    return node.lineno, node.end_lineno or 0


def observed(folder: Path, name: str, n: int) -> BranchCoverage:
    first, last = lines_of(name)
    given = f"{n}, []" if name == "argument" else str(n)
    done = run(folder, MODULE, name, f"return {name}({given})", trace=[first, last], trace_file="")
    assert done.arcs is not None
    return branch_coverage(MODULE, first, last, done.arcs)


@pytest.mark.parametrize("n", one_in(2, [0, 1, 3]))
@pytest.mark.parametrize("name", one_in(2, TARGETS))
def test_what_is_driven_has_the_branches_that_coverage_run_gives(
    tmp_path: Path, name: str, n: int
) -> None:
    (tmp_path / "driven.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "driver.py").write_text(DRIVER, encoding="utf-8")
    coverage = [sys.executable, "-m", "coverage"]
    command = [*coverage, "run", "--branch", "--include=driven.py", "driver.py", name, str(n)]
    subprocess.run(command, check=True, cwd=tmp_path)
    subprocess.run([*coverage, "json", "-q"], check=True, cwd=tmp_path)
    report = json.loads((tmp_path / "coverage.json").read_text(encoding="utf-8"))
    first, last = lines_of(name)
    missing = [
        (line, max(to, 0))
        for line, to in report["files"]["driven.py"]["missing_branches"]
        if first < line <= last
    ]
    found = observed(tmp_path, name, n)
    assert sorted((each.line, each.to or 0) for each in found.missing) == sorted(missing)
    assert found.is_called
    assert n < 3 or found.taken


TRACING = """
import sys

def noted(*_):
    seen.append(1)

seen = []

def generator(n):
    yield from range(n)

def target(n):
    sys.settrace(noted)
    return generator(n)
"""


@pytest.mark.parametrize("trace", [{}, {"trace": [9, 10], "trace_file": ""}])
def test_a_tracer_of_the_script_does_not_run_while_its_iterators_are_driven(
    tmp_path: Path, trace: dict[str, object]
) -> None:
    def noted(n: int) -> object:
        found = observe(tmp_path, TRACING, "target", f"target({n})", **trace)
        return found.globals

    assert noted(1) == noted(9)


def test_other_code_that_is_driven_does_not_count(tmp_path: Path) -> None:
    source = "def other():\n    yield 1\n\ndef f():\n    return other()\n"
    done = run(tmp_path, source, "f", "return f()", trace=[4, 5], trace_file="")
    assert done.arcs == {(-4, 5), (5, -4)}
