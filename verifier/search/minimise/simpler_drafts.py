"""Simplifications of a draft: parts to leave out, or to write more plainly.

Each edit is independent and makes the draft shorter. So any of them may be combined, and applying
one after another ends.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from ....slicer.syntax.nodes import walk
from ...inputs.argument_pools import Inputs
from ...inputs.statements import Statement
from ..drafts.draft_trees import Tree, fresh_tree, parsed, unparsed
from ..drafts.drafts import Draft

_PLAIN_TEXT = "abc"
_PLAIN_NUMBERS = (1, 2, 3, 10, 100)
_LONG_TEXT = 12
_LARGE = 10
_MANY = 3
_WIDE = 40
"""Length in characters above which a list, a dictionary or a call is hard to read."""
_MOST_PIECES = 8
_PIECE = re.compile(r"\S+\s*|\s+")
_PLACEHOLDERS = re.compile(r"\s*(?:[\w/.:]*-\d+[\w/.]*\s*)+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One simplification."""

    text: int
    """Index of the text in the draft: the receiver, arguments, statements, answers."""
    node: int
    """Index of the node in that text; 0 means the whole text."""
    new: str | None = None
    """The replacement, or `None` to remove the node."""
    part: tuple[int, int] | None = None
    """Start and end of the removed part, where that is a part of a literal."""


def edits_of(draft: Draft, inputs: Inputs, known: Collection[object]) -> tuple[Edit, ...]:
    """Return the simplifications of a draft, those that save the most first.

    Args:
        draft: the current draft.
        inputs: the values to choose from; the first value of each parameter is the simplest.
        known: literals that a reader recognises, since they stand in the code or were made for it.
    """
    found = [*_whole(draft, inputs)]
    whole = {edit.text for edit in found if edit.new is None}
    for at, text in enumerate(_texts(draft)):
        tree = parsed(text)
        if tree is not None:
            found += (replace(edit, text=at) for edit in _inside(tree, known))
    sizes = {edit: edited(draft, (edit,)).size for edit in dict.fromkeys(found)}
    shorter = [edit for edit, size in sizes.items() if size < draft.size]
    return tuple(sorted(shorter, key=lambda e: (sizes[e], e.text not in whole)))


def edited(draft: Draft, edits: Iterable[Edit]) -> Draft:
    """Return the draft with some edits made. Of two edits at the same place the first is made."""
    by_text: dict[int, list[Edit]] = {}
    for edit in edits:
        by_text.setdefault(edit.text, []).append(edit)
    made = [
        _edited(text, by_text[at]) if at in by_text else text
        for at, text in enumerate(_texts(draft))
    ]
    count, last = 1 + len(draft.arguments), 1 + len(draft.arguments) + len(draft.before)
    return Draft(
        made[0] or draft.receiver,
        tuple(
            (name, text)
            for (name, _), text in zip(draft.arguments, made[1:count], strict=True)
            if text is not None
        ),
        tuple(Statement(text) for text in made[count:last] if text is not None),
        tuple(
            answer
            for answer, text in zip(draft.answers, made[last:], strict=True)
            if text is not None
        ),
        draft.taken,
    )


def literals_in(texts: Iterable[str]) -> frozenset[object]:
    """Return the texts, numbers and bytes in some expressions and statements."""
    trees = (tree for text in texts if (tree := parsed(text)) is not None)
    return frozenset(
        node.value
        for tree in trees
        for node in tree.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float, bytes))
    )


def _texts(draft: Draft) -> list[str]:
    return [*draft.texts, *(answer for _, answer in draft.answers)]


def _whole(draft: Draft, inputs: Inputs) -> Iterator[Edit]:
    """Yield edits of whole texts: remove what is not needed, or take the first choice."""
    pools = {pool.name: pool for pool in inputs.pools}
    if inputs.receivers.texts and draft.receiver != inputs.receivers.texts[0]:
        yield Edit(0, 0, inputs.receivers.texts[0])
    for at, (name, text) in enumerate(draft.arguments, 1):
        pool = pools.get(name)
        if pool and pool.is_optional:
            yield Edit(at, 0)
        for other in pool.texts[:1] if pool else ():
            if text != other:
                yield Edit(at, 0, other)
    first = 1 + len(draft.arguments)
    for at in range(first, first + len(draft.before) + len(draft.answers)):
        yield Edit(at, 0)


# ------------------------------------------------------------------------- inside of a text


def _inside(tree: Tree, known: Collection[object]) -> Iterator[Edit]:
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    fixed = set(tree.fixed)
    whole = set(_stand_ins(tree))
    for node in tree.nodes:
        if id(node) in fixed and not isinstance(node, ast.Dict):
            continue
        at = numbers[id(node)]
        for part in _members(node) if id(node) not in whole else ():
            yield Edit(0, numbers[id(part)])
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                fixed.add(id(node.operand))
                yield from (Edit(0, at, text) for text in _plainer_number(-value, known))
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                yield from (Edit(0, at, text) for text in _plainer_number(value, known))
            case ast.Constant(value=str() as value) if not _is_plain(value, known):
                yield Edit(0, at, repr(_PLAIN_TEXT))
                yield from (Edit(0, at, part=span) for span in _pieces(value))
            case _:
                pass


