"""The ideas that propose inputs, and how each is switched off.

A line of `search_ideas.tsv` is the name of an idea, what its functions give where it is off, and
the functions as `module:name` below `slicefunc.verifier`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import GeneratorType, ModuleType
from typing import Any
from unittest.mock import patch

_PACKAGE = "slicefunc.verifier."
_Give = Callable[..., Any]
_INSTEAD: Mapping[str, _Give] = {
    "nothing": lambda *_given, **_named: (),
    "iterator": lambda *_given, **_named: iter(()),
    "list": lambda *_given, **_named: [],
    "dict": lambda *_given, **_named: {},
    "set": lambda *_given, **_named: frozenset(),
    "none": lambda *_given, **_named: None,
    "false": lambda *_given, **_named: False,
    "first": lambda first, *_given, **_named: first,
    "third": lambda _one, _two, third, *_given, **_named: third,
    "alone": lambda first, *_given, **_named: iter((first,)),
}
"""What a function gives where its idea is off: nothing, or one of its arguments unchanged."""

_TABLE = Path(__file__).with_suffix(".tsv")


@dataclass(frozen=True, slots=True)
class Idea:
    """One idea for proposing inputs."""

    name: str
    functions: tuple[str, ...]
    """Functions as `module:name` below `slicefunc.verifier`."""
    instead: _Give
    """Gives what these functions give where the idea is off."""

    @property
    def acts_before_search(self) -> bool:
        """Whether the idea acts on the pools alone, which are computed before the search."""
        return all(each.startswith("inputs.") for each in self.functions)

    @contextmanager
    def off(self) -> Iterator[None]:
        """Switch the idea off."""
        with ExitStack() as replaced:
            for each in self.functions:
                _replace(replaced, each, lambda _original: self.instead)
            yield

    @contextmanager
    def watched(self, noted: Callable[[str, object], None]) -> Iterator[None]:
        """Note the idea's name with what it gives, where that differs from what it gives off."""

        def watching(original: _Give) -> _Give:
            @wraps(original)
            def give(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the idea gives
                found = original(*given, **named)
                if isinstance(found, GeneratorType):
                    return self._passed_on(found, noted)
                if found != self.instead(*given, **named):
                    for each in found if isinstance(found, list | tuple) else (found,):
                        noted(self.name, each)
                return found

            return give

        with ExitStack() as replaced:
            for each in self.functions:
                _replace(replaced, each, watching)
            yield

    def _passed_on(
        self, found: Iterator[Any], noted: Callable[[str, object], None]
    ) -> Iterator[Any]:
        for each in found:
            noted(self.name, each)
            yield each


def _ideas() -> Iterator[Idea]:
    for line in _TABLE.read_text("utf-8").splitlines():
        name, instead, functions = line.split("\t")
        yield Idea(name, tuple(functions.split()), _INSTEAD[instead])


def _replace(replaced: ExitStack, place: str, made: Callable[[_Give], _Give]) -> None:
    """Replace a function wherever the package holds it, until the stack is left."""
    module, _, qualname = place.partition(":")
    holder: Any = importlib.import_module(_PACKAGE + module)
    *outer, name = qualname.split(".")
    for each in outer:
        holder = getattr(holder, each)
    original = getattr(holder, name)
    new = made(original)
    if outer:
        replaced.enter_context(patch.object(holder, name, new))
        return
    for held in [m for n, m in sys.modules.items() if n.startswith("slicefunc.")]:
        for known in _names_of(held, original):
            replaced.enter_context(patch.object(held, known, new))


def _names_of(module: ModuleType, wanted: object) -> list[str]:
    return [name for name, held in vars(module).items() if held is wanted]


IDEAS = tuple(_ideas())
