"""The differences between two definitions, part by part, with the first differing node.

Docstrings, annotations, decorators, parameters and bases are reported separately. Comments, layout,
quotes, parentheses, the spelling of numbers and a `u` prefix do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from ..script.bare_trees import bare
from ..script.module_statements import FUNCTION

Part = Literal["docstring", "annotations", "decorators", "bases", "signature", "altered"]
_LONGEST_TEXT = 70
_SPELLING = ("kind", "type_comment")
"""Fields of nodes that only concern spelling."""
_LISTED = (ast.stmt, ast.keyword)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a definition of the script differs from the repository's."""

    part: Part
    line: int
    """Line in the script."""
    detail: str
    """Old and new code, in a few words."""

    def __str__(self) -> str:
        return f"{self.part}, line {self.line} of the script: {self.detail}"


def differences_between(theirs: ast.stmt, mine: ast.stmt) -> Iterator[Difference]:
    """Yield the differences between two statements, part by part; classes without their bodies."""
    if isinstance(theirs, FUNCTION) and isinstance(mine, FUNCTION):
        yield from _around(theirs, mine)
        yield from _signature(theirs, mine)
        yield from _blocks(_without_docstring(theirs), _without_docstring(mine), mine)
    elif isinstance(theirs, ast.ClassDef) and isinstance(mine, ast.ClassDef):
        yield from _around(theirs, mine)
        yield from _bases(theirs, mine)
        yield from _compared_parts(
            "signature", _type_parameters(theirs), _type_parameters(mine), mine
        )
    else:
        yield from _blocks([theirs], [mine], mine)


_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _around(theirs: _Defined, mine: _Defined) -> Iterator[Difference]:
    """Yield differences of docstring and decorators."""
    own, other = (ast.get_docstring(node, clean=False) for node in (theirs, mine))
    if own != other:
        cleaned = (ast.get_docstring(node) for node in (theirs, mine))
        yield Difference("docstring", mine.lineno, _documented(own, other, *cleaned))
    yield from _compared_parts("decorators", theirs.decorator_list, mine.decorator_list, mine)


def _documented(own: str | None, other: str | None, *cleaned: str | None) -> str:
    if other is None:
        return "it is gone"
    if own is None:
        return "there was none"
    return "only its indentation" if len(set(cleaned)) == 1 else "other words"


