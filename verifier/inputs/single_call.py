"""A single call of a target: its receiver, and an argument for each parameter."""

from __future__ import annotations

import ast

from ...mocker.flow import FlowQuery
from ...slicer.model import Slice
from ...slicer.repo.repository import Repository
from .argument_builder import ArgumentBuilder, is_property


def stand_ins(repository: Repository, sliced: Slice) -> tuple[tuple[str, str], ...]:
    """Return an expression for each required parameter of the target.

    For a method the first pair is the receiver. The expressions are evaluated in the namespace of
    the script. Optional parameters are left out.
    """
    maker = ArgumentBuilder(repository, sliced)
    function = maker.target
    if function is None:
        return ()
    maker.assume(function)
    maker.follower = FlowQuery(maker.walk.graph, maker.assumed, maker.there)
    pairs: list[tuple[str, str]] = []
    if function.owner is not None and function.takes_self and function.node.name != "__init__":
        receiver = maker.class_name(function.owner)
        if "classmethod" not in function.kinds:
            receiver = maker.instance(function.owner, 0)
        pairs.append((function.positional[0].arg if function.positional else "self", receiver))
    pairs += maker.arguments(function, 0)
    return tuple(pairs)


def call_of(repository: Repository, sliced: Slice) -> str:
    """Return an expression that calls the target, with `await` if it is a coroutine."""
    maker = ArgumentBuilder(repository, sliced)
    function = maker.target
    if function is None:
        return ""
    pairs = list(stand_ins(repository, sliced))
    node = function.node
    callee = sliced.manifest.targets[0].qualname
    if function.owner is not None and node.name != "__init__":
        if function.takes_self and pairs:
            _, receiver = pairs.pop(0)
            callee = f"{receiver}.{node.name}"
        if is_property(maker, function):
            return callee
    elif function.owner is not None:
        callee = maker.class_name(function.owner)
    return _call(node, callee, pairs)


def _call(
    node: ast.FunctionDef | ast.AsyncFunctionDef, callee: str, pairs: list[tuple[str, str]]
) -> str:
    positional = {arg.arg for arg in node.args.posonlyargs}
    if any(name.startswith("*") and not name.startswith("**") for name, _ in pairs):
        positional |= {arg.arg for arg in node.args.args}
    given: list[str] = []
    for name, text in pairs:
        if name.startswith("*"):
            given.append(f"{name[: name.count('*')]}{text}")
        else:
            given.append(text if name in positional else f"{name}={text}")
    call = f"{callee}({', '.join(given)})"
    is_lazy = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node))
    if isinstance(node, ast.FunctionDef) and is_lazy and not node.decorator_list:
        return f'list(__import__("itertools").islice({call}, 5))'  # runs the generator
    if isinstance(node, ast.AsyncFunctionDef):
        is_generator = any(isinstance(n, ast.Yield) for n in ast.walk(node))
        return f"[item async for item in {call}]" if is_generator else f"await {call}"
    return call
