"""Contamination: functions that evaluations know, or whose question shows what they know.

The target of a function is compared as `dataset decontaminate` does it, with reference sets, with
the dataset's own evaluation split, and with the other targets. Of the code in its question each
function is compared with reference sets and that split: a slice can hold a benchmark's function.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ..datasets.deduplication.find_duplicates import EVAL, find_duplicates
from ..datasets.deduplication.function import Fallen, Function, Options, Reference
from ..datasets.storage.dataset import Dataset
from .functions import TrainingFunction
from .options import TrainingOptions

TARGET, SHOWN = "target", "shown code"
_SHOWN_ROWS = 20


@dataclass(frozen=True, slots=True)
class Contamination:
    """What falls, by id of its environment."""

    fallen: Mapping[str, Fallen]
    """Whose target resembles something."""
    shown: Mapping[str, Fallen]
    """Whose question shows something that a reference set or the evaluation split has."""
    references: int

    @property
    def ids(self) -> frozenset[str]:
        """Return the ids of all functions that fall."""
        return frozenset(self.fallen) | frozenset(self.shown)

    def to_json(self) -> dict[str, Any]:
        """Return numbers, and the first that fell."""
        every = [(TARGET, *each) for each in sorted(self.fallen.items())]
        every += [(SHOWN, *each) for each in sorted(self.shown.items())]
        return {
            "references": self.references,
            "left_out": len(self.ids),
            "targets": dict(sorted(Counter(each.between for each in self.fallen.values()).items())),
            "shown_code": dict(
                sorted(Counter(each.between for each in self.shown.values()).items())
            ),
            "first": [
                {
                    "environment": identity,
                    "what": what,
                    "resembles": each.resembles,
                    "similarity": round(each.similarity, 3),
                    "rule": each.rule,
                }
                for what, identity, each in every[:_SHOWN_ROWS]
            ],
        }


def contamination_of(
    dataset: Dataset,
    functions: Sequence[TrainingFunction],
    references: Sequence[Reference],
    options: TrainingOptions,
) -> Contamination:
    """Return which functions fall.

    Args:
        dataset: the dataset, whose evaluation split counts as a reference set.
        functions: all that may train.
        references: what must not be in the data.
        options: how alike is too alike.
    """
    shown: dict[str, list[str]] = {}
    for each in functions:
        for text in definitions_in(each.shown):
            shown.setdefault(text, []).append(each.id)
    created = {row.id: row.created for row in dataset.rows()}
    evaluating = [
        Reference(row.id, row.code, row.qualname) for row in dataset.rows() if row.split == EVAL
    ]
    known = [*references, *evaluating]
    limits = Options(options.similarity, None, options.is_same_repository_out)
    targets = [
        Function(each.id, each.repo, each.path, each.qualname, each.code, created[each.id])
        for each in functions
    ]
    verdicts = find_duplicates(targets, limits, known)
    own = {each.id for each in evaluating}
    fallen = {each.id: _named(each, own) for each in verdicts.fallen}
    found = _shown_references(shown, known, options.similarity)
    found = {identity: _named(each, own) for identity, each in found.items()}
    return Contamination(fallen, found, len(references))


def _named(fallen: Fallen, evaluating: Collection[str]) -> Fallen:
    """Return what falls for the evaluation split as such."""
    return replace(fallen, between="train-eval") if fallen.resembles in evaluating else fallen


def _shown_references(
    shown: Mapping[str, Sequence[str]], references: Sequence[Reference], similarity: float
) -> dict[str, Fallen]:
    """Return what falls because its question shows a function of a reference."""
    if not references:
        return {}
    by_id = {sha256(text.encode("utf-8", "surrogatepass")).hexdigest(): text for text in shown}
    functions = [Function(name, "", "", "", text) for name, text in by_id.items()]
    verdicts = find_duplicates(functions, Options(similarity), references)
    return {
        environment: each
        for each in verdicts.fallen
        if each.between == "reference"
        for environment in shown[by_id[each.id]]
    }


def definitions_in(text: str) -> Iterator[str]:
    """Yield the functions that stand whole in the code of a question, wherever they stand."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = text.split("\n")  # as Python counts them
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _is_hole(node.body):
            yield "\n".join([*lines[node.lineno - 1 : node.end_lineno], ""])


def _is_hole(body: Sequence[ast.stmt]) -> bool:
    """Whether a body is `...`, perhaps below a docstring."""
    match body[-1]:
        case ast.Expr(value=ast.Constant(value=value)) if value is ...:
            return True
        case _:
            return False
