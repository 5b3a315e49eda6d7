"""Visitor for calls: effects of the callee on its arguments, and functions passed to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from ....syntax.builtin_models import DATA_METHODS, EQUALITY, PICKLING, SIZED_ITERATION
from ....syntax.call_shapes import shape_of
from ...points_to.root_objects import is_memoised
from ...values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    Values,
    is_abstract,
)
from ..external_calls.callback_arguments import callback_arguments
from ..external_calls.escaping_objects import escape_to_external, escape_to_unknown
from ..external_calls.external_argument_uses import visit_external_call, visit_unknown_method
from ..external_calls.external_callables import external_protocol
from ..external_calls.inherited_callees import inherited_callees
from ..names_in_text.format_calls import visit_format
from ..names_in_text.global_tables import visit_global_method
from ..names_in_text.mapper_calls import visit_mapped_names
from ..names_in_text.namespace_calls import (
    visit_attribute_set,
    visit_dict_entry,
    visit_dynamic_class,
    visit_namespace_update,
    visit_set_attribute,
)
from ..names_in_text.object_modules import visit_home_argument, visit_home_method
from ..names_in_text.object_paths import visit_object_path
from ..use_records import MAKES_CLASSES, CallUse, DynamicUse, MemberUse
from ..use_walk import Walk
from .special_calls import is_builtin, special_call

_COPIERS = frozenset(
    f"{module}.{name}"
    for module in ("pickle", "dill", "cloudpickle", "joblib", "copy", "marshal")
    for name in ("dump", "dumps", "load", "loads", "deepcopy", "Pickler")
)
"""Functions that copy or serialise objects with everything that they hold."""
_COPIED_BY = PICKLING - {"__copy__"}
_CLASS_MAKERS = frozenset({"builtins.type", "types.new_class"})
_WORD = re.compile(r"[A-Za-z_]\w*")


def visit_call(walk: Walk, node: ast.Call) -> None:
    """Record a call: its callee, its arguments, and the effects on them."""
    if visit_dict_entry(walk, node):
        return
    values = walk.values(node.func)
    special = special_call(values)
    if (special is not None and special(walk, node)) or visit_global_method(walk, node):
        return
    if isinstance(node.func, ast.Subscript) and not isinstance(node.func.value, ast.Call):
        walk.visit(node.func.value)  # `Attribute[bool]("name")` makes an instance
    visit_format(walk, node)
    visit_home_argument(walk, node)
    visit_home_method(walk, node)
    _see_split(walk, node)
    walk.visit(node.func, "call" if isinstance(node.func, (ast.Name, ast.Attribute)) else "value")
    walk.visit_all(node.args)
    walk.visit_all(keyword.value for keyword in node.keywords)
    for argument in node.args:
        if isinstance(argument, ast.Name) and is_builtin(walk, argument, "getattr"):
            walk.use(DynamicUse(None, "", "", node.lineno))  # `reduce(getattr, path, x)`
    visit_namespace_update(walk, node)
    visit_attribute_set(walk, node)
    visit_mapped_names(walk, node)
    visit_object_path(walk, node)
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            walk.protocol(argument.value, SIZED_ITERATION)
    for keyword in node.keywords:
        if keyword.arg is None:
            walk.protocol(keyword.value, ("keys", "__getitem__"))
    _called(walk, values, node)


def _called(walk: Walk, values: Values, node: ast.Call) -> None:
    """Record what the callee does to itself and to its arguments."""
    if values is not None or _may_be_stored_instance(walk, node.func):
        walk.call(walk.possible(node.func), shape_of(node), node.lineno)
    _binds(walk, values, node)
    arguments = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    arguments += [keyword.value for keyword in node.keywords]
    if values is None and isinstance(node.func, ast.Attribute):
        _call_unknown_method(walk, node, node.func, arguments)
    for value in values or ():
        match value:
            case ClassValue(cls=cls) if walk.inference.is_metaclass(cls):
                walk.flags.add(MAKES_CLASSES)
            case External(name=name):
                _call_library(walk, name, node, arguments)
            case FunctionValue(function=function) if is_memoised(function.node):
                receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                for argument in (*receiver, *arguments):
                    walk.protocol(argument, EQUALITY)
            case ExternalInstance(name="typing.Callable"):
                if values == walk.possible(node.func):
                    walk.call(None, shape_of(node), node.lineno)
            case ExternalInstance():
                for argument in arguments:
                    walk.protocol(argument, None)
            case _:
                continue
    for name in inherited_callees(walk, values, node.func):
        _pass_to_inherited(walk, name, node, arguments)


def _call_unknown_method(
    walk: Walk, node: ast.Call, method: ast.Attribute, arguments: list[ast.expr]
) -> None:
    """Record what a method of an unknown object does to its arguments."""
    name = method.attr
    if _is_own_method(walk, name):
        return
    visit_unknown_method(walk, node)
    if name in DATA_METHODS:
        for argument in arguments:
            walk.protocol(argument, DATA_METHODS[name])
    elif not _is_callback(walk, method):
        escape_to_unknown(walk, arguments, node.lineno, name)


def _call_library(walk: Walk, name: str, node: ast.Call, arguments: list[ast.expr]) -> None:
    """Record what a library function does to its arguments."""
    if name in _CLASS_MAKERS and (len(node.args) != 1 or node.keywords):
        walk.flags.add(MAKES_CLASSES)
        visit_dynamic_class(walk, node)
    if name == "unittest.mock.patch.object":
        visit_set_attribute(walk, node)
    members = external_protocol(name)
    for argument, shape in callback_arguments(name, node):
        walk.call(walk.possible(argument), shape, node.lineno)
    escape_to_external(walk, arguments, node.lineno, name, is_quiet=members is not None)
    for argument in arguments:
        walk.protocol(argument, members)
    for argument in node.args:
        if members and isinstance(argument, ast.Starred):
            walk.query_items(argument.value, members)
    visit_external_call(walk, name, node)
    if name in _COPIERS:
        for member in sorted(_COPIED_BY):  # also on the argument's contents
            walk.use(MemberUse(None, member, "value", node.lineno))


def _pass_to_inherited(
    walk: Walk, name: str, node: ast.Call, arguments: Sequence[ast.expr]
) -> None:
    """Record arguments of an inherited library member, which only accesses members known for it."""
    members = external_protocol(name)
    escape_to_external(walk, arguments, node.lineno, name, is_quiet=members is not None)
    known = [argument for argument in arguments if _is_known(walk, argument)]
    for argument in known:
        walk.protocol(argument, members)
    if known == arguments:
        visit_external_call(walk, name, node)


def _is_known(walk: Walk, node: ast.expr) -> bool:
    values = walk.possible(node)
    return values is not None and not is_abstract(walk.inference.closed(values))


def _binds(walk: Walk, values: Values, node: ast.Call) -> None:
    """Record the arguments with which repository functions are called."""
    if not any(isinstance(v, (FunctionValue, ClassValue)) for v in values or ()):
        return
    starred = [isinstance(a, ast.Starred) for a in node.args]
    plain = node.args[: starred.index(True)] if any(starred) else node.args
    walk.use(
        CallUse(
            values,
            tuple(walk.possible(a) for a in plain),
            tuple((k.arg, walk.possible(k.value)) for k in node.keywords if k.arg),
            any(starred) or any(k.arg is None for k in node.keywords),
            not isinstance(node.func, ast.Name),
            node.lineno,
        )
    )


def _is_callback(walk: Walk, func: ast.expr) -> bool:
    """Whether the call runs a function that is stored in an attribute of a repository instance.

    The caller provides that function, like one that is passed as a parameter. The slice need not
    hold what the function uses.
    """
    values = walk.values(func.value) if isinstance(func, ast.Attribute) else None
    return bool(values) and all(isinstance(value, Instance) for value in values or ())


def _is_own_method(walk: Walk, name: str) -> bool:
    """Whether a class of this module has a member with that name."""
    return f"def {name}(" in walk.module.source.text


def _see_split(walk: Walk, node: ast.Call) -> None:
    """Record the words of `"name size".split()`, which may be names of members."""
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str(text)), attr="split"):
            walk.strings.update(_WORD.findall(text))
        case _:
            return


def _may_be_stored_instance(walk: Walk, func: ast.expr) -> bool:
    """Whether an unknown callee is more likely a stored object than a method."""
    match func:
        case ast.Attribute(value=value, attr=attr):
            return any(
                isinstance(v, Instance)
                and not walk.inference.find_member(v.cls, attr)
                and attr in walk.inference.assigned_attributes(v.cls)
                for v in walk.values(value) or ()
            )
        case _:
            return True
