"""The domain of arguments that a docstring states: sorted, distinct, `low <= high`.

The result of a call outside this domain is undefined, whatever the original returns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....slicer.syntax.nodes import defaults_of
from .likely_invariants import Sign, has_sign, in_order, numbers_in
from .value_sketches import UNSEEN, Sketch, sketch_of

_CLAUSE = re.compile(r"[.;!?](?:\s|$)|\n\s*\n|(?<!\w)\(([^()]*)\)|:\s*\n")
_CONDITIONAL = re.compile(
    r"\b(?:if|when|whenever|where|unless|otherwise|else|returns?|whether|raises?|true|false|yields?)\b",
    re.I,
)
"""Words of sentences that describe a case rather than a promise."""
_RESULT = re.compile(
    r"\b(?:returns?|gives?|yields?|removes?|drops?|keeps?|filters?|makes?|collects?|builds?|creates?)\b"
    r"(?:\W+\w+){0,3}?\W+(?:sorted|distinct|unique|without|non-?empty)\b"
    r"|^\W*(?:an?\W+|the\W+)?(?:sorted|distinct|unique)\b",
    re.I,
)
"""Matches if the words describe the result."""
_SORTED = re.compile(
    r"\b(?:in|of|from|over|into|an?|two|are|be|is|assumed|already|both)[ `*]+"
    r"(?:\w+[ `*]+){0,2}?sorted\b"
    r"(?!\W+by\b)|\bsorted\W+(?:list|sequence|array|ascending|in\W+ascending)",
    re.I,
)
_DISTINCT = re.compile(
    r"\bwithout\W+(?:any\W+)?(?:repetition|duplicate|repeat)|\bno\W+(?:duplicates|repetitions)\b"
    r"|\b(?:of|be|are|all)\W+(?:\w+\W+)?(?:distinct|unique)\b",
    re.I,
)
_FILLED = re.compile(r"\b(?:an?|be|is|are)\W+non-?empty\b|\bnot\W+be\W+empty\b", re.I)
_SIGNS: tuple[tuple[re.Pattern[str], Sign], ...] = (
    (re.compile(r"\bnon-?negative\b|\bnot\W+(?:be\W+)?negative\b", re.I), "non-negative"),
    (re.compile(r"\b(?:strictly\W+)?positive\b", re.I), "positive"),
)
_SIGN = r"(?:<=|>=|<|>|≤|≥)"
_TERM = r"(?:len\(\w+\)|[^\W\d]\w*|-?\d+(?:\.\d+)?)"
_CHAIN = re.compile(rf"(?<![\w.]){_TERM}(?:\s*{_SIGN}\s*{_TERM})+(?![\w(])")


@dataclass(frozen=True, slots=True)
class DocumentedDomain:
    """The domain of a function's arguments according to its docstring."""

    chains: tuple[str, ...] = ()
    """Comparisons between parameters, numbers and lengths that hold."""
    is_sorted: bool = False
    is_distinct: bool = False
    filled: tuple[str, ...] = ()
    """Parameters that are not empty."""
    signs: tuple[tuple[str, Sign], ...] = ()
    """Parameters, each with the sign of its numbers."""
    defaults: tuple[tuple[str, str], ...] = ()

    def allows(self, arguments: Mapping[str, str]) -> bool:
        """Whether a call is inside the domain; unknown values are.

        Args:
            arguments: maps parameters to expressions.
        """
        values = {n: sketch_of(t) for n, t in {**dict(self.defaults), **arguments}.items()}
        given = [values[name] for name in arguments if name in values]
        return not (
            (self.is_sorted and any(in_order(value) is False for value in given))
            or (self.is_distinct and any(map(_repeats, given)))
            or any(values.get(name, UNSEEN).length == 0 for name in self.filled)
            or not all(
                has_sign(number, sign)
                for name, sign in self.signs
                for number in numbers_in(values.get(name, UNSEEN))
            )
            or any(_holds(chain, values) is False for chain in self.chains)
        )


