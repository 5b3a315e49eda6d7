"""Statements: the value of each name at each point, through branches, loops and handlers."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...slicer.analysis.scopes.definitions import Scope, function_scope
from ...slicer.analysis.values.abstract_values import ClassValue, ordered
from ...slicer.syntax.nodes import defaults_of
from .annotation_flow import annotate
from .expression_flow import target, test
from .flow_graph import Node
from .flow_walk import Frame, FunctionNode, Names, Walk
from .test_outcomes import ends, preferred_outcome


def body(walk: Walk, statements: Sequence[ast.stmt]) -> bool:
    """Walk statements in order; return whether control reaches the end."""
    return all(statement(walk, node) for node in statements)


def statement(walk: Walk, node: ast.stmt) -> bool:  # noqa: C901 - a case for each kind of statement
    """Walk one statement; return whether control goes on after it."""
    match node:
        case ast.Expr(value=value):
            stored = _stored(value)
            if stored is None:
                walk.value(value)
            else:
                target(walk, stored[0], walk.value(stored[1]))
        case ast.Assign(targets=targets, value=value):
            made = walk.value(value)
            for each in targets:
                if _is_set(value):
                    _note_attribute(walk, each, "set")
                target(walk, each, made)
        case ast.AnnAssign():
            _annotated(walk, node)
        case ast.AugAssign():
            _augmented(walk, node)
        case ast.Return(value=value):
            if value is not None:
                walk.graph.flow(walk.value(value), walk.frame.result)
            return False
        case ast.Raise(exc=error):
            with walk.weakly():
                walk.value(error)
            return False
        case ast.If():
            return _if(walk, node)
        case ast.For() | ast.AsyncFor() | ast.While():
            _loop(walk, node)
        case ast.With() | ast.AsyncWith():
            return _with(walk, node)
        case ast.Try() | ast.TryStar():
            return _try(walk, node)
        case ast.Match():
            return _match(walk, node)
        case ast.Assert(test=condition):
            test(walk, condition, True)
        case ast.Continue() | ast.Break():
            frame = walk.frame
            left = frame.continues if isinstance(node, ast.Continue) else frame.breaks
            if left:
                left[-1].append(dict(frame.names))
            return False
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            _nested(walk, node)
        case ast.Import() | ast.ImportFrom():
            _import(walk, node)
        case ast.Delete(targets=targets):
            for each in targets:
                if isinstance(each, ast.Subscript) and not isinstance(each.slice, ast.Slice):
                    walk.add_use(walk.value(each.value), "stored", walk.value(each.slice))
        case ast.ClassDef():
            _nested_class(walk, node)
        case _:
            pass
    return True


def _stored(node: ast.expr) -> tuple[ast.Attribute, ast.expr] | None:
    """Return the attribute set by a `setattr` call, as frozen classes use, and its value."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="__setattr__") | ast.Name(id="setattr"),
            args=[ast.Name() as holder, ast.Constant(value=str() as name), value],
        ) if name.isidentifier():
            own = name.startswith("_") and "__" in name[1:]  # a private one, by its full name
            short = "__" + name[1:].split("__", 1)[1] if own and name[1] != "_" else name
            return ast.copy_location(ast.Attribute(holder, short, ast.Store()), node), value
        case _:
            return None


def _is_set(value: ast.expr) -> bool:
    """Whether an expression makes a set, whose later uses look like those of a list."""
    match value:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set")):
            return True
        case _:
            return False


def _note_attribute(walk: Walk, place: ast.expr, kind: str) -> None:
    """Note the type of an attribute's value, for all reads of it."""
    if isinstance(place, ast.Attribute):
        for cls in walk.classes(place.value):
            walk.add_use(walk.attribute_of(cls, place.attr), "type", kind)


def _annotated(walk: Walk, node: ast.AnnAssign) -> None:
    made = walk.value(node.value) if node.value is not None else walk.graph.new()
    annotate(walk, made, node.annotation, walk.frame.scope)
    if isinstance(node.target, ast.Attribute):  # its readers get its other values, too
        for cls in walk.classes(node.target.value):
            attribute = walk.attribute_of(cls, node.target.attr)
            annotate(walk, attribute, node.annotation, walk.frame.scope)
    target(walk, node.target, made)


