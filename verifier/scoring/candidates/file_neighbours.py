"""Further definitions of the target's file and class, for candidates that use them.

An author sees the whole file, while the slice holds only what the original needs. If a candidate
uses such a name, its definition is added as if the candidate had brought it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Sequence

from ....slicer.syntax.scopes import bound_in, declared_in
from .candidate_scopes import names_read_immediately, read_of_module
from .offered_names import OfferedName, read_of, unannotated

_BUILTINS = frozenset(dir(builtins))
_MOST_CHARACTERS = 200_000
"""Largest total size of offered definitions, since records must stay small."""


def neighbours(body: Sequence[ast.stmt], parts: Sequence[str]) -> Iterator[OfferedName]:
    """Yield definitions of the file besides the target, and members of its class.

    A definition counts only if nothing else binds its name; a member only if functions bind it.

    Args:
        body: statements of the file.
        parts: parts of the target's qualified name.
    """
    spent = 0
    for each in (*_members(body, parts), *_definitions(body, parts[0])):
        spent += len(each.code)
        if spent <= _MOST_CHARACTERS:
            yield each


def _definitions(body: Sequence[ast.stmt], own: str) -> Iterator[OfferedName]:
    bound = [name for node in body for name in bound_in([node])]
    changed = declared_in((n for node in body for n in ast.walk(node)), ast.Global)
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                pass
            case ast.ClassDef(name=name):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                pass
            case _:
                continue
        if name != own and bound.count(name) == 1 and name not in changed:
            yield OfferedName(name, ast.unparse(node), "definition")


def _members(body: Sequence[ast.stmt], parts: Sequence[str]) -> Iterator[OfferedName]:
    """Yield methods and properties of the enclosing class, each with all its parts."""
    owner: ast.ClassDef | None = None
    for name in parts[:-1]:
        found = [n for n in body if isinstance(n, ast.ClassDef) and n.name == name]
        if len(found) != 1:
            return
        (owner,) = found
        body = owner.body
    if owner is None:
        return
    functions: dict[str, list[str]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.setdefault(node.name, []).append(ast.unparse(node))
    others = bound_in(
        [n for n in body if not isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    )
    for name, texts in functions.items():
        is_special = name.startswith("__") and name.endswith("__")
        if not is_special and name != parts[-1] and name not in others:
            yield OfferedName(name, "\n".join(texts), "member")


def resolvable(
    offered: Iterable[OfferedName],
    bound: Collection[str],
    before: Collection[str],
    *,
    evaluates_annotations: bool = True,
) -> tuple[OfferedName, ...]:
    """Return the offers whose needs are met by the module, builtins, or each other.

    Args:
        offered: imports, definitions and members.
        bound: names of the module when the target is called.
        before: those of them that are bound above the target.
        evaluates_annotations: whether annotations are code.
    """
    left = list(offered)
    needs = {id(each): _needs(each, evaluates_annotations) for each in left}
    while True:
        given = _BUILTINS.union(each.name for each in left if each.kind != "member")
        late, early = given.union(bound), given.union(before)
        kept = [e for e in left if needs[id(e)][0] <= late and needs[id(e)][1] <= early]
        if len(kept) == len(left):
            return tuple(left)
        left = kept


def _needs(each: OfferedName, evaluates_annotations: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return names that a definition reads when called, and those that it reads when executed."""
    if each.kind == "import":
        return frozenset(), frozenset()
    nodes = each.nodes if evaluates_annotations else unannotated(each.nodes)
    names = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
    if each.kind == "member":
        nodes = (ast.ClassDef("_", [], [], [*nodes], []),)
    read = read_of_module(nodes, names)
    at_once = read.intersection(name for node in nodes for name in names_read_immediately(node))
    own = {each.name} if each.kind == "definition" else frozenset[str]()
    return read - own, at_once - own


def needed_offers(
    offered: Iterable[OfferedName],
    code: Sequence[ast.stmt],
    members: Sequence[ast.stmt],
    *,
    evaluates_annotations: bool,
) -> tuple[tuple[OfferedName, ...], tuple[OfferedName, ...]]:
    """Return the offers that code needs, directly or through other offers: statements, and members.

    Args:
        offered: offers, none of which the code binds.
        code: statements of a module.
        members: statements of the target's class.
        evaluates_annotations: whether annotations are code.
    """
    left = list(offered)
    found: list[OfferedName] = []
    while True:
        inner = [*members, *(n for each in found if each.kind == "member" for n in each.nodes)]
        outer = [*code, *(n for each in found if each.kind == "definition" for n in each.nodes)]
        whole = [*outer, ast.ClassDef("_", [], [], inner, [])] if inner else outer
        new = list(read_of(left, whole, evaluates_annotations=evaluates_annotations))
        attributes = {
            n.attr for node in whole for n in ast.walk(node) if isinstance(n, ast.Attribute)
        }
        new += [each for each in left if each.kind == "member" and each.name in attributes]
        if not new:
            break
        found += new
        left = [each for each in left if each not in new]
    ordered = [each for each in offered if each in found]
    return (
        tuple(each for each in ordered if each.kind != "member"),
        tuple(each for each in ordered if each.kind == "member"),
    )
