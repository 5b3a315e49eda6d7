"""The values that reveal the mutants of each operator."""

from __future__ import annotations

from .expression_operators import KILLED_BY
from .mistakes.mistake_operators import NEAR, OPERATORS
from .statement_operators import KILLED_BY as STATEMENTS_KILLED_BY
from .value_changes import KillingValues, any_change

_KILLED_BY = {
    **KILLED_BY,
    **STATEMENTS_KILLED_BY,
    **{each.name: each.killed_by for each in (*OPERATORS, *NEAR)},
}


def killing_values(operator: str) -> KillingValues:
    """Return the changes of values that may reveal the mutants of an operator."""
    return _KILLED_BY.get(operator, any_change)
