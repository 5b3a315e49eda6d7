"""CodeBLEU (Ren et al., 2020) of Python: the mean of four matches with the original.

Tokens are those of the language, where the published program splits at blanks; syntax is Python's
own tree; data flow is from each use of a variable to the names that its last assignment reads.
"""

from __future__ import annotations

import ast
import io
import keyword
import math
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import dedent

_ORDERS = 4
_KEYWORD_WEIGHT = 5.0
"""Weight of a keyword in the weighted match; 1 for every other token."""
_SMOOTHING = 0.1
"""Count that stands for no match of an order, as in method 1 of Chen and Cherry (2014)."""


def code_bleu(code: str, original: str) -> float:
    """Return the mean of n-gram match, weighted n-gram match, syntax match and data-flow match.

    A part that the original does not have, such as data flow in a function without variables,
    counts as matched.
    """
    mine, theirs = _tokens(code), _tokens(original)
    first, second = _parsed(code), _parsed(original)
    syntax = _share(_subtrees(first), _subtrees(second)) if first else 0.0
    flow = _share(_flows(first), _flows(second)) if first else 0.0
    return (_bleu(mine, theirs, 1.0) + _bleu(mine, theirs, _KEYWORD_WEIGHT) + syntax + flow) / 4


def _tokens(code: str) -> list[str]:
    """Return the tokens of a text, without comments; what is no Python is split at blanks."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    try:
        found = list(tokenize.generate_tokens(io.StringIO(dedent(code)).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return code.split()
    return [each.string for each in found if each.type not in skipped and each.string]


def _bleu(mine: Sequence[str], theirs: Sequence[str], keyword_weight: float) -> float:
    """Return BLEU (Papineni et al., 2002) with a weight for each token of an n-gram of one."""
    if not mine or not theirs:
        return 0.0
    logs = 0.0
    for order in range(1, _ORDERS + 1):
        known, found = _ngrams(theirs, order), _ngrams(mine, order)

        def weighed(counts: Counter[tuple[str, ...]], order: int = order) -> float:
            if order > 1:
                return float(counts.total())
            return sum(
                count * (keyword_weight if keyword.iskeyword(gram[0]) else 1.0)
                for gram, count in counts.items()
            )

        total = max(1.0, weighed(found))
        logs += math.log(max(weighed(found & known), _SMOOTHING) / total) / _ORDERS
    brevity = 1.0 if len(mine) > len(theirs) else math.exp(1 - len(theirs) / len(mine))
    return min(1.0, brevity * math.exp(logs))


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _share(mine: Counter[str], theirs: Counter[str]) -> float:
    total = theirs.total()
    return (mine & theirs).total() / total if total else 1.0


def _subtrees(tree: ast.Module | None) -> Counter[str]:
    """Return the subtrees of a program by the types of their nodes, without names and values."""
    found: Counter[str] = Counter()

    def visit(node: ast.AST) -> str:
        inner = [visit(child) for child in ast.iter_child_nodes(node)]
        text = f"({type(node).__name__}{''.join(inner)})"
        if inner:
            found[text] += 1
        return text

    if tree is not None:
        visit(tree)
    return found


def _flows(tree: ast.Module | None) -> Counter[str]:
    """Return where values come from, with variables numbered in the order in which they appear."""
    numbers: dict[str, str] = {}
    return Counter(
        f"{numbers.setdefault(target, f'v{len(numbers)}')}<-"
        f"{numbers.setdefault(source, f'v{len(numbers)}')}"
        for target, source in _assignments(tree)
    )


def _assignments(tree: ast.Module | None) -> Iterator[tuple[str, str]]:
    """Yield each variable that is assigned, with each that its value reads."""
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AugAssign(target=target, value=value):
                targets = [target]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                targets = [target]
            case ast.NamedExpr(target=target, value=value):
                targets = [target]
            case _:
                continue
        for target in targets:
            for name in _names(target):
                for source in _names(value):
                    yield name, source


def _names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
