"""Visitor for calls with a special meaning in the language (`getattr`, `super`, `eval`)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ....repo.repository import Module
from ....syntax.builtin_models import MODULE_LISTS
from ...values.abstract_values import (
    ClassValue,
    External,
    Instance,
    ModuleValue,
    Parameter,
    Value,
    Values,
)
from ..external_calls.entry_points import FINDERS, visit_entry_points
from ..external_calls.escaping_objects import visit_escaping_attribute
from ..guards.tested_members import add_tested_member
from ..names_in_text.class_listings import names_in_classes
from ..names_in_text.class_name_patterns import named_after_class
from ..names_in_text.name_patterns import name_patterns
from ..names_in_text.namespace_calls import visit_set_attribute
from ..names_in_text.object_modules import add_defining_module, owner_of, visit_home_text
from ..names_in_text.state_names import names_state
from ..use_records import (
    DispatchUse,
    DynamicUse,
    GapUse,
    ListedUse,
    ModuleUse,
    PackageUse,
    PathEndUse,
    Role,
)
from ..use_walk import Walk
from ..values_with_members import WITH_MEMBERS
from .text_uses import visit_text

_OF_SCOPES = ("dir", "eval", "exec", "globals", "locals", "vars")
"""Builtins that see the names of the calling scope."""

_IMPORT_MODULE = frozenset[Value]({External("importlib.import_module")})
_WRITERS = ("setattr", "delattr", "object.__setattr__")


def special_call(values: Values) -> Callable[[Walk, ast.Call], bool] | None:
    """Return the visitor for a call whose callee has a special meaning.

    If the callee has several values, all must share the visitor, as the `TypeVar` of one module or
    another. The visitor returns whether it has handled the call.
    """
    found = {_SPECIAL.get(v.name) if isinstance(v, External) else None for v in values or ()}
    return found.pop() if len(found) == 1 else None


def _see_getattr(walk: Walk, node: ast.Call) -> bool:
    if len(node.args) < 2:
        return False
    receiver, attribute, *rest = node.args
    walk.visit(node.func)
    walk.visit(receiver, "receiver")
    walk.visit(attribute)
    walk.visit_all(rest)
    values = walk.values(receiver)
    if values is None and is_builtin(walk, node.func, "getattr"):
        _see_module_member(walk, receiver, attribute)
    writes = any(is_builtin(walk, node.func, name) for name in _WRITERS)
    role: Role = "store" if writes else "value"
    if writes:
        visit_set_attribute(walk, node)
        _see_external_setattr(walk, node)
    is_method_left = node in walk.without_methods
    if _is_delegation(walk, attribute) and _is_receiver(walk, receiver):
        return True  # the lookup of this name on this object is already recorded
    _see_computed(walk, values, attribute, role, node.lineno, is_method_left=is_method_left)
    return True


def _see_module_member(walk: Walk, receiver: ast.expr, attribute: ast.expr) -> None:
    """Record a member of a module that callers pass in, or that is imported by name."""
    given: frozenset[Value] = frozenset(
        v for v in walk.holding(receiver) or () if isinstance(v, Parameter)
    )
    given |= frozenset(_modules_found(walk, receiver))
    for each in name_patterns(attribute, walk.scope) if given else ():
        if each.is_open:
            walk.use(DynamicUse(given, each.text, each.suffix, receiver.lineno))


def _modules_found(walk: Walk, node: ast.expr) -> Iterator[ModuleValue]:
    """Yield the modules that `import_module("plugins." + name)`, or its named result, may be."""
    match node:
        case ast.Name(id=name) if (holder := walk.scope.lookup(name)) is not None:
            for binder in holder.binders[name]:
                if isinstance(binder.value, ast.Call):
                    yield from _modules_found(walk, binder.value)
        case ast.Call(args=[named, *_]) if walk.values(node.func) == _IMPORT_MODULE:
            repository = walk.inference.repository
            package = _package_given(walk, node)
            for each in name_patterns(named, walk.scope):
                start = _absolute(walk, each.text, package)
                if not each.is_open or "." not in start:
                    continue
                for name in repository.modules_like(start, each.suffix, walk.module):
                    found = repository.find_module(name, walk.module)
                    if isinstance(found, Module) and found is not walk.module:
                        yield ModuleValue(found, walk.module)
        case _:
            return


def is_builtin(walk: Walk, node: ast.expr, name: str) -> bool:
    """Whether the node is exactly that builtin."""
    return walk.values(node) == frozenset({External(f"builtins.{name}")})


def _see_computed(
    walk: Walk, values: Values, attribute: ast.expr, role: Role, line: int, *,
    dotted: bool = False, is_method_left: bool = False,
) -> None:  # fmt: skip
    """Record a member whose name is computed, or a dotted path of members."""
    if values and names_state(walk, attribute):
        return
    named = named_after_class(walk.inference, attribute, walk.scope)
    if named is not None and values and role != "store":
        walk.use(DispatchUse(values, named.prefix, named.suffix, named.objects, line))
        return
    if values and role != "store" and (listings := names_in_classes(walk, attribute, values, line)):
        for listing in listings:
            walk.use(listing)
        return
    for each in name_patterns(attribute, walk.scope):
        *before, prefix = each.text.split(".") if dotted else [each.text]
        for part in before:
            walk.member(None, part, role, line)
        if not each.is_open:
            walk.member(values, prefix, role, line)
        elif role == "store" or (values is None and _is_delegation(walk, attribute)):
            continue  # setting an attribute needs no member of that name
        else:
            if values is not None:
                known = frozenset(v for v in values if isinstance(v, WITH_MEMBERS))
                if not known:
                    continue
                values = known
            walk.use(DynamicUse(values, prefix, each.suffix, line, is_method_left))


def _is_delegation(walk: Walk, attribute: ast.expr) -> bool:
    """Whether the name is the parameter of an enclosing `__getattr__`."""
    node = walk.scope.node
    match attribute:
        case ast.Name(id=name) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return (
                node.name in ("__getattr__", "__getattribute__")
                and walk.scope.owner is not None
                and len(walk.scope.binders.get(name, ())) == 1
                and name in {arg.arg for arg in node.args.args}
            )
        case _:
            return False


def _is_receiver(walk: Walk, node: ast.expr) -> bool:
    """Whether the expression is the receiver of the enclosing method, or `super()`."""
    function = walk.scope.node
    match node:
        case ast.Call(func=ast.Name(id="super"), args=[]):
            return True
        case ast.Name(id=name) if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = [*function.args.posonlyargs, *function.args.args]
            return arguments[0].arg == name and len(walk.scope.binders.get(name, ())) == 1
        case _:
            return False


def _see_isinstance(walk: Walk, node: ast.Call) -> bool:
    if len(node.args) != 2:
        return False
    add_tested_member(walk, node)
    walk.visit(node.func)
    walk.visit(node.args[0])
    walk.visit(node.args[1], "test")
    tested, classes = node.args
    elements = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    for name in [n for element in elements for n in walk.deciding(element)]:
        if is_builtin(walk, node.func, "issubclass"):
            walk.member(walk.possible(tested), name, "test", node.lineno)
        else:
            walk.protocol(tested, (name,))
    return True


def _see_super(walk: Walk, node: ast.Call) -> bool:
    walk.visit(node.func)
    walk.visit_all(node.args, "test")
    return True


def _see_scope_call(walk: Walk, node: ast.Call) -> bool:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    match node.args:
        case [ast.Constant(value=str(text)), *_] if name == "eval":
            walk.flags.add("eval")
            visit_text(walk, text, node.lineno)
            walk.visit_all(node.args[1:])
            return True
        case _:
            pass
    if name in ("vars", "dir") and node.args:
        walk.visit(node.func)
        walk.visit(node.args[0], "receiver")
        values = walk.holding(owner_of(node.args[0], walk.scope))
        if values is None or any(isinstance(v, WITH_MEMBERS) for v in values):
            walk.flags.add(name)
            is_known = all(isinstance(v, (Instance, ClassValue)) for v in values or (None,))
            prefixes = walk.listed_prefixes.get(node, ()) if is_known else ()
            for prefix in prefixes:
                walk.use(DynamicUse(values, prefix, "", node.lineno))
            if not prefixes:
                _list_members(walk, values, node.lineno)
        return True
    if name in ("eval", "exec"):
        visit_home_text(walk, node)
    walk.flags.add(name)
    if name in ("globals", "vars", "locals", "dir"):
        if walk.scope.parent is None or name == "globals":
            walk.use(GapUse("dynamic-name", node.lineno, f"{name}() used as a table of names"))
    else:
        walk.use(GapUse("dynamic-code", node.lineno, f"{name}() runs text as code"))
    return False


def _see_external_setattr(walk: Walk, node: ast.Call) -> None:
    """Record `setattr(handler, "formatter", Short())`, a store in an external object."""
    match node.args:
        case [owner, ast.Constant(value=str(name)), value]:
            visit_escaping_attribute(walk, ast.Attribute(owner, name), value)
        case _:
            return


def _see_import_call(walk: Walk, node: ast.Call) -> bool:
    walk.visit(node.func)
    walk.visit_all(node.args)
    walk.visit_all(keyword.value for keyword in node.keywords)
    if not node.args or _is_module_of_object(node.args[0]):
        return True
    package = _package_given(walk, node)
    patterns = [
        (_absolute(walk, each.text, package), each.suffix, not each.is_open)
        for each in name_patterns(node.args[0], walk.scope)
    ]
    names = [p for p, _, exact in patterns if exact]
    for prefix, suffix, exact in patterns:
        if exact:
            walk.use(ModuleUse(walk.module, prefix, node.lineno))
        elif not prefix and suffix.startswith("."):
            walk.use(PathEndUse(walk.module, suffix, node.lineno))
        elif "." in prefix:
            found = walk.inference.repository.modules_like(prefix, suffix, walk.module)
            found = [name for name in found if name != walk.module.name]  # it is already loaded
            names += found
            for name in found:
                walk.use(ModuleUse(walk.module, name, node.lineno))
            if found:
                detail = f"module named at run time; carried all of {prefix}*{suffix}"
                walk.use(GapUse("dynamic-import", node.lineno, detail))
    if not names and not walk.externals.isdisjoint(MODULE_LISTS):
        names += walk.inference.repository.modules_like(f"{walk.module.package}.", "", walk.module)
        for name in names:
            walk.use(ModuleUse(walk.module, name, node.lineno))
    if not names:
        detail = f"module named at run time: {ast.unparse(node.args[0])[:60]}"
        walk.use(GapUse("dynamic-import", node.lineno, detail))
    return True


def _is_module_of_object(node: ast.expr) -> bool:
    """Whether the node is `cls.__module__`, a loaded module that its own use records."""
    return isinstance(node, ast.Attribute) and node.attr == "__module__"


def _package_given(walk: Walk, node: ast.Call) -> str:
    """Return the package that `import_module(".name", package)` receives; empty if unknown."""
    named = [k.value for k in node.keywords if k.arg == "package"]
    match [*node.args[1:2], *named]:
        case [ast.Constant(value=str(package))]:
            return package
        case [ast.Name(id="__name__")]:
            return walk.module.name
        case [ast.Name(id="__package__")]:
            return walk.module.package
        case _:
            return ""


def _see_named_by_text(walk: Walk, node: ast.Call) -> bool:
    detail = f"modules named at run time by what {ast.unparse(node.func)} is given"
    walk.use(GapUse("dynamic-import", node.lineno, detail))
    return False


def _see_module_list(walk: Walk, node: ast.Call) -> bool:
    """Record `iter_modules(plugins.__path__)`: modules that are not carried would be missing."""
    given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "path")]
    for path in given:
        is_direct = isinstance(path, ast.Attribute) and path.attr == "__path__"
        values = walk.possible(path.value) if isinstance(path, ast.Attribute) else None
        walk.use(PackageUse(walk.module, values if is_direct else None, node.lineno))
    return False


def _absolute(walk: Walk, name: str, package: str) -> str:
    """Return a module name in a string, made absolute."""
    if not name.startswith("."):
        return name
    level = len(name) - len(name.lstrip("."))
    rest = name.lstrip(".")
    if package and level == 1:
        return f"{package}.{rest}"
    base = walk.module.resolve_relative(level, rest.rstrip(".") or None) or name
    return f"{base}." if rest.endswith(".") or not rest else base


def _see_attrgetter(walk: Walk, node: ast.Call) -> bool:
    walk.visit(node.func)
    walk.visit_all(node.args)
    walk.visit_all(keyword.value for keyword in node.keywords)
    for argument in node.args:
        _see_computed(walk, None, argument, "value", node.lineno, dotted=True)
    return True


def _see_itemgetter(walk: Walk, node: ast.Call) -> bool:
    walk.query_members(None, ("__getitem__",), node.lineno)
    return False


def _see_members(walk: Walk, node: ast.Call) -> bool:
    for argument in node.args[:1]:
        _list_members(walk, walk.holding(owner_of(argument, walk.scope)), node.lineno)
    return False


def _list_members(walk: Walk, values: Values, line: int) -> None:
    if values is None:
        walk.lists_unknown = True
        walk.use(ListedUse(None, line))
    elif any(isinstance(v, WITH_MEMBERS) for v in values):
        walk.use(ListedUse(values, line))


def _see_getmodule(walk: Walk, node: ast.Call) -> bool:
    for argument in node.args[:1]:
        add_defining_module(walk, argument)
    return False


def _see_typevar(walk: Walk, node: ast.Call) -> bool:
    walk.visit(node.func)
    walk.visit_all(node.args[:1])
    walk.visit_all(node.args[1:], "annotation")
    walk.visit_all((keyword.value for keyword in node.keywords), "annotation")
    return True


def _see_cast(walk: Walk, node: ast.Call) -> bool:
    walk.visit(node.func)
    walk.visit_all(node.args[:1], "annotation")
    walk.visit_all(node.args[1:])
    return True


_SPECIAL: dict[str, Callable[[Walk, ast.Call], bool]] = {
    **dict.fromkeys(
        ("builtins.getattr", "builtins.setattr", "builtins.hasattr", "builtins.delattr",
         "builtins.object.__getattribute__", "builtins.object.__setattr__",
         "inspect.getattr_static"), _see_getattr),
    **dict.fromkeys(("builtins.isinstance", "builtins.issubclass"), _see_isinstance),
    **dict.fromkeys([f"builtins.{name}" for name in _OF_SCOPES], _see_scope_call),
    **dict.fromkeys(
        ("importlib.import_module", "builtins.__import__", "pytest.importorskip"), _see_import_call
    ),
    **dict.fromkeys(("logging.config.dictConfig", "logging.config.fileConfig",
                     "pkgutil.resolve_name", "pydoc.locate", "pydoc.resolve"), _see_named_by_text),
    **dict.fromkeys(MODULE_LISTS, _see_module_list),
    **dict.fromkeys(("operator.attrgetter", "operator.methodcaller"), _see_attrgetter),
    **dict.fromkeys(("inspect.getmembers", "inspect.getmembers_static"), _see_members),
    "inspect.getmodule": _see_getmodule,
    "operator.itemgetter": _see_itemgetter,
    **dict.fromkeys(FINDERS, visit_entry_points),
    **dict.fromkeys(("typing.TypeVar", "typing_extensions.TypeVar", "typing.NewType"),
                    _see_typevar),
    "typing.cast": _see_cast,
    "builtins.super": _see_super,
}  # fmt: skip
