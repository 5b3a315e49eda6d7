"""Branch coverage of a target is what `coverage run --branch` says of its lines."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import json
import random
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from slicefunc.verifier.sandbox.cases.arcs import Collector, collecting
from slicefunc.verifier.script.branch_coverage import BranchCoverage, branch_coverage, parsed_arcs

from tests.nightly import all_but
from tests.verifier import library_runs

SUSPENDING = (ast.Yield, ast.YieldFrom, ast.AsyncFunctionDef)


# ------------------------------------------------------------------------ as coverage.py says


@dataclass(frozen=True)
class Figures:
    """What both sides must agree on."""

    lines: int
    missing_lines: tuple[int, ...]
    branches: int
    missing: tuple[tuple[int, int], ...]
    """Missing branches; 0 for a way out of the function."""


@dataclass(frozen=True)
class Function:
    """A function of a copied module, and what `coverage run --branch` says of it."""

    module: str
    file: Path
    qualname: str
    first: int
    last: int
    expected: Figures
    is_suspended: bool
    """Whether it is or holds a generator or a coroutine."""


def copied(folder: Path) -> Path:
    for name in library_runs.RUNS:
        origin = Path(importlib.util.find_spec(name).origin or "")  # type: ignore[union-attr]
        if origin.name == "__init__.py":
            shutil.copytree(origin.parent, folder / f"copied_{name}")
        else:
            shutil.copy(origin, folder / f"copied_{name}.py")
    return folder


def coverage_report(folder: Path) -> dict[str, Any]:
    run = [sys.executable, "-m", "coverage"]
    data = f"--data-file={folder / 'data'}"
    options = ["--branch", data, f"--include={folder}/*", library_runs.__file__, str(folder)]
    subprocess.run([*run, "run", *options], check=True, cwd=folder)
    report = folder / "report.json"
    subprocess.run([*run, "json", "-q", data, "-o", str(report)], check=True, cwd=folder)
    return json.loads(report.read_text(encoding="utf-8"))["files"]


def functions_of(folder: Path) -> Iterator[Function]:
    """All functions that the runs reach, as coverage.py sees them."""
    for path, report in coverage_report(folder).items():
        file = folder / path
        module = file.relative_to(folder).parts[0].removesuffix(".py").removeprefix("copied_")
        tree = ast.parse(file.read_bytes())
        named = list(_named(tree, ""))
        names = [name for name, _ in named]
        for qualname, node in named:
            regions = [
                region
                for name, region in report["functions"].items()
                if f"{name}.".startswith(f"{qualname}.")
            ]
            # The body of a function on one line counts as run when the module is loaded.
            if names.count(qualname) == 1 and node.body[0].lineno > node.lineno:
                expected = _sum_of(regions)
                if len(expected.missing_lines) < expected.lines:
                    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                    last = node.end_lineno or 0
                    suspends = any(isinstance(inner, SUSPENDING) for inner in ast.walk(node))
                    yield Function(module, file, qualname, first, last, expected, suspends)


def _named(
    node: ast.AST, prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _named(child, f"{prefix}{child.name}.")


def _sum_of(regions: list[dict[str, Any]]) -> Figures:
    missing = [branch for region in regions for branch in region["missing_branches"]]
    return Figures(
        sum(region["summary"]["num_statements"] for region in regions),
        tuple(sorted(line for region in regions for line in region["missing_lines"])),
        sum(region["summary"]["num_branches"] for region in regions),
        tuple(sorted((line, max(to, 0)) for line, to in missing)),
    )


def figures(found: BranchCoverage) -> Figures:
    missing = tuple(sorted((branch.line, branch.to or 0) for branch in found.missing))
    return Figures(found.lines, found.missing_lines, found.branches, missing)


@dataclass(frozen=True)
class Measured:
    """Copied modules in a folder, and their functions."""

    folder: Path
    functions: list[Function]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = copied(tmp_path_factory.mktemp("library"))
    found = functions_of(folder)
    return Measured(folder, sorted(found, key=lambda f: (f.module, str(f.file), f.first)))


@pytest.mark.parametrize("count", all_but({"200"}, [40, 200]))
def test_many_functions_have_the_branches_that_coverage_run_gives(
    count: int, library: Measured
) -> None:
    chosen = random.Random(0).sample(library.functions, count)
    assert not different(chosen, library.folder)
    assert sum(bool(f.expected.missing) for f in chosen) > count // 5  # there is something to see


def test_generators_and_coroutines_have_the_branches_that_coverage_run_gives(
    library: Measured,
) -> None:
    chosen = [function for function in library.functions if function.is_suspended]
    assert not different(chosen, library.folder)
    assert len(chosen) > 40
    assert sum(bool(f.expected.missing) for f in chosen) > 10


def different(functions: list[Function], folder: Path) -> dict[str, tuple[Figures, Figures]]:
    """What is found of functions, and what coverage.py says, where these differ."""
    targets = folder / "targets.json"
    asked = [[f.module, str(f.file), f.first, f.last] for f in functions]
    targets.write_text(json.dumps(asked), encoding="utf-8")
    program = [sys.executable, library_runs.__file__, str(folder), str(targets)]
    lines = subprocess.run(program, check=True, capture_output=True, text=True).stdout.splitlines()
    return {
        f"{function.module}::{function.qualname}": (found, function.expected)
        for function, line in zip(functions, lines, strict=True)
        if (found := measured(function, line)) != function.expected
    }


def measured(function: Function, line: str) -> Figures:
    text = function.file.read_text(encoding="utf-8")
    arcs = parsed_arcs(json.loads(line))
    return figures(branch_coverage(text, function.first, function.last, arcs))


# ------------------------------------------------------------------------ small targets


@dataclass(frozen=True)
class Loaded:
    """A module written for a test, and its target's lines."""

    text: str
    first: int
    last: int
    module: ModuleType

    def after(self, use: Callable[[Any], object]) -> BranchCoverage:
        """The coverage of what is done with the module."""
        return self.of(self.collected(use).arcs())

    def collected(self, use: Callable[[Any], object]) -> Collector:
        with collecting(str(self.module.__file__), self.first, self.last) as collector:
            use(self.module)
        return collector

    def of(self, arcs: list[tuple[int, int]], *, offset: int = 0) -> BranchCoverage:
        return branch_coverage(self.text, self.first, self.last, frozenset(arcs), offset=offset)


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Loaded]:
    def load(source: str) -> Loaded:
        """The definition of `f` is the target; there may be others."""
        text = textwrap.dedent(source).lstrip("\n")
        file = tmp_path / "m.py"
        module = ModuleType("m")
        module.__file__ = str(file)
        exec(compile(text, str(file), "exec"), vars(module))
        node = next(node for node in ast.walk(ast.parse(text)) if getattr(node, "name", "") == "f")
        return Loaded(text, node.lineno, node.end_lineno or 0, module)

    return load


