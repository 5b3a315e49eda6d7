"""Calls that ask for the metadata of the repository's own distribution, which no slice carries."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from typing import cast

from .closure.kept import KeptModule
from .closure.worklist import Closure
from .definitions import Scope, function_scope, module_class, module_scope
from .errors import SourceError
from .model import Gap
from .nodes import children, walk
from .once import once
from .reading.paths import Paths
from .repository import Module, Repository
from .source import decode

_BY_NAME = frozenset(
    f"{module}.{name}"
    for module in ("importlib.metadata", "importlib_metadata")
    for name in (
        "version",
        "metadata",
        "distribution",
        "files",
        "requires",
        "Distribution.from_name",
    )
) | frozenset(
    f"pkg_resources.{name}"
    for name in (
        "get_distribution",
        "require",
        "load_entry_point",
        "get_entry_info",
        "get_entry_map",
    )
)
_BY_GROUP = frozenset(
    {"importlib.metadata.entry_points", "importlib_metadata.entry_points",
     "pkg_resources.iter_entry_points"}
)  # fmt: skip
_CALLS = _BY_NAME | _BY_GROUP
_MENTIONS = ("importlib.metadata", "importlib_metadata", "pkg_resources")
_WORDS = ("metadata", "pkg_resources")
"""One of them stands in every module that can call these functions, be it only in an import."""
UNKNOWN_VERSION = "0.0.0"
"""Where the build makes up the version."""
_VERSION = re.compile(r"\d[\w.+!-]*\Z")
_Declared = tuple[set[str], set[str], set[str]]
"""Names of the distribution, groups of its entry points, versions."""
_NAME_END = re.compile(r"[\s<>=!~;\[(@]")


def own_metadata_gaps(closure: Closure) -> tuple[Gap, ...]:
    """A gap for each kept call that reads metadata of the repository's own distribution."""
    if not any(name.startswith(_MENTIONS) for name in closure.mentioned):
        return ()
    paths = Paths(closure.inference, closure.classes)
    gaps: dict[Gap, None] = {}
    for name in sorted(closure.modules):
        kept = closure.modules[name]
        if not any(word in kept.module.source.text for word in _WORDS):
            continue
        own: tuple[frozenset[str], frozenset[str]] | None = None
        for call, scope in _calls(kept):
            callees = [found for found in paths.external_names(call.func, scope) if found in _CALLS]
            if callees:
                own = own or _own_names(closure.names.repository, kept.module)
                asked = _asked(paths, call, scope, callees[0], own)
                if asked is not None:
                    call_text = f"{callees[0]}({asked!r})"
                    detail = f"{call_text} reads the metadata of the repository's own distribution"
                    gaps.setdefault(Gap("own-metadata", kept.module.path, call.lineno, detail))
    return tuple(gaps)


def _asked(
    paths: Paths, call: ast.Call, scope: Scope, callee: str,
    own: tuple[frozenset[str], frozenset[str]],
) -> str | None:  # fmt: skip
    """The name of the repository's own distribution or entry points that a call asks for."""
    names, groups = own
    if callee in _BY_GROUP:
        arguments = [k.value for k in call.keywords if k.arg == "group"] or call.args[:1]
    else:
        arguments = [k.value for k in call.keywords if k.arg in ("distribution_name", "name")]
        arguments += call.args[:1]
    for argument in arguments:
        for text in paths.evaluate(argument, scope):
            if text.is_open or text.is_place:
                continue
            if callee in _BY_GROUP:
                first = normalised(text.text.split(".")[0])
                if text.text in groups or first in names:
                    return text.text
            elif normalised(_NAME_END.split(text.text, maxsplit=1)[0]) in names:
                return text.text
    return None


def _calls(kept: KeptModule) -> Iterator[tuple[ast.Call, Scope]]:
    """Calls in what is kept of a module, each with the scope of the function around it."""
    module = kept.module
    for unit in module.units:
        if unit.index not in kept.units:
            continue
        if unit.index in kept.members and isinstance(unit.node, ast.ClassDef):
            cls = module_class(module, unit, unit.node)
            for member in cls.members:
                if member.index in kept.members[unit.index]:
                    for node in member.nodes:
                        yield from _calls_in(node, cls.scope)
        else:
            for node in unit.nodes:
                yield from _calls_in(node, module_scope(module))


