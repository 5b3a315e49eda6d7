"""Requirements declared in a repository's build and requirements files.

A file that cannot be read declares nothing.
"""

from __future__ import annotations

import ast
import codecs
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from ..errors import SourceError
from ..repo.repository import Repository
from ..repo.source import decode
from ..syntax.memo import memo
from ..syntax.nodes import walk
from ..syntax.requirement import Requirement, clauses, from_poetry, normal, parse_requirement
from ..syntax.script_header import read_header

_INCLUDE = re.compile(r"(?:-r|--requirement|-c|--constraint)[\s=]*(\S+)")
_SETUP_LISTS = ("install_requires", "tests_require", "setup_requires", "extras_require")
_MAX_FOLDERS = 50
_FILES = ("pyproject.toml", "Pipfile", "setup.cfg", "setup.py")


@memo
def declared_distributions(repository: Repository) -> tuple[str, ...]:
    """Return the distributions that the repository's build and requirements files name, in order.

    The files are read in the repository's root and in the folders directly below it.
    """
    folders = build_folders(repository)
    found = (item.name for folder in folders for item in declared_in(repository, folder))
    return tuple(dict.fromkeys(found))


def build_folders(repository: Repository, path: str = "") -> tuple[str, ...]:
    """Return the folders that may contain build files, nearest to the file first."""
    below = sorted(n[:-1] for n in repository.listing("") if n.endswith("/") and n[0] not in "._")
    parts = path.split("/")[:-1]
    around = ["/".join(parts[:depth]) for depth in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys((*around, "", *below[:_MAX_FOLDERS])))


@memo
def declared_in(repository: Repository, folder: str) -> tuple[Requirement, ...]:
    """Return the requirements that the files of one folder declare, in order."""
    return tuple(_declared_in(repository, folder))


def _declared_in(repository: Repository, folder: str) -> Iterator[Requirement]:
    names = repository.listing(folder)
    for file, read in zip(_FILES, (_from_toml, _from_pipfile, _from_cfg, _from_setup), strict=True):
        if file in names:
            try:
                yield from list(read(text_of(repository, folder, file)))
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
    seen: set[str] = set()
    is_requirements = folder.rpartition("/")[2].startswith("requirements")
    for file in sorted(names, key=_usual_first):
        if file.endswith((".txt", ".in")) and (is_requirements or "requirements" in file):
            path = f"{folder}/{file}" if folder else file
            yield from _from_requirements(repository, path, seen)


def _usual_first(file: str) -> tuple[bool, str]:
    return file != "requirements.txt", file


def declared_by_script(repository: Repository, path: str) -> tuple[Requirement, ...]:
    """Return the requirements in a script's own header (PEP 723)."""
    header = read_header(repository.source(path).text)
    return header.dependencies if header else ()


def text_of(repository: Repository, folder: str, file: str) -> str:
    """Return the text of a file; empty if it cannot be read."""
    path = f"{folder}/{file}" if folder else file
    try:
        data = repository.read_data(path)
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # what PowerShell writes
            return data.decode("utf-16", "replace")
        return decode(data, path)
    except SourceError:
        return ""


# ------------------------------------------------------------------------ requirements files


def _from_requirements(
    repository: Repository, path: str, visited: set[str]
) -> Iterator[Requirement]:
    if path in visited:
        return
    visited.add(path)
    folder, _, file = path.rpartition("/")
    for line in text_of(repository, folder, file).splitlines():
        included = _INCLUDE.match(line.strip())
        if included:
            other = _joined(folder, included[1])
            if other and repository.is_file(other):
                yield from _from_requirements(repository, other, visited)
        else:
            yield from _parsed([line.strip()])


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


def _parsed(requirements: object) -> Iterator[Requirement]:
    """Yield the requirements in a list of lines; nothing for any other value."""
    lines = cast("list[object]", requirements) if isinstance(requirements, list) else []
    for line in lines:
        found = parse_requirement(line) if isinstance(line, str) else None
        if found:
            yield found


# ------------------------------------------------------------------------ build files


def tables(content: object, *keys: str) -> Iterator[object]:
    """Yield the values at a path of keys in nested tables; `*` matches every key."""
    if not keys:
        yield content
        return
    first, *rest = keys
    table = as_table(content)
    values = list(table.values()) if first == "*" else [table.get(first)]
    for value in values:
        yield from tables(value, *rest)


def as_table(content: object) -> dict[str, object]:
    """Return the value if it is a table, else an empty table."""
    return cast("dict[str, object]", content) if isinstance(content, dict) else {}


def _from_toml(text: str) -> Iterator[Requirement]:
    content: object = tomllib.loads(text)
    own = [each for table in tables(content, "project", "dependencies") for each in _parsed(table)]
    yield from own
    names = {normal(each.name) for each in own}
    # an extra may pin the oldest versions that the project works with
    yield from (
        each for each in _optional(content) if not (each.is_pinned and normal(each.name) in names)
    )


