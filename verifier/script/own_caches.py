"""Private caches of a target: globals that it alone fills, and that change no result.

A right candidate may name such a global otherwise, fill it otherwise, or do without it. So it is
not observed, and no case sets it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ...slicer.errors import SourceError
from ...slicer.model import Target
from ...slicer.repo.repository import Repository

_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_FORGETTING = frozenset({"clear", "pop", "popitem"})


def unwatched_labels(repository: Repository, target: Target) -> tuple[str, ...]:
    """Return the caches, as observations label globals."""
    names = own_caches(repository, target)
    parts = target.path.removesuffix(".py").removesuffix("/__init__").split("/")
    modules = ("<script>", *(".".join(parts[start:]) for start in range(len(parts))))
    return tuple(f"{module}.{name}" for name in names for module in modules)


def own_caches(repository: Repository, target: Target) -> tuple[str, ...]:
    """Return names of the target's module that only the target uses as caches.

    They are private, or stand for a lazy import.
    """
    tree = repository.module_at(target.path).source.tree
    function = _definition(tree, target.qualname)
    if function is None:
        return ()
    bound = [name for node in tree.body for name in _bound_empty(node)]
    found = [name for name in bound if bound.count(name) == 1]
    found = [n for n in found if n.startswith("_") or _is_imported_late(function, n)]
    inside = {id(node) for node in ast.walk(function)}
    others = set(_mentioned_elsewhere(tree, inside)) if found else set[str]()
    return tuple(
        name
        for name in found
        if name not in others
        and (_is_mapping_cache(function, name) or _is_value_cache(function, name))
        and not _is_in_other_files(repository, target.path, name)
    )


def _definition(tree: ast.Module, qualname: str) -> ast.AST | None:
    """Return the function, if only one has this name."""
    inside: list[ast.stmt] = tree.body
    found: ast.AST | None = None
    for part in qualname.split("."):
        named = [n for n in inside if isinstance(n, (*_Function, ast.ClassDef)) and n.name == part]
        if len(named) != 1:
            return None
        (found,) = named
        inside = named[0].body
    return found if isinstance(found, _Function) else None


def _bound_empty(node: ast.stmt) -> Iterator[str]:
    """Yield the name that a statement binds to an empty dictionary or `None`."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ) if ast.unparse(value) in {"{}", "dict()", "None"}:
            yield name
        case _:
            return


# ------------------------------------------------------------------------------- what is a cache


def _is_mapping_cache(function: ast.AST, name: str) -> bool:
    """Whether a dictionary only stores what the function would otherwise compute anew.

    A stored value does not depend on earlier contents, and a cached value is returned unchanged.
    """
    nodes = list(ast.walk(function))
    reads = [n for n in nodes if _is_read(n, name)]
    tests = [n for n in nodes if _tests_for_key(n, name)]
    stores = list(_stored(nodes, name))
    used = sum(isinstance(n, ast.Name) and n.id == name for n in nodes)
    other = sum(_forgets(n, name) for n in nodes)
    if not stores or used != len(reads) + len(tests) + len(stores) + other:
        return False
    read_into = {t.id for n in nodes if isinstance(n, ast.Assign) and _is_read(n.value, name)
            for t in n.targets if isinstance(t, ast.Name)}  # fmt: skip
    changed = {ast.unparse(n.target) for n in nodes if isinstance(n, ast.AugAssign)}
    is_new = all(isinstance(v, ast.Name) or not _names(v) & {*read_into, name} for v in stores)
    returned = [n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None]
    is_given = any(_is_read(v, name) or (_names(v) <= read_into and _names(v)) for v in returned)
    # or each read follows a test that fills in what is missing
    is_given |= bool(tests) and all(_fills(n, tests) for n in nodes if isinstance(n, ast.If))
    return bool(
        is_new and is_given and not changed & read_into and _only_guards(nodes, tests, name)
    )


