"""Call sites, explicit or implicit, with their arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST_CALLEES = 48
_MOST_FORWARDED = 12
"""Maximum number of callees that a site forwards arguments to and takes results from."""


@dataclass(slots=True)
class Site:
    """A call site, explicit or implicit; variables are numbered for the whole program."""

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
    """Number of nested function copies that contain the site."""
    within: tuple[int, ...] = ()
    """Partial applications through which the call goes."""
    entered: set[int] = field(default_factory=set)
    """Functions whose parameters have been connected."""
    made: dict[str, int] = field(default_factory=dict)
    """Containers and other objects that library calls create here."""

    def limit(self) -> int:
        """Number of functions that the site passes arguments to and takes results from."""
        forwards = self.spreads or any(name is None for name, _ in self.keywords)
        return _MOST_FORWARDED if forwards else _MOST_CALLEES

    def argument(self, index: int) -> int | None:
        """Return the variable of a positional argument."""
        return self.arguments[index] if index < len(self.arguments) else None

    def again(self, target: int | None) -> Site:
        """Return a plain call from the same place with the same arguments."""
        return Site(
            self.caller, self.line, self.arguments, self.spreads, self.late, self.keywords,
            target, False, self.module, self.depth, self.within,
        )  # fmt: skip
