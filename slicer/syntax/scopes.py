"""What a name means where it stands: which scope's variable it is, and what binds it.

Text alone decides that (Python's reference, "Resolution of names"). The standard library's
`symtable` decides it too, but only for whole texts that compile; here are syntax trees, also parts
of them. Tests compare the two.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .nodes import all_parameters, children, defaults_of, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WITH_BODY = (*FUNCTIONS, ast.ClassDef)


# ------------------------------------------------------------------- what one node does


def bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds or deletes, without parameters."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias() if node.name != "*":
            yield imported_as(node)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            return


def imported_as(alias: ast.alias) -> str:
    """Return the name that a part of an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def imported_names(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, with the dotted names that they stand for.

    That of a relative import begins with its dots.
    """
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                name = imported_as(alias)
                yield name, alias.name if alias.asname else name
        case ast.ImportFrom(module=module, names=aliases, level=level):
            source = "." * level + (f"{module}." if module else "")
            yield from ((imported_as(alias), source + alias.name) for alias in aliases)
        case _:
            return


def evaluated_outside(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a function or class that are evaluated in the enclosing scope."""
    found: list[ast.AST] = [*getattr(node, "decorator_list", ())]
    if isinstance(node, FUNCTIONS):
        given = node.args
        found += [default for _, default in defaults_of(given)]
        found += [each.annotation for each in all_parameters(given) if each.annotation]
        found += [each for each in (getattr(node, "returns", None),) if each]
    elif isinstance(node, ast.ClassDef):
        found += [*node.bases, *node.keywords]
    return found


# ------------------------------------------------------------------- the names of one scope


@dataclass(frozen=True, slots=True)
class ScopeNames:
    """The names of one scope."""

    local: frozenset[str]
    module: frozenset[str] = frozenset()
    """Names declared `global`."""
    outer: frozenset[str] = frozenset()
    """Names declared `nonlocal`."""
    is_class: bool = False
    """Whether it is a class body, whose names the functions in it do not see."""

    @classmethod
    def of(cls, body: Iterable[ast.AST], parameters: Iterable[str] = ()) -> ScopeNames:
        """Return the names of the scope whose body these nodes are."""
        nodes = list(own_nodes(body))
        module, outer = declared_in(nodes, ast.Global), declared_in(nodes, ast.Nonlocal)
        bound = {name for node in nodes for name in bound_by(node)}.union(parameters)
        return cls(frozenset(bound - module - outer), module, outer)


def scope_of(node: ast.AST) -> ScopeNames:
    """Return the names of a function, lambda, class or comprehension."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return ScopeNames.of(node.body, parameters(node))
        case ast.Lambda():
            return ScopeNames.of([node.body], parameters(node))
        case ast.ClassDef():
            found = ScopeNames.of(node.body)
            return ScopeNames(found.local, found.module, found.outer, is_class=True)
        case _:
            return ScopeNames.of(each.target for each in getattr(node, "generators", ()))


def own_nodes(
    nodes: Iterable[ast.AST], unrun: Callable[[ast.If], Sequence[ast.stmt]] = lambda _: ()
) -> Iterator[ast.AST]:
    """Yield the nodes of a scope in the order of the text, without the insides of inner scopes.

    A comprehension's targets are its own, while the names that `:=` binds in it are not.

    Args:
        nodes: the scope's statements or expressions.
        unrun: returns those statements of an `if` that are left out.
    """
    pending = [*nodes][::-1]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, _WITH_BODY):
            pending += evaluated_outside(node)[::-1]
        elif isinstance(node, ast.comprehension):
            pending += [*node.ifs[::-1], node.iter]
        elif isinstance(node, ast.If):
            left_out = unrun(node)
            pending += [child for child in children(node)[::-1] if child not in left_out]
        elif not isinstance(node, (ast.Name, ast.Constant)):
            pending += children(node)[::-1]


def bound_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that statements bind in their own scope."""
    return ScopeNames.of(nodes).local


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    return {each.arg for each in all_parameters(node.args)}


def assigned_values(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr | None]]:
    """Map each name that nodes bind to what it may stand for, an entry for each binding.

    It is `None` where no single expression is assigned, as by a loop, an import or `del`; for
    `name += value` it is the sum.
    """
    found: dict[str, list[ast.expr | None]] = {}
    values: dict[ast.AST, ast.expr] = {}
    for node in nodes:  # a statement comes before its targets
        match node:
            case (
                ast.Assign(targets=[ast.Name() as target], value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value)
            ):
                values[target] = value
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                values[target] = ast.BinOp(target, op, value)
            case _:
                for name in bound_by(node):
                    found.setdefault(name, []).append(values.get(node))
    return found


