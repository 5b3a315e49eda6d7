"""Annotations, and the fields of classes that they declare."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...slicer.analysis.scopes.definitions import ClassInfo, Scope, module_scope
from ...slicer.analysis.values.abstract_values import ClassValue, External, ordered
from ...slicer.errors import SourceError
from .fields import Field, declared_in
from .flow_graph import Node
from .flow_walk import Walk
from .named_tuples import NamedTupleInfo, fields_of_call, named_tuple

_SEQUENCES = frozenset(
    "list List Sequence Iterable Iterator Set set frozenset Collection MutableSequence FrozenSet "
    "deque Generator AsyncIterator AsyncGenerator AsyncIterable".split()
)
_MAPPINGS = frozenset("dict Dict Mapping MutableMapping OrderedDict defaultdict".split())
_THROUGH = frozenset("Optional Annotated Final ClassVar Required NotRequired Awaitable".split())
_SIMPLE = {
    "builtins.int": "int", "builtins.float": "number", "builtins.str": "str",
    "builtins.bool": "bool", "builtins.bytes": "bytes", "builtins.list": "list",
    "builtins.dict": "dict", "builtins.tuple": "tuple", "builtins.set": "set",
    "builtins.frozenset": "set", "typing.Set": "set", "collections.abc.Set": "set",
    "collections.deque": "deque",
    "typing.List": "list", "typing.Dict": "dict", "typing.Tuple": "tuple",
    "decimal.Decimal": "number", "datetime.datetime": "date", "datetime.date": "date",
    "uuid.UUID": "uuid", "pydantic.HttpUrl": "url", "pydantic.AnyUrl": "url",
    "pydantic.EmailStr": "email", "pathlib.Path": "path", "typing.Mapping": "dict",
    "typing.Sequence": "list", "typing.Iterable": "list", "collections.abc.Mapping": "dict",
    "collections.abc.Sequence": "list", "collections.abc.Iterable": "list",
    "typing.Callable": "callable", "collections.abc.Callable": "callable",
}  # fmt: skip
_UNSAID = re.compile(r"(^|\.|')_?(Unset|NotGiven|NotSet|Omit|Missing|Undefined|Sentinel)\w*'?$")
"""Types in a union that mark an omitted argument."""
_UNANNOTATED = frozenset("attr.ib attr.attrib attr.field attrs.field ib attrib".split())
"""Calls that declare a field for a name without an annotation."""
_MAX_DEPTH = 5
_PLAIN_BASES = ("enum.", "abc.", "typing.", "builtins.")


def fields_of(walk: Walk, cls: ClassInfo) -> tuple[Field, ...]:
    """Return the annotated names of a class and its bases, the first base's first.

    A base may be a call that makes a named tuple.
    """
    found: dict[str, Field] = {}
    try:
        order = list(reversed(walk.inference.mro(cls)))
    except SourceError:
        order = [cls]
    for owner in order:
        for base in owner.node.bases:
            made = fields_of_call(walk.inference, base, owner.enclosing)
            found.update((each.name, each) for each in made)
        for each in declared_in(unit.node for unit in owner.members):
            match each:
                case Field(annotation=ast.expr() as kind):
                    is_field = "ClassVar" not in ast.unparse(kind)
                case Field(value=ast.Call(func=func, keywords=keywords)):
                    kind = next((k.value for k in keywords if k.arg == "type"), None)
                    is_field = ast.unparse(func) in _UNANNOTATED
                case _:
                    continue
            if is_field:
                found[each.name] = Field(each.text_of("alias") or each.name, kind, each.value)
    return tuple(found.values())


def checked_field(walk: Walk, cls: ClassInfo, name: str) -> Node:
    """Return the node of a model's field as the class's validators see it."""
    return walk.graph.at(("checked", cls.node, name))


def bases_of(walk: Walk, cls: ClassInfo) -> tuple[str, ...]:
    """Return the dotted names of a class's bases from outside."""
    try:
        return tuple(sorted(walk.inference.external_bases(cls)))
    except SourceError:
        return ()


