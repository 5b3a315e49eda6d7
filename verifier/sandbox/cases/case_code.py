"""Compile cases once each, with their one call of the target going through an observer.

Compiling a case takes as long as running it, and every candidate runs the same cases. So the task
`codes` compiles them in a process in which nothing else runs. A case with that code, as `compiled`,
need not be compiled again.
"""

from __future__ import annotations

import ast
import binascii
import builtins
import marshal
import types

from .carried_code import code_of_module
from .holders import mangled_name, observed_of, target_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from ..raw import Raw

    Compiled: TypeAlias = types.CodeType | Exception  # makes a case's function, or the error

__builtins__ = dict(vars(builtins))

_OBSERVER = "__observe__"
_dumps, _loads = marshal.dumps, marshal.loads
_to_text, _of_text = binascii.b2a_base64, binascii.a2b_base64


class CaseError(Exception):
    """A case that is not one function with one call of the target."""


def run_codes(request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """Send one record with the compiled cases as text, followed by the carried modules.

    A text is empty if compiling failed.
    """
    made: list[Raw] = [code_of(case, request["target"]) for case in request["cases"]]
    for each in request.get("modules", ()):
        try:
            made.append(code_of_module(each))
        except Exception as error:  # noqa: BLE001 - a text may be too much for the compiler
            made.append(error)
    texts = [
        _to_text(_dumps(each), newline=False).decode("ascii")
        if isinstance(each, types.CodeType) else ""
        for each in made
    ]  # fmt: skip
    joined = '","'.join(texts)
    emit(f'{{"kind":"codes","codes":["{joined}"]}}')


def code_of(case: Mapping[str, str], target: str) -> Compiled:
    """Return the code of a case, or the error."""
    text = case.get("compiled")
    if text:
        return _loads(_of_text(text))
    try:
        return case_code(case, target)
    except Exception as error:  # noqa: BLE001 - a text may be too much for the compiler
        return error


def case_code(case: Mapping[str, str], target: str) -> types.CodeType:
    """Return code that makes a case's function: it defines `__case__`, which takes the observer.

    So the observer is in a closure, and the script's globals stay untouched.

    Raises:
        CaseError: there is no such function, or not exactly one call.
    """
    tree = ast.parse(case["code"])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [n for n in tree.body if isinstance(n, functions) and n.name == case["name"]]
    if len(found) != 1:
        raise CaseError(f"no function {case['name']}")
    nodes = _nodes_near(found[0], case["code"], target)
    call = _the_call(found[0], nodes, target)
    _keep_arguments(found[0], call)
    if isinstance(call, ast.Call):
        is_holder = target_node(call, target) is not None
        then = _calls_of_result(nodes, call)
        goes_on = not _is_last(found[0], then[-1] if then else call)
        _send_through_observer(call, then, is_holder)
    else:
        goes_on = not _is_last(found[0], call)
        _Rewrite(call).visit(found[0])
    if goes_on:
        found[0].body.insert(0, _telling_that_it_goes_on(found[0].body[0]))
    maker: Raw = ast.parse(f"def __case__({_OBSERVER}):\n    return {case['name']}").body[0]
    maker.body = [*tree.body, *maker.body]
    module = ast.Module(body=[maker], type_ignores=[])
    code = compile(module, "<case>", "exec", dont_inherit=True)  # the same for all: it may show
    return _without_name(code, f"__case__.<locals>.{case['name']}.")


def _without_name(code: types.CodeType, prefix: str) -> types.CodeType:
    """Return the code with its inner definitions named as in a case without a name.

    A function of the case may be printed, and the case's name should not show.
    """
    consts = tuple(
        _without_name(each, prefix) if isinstance(each, types.CodeType) else each
        for each in code.co_consts
    )
    rest = code.co_qualname.removeprefix(prefix)
    name = code.co_qualname if rest == code.co_qualname else f"case.{rest}"
    return code.replace(co_consts=consts, co_qualname=name)


def _nodes_near(function: Raw, text: str, target: str) -> list[ast.AST]:
    """Return the nodes of the statements that contain a name of the target.

    Long cases are long by their setup, and walking all of it takes as long as compiling.
    """
    *_, owner, name = ["", *target.split(".")]
    words = [name, mangled_name(target), *([owner] if name in ("__init__", "__new__") else [])]
    lines = [at for at, line in enumerate(text.split("\n"), 1) if any(w in line for w in words)]
    is_head_alone = function.body[0].lineno != function.lineno and not function.decorator_list
    if is_head_alone and not (function.args.defaults or function.args.kw_defaults):
        lines = [at for at in lines if at != function.lineno]
    near = [s for s in function.body if any(s.lineno <= at <= s.end_lineno for at in lines)]
    is_complete = all(any(s.lineno <= at <= s.end_lineno for s in near) for at in lines)
    # other line ends count differently, and non-ASCII letters may normalise to the name
    is_plain = text.isascii() and "\r" not in text and "\f" not in text
    return [n for s in (near if is_complete and is_plain else [function]) for n in ast.walk(s)]


def _the_call(function: Raw, nodes: list[ast.AST], target: str) -> ast.Call | ast.Attribute:
    """Return the node that calls the target: a call, or the read of a property.

    Earlier calls are setup if each is a statement of its own.
    """
    *_, owner, name = ["", *target.split(".")]
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    by_name = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == name]
    names = (name, mangled_name(target))
    by_attribute = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr in names]
    found = by_attribute if owner else by_name or by_attribute
    if not found and name in ("__init__", "__new__"):
        found = [n for n in calls if getattr(n.func, "id", getattr(n.func, "attr", "")) == owner]
    found = found or [n for n in calls if target_node(n, target) is not None]
    if not found and owner:
        found = [
            n
            for n in nodes
            if isinstance(n, ast.Attribute) and n.attr in names and isinstance(n.ctx, ast.Load)
        ]
    observed: Raw = observed_of(found, function.body) if found else None
    if observed is None:
        is_special = name.startswith("__") and name.endswith("__")
        hint = f": write .{name}(...)" if is_special and not found else ""
        raise CaseError(f"{len(found)} calls of {target}, not one{hint}")
    return observed


