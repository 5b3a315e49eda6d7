"""Import name → the distribution that provides it, without a network.

What the repository itself declares comes first, then a curated table, then the same name.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from .distribution_names import DISTRIBUTIONS, DOTTED_NAMESPACES, NAMESPACES, NOT_DISTRIBUTED
from .errors import SourceError
from .nodes import walk
from .repository import STDLIB, Repository
from .source import decode

_NAME = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:$|[<>=!~;\[(@,#])")
_EGG = re.compile(r"#egg=([\w.-]+)")
_INCLUDE = re.compile(r"(?:-r|--requirement|-c|--constraint)[\s=]*(\S+)")
_VERSIONED = re.compile(r"_v\d+\w*$")
_SETUP_LISTS = ("install_requires", "tests_require", "setup_requires", "extras_require")
_MAX_FOLDERS = 50


# ------------------------------------------------------------------------ lookup


@lru_cache(maxsize=4096)
def distribution_of(module: str, declared: tuple[str, ...]) -> str | None:
    """The distribution to install for an import.

    Args:
        module: dotted name of the module; a name that is imported from it may follow.
        declared: names of the distributions that the repository declares.

    Returns:
        The name as the repository spells it, else as the package index does; `None` for modules of
        the standard library and others that no distribution provides.
    """
    top = module.split(".", maxsplit=1)[0]
    if top in STDLIB or top in NOT_DISTRIBUTED:
        return None
    wanted = _by_normal(declared)
    known = _known(module)
    for name in known:
        if normal(name) in wanted:
            return wanted[normal(name)]
    if known:
        return known[0]
    in_namespace = _in_namespace(module)
    for name in (in_namespace, *_prefixes(module)) if in_namespace else (top, *_guesses(top)):
        if normal(name) in wanted and name not in NAMESPACES:
            return wanted[normal(name)]
    return in_namespace or top


@lru_cache(maxsize=64)
def _by_normal(declared: tuple[str, ...]) -> dict[str, str]:
    return {normal(name): name for name in reversed(declared)}


def _prefixes(module: str) -> Iterator[str]:
    """The dotted name and its packages, longest first."""
    while module:
        yield module
        module = module.rpartition(".")[0]


def _known(module: str) -> tuple[str, ...]:
    """What the table says of the longest prefix in it."""
    for prefix in _prefixes(module):
        if prefix in NAMESPACES and prefix != module:
            return ()  # another part of the namespace may be another distribution
        if prefix in DISTRIBUTIONS:
            return DISTRIBUTIONS[prefix]
    return ()


def _in_namespace(module: str) -> str | None:
    """The distribution's name by the custom of the longest namespace around the module."""
    for prefix in _prefixes(module):
        if prefix in NAMESPACES:
            parts = [_VERSIONED.sub("", part) for part in module.split(".")[: NAMESPACES[prefix]]]
            while len(parts) > prefix.count(".") + 1 and not parts[-1].islower():
                parts.pop()  # a class taken from the namespace package itself
            if parts[0] in DOTTED_NAMESPACES:
                return ".".join(parts)
            return "-".join(parts).replace("_", "-")
    return None


def _guesses(top: str) -> tuple[str, ...]:
    """Customary spellings, taken only where the repository declares one."""
    return (
        f"python-{top}", f"{top}-python", f"py{top}", f"{top}-py", f"python3-{top}", f"py-{top}",
        f"django-{top}", f"{top}-client", f"{top}-sdk", top.lstrip("_"),
    )  # fmt: skip