def is_enum(walk: Walk, cls: ClassInfo) -> bool:
    """Whether a call of the class looks up an enum member."""
    return any(base.startswith("enum.") for base in bases_of(walk, cls))


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of an annotation."""

    scope: Scope
    is_checked: bool
    """Whether plain data are converted into instances of its classes."""
    depth: int = 0
    """The depth inside other annotations."""


def annotate(
    walk: Walk, node: Node, annotation: ast.expr | None, scope: Scope, *, is_checked: bool = False
) -> None:
    """Add the facts that an annotation states about a node's values.

    Args:
        walk: the walk that builds the graph.
        node: the annotated node.
        annotation: the expression of the annotation.
        scope: the scope it is evaluated in.
        is_checked: whether plain data are converted into instances of its classes.
    """
    _annotate(walk, node, annotation, _Place(scope, is_checked))


def _annotate(walk: Walk, node: Node, annotation: ast.expr | None, place: _Place) -> None:
    if annotation is None or place.depth > _MAX_DEPTH:
        return
    inner = replace(place, depth=place.depth + 1)
    match annotation:
        case ast.Constant(value=str() as text):
            try:
                parsed = ast.parse(text, mode="eval").body
            except SyntaxError:
                return
            _annotate(walk, node, parsed, inner)
        case ast.Constant(value=None):
            walk.add_use(node, "optional", "none")
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            _union(walk, node, [left, right], inner)
        case ast.Subscript(value=base, slice=part):
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            parts = part.elts if isinstance(part, ast.Tuple) else [part]
            if not _generic(walk, node, name, parts, inner) and not _add_alias_facts(
                walk, node, base, inner
            ):
                _class(walk, node, base, place, only_ours=True)
        case ast.Name() | ast.Attribute():
            made = named_tuple(walk.inference, annotation, place.scope)
            if made is not None:
                _named_tuple(walk, node, made, inner)
            elif not _add_alias_facts(walk, node, annotation, inner):
                _class(walk, node, annotation, place)
        case _:
            return


def _named_tuple(walk: Walk, node: Node, made: NamedTupleInfo, place: _Place) -> None:
    """Add a named tuple made by a call, and the facts its fields' annotations state."""
    if place.is_checked:
        return
    walk.add_use(node, "class", made)
    within = replace(place, scope=module_scope(made.module))
    for field in made.fields:
        _annotate(walk, walk.graph.take(node, ("attr", field.name)), field.annotation, within)


def _add_alias_facts(walk: Walk, node: Node, name: ast.expr, place: _Place) -> bool:
    """Add the facts of an alias, type variable or new type; return whether it is one."""
    if not isinstance(name, (ast.Name, ast.Attribute)):
        return False
    try:
        found = walk.inference.alias_target(name, place.scope)
    except (SourceError, RecursionError):
        return False
    if found is not None:
        _annotate(walk, node, found[0], replace(place, scope=found[1]))
    return found is not None


def _generic(walk: Walk, node: Node, name: str, parts: list[ast.expr], place: _Place) -> bool:
    """Add the facts of a known generic type; return whether it is one."""
    graph = walk.graph
    if name in _SEQUENCES:
        is_set = name.lower().endswith("set")
        walk.add_use(node, "type", "set" if is_set else "deque" if name == "deque" else "list")
        _annotate(walk, graph.take(node, ("item",)), parts[0], place)
    elif name in _MAPPINGS and len(parts) == 2:
        walk.add_use(node, "type", "dict")
        _annotate(walk, graph.take(node, ("value",)), parts[1], place)
    elif name in ("tuple", "Tuple"):
        _is_of(walk, node, "tuple")
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
            _annotate(walk, graph.take(node, ("item",)), parts[0], place)
        else:
            walk.add_use(node, "unpack", len(parts))
            for index, part in enumerate(parts):
                _annotate(walk, graph.take(node, ("key", index)), part, place)
    elif name == "Coroutine" and len(parts) == 3:
        _annotate(walk, node, parts[2], place)
    elif name in _THROUGH:
        if name == "Optional":
            walk.add_use(node, "optional", "none")
        _annotate(walk, node, parts[0], place)
    elif name == "Union":
        _union(walk, node, parts, place)
    elif name == "Literal":
        values = [part.value for part in parts if isinstance(part, ast.Constant)]
        one_of(walk, node, values)
    elif name in ("type", "Type"):
        instance = graph.new()
        _annotate(walk, instance, parts[0], place)
        walk.add_use(node, "class object", instance)
    elif name == "Callable":
        walk.add_use(node, "type", "callable")
        if getattr(parts[-1], "value", ...) is not None:  # `None` supports no operations
            _annotate(walk, graph.take(node, ("call", 0, (), ())), parts[-1], place)
    else:
        return False
    return True


