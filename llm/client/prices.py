"""Prices of models as their makers publish them; the user's own prices take precedence."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MILLION = 1_000_000
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens of input and output."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return the price in USD of these tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION


_PRICES = {
    "gpt-4o": Price(2.50, 10.00),
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
    "gpt-5": Price(1.25, 10.00),
    "gpt-5-mini": Price(0.25, 2.00),
    "gpt-5-nano": Price(0.05, 0.40),
    "o3": Price(2.00, 8.00),
    "o4-mini": Price(1.10, 4.40),
}


def price_of(model: str) -> Price | None:
    """Return the price of a model, ignoring gateway and date in its name; `None` if unknown."""
    return _PRICES.get(_DATED.sub("", model.rpartition("/")[2]))