def normal(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


# ------------------------------------------------------------------------ declarations


def declared_distributions(repository: Repository) -> tuple[str, ...]:
    """Distributions that the repository's build and requirements files name, in order.

    Read in the repository's root and in the folders directly below it. A file that cannot be read
    declares nothing.
    """
    known: tuple[str, ...] | None = repository.__dict__.get("_declared_distributions")
    if known is None:
        known = tuple(dict.fromkeys(_declared(repository)))
        repository.__dict__["_declared_distributions"] = known
    return known


def _declared(repository: Repository) -> Iterator[str]:
    below = sorted(n[:-1] for n in repository.listing("") if n.endswith("/") and n[0] not in "._")
    for folder in ("", *below[:_MAX_FOLDERS]):
        names = repository.listing(folder)
        for file, read in (("pyproject.toml", _from_toml), ("Pipfile", _from_pipfile),
                           ("setup.cfg", _from_cfg), ("setup.py", _from_setup)):  # fmt: skip
            if file in names:
                path = f"{folder}/{file}" if folder else file
                try:
                    yield from list(read(_text(repository, path)))
                except (ValueError, SyntaxError, RecursionError, MemoryError):
                    continue
        seen: set[str] = set()
        is_requirements = folder.rpartition("/")[2].startswith("requirements")
        for file in sorted(names):
            if file.endswith((".txt", ".in")) and (is_requirements or "requirements" in file):
                yield from _from_requirements(
                    repository, f"{folder}/{file}" if folder else file, seen
                )


def _text(repository: Repository, path: str) -> str:
    try:
        return decode(repository.read_data(path), path)
    except SourceError:
        return ""


def _from_requirements(repository: Repository, path: str, seen: set[str]) -> Iterator[str]:
    if path in seen:
        return
    seen.add(path)
    folder = path.rpartition("/")[0]
    for line in _text(repository, path).splitlines():
        included = _INCLUDE.match(line.strip())
        if included:
            other = _joined(folder, included[1])
            if other and repository.is_file(other):
                yield from _from_requirements(repository, other, seen)
        else:
            yield from _names([line.strip()])


def _joined(folder: str, path: str) -> str | None:
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _names(requirements: object) -> Iterator[str]:
    """Names in a list of requirement specifiers; anything else gives none."""
    lines = cast("list[object]", requirements) if isinstance(requirements, list) else []
    for line in lines:
        if not isinstance(line, str):
            continue
        egg = _EGG.search(line)
        found = egg or _NAME.match(line)
        if found and (egg or not line.startswith(("-", "#"))):
            yield found[1]


def _tables(content: object, *keys: str) -> Iterator[object]:
    """What lies at a path of keys; `*` means every key."""
    if not keys:
        yield content
        return
    first, *rest = keys
    table = _table(content)
    values = list(table.values()) if first == "*" else [table.get(first)]
    for value in values:
        yield from _tables(value, *rest)


def _table(content: object) -> dict[str, object]:
    """The value as a table; anything else is an empty one."""
    return cast("dict[str, object]", content) if isinstance(content, dict) else {}


def _from_toml(text: str) -> Iterator[str]:
    content: object = tomllib.loads(text)
    for keys in (
        ("project", "dependencies"), ("project", "optional-dependencies", "*"),
        ("dependency-groups", "*"), ("tool", "pdm", "dev-dependencies", "*"),
        ("tool", "uv", "dev-dependencies"), ("tool", "flit", "metadata", "requires"),
        ("tool", "flit", "metadata", "requires-extra", "*"),
        ("tool", "hatch", "envs", "*", "dependencies"),
    ):  # fmt: skip
        for table in _tables(content, *keys):
            yield from _names(table)
    for keys in (("dependencies",), ("dev-dependencies",), ("group", "*", "dependencies")):
        for table in _tables(content, "tool", "poetry", *keys):
            yield from (key for key in _table(table) if key != "python")


def _from_pipfile(text: str) -> Iterator[str]:
    content: object = tomllib.loads(text)
    for section in ("packages", "dev-packages"):
        for table in _tables(content, section):
            yield from _table(table)


def _from_cfg(text: str) -> Iterator[str]:
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if parser.has_section("options"):
        for key in _SETUP_LISTS:
            yield from _names(re.split(r"[\n;]", parser.get("options", key, fallback="") or ""))
    if parser.has_section("options.extras_require"):
        for _, value in parser.items("options.extras_require"):
            yield from _names((value or "").split("\n"))


def _from_setup(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    lists = {
        target.id: node.value
        for node in walk(tree) if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for node in walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="setup") | ast.Attribute(attr="setup"), keywords=keywords
            ):
                for keyword in keywords:
                    if keyword.arg in _SETUP_LISTS:
                        yield from _literal_names(keyword.value, lists)
            case _:
                continue


def _literal_names(node: ast.expr, lists: dict[str, ast.expr]) -> Iterator[str]:
    """Requirements in a literal list, a dictionary of lists, or a name that is bound to one."""
    match node:
        case ast.Constant(value=str(text)):
            yield from _names(text.split("\n"))
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            for element in elements:
                yield from _literal_names(element, lists)
        case ast.Dict(values=values):
            for value in values:
                yield from _literal_names(value, lists)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _literal_names(left, lists)
            yield from _literal_names(right, lists)
        case ast.Name(id=name) if name in lists:
            yield from _literal_names(lists[name], {k: v for k, v in lists.items() if k != name})
        case _:
            return
