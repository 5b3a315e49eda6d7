"""CodeBLEU (Ren et al., 2020) of Python: the mean of four matches with the original.

Words, keywords, syntax and smoothing are those of the published program. Its data flow numbers the
variables of an edge in an order that changes from process to process; here it is that of the text.
"""

from __future__ import annotations

import io
import keyword
import math
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from textwrap import dedent
from typing import TYPE_CHECKING

from ....llm.retrieval.languages import parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ORDERS = 4
_KEYWORDS = frozenset({*keyword.kwlist, "match", "case", "type"})
_PLAIN_WEIGHT = 0.2
"""Weight of a word that is no keyword in the weighted match; 1 for a keyword."""
_SMOOTHING = 0.1
"""Count that stands for no match of an order, as in method 1 of Chen and Cherry (2014)."""
_ASSIGNMENTS = frozenset({"assignment", "augmented_assignment", "for_in_clause"})
_LOOPS = frozenset({"for_statement", "while_statement"})
_Edge = tuple[str, str, tuple[str, ...]]
"""A variable, how its value is had, and from which ones."""


def code_bleu(code: str, original: str) -> float:
    """Return the mean of n-gram match, weighted n-gram match, syntax match and data-flow match.

    An original without data flow counts as matched there.
    """
    return sum(matches(code, original)) / 4


def matches(code: str, original: str) -> tuple[float, float, float, float]:
    """Return the n-gram match, the weighted n-gram match, the syntax match and the flow match."""
    mine, theirs = code.split(), original.split()
    (found, own), (wanted, flows) = _structure(code), _structure(original)
    known = set(found)
    syntax = sum(each in known for each in wanted) / len(wanted)
    flow = (own & flows).total() / flows.total() if flows else 1.0
    return _precision(mine, theirs), _weighted_recall(mine, theirs), syntax, flow


