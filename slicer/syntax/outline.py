"""The outline of a file, read from its text: what runs on import, and what is only defined.

The text is searched instead of a tree, since nearly all files examined change nothing of interest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from .import_names import IMPORTS_BY_NAME
from .import_time_code import bases_in, called_in

_DEF = r"(?:async[ \t]+)?def[ \t]+(\w++)"
_FUNCTION = re.compile(rf"^{_DEF}.*\n((?:(?:[ \t)].*)?\n)*)", re.M)
"""A top-level function: its name, and the indented or empty lines below it."""
_ONE_LINE = re.compile(rf"(\n[ \t]*+{_DEF}[^\n]*?\)[^():\n]*:)[ \t]+(?=[^\s#])")
"""The head of a function that has its body on the same line."""
_METHOD = re.compile(rf"^([ \t]++){_DEF}.*\n((?:(?:\1[ \t)].*)?\n)*)", re.M)
"""A function inside a class or block."""
_CLASS = re.compile(r"^class[ \t]+(\w+).*\n((?:(?:[ \t)].*)?\n)*)", re.M)
_MADE = re.compile(r"^(\w++)[ \t]*+(?::[^=\n]*)?=[ \t]*+(\w++)\(", re.M)
_LAMBDA = re.compile(r"^(\w++)[ \t]*+=[ \t]*+(lambda\b[^\n]*\n?)", re.M)
CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_INDENTED = re.compile(r"^[ \t]++(?:from|import)[ \t]", re.M)
"""An import in a block or function body."""
_HEAD = re.compile(
    r"^[ \t]*+(?:async[ \t]+)?def[ \t]+\w++[^(\n]*"
    r"\(((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+)\)([^:\n]*+):",
    re.M,
)
"""The head of a function or method: its parameters, and its return annotation."""
_RUN_IN_HEAD = re.compile(r"[=:>][ \t]*+((?:\w+\.)*+\w++\([^\n]*)")
"""A call in a default or an annotation."""
_DEEP = 40
"""An indentation that is deeper than any head's."""


class Outline:
    """Outline of one file; each part is computed on first use."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def text(self) -> str:
        """The text, with function bodies moved below heads that share their line."""
        return _ONE_LINE.sub(lambda found: f"{found[1]}\n{' ' * _DEEP}", f"\n{self._text}")[1:]

    @cached_property
    def functions(self) -> dict[str, str]:
        """Top-level functions, each with its body, or with all bodies if defined repeatedly."""
        return _joined([*_FUNCTION.findall(self.text), *_LAMBDA.findall(self._text)])

    @cached_property
    def run(self) -> str:
        """The code that runs on import, with the bodies of functions that it calls."""
        top = _METHOD.sub("", self._rest)
        bases = bases_in(self._rest)
        parts = [top, *(body for name, body in self.hooks.items() if name in bases)]
        parts += self._run_in_heads()
        reached: set[str] = set()
        fresh = "\n".join(parts)
        while True:
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

    def _run_in_heads(self) -> Iterator[str]:
        """Yield the calls in defaults and annotations, which run when a function is defined."""
        for given, returned in _HEAD.findall(self.text):
            if "(" in given or "(" in returned:
                yield from _RUN_IN_HEAD.findall(f"{given}{returned}")

    @cached_property
    def hooks(self) -> dict[str, str]:
        """Classes, each with the code that runs when a subclass or instance class is created."""
        if "__init_subclass__" not in self._text and "(type" not in self._text:
            return {}
        hooks = CONSTRUCTORS | {"__init_subclass__"}
        return {
            name: "\n".join(body for method, body in _methods(inside) if method in hooks)
            for name, inside in self._classes.items()
        }

    @cached_property
    def classes(self) -> dict[str, dict[str, str]]:
        """Top-level classes, each with its methods and their bodies."""
        return {name: _joined(list(_methods(body))) for name, body in self._classes.items()}

    @cached_property
    def instances(self) -> dict[str, str]:
        """Names that a line binds to the result of a call, each with the called name."""
        return dict(_MADE.findall(self._text))

    @cached_property
    def importing(self) -> dict[str, str]:
        """Functions, methods and constructors of classes that contain an import, each with its
        text.

        Bodies of functions with the same name are joined.
        """
        if not _may_import(self.text):
            return {}
        found = [item for item in self.functions.items() if _may_import(item[1])]
        for made, inside in [*self._classes.items(), ("", _CLASS.sub("", self._rest))]:
            if _may_import(inside):
                methods = [item for item in _methods(inside) if _may_import(item[1])]
                found += methods
                found += [(made, body) for name, body in methods if name in CONSTRUCTORS]
        return _joined(found)

    @cached_property
    def _rest(self) -> str:
        """The text without its top-level functions."""
        return _FUNCTION.sub("", self.text)

    @cached_property
    def _classes(self) -> dict[str, str]:
        return _joined(_CLASS.findall(self._rest))

    def _constructors(self, name: str) -> Iterator[str]:
        """Yield the code that runs when the class is instantiated."""
        methods = _methods(self._classes[name])
        return (body for method, body in methods if method in CONSTRUCTORS)


def _joined(bodies: list[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, body in bodies:
        found[name] = found.get(name, "") + body
    return found


def _may_import(text: str) -> bool:
    return bool(_INDENTED.search(text) or IMPORTS_BY_NAME.search(text))


def _methods(text: str) -> Iterator[tuple[str, str]]:
    """Yield the functions in a class or block, each with its body."""
    return ((name, body) for _, name, body in _METHOD.findall(text))
