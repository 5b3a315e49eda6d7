"""The cost of model requests for a function or a run, and the limits on it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from .model_settings import Budget
from .questions import Usage


@dataclass(slots=True)
class Account:
    """The calls made for one function, by the gap that they were made for.

    Stored answers count as they did when they were paid for, so that a run from the cache takes the
    same turns as the first.
    """

    budget: Budget = field(default_factory=Budget)
    by_purpose: dict[str, Usage] = field(default_factory=dict[str, Usage])
    paid: Usage = field(default_factory=Usage)
    """The part that was not stored before."""
    _reserved: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def total(self) -> Usage:
        """The sum over all purposes."""
        return sum(self.by_purpose.values(), start=Usage())

    def reserve(self, worst: Usage) -> bool:
        """Reserve the worst case of one more call; return whether the budget allows it."""
        budget = self.budget
        with self._lock:
            then = self.total + self._reserved + worst
            tokens = then.input_tokens + then.output_tokens
            is_allowed = (
                (budget.calls is None or then.calls <= budget.calls)
                and (budget.tokens is None or tokens <= budget.tokens)
                and (budget.usd is None or then.cost <= budget.usd)
            )
            if is_allowed:
                self._reserved += worst
        return is_allowed

    def settle(self, worst: Usage, purpose: str, usage: Usage, *, is_stored: bool) -> None:
        """Count what a call has taken in place of its reserve."""
        with self._lock:
            self._reserved -= worst
            if usage.calls:
                self.by_purpose[purpose] = self.by_purpose.get(purpose, Usage()) + usage
                if not is_stored:
                    self.paid += usage


def format_calls(account: Account) -> str:
    """Return one line for people: the purposes of the calls, and what they took."""
    total = account.total
    calls = f"{total.calls} call{'s' * (total.calls != 1)}"
    stored = total.calls - account.paid.calls
    line = (
        f"model: {calls}, {total.input_tokens:,} tokens in, {total.output_tokens:,} out, "
        f"${total.cost:.2f}, {total.seconds:.1f} s"
    )
    if stored:
        line += f"; {stored} of them stored before, ${account.paid.cost:.2f} paid now"
    return line + "".join(f"; {purpose}" for purpose in sorted(account.by_purpose))
