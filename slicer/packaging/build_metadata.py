"""The repository's own distribution as its build files declare it: name, version, entry points.

<https://packaging.python.org/en/latest/specifications/entry-points/>
"""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple, cast

from ..errors import SourceError
from ..repo.repository import Repository
from ..repo.source import decode
from ..syntax.memo import memo
from ..syntax.nodes import walk

UNKNOWN_VERSION = "0.0.0"
"""Version of a distribution whose build computes it."""
_VERSION = re.compile(r"\d[\w.+!-]*\Z")
_OBJECT = re.compile(r"([A-Za-z_][\w.]*)\s*(?::\s*([A-Za-z_][\w.]*))?\s*(?:\[.*\])?\Z")
"""`package.module:object.attribute [extra]`."""


class EntryPoint(NamedTuple):
    """An object that a distribution registers under a name."""

    group: str
    name: str
    module: str
    attribute: str
    """The object's dotted path in the module; empty for the module itself."""

    @property
    def value(self) -> str:
        """The value in the syntax of build files."""
        return f"{self.module}:{self.attribute}" if self.attribute else self.module


class Declared(NamedTuple):
    """Facts that build files declare about a distribution."""

    names: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()
    entry_points: frozenset[EntryPoint] = frozenset()

    def joined(self, other: Declared) -> Declared:
        """Return the union of both."""
        return Declared(
            self.names | other.names,
            self.versions | other.versions,
            self.entry_points | other.entry_points,
        )


def normalised(name: str) -> str:
    """Return a distribution's name in the normal form that package indexes compare."""
    return re.sub(r"[-_.]+", "-", name).lower()


def spells(code: str, group: str) -> bool:
    """Whether code that reads all entry points contains the name of a group."""
    return f'"{group}"' in code or f"'{group}'" in code


def own_distributions(repository: Repository, path: str) -> dict[str, str]:
    """Return the normalised names of a file's own distribution, each with its version."""
    declared = enclosing_declarations(repository, path)
    version = next((v for v in sorted(declared.versions) if _VERSION.match(v)), UNKNOWN_VERSION)
    return dict.fromkeys(sorted(map(normalised, filter(None, declared.names))), version)


