"""Tests for pytest: each case with its expected result, if a literal can express it."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..observation.compare_observations import has_effect_beyond_output
from ..observation.decode_records import decode_text
from ..observation.observation import Malformed, Node, Observation, Value
from ..observation.short_text import resolve
from ..observation.values.python_literals import literal
from ..scoring.candidates.definition_blocks import bound_names
from ..script.expression_layout import lines_of_statements
from .case_calls import CaseParts, split_case
from .exporter import Exporter, RecordedCase
from .frame_assertions import table_assertion

_LISTED = "_all_of"
_LISTING = f"""\
async def {_LISTED}(items):
    return [item async for item in items]
"""
_OF_FILES = ("pathlib.", "open(")
_OWN_FOLDER = """\
@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
"""
_MOVED = ("slice_func_mocks.", "sleep(")
"""Words in tests that change the mocked world, which would carry over to the next test."""
_RESTART = """
@pytest.fixture(autouse=True)
def _in_a_world_as_before():
    import slice_func_mocks

    slice_func_mocks.restart()
"""
_MACHINE = """
@pytest.fixture(autouse=True)
def _on_a_machine_as_before():
    import os
    import time

    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)
    time.tzset()
"""
_DRIVEN = ("generator.send", "contextlib.", "coroutine", "set_iterator")
"""Prefixes of iterator types that are entered, awaited, or unordered."""


LEFT_OUT = "Left out, as nothing that can be written here says what they give"


def pytest_script(
    script: str, qualname: str, cases: Sequence[RecordedCase], left_out: Sequence[str] = ()
) -> str:
    """Return a module of tests that import `script`; cases without a literal result are left out.

    Args:
        script: the slice, as one script.
        qualname: qualified name of the target.
        cases: the cases, and what the original does in them.
        left_out: names of further cases.
    """
    bound = bound_names(ast.parse(script).body)
    written = [(one.case.name, list(_test(one, qualname, bound))) for one in cases]
    tests = [lines for _, lines in written if lines]
    omitted = ", ".join([*(name for name, lines in written if not lines), *left_out])
    body = [line for lines in tests for line in ("", "", *lines)]
    names = {name for test in ast.parse("\n".join(body)).body for name in _free(test)} & bound
    if any(word in line for line in body for word in _OF_FILES):
        body = ["", "", *_OWN_FOLDER.splitlines(), *body]
    if "slice_func_mocks" in script and any(word in line for line in body for word in _MOVED):
        body = ["", *_RESTART.splitlines(), *body]
    if any("environ" in line for line in body):
        body = ["", *_MACHINE.splitlines(), *body]
    imports = [word for word in ("asyncio", "pytest") if f"{word}." in "\n".join(body)]
    about = [f"What {qualname} does, case by case."]
    if omitted:
        about += ["", *textwrap.wrap(f"{LEFT_OUT}: {omitted}.", 90)]
    text = "\n".join(about)
    head = [
        *f'"""{text}{"" if len(about) == 1 else chr(10)}"""'.splitlines(),
        "",
        *(f"import {w}" for w in imports),
    ]
    if names:
        head += [*([""] if imports else []), f"from script import {', '.join(sorted(names))}"]
    if any(f"{_LISTED}(" in line for line in body):
        head += ["", "", *_LISTING.splitlines()]
    return "\n".join([*head, *body, ""])


def _free(test: ast.stmt) -> set[str]:
    """Return the free names of a test."""
    names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= bound_names(test.body) if isinstance(test, ast.FunctionDef) else set()
    return {node.id for node in names} - own


def _test(one: RecordedCase, qualname: str, bound: Collection[str]) -> Iterator[str]:
    taken = split_case(one.case, qualname)
    found = decode_text(one.observation)
    if taken is None or isinstance(found, Malformed):
        return
    end = list(_end(taken, found, bound))
    if not end:
        return
    name = one.case.name.removeprefix("case_")
    prints = any("capsys" in line for line in end)
    yield f"def test_{name}({'capsys' if prints else ''}):"
    statements = [*taken.before]
    statements += [
        ast.Assign([ast.Name(label, ast.Store())], value)
        for label, value in taken.arguments
        if not (isinstance(value, ast.Name) and value.id == label)
    ]
    for statement in statements:
        ast.fix_missing_locations(statement)
    yield from lines_of_statements(statements, 4)
    for statement in ast.parse("\n".join(end)).body:
        yield from lines_of_statements([statement], 4)


def _end(parts: CaseParts, found: Observation, bound: Collection[str]) -> Iterator[str]:
    """Yield the call and its expected result."""
    call, value = ast.unparse(parts.call), resolve(found.value, found)
    outcome, raised = found.outcome, found.exception
    if isinstance(value, Node) and value.kind == "iterator":
        outcome, (raised,) = value.text("end"), value.group("last").values
        call = _item_list(call, value.text("type"), bound)
        if not call or outcome == "cut" or (outcome == "returned" and raised is not None):
            return
        value = value._replace(kind="list")
    elif parts.is_async:
        call = f"asyncio.run({call})"
    if found.effects or found.files or found.globals:
        return
    if outcome == "raised":
        raised = resolve(raised, found)
        name = raised.text("type") if isinstance(raised, Node) else ""
        if name in dir(builtins) and name not in bound:
            yield f"with pytest.raises({name}):\n    {call}"
        return
    if not found.arguments and (table := table_assertion(call, value, found)):
        if table.split()[1] not in bound:
            yield table
        return
    modules: set[str] = set()
    expected = literal(value, found, modules=modules)
    changes = [
        (_name_of(name, parts), literal(each, found, modules=modules))
        for name, each in found.arguments
    ]
    known = dict(parts.arguments)
    if expected is None or any(text is None or name not in known for name, text in changes):
        return
    if modules & {*bound}:
        return  # the script binds these names otherwise
    yield from (f"import {name}" for name in sorted(modules))
    yield from _assertions(call, value, expected, changes, found)


def _assertions(
    call: str,
    value: Value,
    expected: str,
    changes: Iterable[tuple[str, str | None]],
    found: Observation,
) -> Iterator[str]:
    """Yield assertions on the call's value, its changes and its output."""
    if found.value is None and (changes or found.stdout):
        yield call
    elif expected in ("None", "True", "False"):
        yield f"assert {call} is {expected}"
    elif isinstance(value, Node) and value.kind == "float":
        yield f"assert {call} == pytest.approx({expected})"
    else:
        yield f"assert {call} == {expected}"
    for name, text in changes:
        yield f"assert {name} == {text}"
    if found.stdout and not has_effect_beyond_output(found):
        if isinstance(found.stdout, Node):
            return
        yield f"assert capsys.readouterr().out == {found.stdout!r}"


