"""Repository code that receives a class as soon as the class is created.

A metaclass, an `__init_subclass__` or a decorator may pass the class to an object that instantiates
it later: `cls.objects = Manager(cls)`. A metaclass or a decorator may also collect members of the
class: `{k: v for k, v in namespace.items() if k.startswith("do_")}`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from ..analysis.inference import Inference
from ..analysis.scopes.definitions import ClassInfo
from ..analysis.values.abstract_values import ClassValue, FunctionValue, Instance, ordered
from ..syntax.nodes import walk

_KEEPS_NOTHING = frozenset(
    """callable delattr dir getattr hasattr hash id isinstance issubclass len print repr setattr str
    super type vars""".split()
)
"""Builtins that take a class and keep no reference to it."""

_PICKS_MEMBERS = re.compile(r"\b(?:callable|getattr|hasattr|is\w*function|\w*FunctionType)\b")
"""Calls that select functions from a namespace; fields are selected by their class."""
# `not name.startswith("_")` excludes names
_PREFIX = re.compile(r"\.startswith\(\s*[\"'](\w+)[\"']\s*\)")

# the prefix may be in a variable
_PREFIX_NAME = re.compile(r"\.startswith\(\s*([^\W\d]\w*)\s*\)")
_OF_FUNCTIONS = frozenset(dir(lambda: None))
"""Attributes that every function has."""

_Def = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class ClassCreation:
    """What happens to a class while it is created."""

    is_passed_on: bool
    """Whether the creating code calls the class, or passes it on."""
    queried: tuple[str, ...]
    """Attributes of the class that the creating code accesses."""
    collected: tuple[str, ...]
    """Prefixes of the names of the members that are collected."""
    collects_marked: bool
    """Whether members with an attribute set by a decorator are collected."""


class ClassCreators:
    """Class creation in one repository, memoised."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._known: dict[ClassInfo, ClassCreation] = {}

    def making(self, cls: ClassInfo) -> ClassCreation:
        """Return what happens to the class while it is created."""
        known = self._known.get(cls)
        if known is None:
            known = self._known[cls] = ClassCreation(
                _is_passed_on(self._inference, cls),
                _read_members(self._inference, cls),
                _collected_prefixes(self._inference, cls),
                _collects_marked(self._inference, cls),
            )
        return known


def _is_passed_on(inference: Inference, cls: ClassInfo) -> bool:
    return (
        any(_hands_on(node, names) for node, names in _creators(inference, cls))
        or any(_returns_or_stores(node, name) for node, name in _descriptor_methods(inference, cls))
        or any(_calls(node, name) for node, name in _metaclass_methods(inference, cls))
    )


def _read_members(inference: Inference, cls: ClassInfo) -> tuple[str, ...]:
    given = [
        *_creators(inference, cls),
        *((node, frozenset({name})) for node, name in _metaclass_methods(inference, cls)),
    ]
    names = dict.fromkeys(
        each.attr
        for node, names in given
        for each in walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in names
        and isinstance(each.ctx, ast.Load)
    )
    return tuple(name for name in names if inference.find_member(cls, name) is not None)


def _collected_prefixes(inference: Inference, cls: ClassInfo) -> tuple[str, ...]:
    found: dict[str, None] = {}
    metas = [v.cls for v in ordered(inference.metaclass(cls)) if isinstance(v, ClassValue)]
    if any(inference.find_member(meta, "__prepare__") for meta in metas):
        found[""] = None  # a custom namespace sees them all
    found |= dict.fromkeys(_collected_in_body(cls))
    for node, names, namespace in _walkers(inference, cls):
        loops = [each for each in walk(node) if _is_loop(each, names, namespace)]
        inside = {id(part) for loop in loops for part in walk(loop)}
        for loop in loops:
            if not _is_marked(loop):
                # other code may search what it only gathers
                found |= dict.fromkeys(_prefixes_of(loop, node) or _prefixes_of(node, node))
        if any(_walks(each, names, namespace) and id(each) not in inside for each in walk(node)):
            found |= dict.fromkeys(_prefixes_of(node, node))
    return tuple(found)


def _collects_marked(inference: Inference, cls: ClassInfo) -> bool:
    """Whether a loop over the members selects those with an attribute that a decorator has set."""
    return any(
        _is_loop(each, names, namespace) and _is_marked(each)
        for node, names, namespace in _walkers(inference, cls)
        for each in walk(node)
    )


