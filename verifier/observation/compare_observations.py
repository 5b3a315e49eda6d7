"""Compare two observations, and find the first difference.

`outcome` compares what a caller can see: the value, an exception except for its message (for one
that ends the process the status, too), what was changed, what the case does after the call, effects
in order at each destination, and printed text where the expected observation shows nothing else (a
mere look-up shows nothing). `strict` compares everything. Values are unfolded, cycles included: two
graphs agree if no path through them distinguishes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .observation import Node, Observation, Value
from .short_text import render, resolve
from .values.compare_values import Difference, Settings, Values
from .values.effect_entries import by_destination, changes_something
from .values.query_calls import has_only_queries

Mode = Literal["outcome", "strict"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The parts of observations that are compared, and how closely."""

    mode: Mode = "outcome"
    relative_tolerance: float = 2.0**-43
    """Tolerance for floating-point numbers, alone and in arrays: the effect of rounding, some
    hundred units in the last place. Narrower numbers in arrays have their own tolerance."""
    absolute_tolerance: float = 0.0


def first_difference(
    expected: Observation, observed: Observation, comparison: Comparison | None = None
) -> Difference | None:
    """Return the first difference of two observations; `None` if they agree."""
    if expected is observed:
        return None
    return _Observations(expected, observed, comparison or Comparison()).first()


class _Observations:
    """One comparison of two observations."""

    def __init__(
        self, expected: Observation, observed: Observation, comparison: Comparison
    ) -> None:
        self._expected = expected
        self._observed = observed
        self._comparison = comparison
        self._is_strict = comparison.mode == "strict"
        settings = Settings(
            comparison.relative_tolerance, comparison.absolute_tolerance, self._is_strict
        )
        self._values = Values(expected, observed, settings)

    def first(self) -> Difference | None:
        """Compare part by part, in the order in which a person would ask."""
        expected, observed = self._expected, self._observed
        if expected.outcome != observed.outcome:
            return Difference("outcome", _ending(expected), _ending(observed))
        if expected.is_accident and not self._is_strict:
            return self._exception()  # a right candidate may fail before or after a change
        return (
            self._exception()
            or self._values.first("value", expected.value, observed.value)
            or self._order()
            or self._identity()
            or self._aliases()
            or self._laziness()
            or self._named("argument", expected.arguments, observed.arguments)
            or self._named("global", expected.globals, observed.globals)
            or self._named("file", expected.files, observed.files)
            or self._effects()
            or self._printed()
            or self._afterwards()
        )

    def _exception(self) -> Difference | None:
        left, right = self._expected.exception, self._observed.exception
        found = self._values.raised("exception", left, right)
        is_exit = _class_of(left, self._expected) == "SystemExit" and not self._is_strict
        if found is None and is_exit:
            old, new = _status(left, self._expected), _status(right, self._observed)
            return None if old == new else Difference("exit status", f"{old}", f"{new}")
        return found

    def _aliases(self) -> Difference | None:
        """Return a difference in aliasing: what the original changes in place must not be replaced,
        since others may hold it, and what it copies must not be shared.

        The reverse is allowed: an extra copy is rarely wrong.
        """
        left, right = self._expected, self._observed
        for place in right.replaced:
            if place not in left.replaced:
                return Difference(place, "the same object, changed", "another object")
        for place in right.stored:
            if place not in left.stored:
                return Difference(place, "an object of its own", "the object that was given")
        if self._is_strict and (left.replaced, left.stored) != (right.replaced, right.stored):
            return Difference(
                "identity of containers",
                *(
                    "; ".join((*each.replaced, *each.stored)) or "as before"
                    for each in (left, right)
                ),
            )
        return None

    def _laziness(self) -> Difference | None:
        """Return a difference in laziness: what the original defers, others must defer, too."""
        for name in self._expected.lazy:
            if name not in self._observed.lazy:
                return Difference(f"{name} after the first item", "not yet done with", "done with")
        return None

    def _order(self) -> Difference | None:
        """Return a difference in the order of dictionaries that the original sorts."""
        left, right = (each.order.split("; ") for each in (self._expected, self._observed))
        missing = [each for each in left if each and each not in right]
        if self._is_strict and not missing:
            missing = [] if left == right else ["as given"]
        if not missing:
            return None
        return Difference("order of the dictionary", missing[0], "; ".join(right) or "as given")

    def _identity(self) -> Difference | None:
        """Compare whether the result is `self`, or the changed argument (strictly: any argument),
        and whether it was awaited.
        """
        left, right = self._expected, self._observed
        if left.awaited != right.awaited:
            return Difference("awaited", str(left.awaited), str(right.awaited))
        if left.value_is == right.value_is:
            return None
        changed = {"self", *(name for name, _ in left.arguments)}
        if self._is_strict or left.value_is in changed or right.value_is == "self":
            return Difference("value is", left.value_is or "new", right.value_is or "new")
        return None

    def _named(
        self, what: str, left: tuple[tuple[str, Value], ...], right: tuple[tuple[str, Value], ...]
    ) -> Difference | None:
        """Compare changes by name: the same things must have changed, to the same values."""
        old, new = dict(left), dict(right)
        for name in sorted(old.keys() | new.keys()):
            path = f"{what} {name}"
            if not self._is_strict and self._differs_in_queries(old, new, name):
                continue
            if name not in new:
                return Difference(path, render(old[name], self._expected), "unchanged")
            if name not in old:
                return Difference(path, "unchanged", render(new[name], self._observed))
            found = self._values.first(path, old[name], new[name])
            if found is not None:
                return found
        return None

    def _differs_in_queries(self, old: dict[str, Value], new: dict[str, Value], name: str) -> bool:
        """Whether a change in only one of both consists of recorded queries alone."""
        if name in old and name in new:
            return False
        values, owner = (old, self._expected) if name in old else (new, self._observed)
        return has_only_queries(values[name], owner)

    def _effects(self) -> Difference | None:
        left, right = self._expected.effects, self._observed.effects
        if self._is_strict:
            return self._in_order(list(enumerate(left)), list(enumerate(right)))
        old, new = by_destination(left, self._expected), by_destination(right, self._observed)
        for destination in (*old, *(each for each in new if each not in old)):
            found = self._in_order(old.get(destination, []), new.get(destination, []))
            if found is not None:
                return found
        return None

    def _in_order(
        self, left: Sequence[tuple[int, Value]], right: Sequence[tuple[int, Value]]
    ) -> Difference | None:
        for (position, old), (_, new) in zip(left, right, strict=False):
            found = self._values.first(f"effects[{position}]", old, new)
            if found is not None:
                return found
        if len(left) != len(right):
            return Difference("effects", f"{len(left)} of them", f"{len(right)} of them")
        return None

    def _afterwards(self) -> Difference | None:
        """Compare what the case does with the call's result."""
        left, right = self._expected.then, self._observed.then
        if left is None or right is None:
            if left is right:
                return None
            return Difference(
                "after the call", *("nothing" if t is None else _ending(t) for t in (left, right))
            )
        found = _Observations(left, right, self._comparison).first()
        return found and replace(found, path=f"after the call: {found.path}")

    def _printed(self) -> Difference | None:
        left, right = self._expected, self._observed
        if not self._is_strict and has_effect_beyond_output(left):
            return None
        found = self._values.first("stdout", left.stdout, right.stdout)
        if found is None and self._is_strict:
            found = self._values.first("stderr", left.stderr, right.stderr)
        return found


