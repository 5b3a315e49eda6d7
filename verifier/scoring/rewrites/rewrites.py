"""All rewrites of a target: other texts with the same behaviour.

Each is sound: nothing is rewritten unless it is proved that nobody can tell the difference. A
function whose variables or text something looks at stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from ...mutation.mutated_block import Block
from .kinds.augmented import expand_augmented
from .kinds.blank_lines import spaced
from .kinds.comprehension import comprehension
from .kinds.early_returns import early, late
from .kinds.keyword_order import turned
from .kinds.renamed_locals import renamed
from .kinds.reordered_assignments import reordered
from .kinds.swapped_branches import swapped
from .kinds.temporaries import temporaries
from .rewrite_facts import Facts, facts_of

_Transform = Callable[[cst.FunctionDef, Facts], cst.FunctionDef]

_TRANSFORMS: tuple[tuple[str, _Transform], ...] = (
    ("renamed locals", renamed),
    ("reordered assignments", reordered),
    ("comprehension for a loop", comprehension),
    ("swapped branches", swapped),
    ("no else after a return", early),
    ("else after a return", late),
    ("variable for what is returned", temporaries),
    ("augmented assignment spelled out", expand_augmented),
    ("keywords in another order", turned),
    ("empty lines between statements", spaced),
)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten target."""

    name: str
    text: str


def rewrites_of(block: Block) -> tuple[Rewrite, ...]:
    """Return each rewrite that applies, and all of them combined."""
    text = block.standing(block.lines)
    try:
        file = ast.parse(block.text)
        _ = cst.parse_module(text.lstrip("\n"))
    except (SyntaxError, cst.ParserSyntaxError):
        return ()
    found = [Rewrite(name, _applied(text, file, one)) for name, one in _TRANSFORMS]
    changed = [each for each in found if each.text != text]
    if len(changed) > 1:
        changed.append(Rewrite("all of these", _all(text, file)))
    return tuple(changed)


def most_different_rewrite(block: Block) -> str | None:
    """Return one text as different from the block as possible; `None` without rewrites.

    If something looks at a function's text or variables, only its lines are moved.
    """
    text = block.standing(block.lines)
    try:
        found = _applied(
            _all(text, ast.parse(block.text)), ast.Module([], []), spaced, is_watched_too=True
        )
    except (SyntaxError, cst.ParserSyntaxError):
        return None
    return found if found != text else None


def _all(text: str, file: ast.Module) -> str:
    for _, transform in _TRANSFORMS:
        text = _applied(text, file, transform)
    return text


def _applied(
    text: str, file: ast.Module, transform: _Transform, *, is_watched_too: bool = False
) -> str:
    """Return the text with its functions rewritten."""
    own = text.lstrip("\n")  # thousands of empty lines would become as many nodes
    rewritten = cst.parse_module(own).visit(_Outermost(file, transform, is_watched_too)).code
    return text[: len(text) - len(own)] + rewritten


class _Outermost(cst.CSTTransformer):
    """Rewrites outermost functions; nested ones are part of them."""

    def __init__(self, file: ast.Module, transform: _Transform, is_watched_too: bool) -> None:
        super().__init__()
        self._is_watched_too = is_watched_too
        self._file = file
        self._transform = transform

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        for tree in _parsed(updated_node):
            facts = facts_of(tree, self._file)
            if self._is_watched_too or not facts.is_watched:
                return self._transform(updated_node, facts)
        return updated_node


def _parsed(node: cst.FunctionDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for tree in ast.parse(cst.Module([]).code_for_node(node)).body:
        if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
            yield tree
