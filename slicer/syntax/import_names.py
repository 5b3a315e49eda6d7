"""Names under which other modules import what a module binds, found by text.

Only imports that may run when a module is imported or called are relevant. Lines of any indentation
are read, since reading too many costs little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .prefiltered_regex import PrefilteredRegex

_FROM = re.compile(
    r"\n[ \t]*+from[ \t]++(\.*+)([\w.]*+)(?:[ \t]|\\\n)+import[ \t]+"
    r"(\((?:[^)#]++|#[^\n]*+)*+\)|(?:[^\\#;\n]|\\\n)*)",
    re.M,
)
_PLAIN = re.compile(r"\n[ \t]*+import[ \t]++([^#;\n]+)", re.M)
_NAMES = re.compile(r"(?<![\w.])(\w++|\*)(?:\s++as\s++(\w++))?\s*+(?:,|$|\))")
_COMMENT = re.compile(r"#[^\n]*")
IMPORTS_BY_NAME = PrefilteredRegex(
    r"\b(?:import_module|__import__)\(", "import_module(", "__import__("
)
"""A call that imports a module by a string."""
LISTS_FILES = PrefilteredRegex(
    r"\b(?:listdir|scandir|iterdir|glob|iglob|rglob|walk)\(", "dir(", "glob(", "walk("
)
"""A call that lists the files of a folder."""


_TOP = re.compile(
    r"\n(?:from(?:[ \t]++|(?=\.))(\.*+)([\w.]*+)(?:[ \t]|\\\n)*+import\b[ \t]*"
    r"(\((?:[^)#]++|#[^\n]*+)*+\)|(?:[^\\#;\n]|\\\n)*)"
    r"|import[ \t]++((?:[^\\#;\n]|\\\n)++)"
    r"|__import__\(['\"]([\w.]+)['\"]\))", re.M,
)  # fmt: skip
_LINE = re.compile(r"\n(?:from|import|__import__)\b[^\n#]*;[^\n#]*", re.M)
"""A line with several statements that starts with an import."""


@dataclass(frozen=True, slots=True)
class ImportNames:
    """Names that one module imports."""

    bound: dict[tuple[str, str], tuple[str, ...]]
    """(module, name in it) → local names that stand for it."""
    origins: dict[str, tuple[tuple[str, str], ...]]
    """Local name → the (module, name) pairs that it may stand for."""
    stars: frozenset[str]
    """Modules from which every name is imported (`*`)."""
    modules: frozenset[str]
    """Names that may be imported modules."""


def relative_base(name: str, path: str, dots: str, named: str) -> str:
    """Return the absolute module name that `from ..named import x` refers to in the module."""
    if not dots:
        return named
    package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
    parts = package.split(".")
    parts = parts[: len(parts) - (len(dots) - 1)]
    return ".".join([*parts, named] if named else parts)


def import_names(name: str, path: str, text: str) -> ImportNames:
    """Return the imports of the module with this name and path."""
    bound: dict[tuple[str, str], dict[str, None]] = {}
    origins: dict[str, dict[tuple[str, str], None]] = {}
    stars: set[str] = set()
    modules: set[str] = set()
    text = f"\n{text}"  # patterns begin with a line end, which matches faster than `^`
    for dots, named, names in _FROM.findall(text):
        base = relative_base(name, path, dots, named)
        for imported, alias in _parts(names):
            if imported == "*":
                stars.add(base)
                continue
            key = (base, imported)
            here = alias or imported
            bound.setdefault(key, {}).setdefault(here)
            origins.setdefault(here, {}).setdefault(key)
            modules.add(f"{base}.{imported}")
    for names in _PLAIN.findall(text):
        modules.update(part.split(" as ")[0].strip() for part in names.split(","))
    return ImportNames(
        {key: tuple(names) for key, names in bound.items()},
        {name: tuple(keys) for name, keys in origins.items()},
        frozenset(stars), frozenset(modules),
    )  # fmt: skip


def top_imports(name: str, path: str, text: str) -> Iterator[str]:
    """Yield modules, and names that may be modules, that lines import, in order."""
    text = _LINE.sub(lambda line: re.sub(r";[ \t]*", "\n", line[0]), f"\n{text}")
    for dots, named, names, plain, bare in _TOP.findall(text):
        if bare:
            yield bare
        elif plain:
            parts = plain.replace("\\\n", " ").split(",")
            yield from (part.split(" as ")[0].strip() for part in parts)
        else:
            base = relative_base(name, path, dots, named)
            yield base
            yield from (f"{base}.{imported}" for imported, _ in _parts(names))


def spells_imports(text: str) -> bool:
    """Whether a string in the module may contain a line that begins with an import."""
    text = f"\n{text}"
    found = _TOP.finditer(text) if '"""' in text or "'''" in text else ()
    starts = [0, *(each.start() for each in found)]
    odd = {'"""': False, "'''": False}
    for start, end in pairwise(starts):
        for quotes in odd:
            odd[quotes] ^= text.count(quotes, start, end) % 2 == 1
        if any(odd.values()):
            return True
    return False


def _parts(names: str) -> Iterator[tuple[str, str]]:
    if "#" in names or "\\" in names:
        names = _COMMENT.sub("", names).replace("\\\n", " ")
    yield from _NAMES.findall(names.strip().strip("()").strip())
