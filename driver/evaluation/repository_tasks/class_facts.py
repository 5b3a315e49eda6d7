"""What makes a class a task, in any language: facts of it, and the files without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from .task_file import RunOfTests

MOST_TOKENS = 3000
LEAST_METHODS = 2


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What tests and the repository have to do with a class."""

    name: str
    path: str
    code: str
    """Its text."""
    tests: tuple[str, ...]
    """Files of tests that name it."""
    tested: tuple[str, ...]
    """Methods that tests call directly."""
    used: Mapping[str, tuple[str, ...]]
    """Definitions of the repository outside the class that each tested method needs."""

    @property
    def referring(self) -> tuple[str, ...]:
        """Return the tested methods that refer to the rest of the repository."""
        return tuple(sorted(name for name, used in self.used.items() if used))


@dataclass(frozen=True, slots=True)
class ClassFiles:
    """The file of a class without it and with it, and a description of the class."""

    start: str
    """The file without the class."""
    gold: str
    """The file with it."""
    imports: str
    """Imports that the start lacks and that stand outside the code."""
    skeleton: str
    """Description without a model."""
    relatives: tuple[str, ...] = ()
    """Other classes that the start lacks."""


class Classes(Protocol):
    """The classes of a repository in one language."""

    @property
    def language(self) -> str:
        """Return the language's name."""
        ...

    def classes(self) -> Iterator[ClassFacts]:
        """Yield the global classes outside tests."""
        ...

    def files(self, facts: ClassFacts) -> ClassFiles:
        """Return the file of a class without it and with it, and its description."""
        ...

    def run(self, facts: ClassFacts) -> RunOfTests:
        """Return how the tests that name a class run."""
        ...
