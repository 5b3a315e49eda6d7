"""Slicing: from a target to a slice, as a list of steps."""

from __future__ import annotations

import ast
import gc
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .closure import Analysis, Closure, Reason
from .data import load_resource_packages
from .definitions import ClassInfo, FunctionInfo, module_class, module_scope
from .emission.build import Emission, emit
from .errors import OptionError, TargetError
from .known import CONTAINERS
from .loaded import LoadedModules
from .manifest import build_manifest
from .model import Emit, Slice, Target
from .repository import Module, Repository, walk_definitions
from .shared import keep_shared_packages
from .sliced_scripts import keep_script
from .state import any_state_read, reads_state, sets_import_path, state_set_by
from .units import Unit
from .values import ClassValue, ExternalInstance, Instance, TupleOf, Value, Values, ordered


@dataclass(frozen=True, slots=True)
class Goal:
    """A target found in its module."""

    target: Target
    module: Module
    units: tuple[Unit, ...]
    """Top-level statements that define its outermost name."""
    outer: str
    """The outermost name: what the script binds."""
    member: tuple[str, ...]
    """Names inside the outermost class."""
    warning: str | None = None


def slice_function(
    repository: Repository,
    target: str | Target | Sequence[str | Target],
    *,
    emit: Emit = "script",
    keep: Sequence[str] = (),
    instances: Sequence[str] = (),
    constructors: bool = True,
) -> Slice:
    """The slice of one or several targets.

    Args:
        repository: where they are; its caches serve later calls.
        target: `path::qualname`, a `Target`, or several that share one closure.
        emit: the layout; `script` is `flat` where that is safe, else `modules`.
        keep: further definitions to hold, as `path::qualname`; a class can be constructed.
        instances: classes of which instances made elsewhere are handed in: kept with what the
            slice asks of them, without their constructors.
        constructors: whether the classes of the target and of its parameters can be constructed
            in the slice; without, their instances are made elsewhere as well.

    Raises:
        TargetError: a target does not exist or is ambiguous.
        SourceError: a file that the closure needs does not parse.
        OptionError: two targets would bind the same name.
        NotSupportedError: `emit="flat"` where merging is not provably safe.
    """
    with _no_collection():
        return _slice(repository, target, emit, keep, instances, constructors=constructors)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Syntax trees are many and hold no circles: a search for garbage costs time for nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _slice(
    repository: Repository, target: str | Target | Sequence[str | Target], emit: Emit,
    keep: Sequence[str], instances: Sequence[str], *, constructors: bool,
) -> Slice:  # fmt: skip
    started = time.perf_counter()
    given = [target] if isinstance(target, (str, Target)) else list(target)
    goals = [find_goal(repository, item) for item in given]
    kept_too = [find_goal(repository, item, is_target=False) for item in keep]
    _check_names(goals, emit)
    arriving = [find_goal(repository, item, is_target=False) for item in instances]
    closure = close(
        repository, goals, kept_too, arriving,
        constructors=constructors, as_package=emit == "package",
    )  # fmt: skip
    emission = _emit(closure, goals, emit)
    manifest = build_manifest(closure, goals, emission, time.perf_counter() - started)
    return Slice(emission.source, emission.files, manifest)


def _emit(closure: Closure, goals: list[Goal], layout: Emit) -> Emission:
    modules = list(dict.fromkeys(goal.module for goal in goals))
    bound = {module.name: [g.outer for g in goals if g.module is module] for module in modules}
    return emit(closure, modules, bound, layout)


def analysis_of(repository: Repository) -> Analysis:
    """The repository's analysis, made once."""
    known = repository.__dict__.get("_analysis")
    if known is None:
        known = repository.__dict__["_analysis"] = Analysis(repository)
    return known


# ------------------------------------------------------------------------ targets


def find_goal(repository: Repository, target: str | Target, *, is_target: bool = True) -> Goal:
    """Find a target, or something to keep besides: that may be a name that is only imported.

    Raises:
        TargetError: with the nearest names.
    """
    if isinstance(target, str):
        path, separator, qualname = target.rpartition("::")
        if not separator or not path or not qualname:
            raise TargetError(
                f"{target!r}: a target is written PATH::QUALNAME, as pkg/mod.py::Class.method"
            )
        target = Target(path, qualname)
    path = repository.normal_path(target.path)
    if not path.endswith((".py", ".pyw")):
        raise TargetError(f"{path}: not a Python source file (.py)")
    module = repository.module_at(path)
    parts = target.qualname.replace(".<locals>", "").split(".")
    units = tuple(u for u in module.bindings.get(parts[0], ()))
    found = Target(path, target.qualname)
    if not units:
        raise TargetError(_no_such(module, target))
    if (_is_slice(module) or not is_target) and all(u.kind == "import" for u in units):
        return Goal(found, module, units, parts[0], ())
    definitions = [n for u in units for n in _definitions(u, parts[0])]
    if not definitions:
        if len(parts) == 1 and any(u.kind == "variable" or _is_slice(module) for u in units):
            return Goal(found, module, units, parts[0], ())
        raise TargetError(f"{path}:{units[0].first}: {parts[0]} is not a function or class")
    member, warning = _descend(definitions, parts, module, target)
    return Goal(found, module, units, parts[0], member, warning)


