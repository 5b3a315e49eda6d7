"""State in modules and classes that a target reads, as statements that change it.

State is what some function of the module changes, and what is computed from the machine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest

from ....mocker.shapes import infer
from ....mocker.shapes.shape import Anything
from ....mocker.source.kept_code import Function, KeptCode, KeptStatement
from ....slicer.analysis.names.name_resolution import Bound, ImportedName
from ....slicer.analysis.scopes.definitions import ClassInfo, module_class, module_scope
from ....slicer.analysis.values.abstract_values import ModuleValue, ordered
from ....slicer.emission.choose_layout import layout_of
from ....slicer.errors import SourceError
from ....slicer.repo.repository import Module
from ....slicer.syntax.scopes import bound_inside, global_writers
from ...script.carried_names import carried_name
from ...script.own_caches import own_caches
from ..argument_builder import ArgumentBuilder, is_literal
from ..classes.attribute_writes import written_place
from ..receivers.receiver_pool import attribute_values

_MOST = 16
_MOST_OF_ONE = 4
_FARTHEST = 4
_MACHINE = frozenset({"sys.platform", "os.name", "os.environ", "os.getenv", "platform.system"})


def state(builder: ArgumentBuilder, code: KeptCode) -> tuple[str, ...]:
    """Return the statements, the likeliest of each name or attribute first.

    Args:
        builder: builds the values.
        code: the kept code.
    """
    found: dict[str, tuple[str, ...]] = {}
    functions = [kept for kept in code.statements if isinstance(kept.node, Function)]
    for kept in sorted(functions, key=lambda kept: not kept.is_target):
        found_there = (
            *_names(builder, code, kept),
            *_of_modules(builder, code, kept),
            *_attributes(builder, code, kept),
        )
        for place, texts in found_there:
            if place not in found:
                found[place] = tuple(f"{place} = {text}" for text in dict.fromkeys(texts))
    turns = zip_longest(*(texts[:_MOST_OF_ONE] for texts in found.values()))
    return tuple(text for turn in turns for text in turn if text is not None)[:_MOST]


# ------------------------------------------------------------------------------- modules


def _names(
    builder: ArgumentBuilder, code: KeptCode, kept: KeptStatement
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield module-level names that a function reads, with values."""
    read = {n.id for n in code.walk(kept.node) if isinstance(n, ast.Name) and _is_read(n)}
    if kept.is_target:
        read -= {*own_caches(builder.repository, builder.sliced.manifest.targets[0])}
    for name in sorted(read - bound_inside(kept.node)):
        home = home_of(builder, builder.repository.module_at(kept.path), name)
        if home is None:
            continue
        module, own = home
        values = _assigned(module.source.tree).get(own, ())
        is_touched = _is_tested(kept.node, name) and _is_touched(code, module.path, own)
        if is_touched and values and is_literal(values[0]):
            values = (values[0], *values)  # the value differs once everything is loaded
        is_changed = is_touched or own in _changed(module.source.tree) or _is_either(values)
        if values and (is_changed or any(_is_of_machine(code, v, module.path) for v in values)):
            yield expression_of(builder, module, own), _values(builder, module, own, values)


