"""Builds the flow graph of a slice from its kept definitions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from ...slicer.analysis.inference.function_texts import decorator_name
from ...slicer.analysis.scopes.definitions import ClassInfo, module_class, module_scope
from ...slicer.closure.repository_analysis import analysis_of
from ...slicer.repo.repository import Module, Repository
from . import call_flow, expression_flow, statement_flow
from .annotation_flow import annotate, checked_field
from .flow_graph import Node
from .flow_walk import Frame, Visitor, Walk
from .follow_values import FlowQuery

if TYPE_CHECKING:
    from ...slicer.model import Manifest

_VALIDATORS = frozenset({"field_validator", "validator"})
_VISITORS: dict[type[ast.AST], Visitor] = {
    ast.Name: expression_flow.name,
    ast.Constant: expression_flow.constant,
    ast.Attribute: expression_flow.attribute,
    ast.Subscript: expression_flow.subscript,
    ast.BinOp: expression_flow.binary,
    ast.UnaryOp: expression_flow.unary,
    ast.BoolOp: expression_flow.boolean,
    ast.Compare: expression_flow.compare,
    ast.IfExp: expression_flow.ternary,
    ast.JoinedStr: expression_flow.joined,
    ast.List: expression_flow.sequence,
    ast.Tuple: expression_flow.sequence,
    ast.Set: expression_flow.sequence,
    ast.Dict: expression_flow.mapping,
    ast.ListComp: expression_flow.comprehension,
    ast.SetComp: expression_flow.comprehension,
    ast.GeneratorExp: expression_flow.comprehension,
    ast.DictComp: expression_flow.comprehension,
    ast.Await: expression_flow.awaited,
    ast.NamedExpr: expression_flow.named,
    ast.Yield: expression_flow.yielded,
    ast.YieldFrom: expression_flow.yielded_from,
    ast.Lambda: expression_flow.function,
    ast.Call: call_flow.call,
}


def build_walk(repository: Repository, manifest: Manifest) -> Walk:
    """Return the walk over everything that the slice keeps."""
    walk = Walk(analysis_of(repository).inference, _VISITORS)
    kept: dict[str, set[int]] = {}
    for definition in manifest.definitions:
        kept.setdefault(definition.path, set()).add(definition.first_line)
    for path in sorted(kept):
        _module(walk, repository.module_at(path), kept[path])
    _call_values(walk)
    _adapt(walk)
    return walk


def _adapt(walk: Walk) -> None:
    """Annotate data checked by a `TypeAdapter(type)` with the type, wherever the adapter flows."""
    for adapter, (annotation, scope) in walk.adapters.items():
        reached = FlowQuery(walk.graph).reachable_nodes((adapter,))
        for base, data in walk.checks:
            if base in reached:
                annotate(walk, data, annotation, scope, is_checked=True)


def _call_values(walk: Walk) -> None:
    """Connect calls through values: functions from tables or under other names."""
    graph = walk.graph
    for value, node in sorted(walk.callables.items()):
        args = node.args
        names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        result = graph.named.get(("result", node))
        for holder in sorted(FlowQuery(graph).reachable_nodes((value,))):
            for label, target in list(graph.edges.get(holder, {}).items()):
                if label[0] != "call":
                    continue
                positional = cast("tuple[Node, ...]", label[2])
                named = dict(cast("tuple[tuple[str, Node], ...]", label[3]))
                given = dict(zip(names, positional, strict=False)) | named
                for name, argument in given.items():
                    graph.flow(argument, graph.at(("parameter", node, name)))
                if result is not None:
                    graph.flow(result, target)


def _module(walk: Walk, module: Module, lines: set[int]) -> None:
    scope = module_scope(module)
    classes: list[ClassInfo] = []
    functions: list[tuple[statement_flow.FunctionNode, ClassInfo | None]] = []
    with walk.in_frame(Frame(scope, module=module, result=walk.graph.new())):
        for unit in module.units:
            if unit.first not in lines or unit.kind in ("main", "typing"):
                continue
            for node in unit.nodes:
                match node:
                    case ast.ClassDef():
                        classes.append(module_class(module, unit, node))
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        functions.append((node, None))
                        variable = walk.graph.at(("global", module.path, node.name))
                        walk.callables[variable] = node
                    case _:
                        statement_flow.statement(walk, node)
        for cls in classes:
            functions += [(node, cls) for node in _class(walk, cls, lines)]
    for node, cls in functions:
        statement_flow.function(walk, node, cls.scope if cls is not None else scope)
    nested, walk.pending = walk.pending, []
    for node, parent in nested:
        statement_flow.function(walk, node, parent)


def _class(walk: Walk, cls: ClassInfo, lines: set[int]) -> Iterator[statement_flow.FunctionNode]:
    """Walk the statements of a class body; yield its methods."""
    for member in cls.members:
        if cls.is_prunable and member.first not in lines:
            continue
        for node in member.nodes:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    _validator(walk, cls, node)
                    yield node
                case ast.Assign(targets=[ast.Name(id=name), *_], value=value):
                    walk.graph.flow(walk.value(value), walk.attribute_of(cls, name))
                case ast.AnnAssign(target=ast.Name(id=name), value=value):
                    attribute = walk.attribute_of(cls, name)
                    annotate(walk, attribute, node.annotation, cls.scope)
                    if value is not None:
                        walk.graph.flow(walk.value(value), attribute)
                case _:
                    continue


def _validator(walk: Walk, cls: ClassInfo, node: statement_flow.FunctionNode) -> None:
    """Connect a model's fields with the parameters of their validator."""
    arguments = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=func, args=names) if decorator_name(func) in _VALIDATORS:
                for name in names:
                    if isinstance(name, ast.Constant) and len(arguments) > 1:
                        parameter = walk.graph.at(("parameter", node, arguments[1]))
                        walk.graph.flow(checked_field(walk, cls, str(name.value)), parameter)
            case _:
                continue
