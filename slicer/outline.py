"""The functions and classes of a file, told by text: what runs on import, and what only is defined.

Not by tree, since nearly all of the files that are looked at change nothing of interest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from .surfaces import bases_in, called_in

_DEF = r"(?:async[ \t]+)?def[ \t]+(\w++)"
_FUNCTION = re.compile(rf"^{_DEF}.*\n((?:(?:[ \t)].*)?\n)*)", re.M)
"""A top-level function: its name, and the lines that are indented or empty."""
_ONE_LINE = re.compile(rf"^([ \t]*{_DEF}[^\n]*?\)[^():\n]*:)[ \t]+(?=[^\s#])", re.M)
"""The head of a function that shares its line with the body."""
_METHOD = re.compile(rf"^([ \t]+){_DEF}.*\n((?:(?:\1[ \t)].*)?\n)*)", re.M)
"""A function that stands in a class or block."""
_CLASS = re.compile(r"^class[ \t]+(\w+).*\n((?:(?:[ \t)].*)?\n)*)", re.M)
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_IMPORTS = re.compile(r"^[ \t]+(?:from|import)[ \t]|\b(?:import_module|__import__)\(", re.M)
_DEEP = 40
"""More than any head is indented by."""
_MAX_ROUNDS = 4
"""Functions that functions call, further away than this, are not followed."""


class Outline:
    """One file; each part is found when somebody asks for it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def text(self) -> str:
        """The text, with the bodies of functions below their heads."""
        return _ONE_LINE.sub(lambda found: f"{found[1]}\n{' ' * _DEEP}", self._text)

    @cached_property
    def functions(self) -> dict[str, str]:
        """Top-level functions, each with its body; of one that is defined again all bodies."""
        found: dict[str, str] = {}
        for name, body in _FUNCTION.findall(self.text):
            found[name] = found.get(name, "") + body
        return found

    @cached_property
    def run(self) -> str:
        """What runs on import: what is in no function, and the bodies of those that it calls."""
        top = _METHOD.sub("", self._rest)
        bases = bases_in(self._rest)
        parts = [top, *(body for name, body in self.hooks.items() if name in bases)]
        reached: set[str] = set()
        fresh = "\n".join(parts)
        for _ in range(_MAX_ROUNDS):
            words = {word for chain in called_in(fresh) for word in chain}
            found = sorted((words & self.functions.keys()) - reached)
            made = sorted((words & self._classes.keys()) - reached)
            if not (found or made):
                break
            reached.update(found, made)
            bodies = [self.functions[name] for name in found]
            bodies += [body for name in made for body in self._constructors(name)]
            fresh = "\n".join(bodies)
            parts.append(fresh)
        return "\n".join(parts)

    @cached_property
    def hooks(self) -> dict[str, str]:
        """Classes, each with what runs where one is derived from it, or made by it."""
        if "__init_subclass__" not in self._text and "(type" not in self._text:
            return {}
        hooks = _CONSTRUCTORS | {"__init_subclass__"}
        return {
            name: "\n".join(body for method, body in _methods(inside) if method in hooks)
            for name, inside in self._classes.items()
        }

    @cached_property
    def importing(self) -> frozenset[str]:
        """Functions and methods that hold an import, and classes whose constructors do."""
        if not _IMPORTS.search(self._text):
            return frozenset()
        found = {name for name, body in self.functions.items() if _IMPORTS.search(body)}
        for made, inside in [*self._classes.items(), ("", self._rest)]:
            methods = {name for name, body in _methods(inside) if _IMPORTS.search(body)}
            found |= methods if methods.isdisjoint(_CONSTRUCTORS) else {*methods, made}
        return frozenset(found)

    @cached_property
    def _rest(self) -> str:
        """The text without its top-level functions."""
        return _FUNCTION.sub("", self.text)

    @cached_property
    def _classes(self) -> dict[str, str]:
        return dict(_CLASS.findall(self._rest))

    def _constructors(self, name: str) -> Iterator[str]:
        """What runs where an instance of the class is made."""
        methods = _methods(self._classes[name])
        return (body for method, body in methods if method in _CONSTRUCTORS)


def _methods(text: str) -> Iterator[tuple[str, str]]:
    """Functions in a class or block, each with its body."""
    return ((name, body) for _, name, body in _METHOD.findall(text))