def _is_slice(module: Module) -> bool:
    """Whether the file is itself an emitted script, with modules that it carries."""
    return any(unit.kind == "prelude" for unit in module.units)


def _definitions(
    unit: Unit, name: str
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for qualname, node in walk_definitions(unit.nodes):
        if qualname == name:
            yield node


def _descend(
    nodes: Sequence[ast.AST], parts: list[str], module: Module, target: Target
) -> tuple[tuple[str, ...], str | None]:
    """Follow a dotted name; a function inside a function means the outer one."""
    member: list[str] = []
    for depth, name in enumerate(parts[1:], 1):
        functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if functions:
            inner = [n for f in functions for n in ast.walk(f) if getattr(n, "name", None) == name]
            if not inner:
                raise TargetError(_no_such(module, target))
            outer = ".".join(parts[:depth])
            line = getattr(inner[0], "lineno", 0)
            return tuple(member), (
                f"{target.path}:{line}: {name} is defined inside {outer}; "
                f"sliced {outer}, which holds it"
            )
        found = [
            n
            for c in nodes
            if isinstance(c, ast.ClassDef)
            for q, n in walk_definitions(c.body)
            if q == name
        ]
        if not found:
            bound = [
                u for c in nodes if isinstance(c, ast.ClassDef) for u in c.body if name in _bound(u)
            ]
            if not bound or depth + 1 < len(parts):
                raise TargetError(_no_such(module, target))
            found = bound
        member.append(name)
        nodes = found
    return tuple(member), None


def _bound(node: ast.stmt) -> tuple[str, ...]:
    from .units import bound_names

    return tuple(bound_names(node))


def _no_such(module: Module, target: Target) -> str:
    import difflib

    names = [name for name, _ in walk_definitions(module.source.tree.body)]
    close = difflib.get_close_matches(target.qualname, names, n=3, cutoff=0.5)
    last = target.qualname.rpartition(".")[2]
    same = [n for n in names if n.rpartition(".")[2] == last]
    best = list(dict.fromkeys([*same, *close]))[:3]
    hint = f"; did you mean {', '.join(best)}?" if best else ""
    guarded = ""
    if (
        re.search(
            rf"^[ \t]+(?:async\s+)?(?:def|class)\s+{re.escape(last)}\b", module.source.text, re.M
        )
        and not best
    ):
        guarded = (
            ' at import time (a definition below `if __name__ == "__main__"` '
            "or inside a function is not one)"
        )
    return f"{target.path}: no function or class {target.qualname}{guarded}{hint}"


def _check_names(goals: list[Goal], emit: Emit) -> None:
    if emit == "package":
        return
    seen: dict[str, Goal] = {}
    for goal in goals:
        other = seen.setdefault(goal.outer, goal)
        if other.module is not goal.module:
            raise OptionError(
                f"{other.target} and {goal.target} would both be bound as {goal.outer}; "
                "use --emit package"
            )


# ------------------------------------------------------------------------ closure


def close(
    repository: Repository, goals: Sequence[Goal], keep: Sequence[Goal],
    arriving: Sequence[Goal] = (), *, constructors: bool = True, as_package: bool = False,
) -> Closure:  # fmt: skip
    """The closure of the goals, of definitions kept too, and of classes handed in."""
    analysis = analysis_of(repository)
    closure = Closure(analysis)
    closure.constructs_parameters = constructors
    closure.as_package = as_package
    closure.bound = tuple((goal.module, goal.outer) for goal in goals)
    for goal in goals:
        _seed(closure, goal, is_target=True)
    for goal in keep:
        _seed(closure, goal, is_target=False)
    for goal in arriving:
        _receive(closure, goal)
    loaded = closure.loaded = LoadedModules(analysis.names, [goal.module for goal in goals])
    while True:
        closure.run()
        load_resource_packages(closure)
        if not (
            _keep_effects(closure, loaded)
            or closure.keep_registered()
            or closure.keep_annotations()
            or keep_shared_packages(closure)
        ):
            return closure


def _seed(closure: Closure, goal: Goal, *, is_target: bool) -> None:
    text = "the target" if is_target else "asked for with --with"
    module = goal.module
    kept = closure.need_module(module)
    kept.must_load = True
    keep_script(closure, module)
    for unit in goal.units:
        why = Reason(text, "", module.path, unit.first)
        for node in unit.nodes:
            if isinstance(node, ast.ClassDef) and node.name == goal.outer and unit.kind == "class":
                _seed_class(closure, module_class(module, unit, node), goal, why, whole=is_target)
                break
        else:
            closure.keep_binding(module, unit, goal.outer, "value", why)
            for node in unit.nodes if is_target else ():
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    _seed_parameters(closure, module, unit, node, None)


def _receive(closure: Closure, goal: Goal) -> None:
    for unit in goal.units:
        why = Reason("handed in", "", goal.module.path, unit.first)
        for value in ordered(closure.inference.global_values(goal.module, goal.outer)):
            if isinstance(value, ClassValue):
                closure.keep_binding(goal.module, unit, goal.outer, "base", why)
                closure.receive(value.cls, why)
                for name in goal.member[:1]:
                    closure.keep_members(value.cls, name, why)
                break
        else:
            closure.keep_binding(goal.module, unit, goal.outer, "value", why)


def _seed_class(closure: Closure, cls: ClassInfo, goal: Goal, why: Reason, *, whole: bool) -> None:
    closure.live_object(cls.module, cls.qualname, why)
    closure.keep_class(cls, why)
    if not goal.member:
        closure.instantiate(cls, why)
        for member in cls.members if whole else ():
            closure.keep_member_unit(cls, member, why)
        return
    name = goal.member[0]
    for member in cls.table.get(name, ()):
        closure.keep_member_unit(cls, member, why)
        for node in member.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not any(getattr(d, "id", "") == "staticmethod" for d in node.decorator_list):
                    closure.take(cls, why)
                    _expose_target(closure, cls, why)
                _seed_parameters(closure, cls.module, cls.unit, node, cls)
            else:
                closure.take(cls, why)
                _expose_target(closure, cls, why)


def _expose_target(closure: Closure, cls: ClassInfo, why: Reason) -> None:
    """The caller makes the instance that the target is called on, and keeps it."""
    if closure.constructs_parameters:
        closure.expose(cls, why)


def _seed_parameters(
    closure: Closure, module: Module, unit: Unit,
    node: ast.FunctionDef | ast.AsyncFunctionDef, cls: ClassInfo | None,
) -> None:  # fmt: skip
    """Classes named in the target's signature may be handed in.

    And the caller gets hold of what the target returns. Classes that the body only tests for are
    suggested, not kept with what their instances can do.
    """
    scope = cls.scope if cls else module_scope(module)
    why = Reason("the target may return it", "", module.path, unit.first)
    returned = closure.inference.returned(FunctionInfo(module, node, scope, cls))
    if closure.constructs_parameters:
        if _is_open(returned):
            closure.expose_all(why)
        for value in _held(returned):
            if isinstance(value, Instance):
                closure.expose(value.cls, why)
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    for expression in [arg.annotation for arg in every if arg is not None and arg.annotation]:
        why = Reason("named in the target's signature", "", module.path, expression.lineno)
        for part in _class_names(expression):
            for value in ordered(closure.inference.evaluate(part, scope)):
                if isinstance(value, ClassValue):
                    closure.take(value.cls, why)


def _is_open(values: Values) -> bool:
    """Whether an instance of any class of ours may be among the values, or inside them."""
    if values is None:
        return True
    for value in values:
        match value:
            case TupleOf(parts=parts):
                if any(map(_is_open, parts)):
                    return True
            case ExternalInstance(name=name, items=None) if name in CONTAINERS:
                return True
            case ExternalInstance(items=items) if items is not None and _is_open(items):
                return True
            case _:
                continue
    return False


def _held(values: Values) -> Iterator[Value]:
    """The values, and those inside containers among them."""
    for value in ordered(values):
        yield value
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from _held(part)
        elif isinstance(value, ExternalInstance):
            yield from _held(value.items)


def _class_names(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(value=str(text)):
            try:
                yield from _class_names(ast.parse(text.strip(), mode="eval").body)
            except (SyntaxError, ValueError):
                return
        case ast.Name() | ast.Attribute():
            yield node
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from _class_names(child)


# ------------------------------------------------------------------------ effects


def _keep_effects(closure: Closure, loaded: LoadedModules) -> bool:
    """Keep statements that change a kept object or set a state that is read; whether any was."""
    before = _size(closure)
    for name in sorted(closure.modules):
        _scan(closure, closure.modules[name].module, loaded)
    changers = _changers(closure, loaded)
    for module in loaded.mentioning(closure.live_objects, changers, closure.modules):
        _scan(closure, module, loaded)
    _load_unimported(closure, loaded)
    if any_state_read(closure.mentioned):
        for module in loaded.setting_state(closure.modules):
            _scan(closure, module, loaded)
    return _size(closure) != before


def _load_unimported(closure: Closure, loaded: LoadedModules) -> None:
    """Modules reached as attributes only (`import pkg; pkg.sub.f`): keep what imports them."""
    imported = {name for _, name in closure.load_edges}
    targets = {module.name for module, _ in closure.bound}
    for name, kept in list(closure.modules.items()):
        if kept.must_load and name not in imported and name not in targets:
            for importer, unit, bound in loaded.chain(name):
                why = Reason(f"loads {name}", "", importer.path, unit.first)
                closure.keep_binding(importer, unit, bound, "base", why)


def _changers(closure: Closure, loaded: LoadedModules) -> frozenset[str]:
    """Names of functions and classes that change a live object when called or subclassed."""
    live: dict[Module, set[str]] = {}
    for module, name in closure.live_objects:
        live.setdefault(module, set()).add(name)
    called = loaded.called(closure.modules)
    effects = closure.analysis.effects
    found = (effects.changers(module, frozenset(names), called) for module, names in live.items())
    return frozenset().union(*found)


def _size(closure: Closure) -> int:
    return sum(len(k.units) + sum(map(len, k.members.values())) for k in closure.modules.values())


def _scan(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    analysis = closure.analysis
    live = closure.live_objects
    bound = {goal_name for owner, goal_name in closure.bound if owner is module}
    for unit in module.units:
        if unit.kind in ("import", "main", "typing", "prelude") or _is_kept(closure, module, unit):
            continue
        label = f"{module.path}::<line {unit.first}>"
        if _deletes_target(unit, bound):
            continue
        for cls in _subclass_asked_for(closure, module, unit):
            why = closure.watched[cls]
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
        hit = next((o for o in analysis.effects.touched(module, unit) if o in live), None)
        if hit is not None and not _sets_unasked(closure, module, unit):
            text = f"changes {hit[1]} when {module.name} is imported"
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, Reason(text, label, module.path, unit.first))
            continue
        if closure.as_package and sets_import_path(module, unit, analysis.inference):
            why = Reason("adds an import root", label, module.path, unit.first)
            closure.keep_whole(module, unit, why)
        for readers in state_set_by(module, unit, analysis.inference):
            if reads_state(closure.mentioned, readers):
                why = Reason(
                    "sets process state that the slice reads", label, module.path, unit.first
                )
                _load(closure, module, loaded)
                closure.keep_whole(module, unit, why)


def _sets_unasked(closure: Closure, module: Module, unit: Unit) -> bool:
    """Whether the statement only sets an attribute of a class that nothing asks for."""
    match unit.nodes:
        case (ast.Assign(targets=[ast.Attribute(value=ast.Name() as owner, attr=attr)]),):
            values = closure.inference.evaluate(owner, module_scope(module))
        case _:
            return False
    classes = [value.cls for value in ordered(values) if isinstance(value, ClassValue)]
    return bool(classes) and not any(closure.is_asked(cls, attr) for cls in classes)


def _subclass_asked_for(closure: Closure, module: Module, unit: Unit) -> Iterator[ClassInfo]:
    """The watched classes that the statement defines a subclass of."""
    node = unit.node
    if closure.watched and unit.kind == "class" and isinstance(node, ast.ClassDef):
        mro = closure.inference.mro(module_class(module, unit, node))
        yield from (cls for cls in closure.watched if cls in mro[1:])


def _deletes_target(unit: Unit, bound: set[str]) -> bool:
    """Whether the statement takes away the very name that the slice is asked for."""
    return any(
        isinstance(target, ast.Name) and target.id in bound
        for node in unit.nodes
        if isinstance(node, ast.Delete)
        for target in node.targets
    )


def _load(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    """Keep the imports through which the target's module loads this one."""
    if module.name in closure.modules:
        return
    for importer, unit, bound in loaded.chain(module.name):
        why = Reason(f"loads {module.name}", "", importer.path, unit.first)
        closure.keep_binding(importer, unit, bound, "base", why)


def _is_kept(closure: Closure, module: Module, unit: Unit) -> bool:
    kept = closure.modules.get(module.name)
    return kept is not None and unit.index in kept.units


def _keep_statement(closure: Closure, module: Module, unit: Unit, why: Reason) -> None:
    closure.need_module(module).must_load = True
    if unit.kind in ("function", "class"):
        closure.keep_binding(module, unit, unit.binds[0], "value", why)
    else:
        closure.keep_whole(module, unit, why)
