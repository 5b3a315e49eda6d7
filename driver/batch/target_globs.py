"""`--include` and `--exclude`: which functions of a repository a run processes.

Patterns work as in a `.gitignore`: `*` and `?` stop at a slash and `**` does not, a pattern without
a slash matches a name in any folder, and a folder stands for all its contents. The part after `::`
is matched against the qualified name, where a class stands for its methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ...slicer.errors import OptionError

if TYPE_CHECKING:
    from ...slicer.model import Target


@dataclass(frozen=True, slots=True)
class Globs:
    """Filter of functions: some pattern must include a function, and none exclude it."""

    include: tuple[str, ...] = ()
    """Patterns of functions to include; empty means all."""
    exclude: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether any pattern is given."""
        return bool(self.include or self.exclude)

    def selected(self, targets: Sequence[Target]) -> tuple[Target, ...]:
        """Return the targets that the filter takes.

        Raises:
            OptionError: there are targets, and none is left.
        """
        if not self:
            return tuple(targets)
        include, exclude = self.include or ("**",), self.exclude
        left = tuple(
            each
            for each in targets
            if any(matches(pattern, each) for pattern in include)
            and not any(matches(pattern, each) for pattern in exclude)
        )
        if targets and not left:
            idle = "".join(f"; {line}" for line in self.idle(targets))
            raise OptionError(
                f"--include and --exclude leave none of {len(targets)} functions{idle}",
                "name files or folders below the repository",
            )
        return left

    def idle(self, targets: Sequence[Target]) -> tuple[str, ...]:
        """Return a message for each pattern without a match, which is often a typing error."""
        patterns = [("--include", each) for each in self.include]
        patterns += [("--exclude", each) for each in self.exclude]
        return tuple(
            f"{option} {pattern} matches no function"
            for option, pattern in dict.fromkeys(patterns)
            if not any(matches(pattern, each) for each in targets)
        )


def matches(pattern: str, target: Target) -> bool:
    """Whether a pattern matches this function, its class, its file, or a folder above."""
    path, separator, name = pattern.partition("::")
    if separator and not any(fnmatchcase(target.qualname, each) for each in (name, f"{name}.*")):
        return False
    path = path.removeprefix("./").rstrip("/")
    if "/" not in path:
        path = f"**/{path}" if path else "**"
    return _leads_to(path.removeprefix("/").split("/"), target.path.split("/"))


def _leads_to(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a pattern matches a path from its top, or a parent folder of it."""
    if not pattern or not parts:
        return not pattern
    first, *rest = pattern
    if first == "**":
        return any(_leads_to(rest, parts[start:]) for start in range(len(parts)))
    return fnmatchcase(parts[0], first) and _leads_to(rest, parts[1:])