# ------------------------------------------------------------------- all scopes of some code


def bound_inside(tree: ast.AST) -> frozenset[str]:
    """Return the parameters and names that a function or text binds in any scope inside it.

    Names that it declares `global` are left out.
    """
    _, *nodes = walk(tree)
    given = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return frozenset(given.union(*map(bound_by, nodes))) - declared_in(nodes, ast.Global)


def declared_in(
    nodes: Iterable[ast.AST], *kinds: type[ast.Global | ast.Nonlocal]
) -> frozenset[str]:
    """Return the names in those of the nodes that are `global` or `nonlocal` statements."""
    found = (node for node in nodes if isinstance(node, kinds or (ast.Global, ast.Nonlocal)))
    return frozenset(name for node in found for name in node.names)


def global_writers(tree: ast.AST) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return name → the functions of a file that declare it `global`, and so may rebind it."""
    found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    for node in walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for name in sorted(declared_in(walk(node), ast.Global)):
                found.setdefault(name, []).append(node)
    return found


def names_of_module(
    nodes: Iterable[ast.AST], around: Sequence[ScopeNames] = ()
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that read, bind or delete a name of the module's scope, with the name.

    Args:
        nodes: statements or expressions.
        around: the scopes around them, the outermost first; none for a module's own statements.
    """
    for node in nodes:
        used = [node.id] if isinstance(node, ast.Name) else bound_by(node)
        yield from ((node, name) for name in used if _is_of_module(name, around))
        if isinstance(node, _WITH_BODY):
            kinds: list[ast.AST] = getattr(node, "type_params", [])
            generic = ScopeNames(frozenset(getattr(each, "name", "") for each in kinds))
            # outside the body, the names of a class around are seen, too
            seen = (*around[:-1], generic, *around[-1:])
            yield from names_of_module([*evaluated_outside(node), *kinds], seen)
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            yield from names_of_module(body, (*around, generic, scope_of(node)))
            if isinstance(node, ast.ClassDef):
                yield from _read_before_bound(node)
        elif isinstance(node, COMPREHENSIONS):
            first, *others = node.generators
            values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            yield from names_of_module([first.iter], around)
            inside = [first.target, *first.ifs, *others, *values]
            yield from names_of_module(inside, (*around, scope_of(node)))
        else:
            yield from names_of_module(ast.iter_child_nodes(node), around)


def _read_before_bound(node: ast.ClassDef) -> Iterator[tuple[ast.AST, str]]:
    """Yield the reads in a class body that precede its own binding, as in `limit = limit`."""
    own, bound = scope_of(node).local, set[str]()
    for inner in _as_evaluated(node.body):
        match inner:
            case ast.Name(id=name, ctx=ast.Load()) if name in own and name not in bound:
                yield inner, name
            case _:
                bound.update(bound_by(inner))


def _as_evaluated(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a scope in the order of evaluation, values before their targets."""
    for node in nodes:
        if isinstance(node, ast.ExceptHandler):  # binds its name before its body runs
            yield node
        if isinstance(node, _WITH_BODY):
            yield from _as_evaluated(evaluated_outside(node))
        elif isinstance(node, COMPREHENSIONS):
            yield from _as_evaluated([node.generators[0].iter])
        else:
            yield from _as_evaluated(sorted(children(node), key=_evaluation_rank))
        yield node


def _evaluation_rank(node: ast.AST) -> int:
    if isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
        return 2
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _is_of_module(name: str, around: Sequence[ScopeNames]) -> bool:
    for depth, scope in enumerate(reversed(around)):
        if name in scope.module:
            return True
        if name in scope.local and not (scope.is_class and depth):
            return False
    return True
