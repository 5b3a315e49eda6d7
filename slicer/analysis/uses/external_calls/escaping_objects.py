"""Repository objects that escape into an external call: instances, and results of classes and
functions.

External code may call any of their public methods that it names itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ....repo.repository import STDLIB
from ....syntax.builtin_models import MUTATORS
from ...scopes.definitions import Scope, function_scope, module_scope
from ...values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    Value,
    ordered,
)
from ..use_records import PUBLIC, EscapeUse, ListedUse, ProtocolUse
from ..use_walk import Walk
from ..values_with_members import displayed, flattened
from .external_callables import external_protocol, names_in_callee_module

_ESCAPING = (Instance, ClassValue, FunctionValue, Parameter)
_DEEPEST = 5
"""Maximum depth of nested displays that are searched."""
_WRAPPING = frozenset(
    """abc builtins collections contextlib copy dataclasses enum functools inspect itertools
    operator pickle re types typing typing_extensions warnings weakref""".split()
)
"""Standard modules that only call special methods on results of classes and functions."""
_ASKING = frozenset(
    """bz2 codecs gzip hashlib logging logging.config logging.handlers lzma traceback
    urllib.parse""".split()
)
"""Modules among the quiet ones with functions that use their arguments as more than text."""
_TEXTS_ONLY = frozenset(
    """addLevelName captureWarnings critical debug disable error exception fatal getChild
    getLevelName getLogger info isEnabledFor log makeRecord setLevel warn warning format_exception
    format_exception_only""".split()
)
"""The functions of those modules that use their arguments only as text."""
_OF_UNKNOWN = dict.fromkeys(
    """connect_read_pipe connect_write_pipe create_connection create_datagram_endpoint create_server
    create_unix_connection create_unix_server subprocess_exec subprocess_shell""".split(),
    "asyncio.BaseEventLoop()",
)
"""Method that no other kind of receiver has → its owner."""
_NAMED = frozenset("setattr delattr getattr hasattr setitem object patch reload print".split())
"""Functions that receive the name of a module's member, or need none."""
_LISTING = frozenset({"doctest", "unittest"})
"""Standard modules that inspect the contents of modules."""
_ASKING_ANYTHING = frozenset({"register_instance"})
"""Methods of standard classes that call methods with computed names."""


def escape_to_unknown(walk: Walk, arguments: Sequence[ast.expr], line: int, method: str) -> None:
    """Record instances that escape as arguments of a method of an unknown receiver."""
    if method in _OF_UNKNOWN:
        escape_to_external(walk, arguments, line, f"{_OF_UNKNOWN[method]}.{method}", is_quiet=False)
        return
    _list_modules(walk, arguments, line, method)
    for argument in arguments:
        instances = frozenset(v for v in walk.values(argument) or () if isinstance(v, Instance))
        if instances:
            walk.use(ProtocolUse(instances, PUBLIC, line, method))


def _list_modules(walk: Walk, arguments: Sequence[ast.expr], line: int, callee: str) -> None:
    """Record modules that escape to code listing their contents: `from_object(settings)`."""
    if callee.rpartition(".")[2] in _NAMED | MUTATORS | _TEXTS_ONLY:
        return
    for argument in arguments:
        modules = frozenset(v for v in walk.values(argument) or () if isinstance(v, ModuleValue))
        if modules:
            walk.use(ListedUse(modules, line))


def escape_to_external(
    walk: Walk, arguments: Sequence[ast.expr], line: int, callee: str, *, is_quiet: bool
) -> None:
    """Record values that escape to the external function with that dotted name.

    A quiet function calls only what external bases of the instances call, unless its module is
    known to do more.
    """
    module = callee.partition("()")[0].rpartition(".")[0]
    top = module.partition(".")[0]
    short = callee.rpartition(".")[2]
    is_standard = top in STDLIB and top != "builtins"
    is_asking = not is_quiet or (short not in _TEXTS_ONLY and module in _ASKING)
    if (not is_standard and top != "builtins") or top in _LISTING:
        _list_modules(walk, arguments, line, callee)
    named = frozenset[str]() if short in _ASKING_ANYTHING else names_in_callee_module(callee)
    for argument in arguments:
        contained = frozenset(
            _displayed_objects(walk, argument, walk.scope, 0 if is_asking else _DEEPEST)
        )
        if contained:
            walk.use(
                EscapeUse(
                    contained,
                    named,
                    is_asking,
                    is_asking and is_standard and top not in _WRAPPING,
                    is_quiet and is_standard and short not in _TEXTS_ONLY,
                    line,
                )
            )


def visit_escaping_attribute(walk: Walk, target: ast.Attribute, value: ast.expr) -> None:
    """Record a value stored in an external object's attribute: `handler.formatter = Short()`."""
    for owner in ordered(walk.values(target.value)):
        match owner:
            case ExternalInstance(name=name) if name.partition(".")[0] in STDLIB:
                callee = f"{name}().{target.attr}"
            case External(name=name) if name.partition(".")[0] in STDLIB:
                callee = f"{name}.{target.attr}"
            case _:
                continue
        members = external_protocol(callee)
        escape_to_external(walk, [value], value.lineno, callee, is_quiet=members is not None)
        walk.protocol(value, members)


def _displayed_objects(walk: Walk, node: ast.expr, scope: Scope, depth: int) -> Iterator[Value]:
    """Yield the repository objects in a display, or in one that a name is bound to."""
    if depth > _DEEPEST:
        return
    parts = list(displayed(node))
    for part in [*parts, *(node.elts if isinstance(node, ast.Tuple) else ())]:
        yield from _displayed_objects(walk, part, scope, depth + 1)
    if isinstance(node, ast.Name) and depth == 0:
        for display, owner in _displays_bound(node.id, scope):
            yield from _displayed_objects(walk, display, owner, depth + 1)
    if isinstance(node, ast.Lambda):
        values = walk.inference.evaluate(node.body, function_scope(node, scope, None))
        yield from (value for value in values or () if isinstance(value, Instance))
    elif not parts:
        values = walk.inference.possible(node, scope)
        yield from (v for v in flattened(values or ()) if isinstance(v, _ESCAPING))


def _displays_bound(name: str, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield the list, set and dictionary displays that are bound to the name, with their scopes."""
    holder = scope.lookup(name)
    if holder is not None:
        values = [binder.value for binder in holder.binders[name] if not binder.path]
    else:
        values = [getattr(unit.node, "value", None) for unit in scope.module.bindings.get(name, ())]
    for value in values:
        if isinstance(value, (ast.List, ast.Set, ast.Dict)):
            yield value, holder or module_scope(scope.module)