def own_entry_points(repository: Repository, path: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a file's own distribution, in order."""
    return tuple(sorted(enclosing_declarations(repository, path).entry_points))


def entry_points_text(points: Iterable[EntryPoint]) -> str:
    """Return entry points in the format of `entry_points.txt`."""
    groups: dict[str, list[str]] = {}
    for point in points:
        groups.setdefault(point.group, []).append(f"{point.name} = {point.value}\n")
    return "\n".join(f"[{group}]\n{''.join(lines)}" for group, lines in groups.items())


def enclosing_declarations(repository: Repository, path: str) -> Declared:
    """Return what the build files in the folders above a file declare about its distribution."""
    found = Declared()
    folder = path.rpartition("/")[0]
    while True:
        found = found.joined(_declared_in(repository, folder))
        if not folder:
            return found
        folder = folder.rpartition("/")[0]


@memo
def _declared_in(repository: Repository, folder: str) -> Declared:
    """Return what the build files in a folder declare about the distribution."""
    found = Declared()
    for file, read in (("pyproject.toml", _from_toml), ("setup.cfg", _from_cfg),
                       ("setup.py", _from_setup), ("PKG-INFO", _from_pkg_info)):  # fmt: skip
        path = f"{folder}/{file}" if folder else file
        if repository.is_file(path):
            try:
                found = found.joined(read(decode(repository.read_data(path), path)))
            except (SourceError, ValueError, SyntaxError, RecursionError):
                continue
    return found


# ---------------------------------------------------------------- one reader for each build file


def _from_toml(text: str) -> Declared:
    content: object = tomllib.loads(text)
    names = (
        ("project", "name"),
        ("tool", "poetry", "name"),
        ("tool", "flit", "metadata", "dist-name"),
    )
    versions = (("project", "version"), ("tool", "poetry", "version"))
    return Declared(
        frozenset(found for keys in names if isinstance(found := _at(content, keys), str)),
        frozenset(found for keys in versions if isinstance(found := _at(content, keys), str)),
        frozenset(_toml_entry_points(content)),
    )


def _toml_entry_points(content: object) -> Iterator[EntryPoint]:
    for keys in (("project", "entry-points"), ("tool", "poetry", "plugins"),
                 ("tool", "flit", "entrypoints")):  # fmt: skip
        for group, lines in _table(_at(content, keys)).items():
            yield from _from_table(group, lines)
    for group in ("console", "gui"):
        key = "scripts" if group == "console" else "gui-scripts"
        for keys in (("project", key), ("tool", "poetry", key), ("tool", "flit", key)):
            yield from _from_table(f"{group}_scripts", _at(content, keys))


def _from_table(group: str, lines: object) -> Iterator[EntryPoint]:
    for name, value in _table(lines).items():
        if isinstance(value, str):
            yield from _from_lines(group, f"{name} = {value}")


def _at(content: object, keys: tuple[str, ...]) -> object:
    for key in keys:
        content = _table(content).get(key)
    return content


def _table(content: object) -> dict[str, object]:
    return cast("dict[str, object]", content) if isinstance(content, dict) else {}


def _from_cfg(text: str) -> Declared:
    parser = _ini(text, ("=", ":"))
    if parser is None:
        return Declared()
    name = parser.get("metadata", "name", fallback=None)
    version = parser.get("metadata", "version", fallback=None)
    section = "options.entry_points"
    groups = parser.items(section) if parser.has_section(section) else ()
    return Declared(
        frozenset(filter(None, [name])),
        frozenset(filter(None, [version])),
        frozenset(point for group, lines in groups for point in _from_lines(group, lines or "")),
    )


class _Parser(configparser.RawConfigParser):
    """A parser that keeps the case of group names and entry point names."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def _ini(text: str, delimiters: tuple[str, ...]) -> configparser.RawConfigParser | None:
    parser = _Parser(strict=False, allow_no_value=True, delimiters=delimiters)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    return parser


def _from_setup(text: str) -> Declared:
    tree = ast.parse(text)
    return reduce(Declared.joined, _setup_calls(tree), Declared())


def _setup_calls(tree: ast.Module) -> Iterator[Declared]:
    assigned = {
        target.id: node.value
        for node in walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setup") | ast.Attribute(attr="setup")):
                given = {k.arg: _literal(k.value, assigned) for k in node.keywords}
                name, version = given.get("name"), given.get("version")
                yield Declared(
                    frozenset([name] if isinstance(name, str) else ()),
                    frozenset([version] if isinstance(version, str) else ()),
                    frozenset(_setup_entry_points(given.get("entry_points"))),
                )
            case _:
                continue


def _literal(node: ast.expr, assigned: dict[str, ast.expr]) -> object:
    """Return the value of a display, or of a name assigned to one; `None` if it is computed."""
    match node:
        case ast.Name(id=name) if name in assigned:
            return _literal(assigned[name], {})
        case ast.Dict(keys=keys, values=values):
            return {
                key.value: _literal(value, assigned)
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            }
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [_literal(part, assigned) for part in parts]
        case ast.Constant(value=value):
            return value
        case _:
            return None


def _setup_entry_points(given: object) -> Iterator[EntryPoint]:
    """Yield `setup()`'s entry points: a dictionary of texts or lists, or `.ini` text."""
    groups = _table(given)
    if isinstance(given, str) and (parser := _ini(given, ("=",))) is not None:
        groups = {
            group: [f"{name} = {value}" for name, value in parser.items(group)]
            for group in parser.sections()
        }
    for group, lines in groups.items():
        each = cast("list[object]", lines) if isinstance(lines, list) else [lines]
        for line in each:
            if isinstance(line, str):
                yield from _from_lines(group, line)


def _from_lines(group: str, lines: str) -> Iterator[EntryPoint]:
    """Yield the entry points in lines of the form `name = package.module:object`."""
    for line in lines.splitlines():
        name, _, value = line.partition("=")
        found = _OBJECT.match(value.strip())
        if name.strip() and found is not None:
            yield EntryPoint(group, name.strip(), found[1], found[2] or "")


def _from_pkg_info(text: str) -> Declared:
    name = re.search(r"^Name:\s*(\S+)", text, re.MULTILINE)
    version = re.search(r"^Version:\s*(\S+)", text, re.MULTILINE)
    return Declared(
        frozenset([name[1]] if name else ()), frozenset([version[1]] if version else ())
    )
