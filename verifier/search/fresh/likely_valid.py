"""Inputs that a right implementation may answer otherwise are left out.

What all cases of an environment share (an order, a sign, a relation of two arguments), and what the
target's docstring promises, bounds the domain. Beyond it, what the original does is an accident.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ....slicer.syntax.nodes import all_parameters
from ...evidence.recordings.documented_domain import DocumentedDomain, documented_domain
from ...evidence.recordings.likely_invariants import Domain, domain_of
from ...evidence.recordings.recorded_calls import RecordedCall
from ..plausibility.clock_numbers import are_times, clock_parameters
from ..plausibility.number_ties import NumberTies, number_ties
from ..variation.absent_items import handles_none, has_gaps
from .case_calls import CaseCall

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class LikelyValid:
    """Decides whether a call lies within the domain that is known of a target."""

    names: tuple[str, ...] = ()
    """Names of the parameters by position."""
    shared: Domain = field(default_factory=Domain)
    documented: DocumentedDomain = field(default_factory=DocumentedDomain)
    ties: NumberTies = field(default_factory=NumberTies)
    clocks: frozenset[str] = frozenset()
    handles_none: bool = True

    def __call__(self, case: CaseCall) -> bool:
        """Whether a right implementation answers as the original does, as far as is known."""
        given = self.arguments(case)
        return (
            not self.shared.refusal(given)
            and self.documented.allows(given)
            and not self.ties.has_tie(given)
            and are_times(self.clocks, given)
            and (self.handles_none or not any(map(has_gaps, given.values())))
        )

    def arguments(self, case: CaseCall) -> Mapping[str, str]:
        """Return the arguments of a case as texts, by name of the parameter."""
        return _arguments(case, self.names)


def likely_valid(function: _Function | None, known: Sequence[CaseCall]) -> LikelyValid:
    """Return the domain of a target.

    Args:
        function: the original's definition, if it is one function.
        known: the cases that are there.
    """
    names = _positions(function)
    shared = domain_of(_recorded(known, names))
    if function is None:
        return LikelyValid(names, shared)
    return LikelyValid(
        names,
        shared,
        documented_domain(function),
        number_ties(function),
        clock_parameters(function),
        handles_none(function),
    )


def _positions(function: _Function | None) -> tuple[str, ...]:
    if function is None:
        return ()
    names = [each.arg for each in all_parameters(function.args)]
    return tuple(names[1:] if names[:1] in (["self"], ["cls"]) else names)


def _arguments(case: CaseCall, names: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, node in case.arguments.items():
        at = int(name) if name.isdecimal() else -1
        found[names[at] if 0 <= at < len(names) else name] = ast.unparse(node)
    return found


def _recorded(known: Iterable[CaseCall], names: Sequence[str]) -> Iterable[RecordedCall]:
    for each in known:
        yield RecordedCall("", "", tuple(_arguments(each, names).items()))
