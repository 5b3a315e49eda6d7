"""Settings that the repository shows in an example of a missing file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...slicer import Repository

_WORDS = "example sample template default dist default_values tmpl defaults".split()
_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*(?:#.*)?$", re.MULTILINE)


_BLANK = re.compile(
    r"""(['"])\s*(?:x{2,}|\.{2,}|\*{2,}|<[^<>]*>|change[-_ ]?me|to[-_ ]?do|your[-_ ].*)?\s*\1""",
    re.IGNORECASE,
)
"""A text that is only a placeholder."""


def written_values(repository: Repository, module: str, importer: str) -> dict[str, str]:
    """Return name → value as source, from the first example found.

    Args:
        repository: the repository to search.
        module: dotted name of the missing module.
        importer: path of the file that imports it; its folder is searched first.
    """
    stem = module.rpartition(".")[2]
    found: dict[str, str] = {}
    for path in _candidates(repository, stem, importer):
        text = repository.read_data(path).decode("utf-8", "replace")
        values = _assigned(text) if ".env" not in path else dict(_environment(text))
        for name, value in values.items():
            if not _BLANK.fullmatch(value):
                found.setdefault(name, value)
    return found


def _candidates(repository: Repository, stem: str, importer: str) -> Iterator[str]:
    """Yield the files that may show a module's contents, the most likely first."""
    names = [
        name
        for word in _WORDS
        for name in (
            f"{stem}.{word}.py", f"{stem}_{word}.py", f"{stem}-{word}.py", f"{word}_{stem}.py",
            f"{word}.{stem}.py", f"{word}-{stem}.py", f"{stem}.py.{word}", f"{stem}.py_{word}",
            f"{stem}.py-{word}",
        )
    ]  # fmt: skip
    own = importer.rpartition("/")[0]
    folders = [own, "", *(f for f in repository.python_folders if f not in (own, ""))]
    listed = [(folder, repository.listing(folder)) for folder in dict.fromkeys(folders)]
    environment = [f".env.{word}" for word in _WORDS] + [".env"]
    for wanted in (names, [f"{stem}.py"], environment):
        for folder, files in listed:
            for name in wanted:
                if name in files:
                    yield f"{folder}/{name}" if folder else name


def _assigned(text: str) -> dict[str, str]:
    """Return the literals that a Python file binds at its top level."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        literal = _literal(value)
        if literal is not None:
            found[name] = literal
    return found


def _literal(node: ast.expr) -> str | None:
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError):
        pass
    match node:
        case ast.Call(func=ast.Attribute(attr="getenv" | "get"), args=[_, default]):
            return _literal(default)
        case _:
            return None


def _environment(text: str) -> Iterator[tuple[str, str]]:
    for found in _LINE.finditer(text):
        value = found[2].strip("\"'")
        yield found[1], value if value.isdecimal() else repr(value or found[1].lower())