def _signature(
    theirs: ast.FunctionDef | ast.AsyncFunctionDef, mine: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[Difference]:
    if type(theirs) is not type(mine):
        is_async = isinstance(mine, ast.AsyncFunctionDef)
        yield Difference("signature", mine.lineno, f"{'now' if is_async else 'no longer'} async")
    bare_args = [bare(node.args) for node in (theirs, mine)]
    if found := _first_difference(*bare_args):
        yield _difference("signature", found, mine)
    elif found := _first_difference(theirs.args, mine.args):
        yield _difference("annotations", found, mine)
    own, other = ([node.returns] if node.returns else [] for node in (theirs, mine))
    yield from _compared_parts("annotations", own, other, mine)
    yield from _compared_parts("signature", _type_parameters(theirs), _type_parameters(mine), mine)


def _bases(theirs: ast.ClassDef, mine: ast.ClassDef) -> Iterator[Difference]:
    own, other = [*theirs.bases, *theirs.keywords], [*mine.bases, *mine.keywords]
    yield from _compared_parts("bases", own, other, mine)


def _compared_parts(
    part: Part, theirs: Sequence[ast.AST], mine: Sequence[ast.AST], owner: ast.stmt
) -> Iterator[Difference]:
    """Yield a difference between two short lists, reported as a whole."""
    if lists_differ(theirs, mine):
        own, other = (", ".join(source_of(node) for node in nodes) for nodes in (theirs, mine))
        detail = f"`{own}` became `{other}`"
        if not own or not other:
            detail = f"`{own}` is gone" if own else f"`{other}` is new"
        yield Difference(part, owner.lineno, detail)


def _blocks(
    theirs: Sequence[ast.stmt], mine: Sequence[ast.stmt], owner: ast.stmt
) -> Iterator[Difference]:
    """Yield the first difference between two bodies; annotations and inner docstrings apart."""
    modules = [ast.Module(list(body), []) for body in (theirs, mine)]
    found = _first_difference(*modules)
    if found is None:
        return
    if graver := _first_difference(*(bare(module) for module in modules)):
        if isinstance(graver.mine, ast.Module):  # one was a bare declaration, which was removed
            graver = _Parting(next(iter(theirs), None), next(iter(mine), None))
        yield _difference("altered", graver, owner)
    else:
        texts = {id(part) for n in ast.walk(modules[0]) if isinstance(n, ast.Expr)
                 for part in (n, n.value)}  # fmt: skip
        is_text = id(found.theirs) in texts or isinstance(found.mine, ast.Expr)
        yield _difference("docstring" if is_text else "annotations", found, owner)


def _without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return [] if len(body) == 1 and isinstance(body[0], ast.Pass) else list(body)


def decorators_of(node: ast.stmt) -> Sequence[ast.AST]:
    """Return the decorators of a statement; none if it cannot have any."""
    return getattr(node, "decorator_list", ())


def _type_parameters(node: ast.stmt) -> Sequence[ast.AST]:
    return getattr(node, "type_params", ())


# ------------------------------------------------------------------------ where trees part


@dataclass(frozen=True, slots=True)
class _Parting:
    """The innermost differing nodes with a position; `None` for a missing one."""

    theirs: ast.AST | None
    mine: ast.AST | None


def _first_difference(theirs: ast.AST, mine: ast.AST) -> _Parting | None:
    """Return where two trees first differ, in text order; `None` if they do not."""
    pending: list[tuple[object, object, _Parting]] = [(theirs, mine, _Parting(theirs, mine))]
    while pending:
        one, other, around = pending.pop()
        if isinstance(one, ast.AST) and hasattr(one, "lineno") and hasattr(other, "lineno"):
            around = _Parting(one, cast("ast.AST", other))
        if type(one) is not type(other):
            return around
        if isinstance(one, ast.AST):
            fields = [f for f in one._fields if f not in _SPELLING]
            pending += [
                (getattr(one, f, None), getattr(other, f, None), around) for f in reversed(fields)
            ]
        elif isinstance(one, list) and isinstance(other, list):
            ours, others = cast("list[object]", one), cast("list[object]", other)
            if len(ours) != len(others):
                return _in_lists(ours, others) or around
            pending += [(a, b, around) for a, b in zip(ours[::-1], others[::-1], strict=True)]
        elif one != other:
            return around
    return None


def _in_lists(theirs: Sequence[object], mine: Sequence[object]) -> _Parting | None:
    """Return what is missing, new or changed among statements or keywords, else `None`."""
    own = [node for node in theirs if isinstance(node, _LISTED)]
    other = [node for node in mine if isinstance(node, _LISTED)]
    if (len(own), len(other)) != (len(theirs), len(mine)):
        return None
    for at, (one, two) in enumerate(zip(own, other, strict=False)):
        if found := _first_difference(one, two):
            if any(ast.dump(two) == ast.dump(later) for later in own[at + 1 :]):
                return _Parting(one, None)
            if any(ast.dump(one) == ast.dump(later) for later in other[at + 1 :]):
                return _Parting(None, two)
            return found
    shorter = min(len(own), len(other))
    return _Parting(own[shorter], None) if len(own) > shorter else _Parting(None, other[shorter])


def _is_same(one: ast.AST, other: ast.AST) -> bool:
    return _first_difference(one, other) is None


def lists_differ(theirs: Sequence[ast.AST], mine: Sequence[ast.AST]) -> bool:
    """Whether two lists of nodes differ."""
    return len(theirs) != len(mine) or not all(map(_is_same, theirs, mine))


def _difference(part: Part, found: _Parting, owner: ast.stmt) -> Difference:
    line = getattr(found.mine, "lineno", owner.lineno)
    if found.mine is None:
        return Difference(part, line, f"{quoted_source(found.theirs)} is gone")
    if found.theirs is None:
        return Difference(part, line, f"{quoted_source(found.mine)} is new")
    return Difference(
        part, line, f"{quoted_source(found.theirs)} became {quoted_source(found.mine)}"
    )


def quoted_source(node: ast.AST | None) -> str:
    """Return a node on one line, for people."""
    text = " ".join(source_of(node).split()) if node else ""
    return f"`{text[:_LONGEST_TEXT]}…`" if len(text) > _LONGEST_TEXT else f"`{text}`"


def source_of(node: ast.AST) -> str:
    """Return the node as Python source, or its kind if that is impossible."""
    try:
        return ast.unparse(node)
    except ValueError:  # nested strings that this Python version cannot write
        return type(node).__name__