def _augmented(walk: Walk, node: ast.AugAssign) -> None:
    read = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    target(walk, node.target, walk.value(read))


# ----------------------------------------------------------------------------- branches


def _if(walk: Walk, node: ast.If) -> bool:
    want = _wanted(walk, node)
    test(walk, node.test, want)
    before = walk.frame.names
    walk.frame.names = dict(before)
    with walk.weakly(want is False):
        goes = body(walk, node.body)
    first = walk.frame.names
    walk.frame.names = dict(before)
    with walk.weakly(want is True and bool(node.orelse)):
        other = body(walk, node.orelse)
    second = walk.frame.names
    return _meet(walk, [names for names, on in ((first, goes), (second, other)) if on])


def _wanted(walk: Walk, node: ast.If) -> bool | None:
    better = preferred_outcome(node.body, node.orelse)
    if walk.in_endless and ends(node.body) and not node.orelse:
        return True  # a loop that nothing else would end
    return better


def _meet(walk: Walk, several: list[Names]) -> bool:
    """Merge the names after branches: each may have its value from the end of any."""
    if not several:
        return False
    first, *rest = several
    met = dict(first)
    for names in rest:
        for name, node in names.items():
            other = met.get(name)
            if other is None:
                met[name] = node
            elif other != node:
                joined = walk.graph.new()
                walk.graph.flow(other, joined)
                walk.graph.flow(node, joined)
                met[name] = joined
    walk.frame.names = met
    return True


def _loop(walk: Walk, node: ast.For | ast.AsyncFor | ast.While) -> None:
    frame, graph = walk.frame, walk.graph
    source = walk.value(node.iter) if not isinstance(node, ast.While) else None
    # a name bound in the loop has its value from before, or from the end of a round
    head = dict(frame.names)
    rounds: dict[str, Node] = {}
    for name in _bound(node):
        if name in head:
            rounds[name] = graph.new()
            graph.flow(head[name], rounds[name])
            head[name] = rounds[name]
    frame.names = dict(head)
    frame.breaks.append([])
    frame.continues.append([])
    endless, walk.in_endless = walk.in_endless, False
    if isinstance(node, ast.While):
        is_endless = isinstance(node.test, ast.Constant)
        walk.in_endless = is_endless
        if not is_endless:
            test(walk, node.test, False)
    elif source is not None:
        target(walk, node.target, graph.take(source, ("item",)))
    goes = body(walk, node.body)
    walk.in_endless = endless
    ended = [frame.names] if goes else []
    for names in (*ended, *frame.continues.pop()):
        for name, joined in rounds.items():
            if name in names:
                graph.flow(names[name], joined)
    after = [*ended, *frame.breaks.pop(), head]
    _meet(walk, after)
    body(walk, node.orelse)


def _bound(node: ast.stmt) -> list[str]:
    return sorted(
        {
            child.id
            for child in ast.walk(node)
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
        }
    )


def _with(walk: Walk, node: ast.With | ast.AsyncWith) -> bool:
    for entered in node.items:
        made = walk.value(entered.context_expr)
        walk.add_use(made, "entered", isinstance(node, ast.AsyncWith))
        if entered.optional_vars is not None:
            target(walk, entered.optional_vars, made)
    return body(walk, node.body)


def _try(walk: Walk, node: ast.Try | ast.TryStar) -> bool:
    before = dict(walk.frame.names)
    caught = [_names(h.type) for h in node.handlers]
    walk.caught.append(tuple(name for names in caught for name in names))
    goes = body(walk, node.body)
    walk.caught.pop()
    ended: list[Names] = []
    if goes and body(walk, node.orelse):
        ended.append(walk.frame.names)
    for handler in node.handlers:
        walk.frame.names = dict(before)
        with walk.weakly():
            if body(walk, handler.body):
                ended.append(walk.frame.names)
    if not ended:
        walk.frame.names = before
        body(walk, node.finalbody)
        return False
    _meet(walk, ended)
    return body(walk, node.finalbody)


def _names(node: ast.expr | None) -> tuple[str, ...]:
    match node:
        case None:
            return ("Exception",)
        case ast.Tuple(elts=elements):
            return tuple(name for element in elements for name in _names(element))
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return (name,)
        case _:
            return ()