BRANCHING = """
def f(x, items=()):
    if x > 3 and (
        x < 100
    ):
        x = 3
    for item in items:
        x += item
    return x
"""


def test_every_way_taken_is_full_coverage(load: Callable[[str], Loaded]) -> None:
    found = load(BRANCHING).after(lambda m: (m.f(5, [1]), m.f(1)))
    assert (found.share, found.branches, found.missing, found.missing_lines) == (1, 4, (), ())


def test_missing_branches_name_lines_and_conditions(load: Callable[[str], Loaded]) -> None:
    found = load(BRANCHING).after(lambda m: m.f(1))
    assert [str(branch) for branch in found.missing] == [
        "line 2 never jumped to line 5: `x > 3 and x < 100` was never true",
        "line 6 never jumped to line 7: `items` was always empty",
    ]
    assert (found.taken, found.share, found.missing_lines) == (2, 0.5, (5, 7))


def test_a_target_that_is_not_called_covers_nothing(load: Callable[[str], Loaded]) -> None:
    found = load(BRANCHING).after(lambda _: None)
    assert (found.share, found.is_called) == (0, False)
    assert str(found.missing[0]) == "line 2 never jumped to line 5: line 2 never ran"


def test_a_function_without_branches_counts_by_its_lines(load: Callable[[str], Loaded]) -> None:
    target = load("""
        def f(x):
            "Docstrings are not run."
            y = 1 / x
            return y
    """)

    def fail(m: Any) -> None:
        with pytest.raises(ZeroDivisionError):
            m.f(0)

    assert (target.after(fail).share, target.after(fail).missing_lines) == (0.5, (4,))
    assert target.after(lambda m: m.f(1)).share == 1