def _walkers(inference: Inference, cls: ClassInfo) -> Iterator[tuple[_Def, frozenset[str], str]]:
    """Yield functions that see the class during creation, with its and its namespace's names."""
    for node, names in _creators(inference, cls):
        if node.name != "__init_subclass__":
            yield node, names | set(_bases_in(node, names)), _namespace_parameter(node)


def _is_loop(node: ast.AST, names: frozenset[str], namespace: str) -> bool:
    match node:
        case ast.For(iter=walked):
            return _walks(node, names, namespace) or any(
                _walks(each, names, namespace) for each in walk(walked)
            )
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return any(
                _walks(each, names, namespace)
                for generator in node.generators
                for each in walk(generator)
            )
        case _:
            return False


def _is_marked(loop: ast.AST) -> bool:
    """Whether the loop only uses members that have a certain attribute."""
    match loop:
        case ast.For(target=target, body=[ast.If(test=test, orelse=[])], orelse=[]):
            return _asks_mark(test, _names_in(target))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return any(
                _asks_mark(test, _names_in(each.target))
                for each in loop.generators
                for test in each.ifs
            )
        case _:
            return False


def _names_in(target: ast.expr) -> frozenset[str]:
    return frozenset(each.id for each in walk(target) if isinstance(each, ast.Name))


def _asks_mark(test: ast.expr, names: frozenset[str]) -> bool:
    """Whether the test fails for a plain function because it lacks an attribute."""
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return any(_asks_mark(part, names) for part in parts)
        case (
            ast.Call(
                func=ast.Name(id="hasattr"), args=[ast.Name(id=name), ast.Constant(value=str(mark))]
            )
            | ast.Call(
                func=ast.Name(id="getattr"),
                args=[
                    ast.Name(id=name),
                    ast.Constant(value=str(mark)),
                    ast.Constant(value=None | False),
                ],
            )
        ):
            return name in names and mark not in _OF_FUNCTIONS
        case _:
            return False


def _prefixes_of(part: ast.AST, function: _Def) -> list[str]:
    """Return the prefixes of names that a part of a function collects; empty for none."""
    text = ast.unparse(part)
    prefixes = _PREFIX.findall(text)
    for name in _PREFIX_NAME.findall(text):
        for each in walk(function):
            match each:
                case ast.Assign(
                    targets=[ast.Name(id=bound)], value=ast.Constant(value=str(value))
                ) if bound == name:
                    prefixes.append(value)
                case _:
                    continue
    wanted = [prefix for prefix in prefixes if prefix.strip("_")]
    if wanted:
        return wanted
    collects = _PICKS_MEMBERS.search(text) or (prefixes and "isinstance" not in text)
    return [""] if collects else []


def _collected_in_body(cls: ClassInfo) -> Iterator[str]:
    """Yield the prefixes of the names that the class body looks up in its own namespace."""
    for statement in cls.node.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.For, ast.Expr)):
            nodes = list(walk(statement))
            filled = {id(node.value) for node in nodes if _is_filled(node)}
            if any(_gives_namespace(node) and id(node) not in filled for node in nodes):
                yield from _PREFIX.findall(ast.unparse(statement)) or [""]


def _gives_namespace(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=called), args=[]):
            return called in ("vars", "locals", "dir")
        case _:
            return False


def _is_filled(node: ast.AST) -> TypeGuard[ast.Subscript | ast.Attribute]:
    """Whether the node writes to a namespace, and does not read it."""
    match node:
        case ast.Subscript(ctx=ast.Store()) | ast.Attribute(attr="update"):
            return True
        case _:
            return False


def _namespace_parameter(node: _Def) -> str:
    """Return the namespace parameter of a metaclass method; empty for other functions."""
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    return names[3] if node.name in ("__new__", "__init__") and len(names) > 3 else ""


