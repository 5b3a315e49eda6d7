"""Annotations, and the fields of classes that are made of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...slicer.definitions import ClassInfo, Scope
from ...slicer.errors import SourceError
from ...slicer.values import ClassValue, External, ordered
from .graph import Node
from .walk import Walk

_SEQUENCES = frozenset(
    "list List Sequence Iterable Iterator Set set frozenset Collection MutableSequence FrozenSet "
    "deque Generator AsyncIterator AsyncGenerator AsyncIterable".split()
)
_MAPPINGS = frozenset("dict Dict Mapping MutableMapping OrderedDict defaultdict".split())
_THROUGH = frozenset("Optional Annotated Final ClassVar Required NotRequired Awaitable".split())
_SIMPLE = {
    "builtins.int": "int", "builtins.float": "number", "builtins.str": "str",
    "builtins.bool": "bool", "builtins.bytes": "bytes", "builtins.list": "list",
    "builtins.dict": "dict", "builtins.tuple": "list", "builtins.set": "list",
    "typing.List": "list", "typing.Dict": "dict", "typing.Tuple": "list",
    "decimal.Decimal": "number", "datetime.datetime": "date", "datetime.date": "date",
    "uuid.UUID": "uuid", "pydantic.HttpUrl": "url", "pydantic.AnyUrl": "url",
    "pydantic.EmailStr": "email", "pathlib.Path": "path", "typing.Mapping": "dict",
    "typing.Sequence": "list", "typing.Iterable": "list", "collections.abc.Mapping": "dict",
    "collections.abc.Sequence": "list", "collections.abc.Iterable": "list",
    "typing.Callable": "callable", "collections.abc.Callable": "callable",
}  # fmt: skip
_PLAIN_BASES = ("enum.", "abc.", "typing.", "builtins.")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass, of a pydantic model, of a typed dictionary or named tuple."""

    name: str
    annotation: ast.expr
    default: ast.expr | None


def fields_of(walk: Walk, cls: ClassInfo) -> tuple[Field, ...]:
    """The annotated names of a class and its bases, the first base's first."""
    found: dict[str, Field] = {}
    try:
        order = list(reversed(walk.inference.mro(cls)))
    except SourceError:
        order = [cls]
    for owner in order:
        for unit in owner.members:
            match unit.node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=default):
                    if "ClassVar" not in ast.unparse(kind):
                        key = _alias(default) or name
                        found[name] = Field(key, kind, default)
                case _:
                    continue
    return tuple(found.values())


def checked_field(walk: Walk, cls: ClassInfo, name: str) -> Node:
    """What a field of a model is made of, as the validators of the class see it."""
    return walk.graph.at(("checked", cls.node, name))


def _alias(default: ast.expr | None) -> str | None:
    match default:
        case ast.Call(keywords=keywords):
            for keyword in keywords:
                match keyword:
                    case ast.keyword(arg="alias", value=ast.Constant(value=str() as alias)):
                        return alias
                    case _:
                        continue
        case _:
            pass
    return None


def bases_of(walk: Walk, cls: ClassInfo) -> tuple[str, ...]:
    """Dotted names of its bases from outside."""
    try:
        return tuple(sorted(walk.inference.external_bases(cls)))
    except SourceError:
        return ()


def is_enum(walk: Walk, cls: ClassInfo) -> bool:
    """Whether calling the class looks up a member."""
    return any(base.startswith("enum.") for base in bases_of(walk, cls))


def annotate(
    walk: Walk, node: Node, annotation: ast.expr | None, scope: Scope, *, is_checked: bool = False,
    depth: int = 0,
) -> None:  # fmt: skip
    """Note on a node what an annotation says of its values.

    Args:
        walk: the walk.
        node: what is annotated.
        annotation: the expression.
        scope: where it stands.
        is_checked: whether plain data are made into instances of its classes.
        depth: how far inside other annotations.
    """
    if annotation is None or depth > 5:
        return
    inner = {"is_checked": is_checked, "depth": depth + 1}
    match annotation:
        case ast.Constant(value=str() as text):
            try:
                parsed = ast.parse(text, mode="eval").body
            except SyntaxError:
                return
            annotate(walk, node, parsed, scope, **inner)
        case ast.Constant(value=None):
            walk.note(node, "optional", "none")
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            _union(walk, node, [left, right], scope, **inner)
        case ast.Subscript(value=base, slice=part):
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            parts = part.elts if isinstance(part, ast.Tuple) else [part]
            _generic(walk, node, name, parts, scope, inner)
        case ast.Name() | ast.Attribute():
            _class(walk, node, annotation, scope, is_checked=is_checked, depth=depth)
        case _:
            return