def _match(walk: Walk, node: ast.Match) -> bool:
    subject = walk.value(node.subject)
    before = dict(walk.frame.names)
    ended: list[Names] = [before]
    for index, case in enumerate(node.cases):
        walk.frame.names = dict(before)
        with walk.weakly(index > 0):
            _pattern(walk, case.pattern, subject)
            if case.guard is not None:
                test(walk, case.guard, True)
            if body(walk, case.body):
                ended.append(walk.frame.names)
    return _meet(walk, ended)


def _pattern(walk: Walk, pattern: ast.pattern, subject: Node) -> None:
    graph = walk.graph
    match pattern:
        case ast.MatchValue(value=value):
            result = graph.new()
            walk.add_use(result, "truth", True)
            walk.add_use(subject, "compare", ("==", walk.value(value)), result)
        case ast.MatchMapping(keys=keys, patterns=patterns):
            for key, inner in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant):
                    _pattern(walk, inner, graph.take(subject, ("key", key.value)))
        case ast.MatchSequence(patterns=patterns):
            for index, inner in enumerate(patterns):
                _pattern(walk, inner, graph.take(subject, ("key", index)))
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                _pattern(walk, inner, subject)
            if name is not None:
                walk.bind(name, subject)
        case ast.MatchOr(patterns=[first, *_]):
            _pattern(walk, first, subject)
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
            for name, inner in zip(names, patterns, strict=True):
                _pattern(walk, inner, graph.take(subject, ("attr", name)))
        case _:
            return


# ----------------------------------------------------------------------------- definitions


def _import(walk: Walk, node: ast.Import | ast.ImportFrom) -> None:
    module = walk.frame.scope.module
    for alias in node.names:
        name = alias.asname or alias.name
        if isinstance(node, ast.Import) and not alias.asname:
            name = alias.name.split(".")[0]
        if name != "*":
            made = walk.graph.new()
            walk.imported(node, module, name, made)
            if walk.frame.module is None:
                walk.bind(name, made)
            else:
                walk.graph.flow(made, walk.graph.at(("global", module.path, name)))
                known = walk.modules.get(made)
                if known is not None:
                    walk.modules[walk.graph.at(("global", module.path, name))] = known


def _nested(walk: Walk, node: FunctionNode) -> None:
    for decorator in node.decorator_list:
        walk.value(decorator)
    walk.pending.append((node, walk.frame.scope))


def _nested_class(walk: Walk, node: ast.ClassDef) -> None:
    """Walk the methods of a class inside a function as functions of its scope."""
    name = ast.Name(node.name, ast.Load())
    for value in ordered(walk.inference.evaluate(name, walk.frame.scope)):
        if isinstance(value, ClassValue) and value.cls.node is node:
            walk.pending += [(each, value.cls.scope) for each in value.cls.functions]


def function(walk: Walk, node: FunctionNode, parent: Scope) -> None:
    """Walk a function of the slice, and the functions inside it."""
    owner = parent.owner if parent.is_class else None
    scope = function_scope(node, parent, owner)
    graph = walk.graph
    frame = Frame(scope, {}, graph.at(("result", node)))
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    kinds = {getattr(d, "id", "") for d in node.decorator_list}
    outer, walk.pending = walk.pending, []
    with walk.in_frame(frame):
        defaults = dict(defaults_of(args))
        for index, arg in enumerate((*positional, *args.kwonlyargs)):
            parameter = graph.at(("parameter", node, arg.arg))
            if index == 0 and owner is not None and "staticmethod" not in kinds:
                graph.flow(walk.receiver(node, owner), parameter)
            annotate(walk, parameter, arg.annotation, parent)
            default = defaults.get(arg)
            if default is not None:
                graph.flow(walk.value(default), parameter)
            walk.bind(arg.arg, parameter)
        for arg in (args.vararg, args.kwarg):
            if arg is not None:
                walk.bind(arg.arg, graph.at(("parameter", node, arg.arg)))
        annotate(walk, frame.result, None, parent)
        body(walk, node.body)
        for inner, around in walk.pending:
            function(walk, inner, around)
    walk.pending = outer
