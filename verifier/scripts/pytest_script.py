"""Tests for pytest: each case with what it should give, where that can be written as a literal."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from ..layout import lines_of_statements
from ..observations.compare import shows_more_than_text
from ..observations.decode import decode_text
from ..observations.literals import literal
from ..observations.model import Malformed, Node, Observation
from ..observations.render import resolve
from ..scoring.blocks import bound_names
from .calls import Taken, taken_apart
from .eval_script import Seen


def pytest_script(script: str, qualname: str, seen: Sequence[Seen]) -> str:
    """A module of tests that import `script`; cases without a literal to expect are left out.

    Args:
        script: the slice, as one script.
        qualname: of the target.
        seen: the cases, and what the original does in them.
    """
    tests = [lines for one in seen if (lines := list(_test(one, qualname)))]
    body = [line for lines in tests for line in ("", "", *lines)]
    bound = bound_names(ast.parse(script).body) - set(dir(builtins))
    names = {name for test in ast.parse("\n".join(body)).body for name in _free(test)} & bound
    imports = [word for word in ("asyncio", "pytest") if f"{word}." in "\n".join(body)]
    head = [f'"""What {qualname} does, case by case."""', "", *(f"import {w}" for w in imports)]
    if names:
        head += [*([""] if imports else []), f"from script import {', '.join(sorted(names))}"]
    return "\n".join([*head, *body, ""])


def _free(test: ast.stmt) -> set[str]:
    """Names that a test reads and does not bind."""
    names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= bound_names(test.body) if isinstance(test, ast.FunctionDef) else set()
    return {node.id for node in names} - own


def _test(one: Seen, qualname: str) -> Iterator[str]:
    taken = taken_apart(one.case, qualname)
    found = decode_text(one.observation)
    if taken is None or isinstance(found, Malformed):
        return
    end = list(_end(taken, found))
    if not end:
        return
    name = one.case.name.removeprefix("case_")
    prints = any("capsys" in line for line in end)
    yield f"def test_{name}({'capsys' if prints else ''}):"
    statements = [*taken.before]
    statements += [
        ast.Assign([ast.Name(label, ast.Store())], value)
        for label, value in taken.given
        if not (isinstance(value, ast.Name) and value.id == label)
    ]
    for statement in statements:
        ast.fix_missing_locations(statement)
    yield from lines_of_statements(statements, 4)
    for statement in ast.parse("\n".join(end)).body:
        yield from lines_of_statements([statement], 4)


def _end(taken: Taken, found: Observation) -> Iterator[str]:
    """The call, and what it should give."""
    call = ast.unparse(taken.call)
    if taken.is_async:
        call = f"asyncio.run({call})"
    if found.effects or found.files or found.globals:
        return
    if found.outcome == "raised":
        name = found.exception.text("type") if isinstance(found.exception, Node) else ""
        if name in dir(builtins):
            yield f"with pytest.raises({name}):\n    {call}"
        return
    value = resolve(found.value, found)
    if isinstance(value, Node) and value.kind == "iterator" and value.text("end") == "ended":
        call, value = f"list({call})", value._replace(kind="list")
    expected = literal(value, found)
    changes = [(_name_of(name, taken), literal(each, found)) for name, each in found.arguments]
    known = dict(taken.given)
    if expected is None or any(text is None or name not in known for name, text in changes):
        return
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
    if found.stdout and not shows_more_than_text(found):
        if isinstance(found.stdout, Node):
            return
        yield f"assert capsys.readouterr().out == {found.stdout!r}"


def _name_of(argument: str, taken: Taken) -> str:
    """What an argument is called in the test, which an observation knows by position or name."""
    call = taken.target
    if argument.isdecimal() and isinstance(call, ast.Call) and int(argument) < len(call.args):
        given = call.args[int(argument)]
        return given.id if isinstance(given, ast.Name) else argument
    return argument