def _calls_in(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.Call, Scope]]:
    if isinstance(node, ast.Call):
        yield node, scope
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        scope = function_scope(node, scope, scope.owner if scope.is_class else None)
    for child in children(node):
        yield from _calls_in(child, scope)


# ------------------------------------------------------------------------ names


def normalised(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _own_names(repository: Repository, module: Module) -> tuple[frozenset[str], frozenset[str]]:
    """Normalised names of the module's own distribution, and the groups it has entry points in.

    A package's own import name stands for its distribution, as in `version(__name__)`.
    """
    names, groups, _ = _around(repository, module.path)
    names |= {module.name, module.package, module.name.split(".")[0]}
    return frozenset(normalised(name) for name in names if name), frozenset(groups)


def own_distributions(repository: Repository, path: str) -> dict[str, str]:
    """Normalised names of a file's own distribution, with its version."""
    names, _, versions = _around(repository, path)
    version = next((each for each in sorted(versions) if _VERSION.match(each)), UNKNOWN_VERSION)
    return dict.fromkeys(sorted(map(normalised, filter(None, names))), version)


def _around(repository: Repository, path: str) -> _Declared:
    """What the build files above a file say of its distribution."""
    names, groups, versions = set[str](), set[str](), set[str]()
    folder = path.rpartition("/")[0]
    while True:
        found = _declared(repository, folder)
        names |= found[0]
        groups |= found[1]
        versions |= found[2]
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    return names, groups, versions


@once
def _declared(repository: Repository, folder: str) -> _Declared:
    """What the build files in a folder say of the distribution."""
    names, groups, versions = set[str](), set[str](), set[str]()
    for file, read in (("pyproject.toml", _from_toml), ("setup.cfg", _from_cfg),
                       ("setup.py", _from_setup), ("PKG-INFO", _from_pkg_info)):  # fmt: skip
        path = f"{folder}/{file}" if folder else file
        if repository.is_file(path):
            try:
                found = read(decode(repository.read_data(path), path))
            except (SourceError, ValueError, SyntaxError, RecursionError):
                continue
            names |= found[0]
            groups |= found[1]
            versions |= found[2]
    return names, groups, versions


def _from_toml(text: str) -> _Declared:
    content: object = tomllib.loads(text)
    places = (
        ("project", "name"),
        ("tool", "poetry", "name"),
        ("tool", "flit", "metadata", "dist-name"),
    )
    numbers = (("project", "version"), ("tool", "poetry", "version"))
    names = {name for keys in places if isinstance(name := _at(content, keys), str)}
    versions = {number for keys in numbers if isinstance(number := _at(content, keys), str)}
    tables = (("project", "entry-points"), ("tool", "poetry", "plugins"))
    return names, {group for keys in tables for group in _table(_at(content, keys))}, versions


def _at(content: object, keys: tuple[str, ...]) -> object:
    for key in keys:
        content = _table(content).get(key)
    return content


def _table(content: object) -> dict[str, object]:
    return cast("dict[str, object]", content) if isinstance(content, dict) else {}


def _from_cfg(text: str) -> _Declared:
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return set(), set(), set()
    name = parser.get("metadata", "name", fallback=None)
    version = parser.get("metadata", "version", fallback=None)
    groups = parser["options.entry_points"] if parser.has_section("options.entry_points") else ()
    return {name} if name else set(), set(groups), {version} if version else set()


def _from_setup(text: str) -> _Declared:
    names, groups, versions = set[str](), set[str](), set[str]()
    for node in walk(ast.parse(text)):
        match node:
            case ast.Call(
                func=ast.Name(id="setup") | ast.Attribute(attr="setup"), keywords=keywords
            ):
                for keyword in keywords:
                    match keyword:
                        case ast.keyword(arg="name", value=ast.Constant(value=str(name))):
                            names.add(name)
                        case ast.keyword(arg="version", value=ast.Constant(value=str(version))):
                            versions.add(version)
                        case ast.keyword(arg="entry_points", value=ast.Dict(keys=keys)):
                            groups.update(
                                k.value for k in keys
                                if isinstance(k, ast.Constant) and isinstance(k.value, str)
                            )  # fmt: skip
                        case _:
                            continue
            case _:
                continue
    return names, groups, versions


def _from_pkg_info(text: str) -> _Declared:
    name = re.search(r"^Name:\s*(\S+)", text, re.MULTILINE)
    version = re.search(r"^Version:\s*(\S+)", text, re.MULTILINE)
    return {name[1]} if name else set(), set(), {version[1]} if version else set()
