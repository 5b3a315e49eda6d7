"""Module names inside longer texts: `"two = conv.two:make"`, `"conv/two.py::make"`, `".two"`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import SourceError
from .repository import Module, Repository

_PATH = re.compile(r"(?<![\w.])\.*[^\W\d]\w*(?:(?:\.|::?)[^\W\d]\w*)*")
"""Words joined by dots and colons."""
_FILE = re.compile(r"(?<![\w./])([\w-]+(?:/[\w-]+)*\.py)(?:::?([^\W\d][\w.]*))?")


def module_paths(text: str, module: Module, repository: Repository) -> Iterator[str]:
    """Yield the dotted paths in the text that begin with a module of the repository, made absolute.

    For `scheme:pkg.mod:name` that is `pkg.mod.name`.
    """
    if "." in text or ":" in text:
        for word in _PATH.findall(text):
            parts = re.split("::?", word)
            for number, part in enumerate(parts):
                path = _absolute(part, module)
                is_path = "." in part or number + 1 < len(parts)
                if is_path and path and _is_known(path.partition(".")[0], module, repository):
                    yield ".".join([path, *parts[number + 1 : number + 2]])
    if ".py" in text:
        for path, inside in _FILE.findall(text):
            if repository.is_file(path):
                name = repository.module_name(path)
                yield f"{name}.{inside}" if inside else name


def _absolute(path: str, module: Module) -> str | None:
    bare = path.lstrip(".")
    return module.resolve_relative(len(path) - len(bare), bare)


def _is_known(top: str, module: Module, repository: Repository) -> bool:
    try:
        return repository.find_module(top, module) is not None
    except SourceError:
        return False  # a mere string is no reason to report a file
