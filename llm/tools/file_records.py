"""What one file of a repository defines and imports, and the snippets that it is cut into.

Everything is cut along the syntax: a snippet is a function, a class without its methods, or some
consecutive statements; long ones are cut between statements.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...slicer.repo.repository import Module
from ..retrieval.words import words_of

LONGEST_SNIPPET = 40
"""Maximum number of lines of a snippet, unless one statement has more."""

Kind = Literal["class", "function", "method"]
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, function or method of the repository."""

    path: str
    qualname: str
    kind: Kind
    first: int
    """First line, decorators included."""
    last: int
    signature: str
    """Its decorators, a line each, and its header on one line, without a colon."""
    docstring: str
    """Empty for none."""

    @property
    def label(self) -> str:
        """Return the name by which tools take it: `path::qualname`."""
        return f"{self.path}::{self.qualname}"

    @property
    def name(self) -> str:
        """Return the last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def summary(self) -> str:
        """Return the first line of the docstring."""
        return self.docstring.strip().partition("\n")[0].strip()


@dataclass(frozen=True, slots=True)
class Snippet:
    """Consecutive lines of a file."""

    path: str
    first: int
    last: int
    within: str
    """Qualified name of the definition that it is, or is part of; empty for a module's code."""
    kind: Literal["class", "function", "method", "statements"]
    counts: Mapping[str, int]
    """How often each word occurs in it, the path and the qualified name included."""


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name that a file imports, with the statement that does so from anywhere."""

    name: str
    statement: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The content of a file."""

    path: str
    module: str
    """Dotted name by which the repository imports it."""
    definitions: tuple[Definition, ...]
    snippets: tuple[Snippet, ...]
    imports: tuple[ImportedName, ...]
    variables: tuple[str, ...]
    """Names that statements of the module assign."""


def record_of(module: Module) -> FileRecord:
    """Return what a file defines and imports."""
    tree, path, lines = module.source.tree, module.path, module.source.lines
    definitions = tuple(_definitions(tree.body, path, ""))
    spans = _snippet_spans(tree.body, "", "statements", len(lines))
    return FileRecord(
        path,
        module.name,
        definitions,
        tuple(_snippet(path, lines, *span) for span in spans),
        tuple(dict.fromkeys(_imports(module))),
        tuple(dict.fromkeys(_variables(tree.body))),
    )


def signature_of(node: _FunctionNode | ast.ClassDef) -> str:
    """Return the header of a definition on one line, without decorators."""
    if isinstance(node, ast.ClassDef):
        given = [*map(ast.unparse, node.bases), *map(ast.unparse, node.keywords)]
        return f"class {node.name}({', '.join(given)})" if given else f"class {node.name}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{word} {node.name}({ast.unparse(node.args)}){returned}"


def decorated_signature(node: _FunctionNode | ast.ClassDef) -> str:
    """Return the decorators of a definition, a line each, and its header."""
    return "".join(f"@{ast.unparse(each)}\n" for each in node.decorator_list) + signature_of(node)


def is_partial(signature: str) -> bool:
    """Whether a definition only adds to another of its name: an overload, setter or deleter."""
    decorators = [line for line in signature.split("\n") if line.startswith("@")]
    return any(each.endswith(("overload", ".setter", ".deleter")) for each in decorators)


def first_line(node: ast.stmt) -> int:
    """Return the first line of a statement, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(each.lineno for each in decorators)) if decorators else node.lineno


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _definitions(body: Sequence[ast.stmt], path: str, prefix: str) -> Iterator[Definition]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _definition(node, path, prefix, "method" if prefix else "function")
            case ast.ClassDef():
                yield _definition(node, path, prefix, "class")
                yield from _definitions(node.body, path, f"{prefix}{node.name}.")
            case _:
                for inner in _blocks(node):
                    yield from _definitions(inner, path, prefix)


def _definition(
    node: _FunctionNode | ast.ClassDef, path: str, prefix: str, kind: Kind
) -> Definition:
    return Definition(
        path,
        prefix + node.name,
        kind,
        first_line(node),
        _last_line(node),
        decorated_signature(node),
        ast.get_docstring(node) or "",
    )


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement that is no definition."""
    if isinstance(node, (ast.If, ast.Try, ast.TryStar, ast.With, ast.For, ast.While)):
        for field in ("body", "orelse", "finalbody"):
            yield getattr(node, field, [])
        for handler in getattr(node, "handlers", []):
            yield handler.body


_Span = tuple[int, int, str, Literal["class", "function", "method", "statements"]]


def _snippet_spans(
    body: Sequence[ast.stmt],
    within: str,
    kind: Literal["class", "function", "method", "statements"],
    last: int,
) -> Iterator[_Span]:
    """Yield the snippets of a body; a definition in it begins another."""
    group: tuple[int, int] | None = None
    for node in body:
        start, end = first_line(node), min(_last_line(node), last)
        is_definition = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if group and (is_definition or end - group[0] >= LONGEST_SNIPPET):
            yield (*group, within, kind)
            group = None
        if not is_definition:
            group = (group[0] if group else start, end)
        elif isinstance(node, ast.ClassDef):
            name = f"{within}.{node.name}".lstrip(".")
            yield start, _header_end(node), name, "class"
            yield from _snippet_spans(node.body, name, "class", last)
        else:
            yield from _function_spans(node, within, start, end)
    if group:
        yield (*group, within, kind)


def _function_spans(node: _FunctionNode, within: str, start: int, end: int) -> Iterator[_Span]:
    name = f"{within}.{node.name}".lstrip(".")
    kind = "method" if within else "function"
    for statement in node.body:
        if _last_line(statement) - start >= LONGEST_SNIPPET and statement is not node.body[0]:
            if first_line(statement) > start:
                yield start, first_line(statement) - 1, name, kind
            start = first_line(statement)
    yield start, end, name, kind


def _header_end(node: ast.ClassDef) -> int:
    return max(node.lineno, node.body[0].lineno - 1)


def _snippet(
    path: str,
    lines: Sequence[str],
    first: int,
    last: int,
    within: str,
    kind: Literal["class", "function", "method", "statements"],
) -> Snippet:
    text = "".join(lines[first - 1 : last])
    return Snippet(path, first, last, within, kind, Counter(words_of(f"{path} {within} {text}")))


def _imports(module: Module) -> Iterator[ImportedName]:
    for node in _statements(module.source.tree.body):
        match node:
            case ast.Import():
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    suffix = f" as {alias.asname}" if alias.asname else ""
                    yield ImportedName(name, f"import {alias.name}{suffix}")
            case ast.ImportFrom():
                base = module.resolve_relative(node.level, node.module)
                for alias in node.names if base and base != "__future__" else ():
                    if alias.name != "*":
                        suffix = f" as {alias.asname}" if alias.asname else ""
                        name = alias.asname or alias.name
                        yield ImportedName(name, f"from {base} import {alias.name}{suffix}")
            case _:
                continue


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body, and those inside them."""
    for node in body:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner: list[ast.AST] = getattr(node, field, [])
            for each in inner:
                if isinstance(each, ast.stmt):
                    yield from _statements([each])
                elif isinstance(each, (ast.ExceptHandler, ast.match_case)):
                    yield from _statements(each.body)


def _variables(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.Assign(targets=targets):
                stored = targets
            case ast.AnnAssign(target=target):
                stored = [target]
            case _:
                for inner in _blocks(node):
                    yield from _variables(inner)
                continue
        for target in stored:
            for each in ast.walk(target):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id