def has_effect_beyond_output(observation: Observation) -> bool:
    """Whether a call shows more than printed text."""
    then = observation.then
    if then is not None and (then.stdout or has_effect_beyond_output(then)):
        return True
    changed = observation.arguments or observation.globals or observation.files
    return (
        not (_is_plain(observation) or _tells_and_leaves(observation))
        or bool(changed)
        or any(changes_something(each, observation) for each in observation.effects)
    )


def _is_plain(observation: Observation) -> bool:
    """Whether a call returned nothing, or the exit status of a successful command."""
    value = observation.value
    is_status = type(value) is int and value == 0 and bool(observation.stdout)
    return observation.outcome == "returned" and (value is None or is_status)


def _tells_and_leaves(observation: Observation) -> bool:
    """Whether the program prints what was asked for, such as its help, and exits successfully."""
    return (
        observation.outcome == "raised"
        and bool(observation.stdout)
        and _class_of(observation.exception, observation) == "SystemExit"
        and _status(observation.exception, observation) == 0
    )


def _class_of(exception: Value, observation: Observation) -> str:
    found = resolve(exception, observation)
    return found.text("type") if isinstance(found, Node) else ""


def _status(exception: Value, observation: Observation) -> int:
    """Return the exit status of a `SystemExit`."""
    found = resolve(exception, observation)
    given = found.group("args").values if isinstance(found, Node) else ()
    if given in {(), (None,)}:
        return 0
    return int(given[0]) if len(given) == 1 and isinstance(given[0], int) else 1


def _ending(observation: Observation) -> str:
    if observation.outcome == "returned":
        return f"returned {render(observation.value, observation)}"
    return f"{observation.outcome} {render(observation.exception, observation)}"