def _walks(node: ast.AST, names: frozenset[str], namespace: str) -> bool:
    """Whether the node iterates over all names of the class."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=walked), attr=attr)):
            return walked == namespace and attr in ("items", "values", "keys")
        case ast.For(iter=ast.Name(id=walked)) | ast.comprehension(iter=ast.Name(id=walked)):
            return walked == namespace
        case ast.Call(func=ast.Name(id="vars" | "dir"), args=[ast.Name(id=walked)]):
            return walked in names
        case ast.Call(func=ast.Attribute(attr="getmembers"), args=[ast.Name(id=walked), *_]):
            return walked in names
        case ast.Attribute(value=ast.Name(id=walked), attr="__dict__"):
            return walked in names
        case _:
            return False


def _bases_in(node: _Def, names: frozenset[str]) -> Iterator[str]:
    """Yield the loop variables that iterate over the resolution order of the class."""
    for each in walk(node):
        match each:
            case ast.For(target=ast.Name(id=base), iter=order) if any(
                isinstance(part, ast.Attribute)
                and part.attr in ("__mro__", "mro", "__bases__")
                and isinstance(part.value, ast.Name)
                and part.value.id in names
                for part in walk(order)
            ):
                yield base
            case _:
                continue


def _creators(inference: Inference, cls: ClassInfo) -> Iterator[tuple[_Def, frozenset[str]]]:
    """Yield the functions that see the class while it is created, and its names there."""
    for value in ordered(inference.metaclass(cls)):
        if isinstance(value, ClassValue):
            for method in inference.methods(value.cls, "__init__"):
                yield method.node, _first_parameter(method.node)
            for method in inference.methods(value.cls, "__new__"):
                yield method.node, frozenset(_created_classes(method.node))
    for method in inference.methods(cls, "__init_subclass__"):
        yield method.node, _first_parameter(method.node)
    for node, parameter in _descriptor_methods(inference, cls):
        yield node, frozenset({parameter})
    for decorator in cls.node.decorator_list:
        for value in ordered(inference.evaluate(decorator, cls.enclosing)):
            if isinstance(value, FunctionValue):
                yield value.function.node, _first_parameter(value.function.node)


def _descriptor_methods(inference: Inference, cls: ClassInfo) -> Iterator[tuple[_Def, str]]:
    """Yield methods of objects in the class body that receive the class, and its name there."""
    for node in cls.node.body:
        match node:
            case ast.Assign(value=ast.Call() as made) | ast.AnnAssign(value=ast.Call() as made):
                values = inference.evaluate(made, cls.scope)
            case ast.FunctionDef(decorator_list=[*_, decorator]):
                values = inference.evaluate(decorator, cls.scope)
            case _:
                continue
        for value in ordered(values):
            if isinstance(value, (Instance, ClassValue)):
                for name, place in (("__get__", 2), ("__set_name__", 1)):
                    for method in inference.methods(value.cls, name):
                        args = (*method.node.args.posonlyargs, *method.node.args.args)
                        if len(args) > place:
                            yield method.node, args[place].arg


def _metaclass_methods(inference: Inference, cls: ClassInfo) -> Iterator[tuple[_Def, str]]:
    """Yield the methods that the class has from its metaclass, and the parameter's name."""
    for value in ordered(inference.metaclass(cls)):
        for owner in inference.mro(value.cls) if isinstance(value, ClassValue) else ():
            for node in owner.functions:
                if node.name not in ("__new__", "__init__", "__call__", "__prepare__"):
                    for name in _first_parameter(node):
                        yield node, name


def _calls(node: _Def, name: str) -> bool:
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == name
        for each in walk(node)
    )


def _returns_or_stores(node: _Def, name: str) -> bool:
    """Whether the function returns or stores the object with that name."""
    for each in walk(node):
        match each:
            case ast.Return(value=ast.Name(id=given)) if given == name:
                return True
            case ast.Assign(
                targets=[ast.Attribute() | ast.Subscript(), *_], value=ast.Name(id=given)
            ) if given == name:
                return True
            case _:
                continue
    return False


def _first_parameter(node: _Def) -> frozenset[str]:
    return frozenset(arg.arg for arg in (*node.args.posonlyargs, *node.args.args)[:1])


def _created_classes(node: _Def) -> Iterator[str]:
    """Yield the names of classes that a metaclass's `__new__` creates by another `__new__`."""
    for each in walk(node):
        match each:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(attr="__new__") | ast.Name(id="type")),
            ):
                yield name
            case _:
                continue


def _hands_on(node: _Def, names: frozenset[str]) -> bool:
    for each in walk(node):
        match each:
            case ast.Call(func=ast.Name(id=called)) if called in names:
                return True
            case ast.Call(func=ast.Name(id=called)) if called in _KEEPS_NOTHING:
                continue
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
                continue
            case ast.Call(args=args, keywords=keywords):
                given = (*args, *(keyword.value for keyword in keywords))
                if any(isinstance(a, ast.Name) and a.id in names for a in given):
                    return True
            case _:
                continue
    return False