def documented_domain(function: ast.FunctionDef | ast.AsyncFunctionDef) -> DocumentedDomain:
    """Return what a function's docstring promises about its arguments.

    A parameter that the function itself checks may have any value: the check says what happens.
    """
    text = ast.get_docstring(function) or ""
    args = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    checked = _checked(function)
    names = [each.arg for each in args if each.arg not in checked]
    clauses = [] if not text else list(_clauses(text))
    about_arguments = [each for each in clauses if not _RESULT.search(each)]
    is_free = not checked
    return DocumentedDomain(
        tuple(chain for each in clauses for chain in _chains(each, names)),
        is_free and any(_SORTED.search(each) for each in about_arguments),
        is_free and any(_DISTINCT.search(each) for each in about_arguments),
        tuple(n for n in names if any(_describes(each, n, _FILLED) for each in about_arguments)),
        tuple((n, sign) for n in names if (sign := _sign_of(n, about_arguments))),
        tuple((arg.arg, ast.unparse(each)) for arg, each in defaults_of(function.args)),
    )


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text; bracketed text is a clause of its own."""
    for found in _CLAUSE.finditer(text):
        if found[1]:
            yield found[1]
    for part in re.split(r"[.;!?](?:\s|$)|\n\s*\n|:\s*\n", re.sub(r"(?<!\w)\([^()]*\)", " ", text)):
        if part and part.strip():
            yield " ".join(part.split())


def _chains(clause: str, names: Sequence[str]) -> Iterator[str]:
    if _CONDITIONAL.search(clause):
        return
    for found in _CHAIN.findall(clause):
        words = set(re.findall(r"[^\W\d]\w*", found)) - {"len"}
        if words and words <= set(names):
            yield found.replace("≤", "<=").replace("≥", ">=")


def _describes(clause: str, name: str, what: re.Pattern[str]) -> bool:
    """Whether a clause says it about the parameter: the word follows the name closely."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)(.{{0,60}})", clause, re.S)
    return found is not None and what.search(found[1]) is not None


def _sign_of(name: str, clauses: Sequence[str]) -> Sign:
    for clause in clauses:
        if not _CONDITIONAL.search(clause):
            for what, sign in _SIGNS:
                if _describes(clause, name, what):
                    return sign
    return ""


def _checked(function: ast.AST) -> set[str]:
    """Return names in tests that lead to an error or an early return."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Assert(test=test):
                found.update(n.id for n in ast.walk(test) if isinstance(n, ast.Name))
            case ast.If(test=test, body=[ast.Raise(), *_]):
                found.update(n.id for n in ast.walk(test) if isinstance(n, ast.Name))
            case _:
                continue
    return found


def _repeats(value: Sketch) -> bool:
    """Whether a list or tuple of literals has duplicates."""
    if value.type not in ("list", "tuple") or not all(each.is_literal for each in value.items):
        return False
    return len({(each.type, each.value) for each in value.items}) < len(value.items)


def _holds(chain: str, values: Mapping[str, Sketch]) -> bool | None:
    """Whether a chain of comparisons holds; `None` if a value is unknown."""
    node = ast.parse(chain, mode="eval").body
    if not isinstance(node, ast.Compare):
        return None
    terms = [_number(each, values) for each in (node.left, *node.comparators)]
    for sign, left, right in zip(node.ops, terms, terms[1:], strict=False):
        if left is None or right is None:
            continue
        match sign:
            case ast.Lt():
                holds = left < right
            case ast.LtE():
                holds = left <= right
            case ast.Gt():
                holds = left > right
            case _:
                holds = left >= right
        if not holds:
            return False
    return True


def _number(node: ast.expr, values: Mapping[str, Sketch]) -> int | float | None:
    match node:
        case ast.Name(id=name):
            return values.get(name, UNSEEN).number
        case ast.Call(args=[ast.Name(id=name)]):
            return values.get(name, UNSEEN).length
        case _:
            return sketch_of(ast.unparse(node)).number