def test_a_function_on_one_line_has_one_way_on() -> None:
    text = "def f(x): return x + 1\nprint(f(1))\n"
    found = branch_coverage(text, 1, 1, frozenset({(-1, 1), (1, -1)}))
    assert (found.branches, found.lines, found.share) == (0, 1, 1)


def test_a_function_of_nothing_but_a_docstring_is_covered_by_a_call(
    load: Callable[[str], Loaded],
) -> None:
    target = load('def f():\n    "Nothing."\n')
    assert target.after(lambda _: None).share == 0
    assert target.after(lambda m: m.f()).share == 1


def test_only_the_target_counts(load: Callable[[str], Loaded]) -> None:
    target = load("""
        def other(x):
            return 1 if x else 2

        class C:
            def f(self, x):
                if x:
                    other(x)

            def g(self, x):
                while x:
                    x -= 1
    """)
    found = target.after(lambda m: (m.C().f(1), m.C().g(3)))
    assert found.branches == 2
    assert [str(b) for b in found.missing] == [
        "line 6 never left the function: `x` was never false"
    ]


def test_nested_code_belongs_to_the_target(load: Callable[[str], Loaded]) -> None:
    target = load("""
        def f(x):
            def inner(y):
                if y:
                    return 1
                return 2

            class Local:
                def method(self):
                    return [z for z in range(x) if z]

            return inner(x), Local().method()
    """)
    found = target.after(lambda m: m.f(2))
    assert [branch.line for branch in found.missing] == [3]
    assert found.missing_lines == (5,)


def test_generators_and_coroutines_are_followed_across_their_pauses(
    load: Callable[[str], Loaded],
) -> None:
    target = load("""
        import asyncio

        async def f(x):
            def numbers():
                yield 1
                if x:
                    yield 2

            async def later():
                await asyncio.sleep(0)
                yield x

            async for y in later():
                await asyncio.sleep(0)
            return list(numbers()), y
    """)
    found = target.after(lambda m: [asyncio.run(m.f(x)) for x in (0, 1)])
    assert (found.missing, found.share) == ((), 1)
    assert [b.line for b in target.after(lambda m: asyncio.run(m.f(1))).missing] == [6]


def test_threads_that_the_target_starts_are_followed(load: Callable[[str], Loaded]) -> None:
    target = load("""
        import threading

        def f(x):
            def work():
                if x:
                    found.append(1)

            found = []
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    """)
    assert target.after(lambda m: (m.f(0), m.f(1))).share == 1


def test_a_thread_that_is_left_adds_nothing_later(load: Callable[[str], Loaded]) -> None:
    go_on = threading.Event()
    target = load("""
        import threading

        def f(event):
            def work():
                event.wait()
                g()

            def g():
                return 1

            thread = threading.Thread(target=work)
            thread.start()
            return thread
    """)
    threads: list[threading.Thread] = []
    collector = target.collected(lambda m: threads.append(m.f(go_on)))
    before = collector.arcs()
    go_on.set()
    threads[0].join()
    assert not [arc for arc in collector.arcs() if arc[0] == -8]
    assert before


def test_whoever_traced_before_traces_afterwards(load: Callable[[str], Loaded]) -> None:
    def before(*_: object) -> None:
        return None

    target = load(BRANCHING)
    outer = sys.gettrace()
    sys.settrace(before)
    try:
        target.after(lambda m: m.f(1))
        assert sys.gettrace() is before
    finally:
        sys.settrace(outer)


def test_a_relative_name_stands_for_paths_that_end_with_it(load: Callable[[str], Loaded]) -> None:
    target = load(BRANCHING)
    with collecting("m.py", target.first, target.last) as found:
        target.module.f(1)
    with collecting(".py", target.first, target.last) as nothing:
        target.module.f(1)
    assert found.arcs()
    assert not nothing.arcs()