def _item_list(call: str, kind: str, bound: Collection[str]) -> str:
    """Return an expression that lists an iterator's items; empty if a list does not fit."""
    if kind == "async_generator":
        return f"asyncio.run({_LISTED}({call}))"
    if kind.startswith(_DRIVEN):
        return ""
    return f"[*{call}]" if "list" in bound else f"list({call})"


def _name_of(argument: str, parts: CaseParts) -> str:
    """Return the local name of an argument, which an observation knows by position or name."""
    call = parts.target
    if argument.isdecimal() and isinstance(call, ast.Call) and int(argument) < len(call.args):
        given = call.args[int(argument)]
        return given.id if isinstance(given, ast.Name) else argument
    return argument


_RUNNER = """\
import contextlib, inspect, io, os, sys, tempfile, time, types

script = sys.modules["script"] = types.ModuleType("script")
script.__file__ = "script.py"
exec(compile({script!r}, "script.py", "exec", dont_inherit=True), vars(script))
pytest = sys.modules["pytest"] = types.ModuleType("pytest")


@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError(kind)


class approx:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return abs(self.value - other) <= 1e-6 * abs(self.value) + 1e-12


pytest.raises, pytest.approx = raises, approx
pytest.fixture = lambda **_: lambda function: function
tests, variables = {{}}, dict(os.environ)
exec(compile({tests!r}, "test_script.py", "exec", dont_inherit=True), tests)
for name, test in list(tests.items()):
    if name.startswith("test_"):
        os.chdir(tempfile.mkdtemp())
        os.environ.clear()
        os.environ.update(variables)
        time.tzset()
        if "slice_func_mocks" in sys.modules:
            sys.modules["slice_func_mocks"].restart()
        out = io.StringIO()
        capsys = types.SimpleNamespace(readouterr=lambda: types.SimpleNamespace(out=out.getvalue()))
        with contextlib.redirect_stdout(out):
            test(*[capsys for _ in inspect.signature(test).parameters])
"""
"""A program that runs tests as pytest would, because pytest need not be installed there."""


EXPORTER = Exporter(
    "tests for pytest",
    "Name of the file with tests for pytest; null where a literal says of no case what it gives.",
    write=lambda given: pytest_script(
        given.script, given.target.qualname, given.cases, given.left_out
    ),
    program=lambda given, text: _RUNNER.format(script=given.script, tests=text),
    tells=lambda text: "\ndef test_" in text,
)