def _is_value_cache(function: ast.AST, name: str) -> bool:
    """Whether a global starts as `None`, and the first call sets it for good."""
    nodes = list(ast.walk(function))
    stored = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    stored = [n for n in stored if not isinstance(n.ctx, ast.Load)]
    first = [n for n in nodes if isinstance(n, ast.If) and _is_absent(n.test, name)]
    if len(first) != 1 or first[0].orelse:
        return False
    if not stored:
        return any(_imports(each, name) for each in first[0].body)
    return len(stored) == 1 and any(
        isinstance(s, ast.Assign) and s.targets == stored and name not in _names(s.value)
        for s in first[0].body
    )


def _is_imported_late(function: ast.AST, name: str) -> bool:
    """Whether a global stands for a module, or a member of one, that is imported lazily."""
    return any(_imports(each, name) for each in ast.walk(function))


def _imports(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom) and any(
        (each.asname or each.name) == name for each in node.names
    )


def _is_absent(test: ast.expr, name: str) -> bool:
    return ast.unparse(test) in {f"{name} is None", f"not {name}"}


def _is_read(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=own), ctx=ast.Load()):
            return own == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="get"), args=[_]):
            return own == name
        case _:
            return False


def _tests_for_key(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=own)]):
            return own == name
        case _:
            return False


def _forgets(node: ast.AST, name: str) -> bool:
    """Whether a node clears a cache, or counts its entries."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr=attr))):
            return own == name and attr in _FORGETTING
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=own)])):
            return own == name
        case _:
            return False


def _stored(nodes: Sequence[ast.AST], name: str) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for each in targets:
                    match each:
                        case ast.Subscript(value=ast.Name(id=own)) if own == name:
                            yield value
                        case _:
                            pass
            case _:
                pass


def _only_guards(nodes: Sequence[ast.AST], tests: Sequence[ast.AST], name: str) -> bool:
    """Whether each test for a key only chooses between the cached value and computing it."""

    def ends_in_store(body: Sequence[ast.stmt]) -> bool:
        return any(True for _ in _stored(body[-1:], name))

    guards = [n for n in nodes if isinstance(n, ast.If) and n.test in tests]
    for each in guards:
        match each:
            case ast.If(test=ast.Compare(ops=[ast.In()]), body=[ast.Return(value=value)]):
                if value is None or not _is_read(value, name):
                    return False
            case ast.If(test=ast.Compare(ops=[ast.NotIn()]), body=body, orelse=[]):
                if not ends_in_store(body):
                    return False
            case _:
                return False
    return len(guards) == len(tests)


def _fills(node: ast.If, tests: Sequence[ast.AST]) -> bool:
    """Whether a branch handles missing keys, if it tests for keys at all."""
    match node.test:
        case ast.Compare(ops=[ast.NotIn()]):
            return True
        case _:
            return node.test not in tests


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


# ------------------------------------------------------------------------------- who else


def _mentioned_elsewhere(tree: ast.Module, inside: set[int]) -> Iterator[str]:
    """Yield names and words in texts outside a function, except for their first binding."""
    bound = {id(t) for n in tree.body for t in _targets(n)}
    for node in ast.walk(tree):
        if id(node) in inside or id(node) in bound:
            continue
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.Global(names=names):
                yield from names
            case ast.Constant(value=str(text)):
                yield from re.findall(r"\w+", text)
            case _:
                pass


def _targets(node: ast.stmt) -> tuple[ast.expr, ...]:
    match node:
        case ast.Assign(targets=targets):
            return tuple(targets)
        case ast.AnnAssign(target=target):
            return (target,)
        case _:
            return ()


def _is_in_other_files(repository: Repository, path: str, name: str) -> bool:
    """Whether another file may use the name, by such an attribute or by an import."""
    uses = re.compile(rf"(?<!self)(?<!cls)\.{name}\b|^\s*from\b.*\bimport\b(?:.|\n\s)*\b{name}\b",
                       re.MULTILINE)  # fmt: skip
    for other in repository.files(".py", ""):
        if other != path:
            try:
                text = repository.text(other)
            except SourceError:
                continue
            if name in text and uses.search(text):
                return True
    return False