def test_lines_are_reported_where_the_repository_has_them(load: Callable[[str], Loaded]) -> None:
    target = load(BRANCHING)
    found = target.of([], offset=100)
    assert found.missing_lines == (102, 105, 106, 107, 108)
    assert str(found.missing[0]) == "line 102 never jumped to line 105: line 102 never ran"


def test_excluded_lines_do_not_count(load: Callable[[str], Loaded]) -> None:
    target = load("""
        def f(x):
            if x:  # pragma: no cover
                return 1
            while True:
                return 2
    """)
    found = target.after(lambda m: m.f(0))
    assert (found.missing, found.missing_lines, found.share) == ((), (), 1)


def test_conditions_that_are_the_same_for_everything_have_one_way_on(
    load: Callable[[str], Loaded],
) -> None:
    target = load("""
        import sys
        def f(x):
            if hasattr(x, "__str__"):
                if not sys.version_info >= (3, 0):
                    return 1
                return 2
    """)
    assert target.after(lambda m: m.f(0)).missing == ()
    other = load("""
        def f(x):
            if hasattr(x, "name"):
                return 3
    """)
    assert other.after(lambda m: m.f(0)).share == 0.5


def test_a_loop_that_is_left_with_its_first_item_needs_no_end_where_there_is_one(
    load: Callable[[str], Loaded],
) -> None:
    target = load("""
        def f(x):
            if not x:
                return 0
            for each in x:
                return each
            return 1
    """)
    assert target.after(lambda m: (m.f([]), m.f([2]))).missing == ()
    other = load("""
        def f(x):
            if not x:
                return 0
            for each in x:
                if each > 1:
                    continue
                return each
            return 1
    """)
    assert other.after(lambda m: (m.f([]), m.f([1]))).share < 1


def test_a_target_that_is_excluded_as_a_whole_counts_all_the_same(
    load: Callable[[str], Loaded],
) -> None:
    target = load("""
        def f(x):  # pragma: no cover
            if x:
                return 1
    """)
    assert target.after(lambda m: m.f(0)).share == 0.5


def test_conditions_of_all_kinds_are_named(load: Callable[[str], Loaded]) -> None:
    target = load("""
        def f(x):
            while x > 10:
                x -= 1
            for y in range(x):
                if y:
                    break
            match x:
                case 1 if x:
                    return 1
                case int():
                    return 2
    """)
    assert [str(branch) for branch in target.after(lambda m: m.f(5)).missing] == [
        "line 2 never jumped to line 3: `x > 10` was never true",
        "line 4 never jumped to line 7: the loop over `range(x)` never came to its end",
        "line 8 never jumped to line 9: `case 1 if x` never matched",
        "line 10 never left the function: `case int()` always matched",
    ]


@pytest.mark.parametrize("record", [None, {}, [1], [[1]], [[1, True]], [["1", 2]], [[1, 2, 3]], 5])
def test_what_is_no_arc_is_left_out(record: object) -> None:
    assert parsed_arcs(record) == frozenset()


def test_arcs_that_nobody_can_take_add_nothing(load: Callable[[str], Loaded]) -> None:
    target = load(BRANCHING)
    forged = [(a, b) for a in (-99, 1, 99, 10**30) for b in (-(10**30), 99, 8)]
    found = target.of(forged)
    assert (found.taken, found.missing_lines) == (0, (2, 5, 6, 7))


@pytest.mark.parametrize("above", [0, 1, 9_000])
def test_how_far_down_a_target_stands_does_not_count(above: int) -> None:
    head = "class A:\n" + "    x = 1\n\n" * above
    body = """
    def f(x):
        if x:  # pragma: no cover
            return 1
        while x > 2:
            x -= 1
        return x
"""[1:]
    first = 2 + 2 * above
    found = branch_coverage(head + body, first, first + 5, frozenset(), offset=-first)
    assert found.missing_lines == (3, 4, 5)
    assert [each.line for each in found.missing] == [3, 3]
