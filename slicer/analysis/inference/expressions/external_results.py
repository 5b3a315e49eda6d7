"""Values that builtins and functions of other distributions return."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ....repo.repository import STDLIB
from ....syntax.builtin_models import CONTAINERS, STR_METHODS, TABLES
from ...scopes.definitions import Scope
from ...values.abstract_values import (
    ABSTRACT,
    BOOL,
    BYTES,
    INT,
    NOTHING,
    STR,
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    Parameter,
    TupleOf,
    Values,
    builtin,
    is_abstract,
    join,
    ordered,
)
from ..external_types import is_closed_module
from ..iteration import Iteration
from ..values_of_expressions import Evaluation

_PASS_THROUGH = frozenset(
    {"copy.copy", "copy.deepcopy", "builtins.reversed", "builtins.sorted", "builtins.iter"}
)
_HOOKED = frozenset({"json.load", "json.loads"})
"""Functions whose results may come from functions passed by keyword."""
_PARSED = frozenset(
    f"argparse.ArgumentParser().{name}" for name in ("parse_args", "parse_known_args")
)
"""Functions whose results hold values made by repository argument types and defaults."""
_OF_ARRAYS = frozenset({"numpy", "pandas"})
_ANY_OBJECTS = frozenset({"object", "'object'", "'O'", "np.object_", "numpy.object_"})
"""Spellings of the item type of an array whose items may be any objects."""
_BUILTIN_KINDS = TABLES | {"builtins.list", "builtins.set", "collections.deque"}


class ExternalResults:
    """Results of calls of external functions."""

    def __init__(self, evaluation: Evaluation, iteration: Iteration) -> None:
        self._evaluation = evaluation
        self._iteration = iteration

    def called(self, name: str, node: ast.Call | None, scope: Scope | None) -> Values:
        """Return the values of calling the external object with that dotted path."""
        base, _, method = name.rpartition(".")
        args = node.args if node else ()
        if base in ("builtins.str()", "builtins.bytes()"):
            return _text_result(base[:-2], method)
        if base == "builtins":
            return self._builtin_result(method, args, scope)
        if name in _PASS_THROUGH or name in _PARSED or (name in _HOOKED and node and node.keywords):
            return None
        if name.partition(".")[0] in _OF_ARRAYS and self._may_contain_repository_objects(
            node, scope
        ):
            return None
        if name in CONTAINERS or is_closed_module(base):
            return frozenset({ExternalInstance(name)})
        if base.endswith("()"):
            # it may find or create instances of a class, or return a function's result
            given = self._is_given((ClassValue, FunctionValue), node, scope)
            return None if given else frozenset({ExternalInstance(name)})
        if method[:1].isupper():
            given = self._is_given((ClassValue,), node, scope)
            return None if given else frozenset({ExternalInstance(name)})
        if base.split(".")[0] in STDLIB or scope is None:
            return None
        # an external function returns repository objects only if it received some
        for argument in args:
            values = self._evaluation.evaluate(argument, scope)
            if values is None or any(
                not isinstance(v, (External, ExternalInstance)) for v in values
            ):
                return None
        return frozenset({ExternalInstance(name)})

    def _is_given(
        self, kinds: tuple[type, ...], node: ast.Call | None, scope: Scope | None
    ) -> bool:
        """Whether repository classes or functions are among the arguments of a call."""
        if node is None or scope is None:
            return False
        return any(
            isinstance(value, kinds)
            for argument in (*node.args, *(keyword.value for keyword in node.keywords))
            for value in self._evaluation.evaluate(argument, scope) or ()
        )

    def _may_contain_repository_objects(self, node: ast.Call | None, scope: Scope | None) -> bool:
        """Whether an array is made of repository objects, or can hold any objects."""
        if node is None or scope is None:
            return False
        return any(
            keyword.arg == "dtype" and ast.unparse(keyword.value) in _ANY_OBJECTS
            for keyword in node.keywords
        ) or any(
            isinstance(value, ExternalInstance)
            and any(
                isinstance(item, Instance)
                for item in (*(value.items or ()), *(value.contents or ()))
            )
            for argument in node.args
            for value in self._evaluation.evaluate(argument, scope) or ()
        )

    def _builtin_result(self, name: str, args: Sequence[ast.expr], scope: Scope | None) -> Values:
        if name in ("str", "repr", "format", "ascii", "input", "chr", "hex", "oct", "bin"):
            return STR
        if name in ("len", "int", "hash", "id", "ord", "float", "bool", "complex"):
            return builtin("float" if name in ("float", "complex") else "int")
        if name in ("isinstance", "issubclass", "callable", "hasattr", "any", "all"):
            return BOOL
        if name in ("bytes", "bytearray", "memoryview", "range", "object", "slice"):
            return builtin(name, INT if name != "object" else None)
        if name == "open":
            return frozenset({ExternalInstance("io.open")})
        if name == "print":
            return NOTHING
        if name in ("list", "set", "tuple", "frozenset", "sorted", "iter", "reversed") and scope:
            values = self._evaluation.evaluate(args[0], scope) if args else NOTHING
            items = self._iteration.items(values) if args else None
            if name == "iter" and (is_abstract(values) or not _is_external(values)):
                # a repository class's iterator returns itself
                return frozenset({ExternalInstance(f"{ABSTRACT}Iterator", items)})
            kind = "list" if name in ("sorted", "iter", "reversed") else name
            return builtin(kind, items if name != "list" or args else None)
        if name == "dict":
            return builtin("dict")
        if name == "enumerate" and scope and args:
            items = self._iteration.items(self._evaluation.evaluate(args[0], scope))
            return builtin("iterator", frozenset({TupleOf((INT, items))}))
        if name == "zip" and scope and args:
            parts = tuple(self._iteration.items(self._evaluation.evaluate(a, scope)) for a in args)
            return builtin("iterator", frozenset({TupleOf(parts)}))
        if name == "next" and scope and args:
            return join(self._iteration.items(self._evaluation.evaluate(args[0], scope)),
                        *(self._evaluation.evaluate(a, scope) for a in args[1:]))  # fmt: skip
        if name[:1].isupper():
            return builtin(name)
        return None

    def of_container(self, receiver: Values, method: str, node: ast.Call, scope: Scope) -> Values:
        """Return the values of a builtin container's method; unknown for other receivers."""
        parts: list[Values] = []
        for value in ordered(receiver):
            match value:
                case ExternalInstance(name=name, items=items, contents=contents) if (
                    name in _BUILTIN_KINDS
                ):
                    is_table = name in TABLES
                case _:
                    return None
            match method:
                case "items" if is_table:
                    parts.append(builtin("iterator", frozenset({TupleOf((items, contents))})))
                case "keys" if is_table:
                    parts.append(builtin("iterator", items))
                case "values" if is_table:
                    parts.append(builtin("iterator", contents))
                case "copy":
                    parts.append(frozenset({value}))
                case "get" | "pop" | "setdefault":
                    parts.append(contents if is_table else items)
                    parts += [
                        self._evaluation.evaluate(argument, scope) for argument in node.args[1:2]
                    ]
                case _:
                    return None
        return join(*parts) if parts else None


def _is_external(values: Values) -> bool:
    """Whether none of the values is an instance of a repository class."""
    return values is not None and not any(isinstance(v, (Instance, Parameter)) for v in values)


def _text_result(base: str, method: str) -> Values:
    for kind, methods in STR_METHODS.items():
        if method in methods:
            text = STR if base.endswith("str") else BYTES
            if kind == "str":
                return text
            if kind == "list":
                return builtin("list", text)
            return builtin(kind)
    if method in ("partition", "rpartition"):
        return frozenset({TupleOf((STR, STR, STR))})
    if method == "encode":
        return BYTES
    return STR if method == "decode" else None
