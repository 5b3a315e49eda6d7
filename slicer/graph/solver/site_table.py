"""Call sites, explicit or implicit, with their arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST_CALLEES = 48
_MOST_FORWARDED = 12
"""A site that calls more functions hands arguments and results to and from the first of them."""


@dataclass(slots=True)
class Site:
    """A place that calls, explicitly or not; variables are the program's."""

    caller: int
    line: int
    arguments: tuple[int | None, ...] = ()
    spreads: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    keywords: tuple[tuple[str | None, int], ...] = ()
    target: int | None = None
    decorates: bool = False
    module: int = 0
    depth: int = 0
    """How many copies of functions the site stands in."""
    entered: set[int] = field(default_factory=set)
    """Functions whose parameters have been connected."""
    made: dict[str, int] = field(default_factory=dict)
    """Containers and other objects that library calls make here."""

    def limit(self) -> int:
        """How many functions the site hands arguments to and takes results from."""
        forwards = self.spreads or any(name is None for name, _ in self.keywords)
        return _MOST_FORWARDED if forwards else _MOST_CALLEES

    def argument(self, index: int) -> int | None:
        """The variable of a positional argument."""
        return self.arguments[index] if index < len(self.arguments) else None

    def again(self, target: int | None) -> Site:
        """A plain call from the same place with the same arguments."""
        return Site(
            self.caller, self.line, self.arguments, self.spreads, self.late, self.keywords,
            target, False, self.module, self.depth,
        )  # fmt: skip