def _stand_ins(tree: Tree) -> Iterator[int]:
    """Yield ids of the nodes that list the members of stand-ins. These members must stay.

    A right candidate may use a member that the original does not reach in this case.
    """
    for node in tree.nodes:
        match node:
            case ast.Call(
                func=ast.Name(id="type"), args=[ast.Constant(), _, ast.Dict() as members]
            ):
                yield id(members)
            case ast.Call(func=ast.Attribute(attr="SimpleNamespace")):
                yield id(node)
            case _:
                pass


def _members(node: ast.AST) -> list[ast.expr] | list[ast.keyword]:
    """Return the items that may be left out of a list, a dictionary or a call."""
    match node:
        case ast.Dict(keys=keys, values=members) if None not in keys:
            pass
        case ast.List(elts=members) | ast.Tuple(elts=members) | ast.Set(elts=members):
            pass
        case ast.Call(keywords=keywords) if _width(node) > _WIDE:
            return keywords[::-1]
        case _:
            return []
    return members[::-1] if len(members) > _MANY or _width(node) > _WIDE else []


def _width(node: ast.Call | ast.Dict | ast.List | ast.Tuple | ast.Set) -> int:
    """Return the number of columns of an expression; one with several lines counts as wide."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    is_line = node.lineno == node.end_lineno
    return node.end_col_offset - node.col_offset if is_line else _WIDE + 1


def _plainer_number(value: float, known: Collection[object]) -> Iterator[str]:
    is_plain = abs(value) <= _LARGE and value * 2 == int(value * 2)
    if is_plain or value in known or value in _PLAIN_NUMBERS:
        return
    for plain in _PLAIN_NUMBERS:
        for each in (-plain, plain) if value < 0 else (plain,):
            if len(repr(each)) < len(repr(value)):
                yield repr(each)


def _is_plain(value: str, known: Collection[object]) -> bool:
    if value in known:
        return len(value) <= _WIDE
    return len(value) <= _LONG_TEXT or _PLACEHOLDERS.fullmatch(value) is not None


def _pieces(value: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the lines, words or halves of a text, at most a few of them."""
    lines = value.splitlines(keepends=True)
    parts = lines if len(lines) > 1 else _PIECE.findall(value)
    if len(parts) == 1:
        half = len(value) // 2
        parts = [value[:half], value[half:]]
    step = -(-len(parts) // _MOST_PIECES)
    start = 0
    for at in range(0, len(parts), step):
        end = start + sum(map(len, parts[at : at + step]))
        yield start, end
        start = end


# ------------------------------------------------------------------------------- making them


def _edited(text: str, edits: list[Edit]) -> str | None:
    for edit in edits:
        if edit.node == 0:
            return edit.new
    tree = fresh_tree(text)
    if tree is None:
        return text
    nodes = walk(tree)
    made = _Made()
    for edit in edits:
        node = nodes[edit.node]
        if id(node) in made.new or id(node) in made.removed:
            continue
        if edit.part and isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = {e.part for e in edits if e.node == edit.node and e.part}
            made.new[id(node)] = ast.Constant(_without(node.value, parts))
        elif edit.new is None:
            made.removed.add(id(node))
        else:
            made.new[id(node)] = ast.parse(edit.new, mode="eval").body
    return unparsed(made.visit(tree))


def _without(value: str, parts: Collection[tuple[int, int]]) -> str:
    removed = {at for first, last in parts for at in range(first, last)}
    return "".join(letter for at, letter in enumerate(value) if at not in removed)


class _Made(ast.NodeTransformer):
    """Replaces some nodes of a tree, and removes others."""

    def __init__(self) -> None:
        self.new: dict[int, ast.expr] = {}
        self.removed: set[int] = set()

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) in self.new:
            return self.new[id(node)]
        match node:
            case ast.Dict():
                kept = [i for i, value in enumerate(node.values) if id(value) not in self.removed]
                node.keys = [node.keys[i] for i in kept]
                node.values = [node.values[i] for i in kept]
            case ast.List() | ast.Tuple():
                node.elts = [each for each in node.elts if id(each) not in self.removed]
            case ast.Set():
                kept_elements = [each for each in node.elts if id(each) not in self.removed]
                if not kept_elements:
                    return ast.Call(ast.Name("set", ast.Load()), [], [])
                node.elts = kept_elements
            case ast.Call():
                node.keywords = [each for each in node.keywords if id(each) not in self.removed]
            case _:
                pass
        return self.generic_visit(node)