def _optional(content: object) -> Iterator[Requirement]:
    """Yield the requirements of extras, dependency groups and tools."""
    for keys in (
        ("project", "optional-dependencies", "*"),
        ("dependency-groups", "*"), ("tool", "pdm", "dev-dependencies", "*"),
        ("tool", "uv", "dev-dependencies"), ("tool", "flit", "metadata", "requires"),
        ("tool", "flit", "metadata", "requires-extra", "*"),
        ("tool", "hatch", "envs", "*", "dependencies"),
    ):  # fmt: skip
        for table in tables(content, *keys):
            yield from _parsed(table)
    for keys in (("dependencies",), ("dev-dependencies",), ("group", "*", "dependencies")):
        for table in tables(content, "tool", "poetry", *keys):
            for name, value in as_table(table).items():
                if name != "python":
                    yield from _checked(_from_entry(name, value))


def _from_pipfile(text: str) -> Iterator[Requirement]:
    content: object = tomllib.loads(text)
    for section in ("packages", "dev-packages"):
        for table in tables(content, section):
            for name, value in as_table(table).items():
                yield from _checked(_from_entry(name, value))


def _checked(entry: Requirement) -> Iterator[Requirement]:
    """Yield the entry if it can be written as one requirement."""
    if parse_requirement(str(entry)) == entry:
        yield entry


def _from_entry(name: str, value: object) -> Requirement:
    """Return the requirement for a Poetry or Pipenv entry; of alternatives, the last."""
    if isinstance(value, str):
        return Requirement(name, specifier=from_poetry(value))
    if isinstance(value, list):
        entries = cast("list[object]", value)
        return replace(_from_entry(name, entries[-1] if entries else ""), marker="")
    table = as_table(value)
    version, extras, git = (table.get(key) for key in ("version", "extras", "git"))
    names = [e for e in cast("list[object]", extras) if isinstance(e, str)] if isinstance(
        extras, list) else []  # fmt: skip
    url = table.get("url") or table.get("path") or table.get("file") or ""
    revision = next((v for key in ("rev", "tag", "ref", "branch") if (v := table.get(key))), None)
    if isinstance(git, str):
        url = f"git+{git}" + (f"@{revision}" if isinstance(revision, str) else "")
    specifier = from_poetry(version) if isinstance(version, str) else ""
    place = url.replace(" ", "%20") if isinstance(url, str) else ""
    return Requirement(name, tuple(names), specifier, url=place)


def _from_cfg(text: str) -> Iterator[Requirement]:
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if parser.has_section("options"):
        for key in _SETUP_LISTS:
            yield from _parsed(re.split(r"\n", parser.get("options", key, fallback="") or ""))
    if parser.has_section("options.extras_require"):
        for _, value in parser.items("options.extras_require"):
            yield from _parsed((value or "").split("\n"))


def _from_setup(text: str) -> Iterator[Requirement]:
    tree = ast.parse(text)
    lists = {
        target.id: node.value
        for node in walk(tree) if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for call in _setup_calls(tree):
        for keyword in call.keywords:
            if keyword.arg in _SETUP_LISTS:
                yield from _literal(keyword.value, lists)


def _setup_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setup") | ast.Attribute(attr="setup")):
                yield node
            case _:
                continue


def _literal(node: ast.expr, lists: dict[str, ast.expr]) -> Iterator[Requirement]:
    """Yield the requirements in a literal list, a dictionary of lists, or a name bound to one."""
    match node:
        case ast.Constant(value=str(text)):
            yield from _parsed(text.split("\n"))
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            for element in elements:
                yield from _literal(element, lists)
        case ast.Dict(values=values):
            for value in values:
                yield from _literal(value, lists)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _literal(left, lists)
            yield from _literal(right, lists)
        case ast.Name(id=name) if name in lists:
            yield from _literal(lists[name], {k: v for k, v in lists.items() if k != name})
        case _:
            return


# ------------------------------------------------------------------------ Python


def declared_python(repository: Repository, folders: tuple[str, ...]) -> str:
    """Return the Python versions that the build files require, as a specifier; empty for any.

    The first folder that declares versions counts.
    """
    return next(filter(None, (_python_of_folder(repository, folder) for folder in folders)), "")


@memo
def _python_of_folder(repository: Repository, folder: str) -> str:
    return next(_declared_python(repository, folder), "")


def _declared_python(repository: Repository, folder: str) -> Iterator[str]:
    names = repository.listing(folder)
    for file, read in (("pyproject.toml", _python_of_toml), ("setup.cfg", _python_of_cfg),
                       ("setup.py", _python_of_setup)):  # fmt: skip
        if file in names:
            try:
                found = read(text_of(repository, folder, file))
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if found:
                yield found


def _python_of_toml(text: str) -> str:
    content: object = tomllib.loads(text)
    for value in tables(content, "project", "requires-python"):
        if isinstance(value, str):
            return clauses(value)
    for value in tables(content, "tool", "poetry", "dependencies", "python"):
        if isinstance(value, str):
            return from_poetry(value)
    return ""


def _python_of_cfg(text: str) -> str:
    found = re.search(r"(?m)^python_requires\s*=\s*(.*)$", text)
    return clauses(found[1]) if found else ""


def _python_of_setup(text: str) -> str:
    for call in _setup_calls(ast.parse(text)):
        for keyword in call.keywords:
            match keyword:
                case ast.keyword(arg="python_requires", value=ast.Constant(value=str(wanted))):
                    return clauses(wanted)
                case _:
                    continue
    return ""


__all__ = ["Requirement", "declared_distributions", "normal"]