def _keep_arguments(function: Raw, call: Raw) -> None:
    """Let the case keep containers passed to the receiver's constructor, as callers do."""
    place = call.func if isinstance(call, ast.Call) else call
    made = place.value if isinstance(place, ast.Attribute) else None
    if isinstance(made, ast.Name):
        made = next((s.value for s in function.body if _assigns(s, made.id)), None)
    if isinstance(made, ast.Call):
        for position, each in enumerate(made.args):
            made.args[position] = _kept(each, position)
        for keyword in made.keywords:
            keyword.value = _kept(keyword.value, keyword.arg)


def _assigns(statement: ast.stmt, name: str) -> bool:
    """Whether a statement only assigns to that name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def _kept(value: ast.expr, place: Raw) -> ast.expr:
    """Bind a display to a name of its own; leave other expressions."""
    if not isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return value
    made = ast.NamedExpr(ast.Name(f"__held_{place}__", ast.Store()), value)
    ast.copy_location(made.target, value)
    return ast.copy_location(made, value)


def _telling_that_it_goes_on(place: Raw) -> ast.Assign:
    """Return a statement that tells the observer that the case continues after the call."""
    observer = ast.Attribute(ast.Name(_OBSERVER, ast.Load()), "goes_on", ast.Store())
    made = ast.Assign([observer], ast.Constant(True))
    return ast.fix_missing_locations(ast.copy_location(made, place))


def _calls_of_result(nodes: list[ast.AST], call: ast.Call) -> list[Raw]:
    """Return the calls made at once of a call's result: the later two of `call()(1)(2)`."""
    callers = {id(n.func): n for n in nodes if isinstance(n, ast.Call)}
    found: list[Raw] = []
    last: Raw = call
    while id(last) in callers:
        last = callers[id(last)]
        given = [*last.args, *(keyword.value for keyword in last.keywords)]
        if any(isinstance(n, _NOT_IN_LAMBDA) for each in given for n in ast.walk(each)):
            break
        found.append(last)
    return found


_RESULT = "__result__"
_NOT_IN_LAMBDA = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""Expressions that a lambda cannot contain, or that mean something else there."""


def _send_through_observer(call: Raw, then: list[Raw], is_holder: bool) -> None:
    """Call the observer in place of the target, with later calls of the result as part of it.

    An object that holds the target is not its receiver.
    """
    more = [_taking_result(then)] if then else []
    function, outer = call.func, then[-1] if then else call
    outer.args, outer.keywords = call.args, call.keywords
    if isinstance(function, ast.Attribute) and not is_holder:
        name = ast.Constant(function.attr)
        outer.func = _observing(function, "method", function.value, name, *more)
    else:
        outer.func = _observing(function, "function", function, *more)


def _taking_result(then: list[Raw]) -> ast.Lambda:
    """Return some calls of a result as a function of it."""
    first, last = then[0], then[-1]
    body = ast.copy_location(ast.Call(last.func, last.args, last.keywords), last)
    (body if first is last else first).func = ast.Name(_RESULT, ast.Load())
    given = ast.arguments([], [ast.arg(_RESULT)], None, [], [], None, [])
    return ast.fix_missing_locations(ast.copy_location(ast.Lambda(given, body), last))


class _Rewrite(ast.NodeTransformer):
    """Sends the read of one property through the observer."""

    def __init__(self, wanted: Raw) -> None:
        self._wanted = wanted

    def visit(self, node: ast.AST) -> ast.AST:
        changed: Raw = super().visit(node)
        if changed is not self._wanted:
            return changed
        return _observing(changed, "attribute", changed.value, ast.Constant(changed.attr))


def _observing(place: Raw, how: str, *args: Raw) -> ast.Call:
    """Return a call of the observer; only new nodes get positions, since walking trees is slow."""
    observer = ast.Attribute(ast.Name(_OBSERVER, ast.Load()), how, ast.Load())
    made = ast.Call(observer, list(args), [])
    for node in (made, observer, observer.value, *args[1:]):
        ast.copy_location(node, place)
    return made


def _is_last(function: Raw, outer: ast.expr) -> bool:
    """Whether a case ends with the call, and returns its result or nothing."""
    last = function.body[-1]
    value = last.value if isinstance(last, (ast.Return, ast.Expr)) else None
    if isinstance(value, ast.Await):
        value = value.value
    return value is outer