def _precision(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """Return BLEU (Papineni et al., 2002)."""
    shares: list[tuple[float, int]] = []
    for order in range(1, _ORDERS + 1):
        found = _ngrams(mine, order)
        shares.append(((found & _ngrams(theirs, order)).total(), max(1, found.total())))
    is_short = len(mine) <= len(theirs)
    brevity = math.exp(1 - len(theirs) / len(mine)) if mine and is_short else 1.0
    return brevity * _geometric_mean(shares)


def _weighted_recall(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """Return the share of the original's n-grams that are found, keywords weighing more."""
    shares: list[tuple[float, float]] = []
    for order in range(1, _ORDERS + 1):
        known = _ngrams(theirs, order)
        found = known & _ngrams(mine, order)
        weighed = _weight if order == 1 else Counter[tuple[str, ...]].total
        shares.append((weighed(found), max(1.0, weighed(known))))
    return _geometric_mean(shares)


def _weight(words: Counter[tuple[str, ...]]) -> float:
    return sum(
        count * (1.0 if word in _KEYWORDS else _PLAIN_WEIGHT) for (word,), count in words.items()
    )


def _geometric_mean(shares: Sequence[tuple[float, float]]) -> float:
    if not shares[0][0]:
        return 0.0
    return math.exp(sum(math.log((part or _SMOOTHING) / whole) for part, whole in shares) / _ORDERS)


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


@lru_cache(256)
def _structure(code: str) -> tuple[Sequence[bytes], Counter[_Edge]]:
    """Return the subtrees and the data flow of a text. The cache serves originals, which recur.

    What is nested more deeply than Python's own stack counts as without data flow.
    """
    text = _without_comments(dedent(code).strip())
    root = parser_of("python").parse(text.encode("utf-8", "replace")).root_node
    try:
        flows = _flows(root)
    except RecursionError:
        flows = Counter[_Edge]()
    return tuple(_subtrees(root)), flows


def _without_comments(code: str) -> str:
    """Return a text without comments and docstrings; as it is where it has no Python tokens."""
    kept: list[str] = []
    before, row, column = tokenize.INDENT, 0, 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            column = 0 if token.start[0] > row else column
            kept.append(" " * (token.start[1] - column))
            begins_line = before in (tokenize.INDENT, tokenize.NEWLINE) or not token.start[1]
            is_docstring = token.type == tokenize.STRING and begins_line
            if token.type != tokenize.COMMENT and not is_docstring:
                kept.append(token.string)
            before, (row, column) = token.type, token.end
    except (tokenize.TokenError, SyntaxError, ValueError):
        return code
    return "\n".join(line for line in "".join(kept).split("\n") if line.strip())


def _subtrees(root: Node) -> Iterator[bytes]:
    """Yield a digest of each subtree: of the types of its nodes, without names and values."""
    cursor = root.walk()
    open_nodes: list[list[bytes]] = [[]]  # of each node on the way down, what is below it so far
    while True:
        if cursor.goto_first_child():
            open_nodes.append([])
            continue
        while True:
            node = cursor.node
            assert node is not None
            if node.children:
                below = b"".join(open_nodes.pop())
                digest = sha256(f"{node.type}\0".encode() + below).digest()
                yield digest
            else:
                digest = sha256(f"{node.type}\0".encode()).digest()
                if node.parent is None:  # an empty program
                    yield digest
            if node.is_named:
                open_nodes[-1].append(f"{cursor.field_name or ''}\0".encode() + digest)
            if cursor.goto_next_sibling():
                break
            if not cursor.goto_parent():
                return


def _flows(root: Node) -> Counter[_Edge]:
    """Return where values come from, the variables of each edge numbered by themselves."""
    flow = _DataFlow()
    flow.visit(root)
    sources = {name for _, _, names in flow.edges.values() for name in names}
    return Counter(
        _numbered(name, relation, names)
        for name, relation, names in flow.edges.values()
        if names or name in sources
    )


def _numbered(name: str, relation: str, sources: Sequence[str]) -> _Edge:
    numbers: dict[str, str] = {}
    for each in (name, *sources):
        numbers.setdefault(each, f"v{len(numbers)}")
    return numbers[name], relation, tuple(numbers[each] for each in sources)


@dataclass(slots=True)
class _DataFlow:
    """Edges of a program: by the place of a variable, its name and what its value is from."""

    edges: dict[int, tuple[str, str, list[str]]] = field(
        default_factory=dict[int, "tuple[str, str, list[str]]"]
    )
    seen: set[str] = field(default_factory=set[str])
    turns: int = 2
    """How often a loop is gone through: what a turn assigns, the next one reads."""

    def visit(self, node: Node) -> None:
        """Add the edges of a node."""
        if node.type == "string" or not node.children:
            self._use(node)
        elif node.type in _ASSIGNMENTS or node.type == "default_parameter":
            self._assign(node)
        elif node.type in _LOOPS:
            turns, self.turns = (
                self.turns,
                1,
            )  # the turns of an outer loop are those of an inner one
            for _ in range(turns):
                self._assign(node)
                for child in _parts(node):
                    self.visit(child)
            self.turns = turns
        else:
            clauses = [each for each in node.children if each.type == "for_in_clause"]
            others = [each for each in node.children if each.type != "for_in_clause"]
            for child in (*clauses, *others):
                self.visit(child)

    def _use(self, leaf: Node) -> None:
        name = _text(leaf)
        if leaf.type == name:  # punctuation, or a keyword
            return
        self._add(leaf, "comesFrom", [name] if name in self.seen else [])
        if leaf.type == "identifier":
            self.seen.add(name)

    def _assign(self, node: Node) -> None:
        is_default = node.type == "default_parameter"
        left = node.child_by_field_name("name" if is_default else "left")
        right = node.child_by_field_name("value" if is_default else "right")
        if left is None or right is None:
            return
        self.visit(right)
        relation = "comesFrom" if is_default else "computedFrom"
        targets, values = _items(left), _items(right)
        if len(targets) != len(values):
            targets, values = [left], [right]
        for target, value in zip(targets, values, strict=True):
            sources = [_text(each) for each in _leaves(value)]
            for leaf in _leaves(target):
                self._add(leaf, relation, sources)
                self.seen.add(_text(leaf))

    def _add(self, leaf: Node, relation: str, sources: Sequence[str]) -> None:
        known = self.edges.setdefault(leaf.start_byte, (_text(leaf), relation, []))
        known[2].extend(each for each in dict.fromkeys(sources) if each not in known[2])


def _parts(loop: Node) -> list[Node]:
    """Return what runs in each turn of a loop."""
    heads = {loop.child_by_field_name("left"), loop.child_by_field_name("right")}
    return [each for each in loop.children if each not in heads]


def _items(node: Node) -> list[Node]:
    """Return the parts of a tuple or of another list of values."""
    return [each for each in node.children if each.type != ","] or [node]


def _leaves(node: Node) -> Iterator[Node]:
    """Yield the names and values of an expression."""
    if node.type == "string" or not node.children:
        if node.type != _text(node):
            yield node
        return
    for child in node.children:
        yield from _leaves(child)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