def _of_modules(
    builder: ArgumentBuilder, code: KeptCode, kept: KeptStatement
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield flags that a function reads as attributes of a module: users of the module set them."""
    scope = module_scope(builder.repository.module_at(kept.path))
    for node in code.walk(kept.node):
        match node:
            case ast.Attribute(value=ast.Name() as holder, attr=attribute, ctx=ast.Load()):
                values = ordered(builder.walk.inference.evaluate(holder, scope))
            case _:
                continue
        for value in values:
            match value:
                case ModuleValue(module=Module() as module):
                    given = _assigned(module.source.tree).get(attribute, ())
                    flags = [repr(not each) for each in map(_flag, given) if each is not None]
                    if flags:
                        yield expression_of(builder, module, attribute), iter(flags)
                case _:
                    pass


def _flag(node: ast.expr) -> bool | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def _is_either(values: Sequence[ast.expr]) -> bool:
    """Whether a flag is set both ways, such as by whether an import worked."""
    return {True, False} <= {_flag(value) for value in values}


def _is_tested(function: ast.AST, name: str) -> bool:
    """Whether a test reads one entry of a table, so that its outcome depends on the contents."""
    tests = (n.test for n in ast.walk(function) if isinstance(n, ast.If | ast.IfExp | ast.While))
    return any(
        isinstance(n, ast.Subscript)
        and isinstance(n.slice, ast.Constant)
        and isinstance(n.value, ast.Name)
        and n.value.id == name
        for test in tests
        for n in ast.walk(test)
    )


def _is_touched(code: KeptCode, path: str, name: str) -> bool:
    """Whether a statement of the slice may change a name's value while its module loads."""
    others = (Function, ast.ClassDef, ast.Import, ast.ImportFrom)
    return any(
        kept.path == path
        and not isinstance(kept.node, others)
        and any(
            isinstance(n, ast.Name) and n.id == name and _is_read(n) for n in ast.walk(kept.node)
        )
        for kept in code.statements
    )


def _is_read(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def home_of(builder: ArgumentBuilder, module: Module, name: str) -> tuple[Module, str] | None:
    """Return the module that binds a name, through imports, with its name there."""
    for _ in range(_FARTHEST):
        try:
            found = builder.walk.inference.names.lookup(module, name)
        except SourceError:
            return None
        if not isinstance(found, Bound):
            return None
        imports = [n for u in found.units for n in u.nodes if isinstance(n, ast.ImportFrom)]
        if not imports:
            return found.module, name
        alias = next((a for a in imports[0].names if (a.asname or a.name) == name), None)
        source = alias and builder.walk.inference.names.imported(found.module, imports[0], alias)
        if not isinstance(source, ImportedName):
            return None
        module, name = source.module, source.name
    return None


def expression_of(builder: ArgumentBuilder, module: Module, name: str) -> str:
    """Return the script's expression for a name of a module."""
    manifest = builder.sliced.manifest
    if layout_of(manifest).is_merged or module.path == manifest.targets[0].path:
        return name
    carried = carried_name(builder.repository, builder.sliced, module.path)
    return f'__import__("importlib").import_module({carried!r}).{name}'


def _values(
    builder: ArgumentBuilder, module: Module, name: str, assigned: tuple[ast.expr, ...]
) -> Iterator[str]:
    """Yield the values that the module assigns to a name, then those that fit its uses."""
    first, *others = assigned
    yield from _written(builder, module, others)
    if isinstance(first, ast.Constant) and isinstance(first.value, bool):
        yield repr(not first.value)
    elif isinstance(first, (ast.Compare, ast.BoolOp, ast.UnaryOp)) or _tells(first):
        yield from ("True", "False")
        return
    variable = builder.walk.graph.named.get(("global", module.path, name))
    uses = builder.follower.uses((variable,)) if variable is not None else None
    if uses:
        shape = infer(uses, "any", name)
        if not isinstance(shape, Anything):
            yield from builder.texts(builder.replaced(shape, uses, name))


def _written(builder: ArgumentBuilder, module: Module, values: Iterable[ast.expr]) -> Iterator[str]:
    """Yield values written in the code: literals, and instances of classes of the slice."""
    for value in values:
        match value:
            case ast.Call(func=ast.Name(id=name)):
                cls = _class(builder, module, name)
                if cls is not None and builder.keeps_class(cls):
                    yield builder.instance(cls, 1)
            case _ if is_literal(value):
                yield ast.unparse(value)
            case _:
                pass


def _tells(node: ast.expr) -> bool:
    """Whether an expression is a call with a boolean result."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith")):
            return True
        case ast.Call(func=ast.Name(id="bool" | "any" | "all")):
            return True
        case _:
            return False


def _is_of_machine(code: KeptCode, value: ast.expr, path: str) -> bool:
    return any(
        code.dotted(node, path) in _MACHINE
        for node in ast.walk(value)
        if isinstance(node, ast.Attribute)
    )


@lru_cache(maxsize=64)
def _assigned(tree: ast.Module) -> dict[str, tuple[ast.expr, ...]]:
    """Map module-level names to the values assigned to them, at the top first, then in functions.

    Attributes that functions set appear as `name.attribute`.
    """
    found: dict[str, tuple[ast.expr, ...]] = {}
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                found[name] = (*found.get(name, ()), value)
            case ast.Try() | ast.If():
                for name, value in _flags_of(node):
                    found[name] = (*found.get(name, ()), value)
            case _:
                pass
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name()) as target], value=value):
                place = ast.unparse(target)
                found[place] = (*found.get(place, ()), value)
            case _:
                pass
    for name, functions in global_writers(tree).items():
        for node in (node for function in functions for node in ast.walk(function)):
            match node:
                case ast.Assign(targets=[ast.Name(id=set_here)], value=value) if (
                    set_here == name and name in found
                ):
                    found[name] = (*found[name], value)
                case _:
                    pass
    return found


def _flags_of(statement: ast.Try | ast.If) -> Iterator[tuple[str, ast.expr]]:
    """Yield flags that a statement sets in its branches."""
    branches = [statement.body, statement.orelse]
    branches += [each.body for each in statement.handlers] if isinstance(statement, ast.Try) else []
    for node in chain(*branches):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _flag(value) is not None:
                yield name, value
            case _:
                pass


@lru_cache(maxsize=64)
def _changed(tree: ast.Module) -> frozenset[str]:
    """Return what functions of a module change: names, and attributes as `name.attribute`."""
    found = {*global_writers(tree)}
    for function in ast.walk(tree):
        if isinstance(function, Function):
            places = set(map(written_place, ast.walk(function))) - {""}
            own = bound_inside(function) - {"cls"}
            found |= {each for each in places if each.partition(".")[0] not in own}
    return frozenset(found)


# ------------------------------------------------------------------------------- classes


def _attributes(
    builder: ArgumentBuilder, code: KeptCode, kept: KeptStatement
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield class attributes that a function reads, with values."""
    first = kept.node.args.args[:1] if isinstance(kept.node, Function) else []
    is_of_class = any(
        ast.unparse(each) == "classmethod" for each in getattr(kept.node, "decorator_list", ())
    )
    own = first[0].arg if first and is_of_class else ""
    for node in code.walk(kept.node):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Load()):
                module = builder.repository.module_at(kept.path)
                owner = _class(builder, module, kept.owner if name == own else name)
            case _:
                continue
        if owner is None or not builder.keeps_class(owner) or attribute not in owner.table:
            continue
        if any(isinstance(u.node, Function | ast.ClassDef) for u in owner.table[attribute]):
            continue
        tree = owner.module.source.tree
        places = [f"{holder}.{attribute}" for holder in (owner.node.name, "cls")]
        if not _changed(tree).isdisjoint(places):
            set_to = [value for place in places for value in _assigned(tree).get(place, ())]
            texts = _written(builder, owner.module, set_to)
            inferred = attribute_values(builder, owner, attribute)
            yield f"{builder.class_name(owner)}.{attribute}", chain(texts, inferred)


def _class(builder: ArgumentBuilder, module: Module, name: str) -> ClassInfo | None:
    """Return the module-level class that a name means in a module."""
    home = home_of(builder, module, name) if name else None
    if home is None:
        return None
    module, name = home
    for unit in module.bindings.get(name, ()):
        if isinstance(unit.node, ast.ClassDef):
            return module_class(module, unit, unit.node)
    return None