def _generic(
    walk: Walk, node: Node, name: str, parts: list[ast.expr], scope: Scope, inner: dict[str, int]
) -> None:
    given: dict[str, bool | int] = {
        "is_checked": bool(inner["is_checked"]),
        "depth": inner["depth"],
    }
    graph = walk.graph
    if name in _SEQUENCES:
        walk.note(node, "type", "list")
        _inside(walk, graph.take(node, ("item",)), parts[0], scope, given)
    elif name in _MAPPINGS and len(parts) == 2:
        walk.note(node, "type", "dict")
        _inside(walk, graph.take(node, ("value",)), parts[1], scope, given)
    elif name in ("tuple", "Tuple"):
        walk.note(node, "type", "list")
        if len(parts) == 2 and isinstance(parts[1], ast.Constant):
            _inside(walk, graph.take(node, ("item",)), parts[0], scope, given)
        else:
            for index, part in enumerate(parts):
                _inside(walk, graph.take(node, ("key", index)), part, scope, given)
    elif name in _THROUGH:
        if name == "Optional":
            walk.note(node, "optional", "none")
        _inside(walk, node, parts[0], scope, given)
    elif name == "Union":
        _union(walk, node, parts, scope, bool(given["is_checked"]), int(given["depth"]))
    elif name == "Literal":
        result = graph.new()
        walk.note(result, "truth", True)
        for part in parts:
            if isinstance(part, ast.Constant):
                walk.note(node, "compare", ("==", graph.constant(part.value)), result)
    elif name == "Callable":
        walk.note(node, "type", "callable")


def _inside(
    walk: Walk, node: Node, part: ast.expr, scope: Scope, given: dict[str, bool | int]
) -> None:
    annotate(
        walk, node, part, scope, is_checked=bool(given["is_checked"]), depth=int(given["depth"])
    )


def _union(
    walk: Walk, node: Node, parts: list[ast.expr], scope: Scope, is_checked: bool, depth: int
) -> None:
    sure = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]
    if len(sure) < len(parts):
        walk.note(node, "optional", "none")
    if sure:
        annotate(walk, node, sure[0], scope, is_checked=is_checked, depth=depth)


def _class(
    walk: Walk, node: Node, annotation: ast.expr, scope: Scope, *, is_checked: bool, depth: int
) -> None:
    try:
        values = ordered(walk.inference.evaluate(annotation, scope))
    except (SourceError, RecursionError):
        return
    for value in values:
        match value:
            case External(name=name):
                _outside(walk, node, name, is_checked=is_checked)
            case ClassValue(cls=cls):
                _ours(walk, node, cls, is_checked=is_checked, depth=depth)
            case _:
                continue


def _outside(walk: Walk, node: Node, name: str, *, is_checked: bool) -> None:
    kind = _SIMPLE.get(name)
    if kind is not None and (is_checked or kind not in ("date", "uuid", "path")):
        walk.note(node, "type", kind)
    elif not is_checked and not name.startswith(_PLAIN_BASES):
        walk.note(node, "type", f"instance {name}")
        root = walk.graph.root(name)
        walk.graph.flow(walk.graph.take(root, ("call", 0, (), ())), node)


def _ours(walk: Walk, node: Node, cls: ClassInfo, *, is_checked: bool, depth: int) -> None:
    bases = bases_of(walk, cls)
    if is_enum(walk, cls):
        if is_checked:
            result = walk.graph.new()
            walk.note(result, "truth", True)
            for unit in cls.members:
                match unit.node:
                    case ast.Assign(value=ast.Constant(value=constant)):
                        walk.note(node, "compare", ("==", walk.graph.constant(constant)), result)
                    case _:
                        continue
        else:
            walk.note(node, "class", cls)
        return
    is_mapping = any(base.endswith("TypedDict") for base in bases)
    if not is_mapping and not is_checked:
        walk.note(node, "class", cls)
    if is_mapping or is_checked:
        walk.note(node, "type", "dict")
        for field in fields_of(walk, cls):
            inner = walk.graph.take(node, ("key", field.name))
            if field.default is not None:
                walk.note(inner, "optional")
            annotate(
                walk, inner, field.annotation, cls.scope, is_checked=is_checked, depth=depth + 1
            )