def one_of(walk: Walk, node: Node, values: Iterable[object]) -> None:
    """Constrain a value to one of these constants."""
    result = walk.graph.new()
    walk.add_use(result, "truth", True)
    for value in values:
        walk.add_use(node, "compare", ("==", walk.graph.constant(value)), result)


def members_of(cls: ClassInfo) -> list[object]:
    """Return the constants of an enumeration's members."""
    return [
        unit.node.value.value
        for unit in cls.members
        if isinstance(unit.node, ast.Assign) and isinstance(unit.node.value, ast.Constant)
    ]


def _union(walk: Walk, node: Node, parts: list[ast.expr], place: _Place) -> None:
    sure = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]
    if len(sure) < len(parts):
        walk.add_use(node, "optional", "none")
    specific = [p for p in sure if not _UNSAID.search(ast.unparse(p))]
    if sure:
        _annotate(walk, node, (specific or sure)[0], place)


def _class(
    walk: Walk, node: Node, annotation: ast.expr, place: _Place, *, only_ours: bool = False
) -> None:
    """Add the class that an expression names; of generic ones only the repository's own."""
    try:
        values = ordered(walk.inference.evaluate(annotation, place.scope))
    except (SourceError, RecursionError):
        return
    for value in values:
        match value:
            case External(name=name) if not only_ours:
                _outside(walk, node, name, is_checked=place.is_checked)
            case ClassValue(cls=cls):
                _ours(walk, node, cls, place)
            case _:
                continue


def _outside(walk: Walk, node: Node, name: str, *, is_checked: bool) -> None:
    kind = _SIMPLE.get(name)
    if kind is not None and (is_checked or kind not in ("date", "uuid", "path")):
        _is_of(walk, node, kind)
    elif not is_checked and (not name.startswith(_PLAIN_BASES) or _is_error(name)):
        walk.add_use(node, "type", f"instance {name}")
        root = walk.graph.root(name)
        walk.graph.flow(walk.graph.take(root, ("call", 0, (), ())), node)


def _is_of(walk: Walk, node: Node, kind: str) -> None:
    """Add the fact of a type; a tuple counts as a list, too."""
    if kind == "tuple":
        walk.add_use(node, "type", "list")
    walk.add_use(node, "type", kind)


def _is_error(name: str) -> bool:
    cls = getattr(builtins, name.removeprefix("builtins."), None)
    return isinstance(cls, type) and issubclass(cls, BaseException)


def _ours(walk: Walk, node: Node, cls: ClassInfo, place: _Place) -> None:
    if is_enum(walk, cls):
        if place.is_checked:
            one_of(walk, node, members_of(cls))
        else:
            walk.add_use(node, "class", cls)
        return
    is_mapping = any(base.endswith("TypedDict") for base in bases_of(walk, cls))
    if not is_mapping and not place.is_checked:
        walk.add_use(node, "class", cls)
        return
    walk.add_use(node, "type", "dict")
    for field in fields_of(walk, cls):
        inner = walk.graph.take(node, ("key", field.name))
        if field.value is not None:
            walk.add_use(inner, "optional")
        within = _Place(cls.scope, place.is_checked, place.depth + 1)
        _annotate(walk, inner, field.annotation, within)
