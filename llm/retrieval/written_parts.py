"""The parts of a target that a model is to write: the body of a function, those of a class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .code_views import Tokens, code_tokens, parsable, python_tokens, words
from .languages import Language, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_FIELDS = 24
"""Tokens from which on the statements of a class say where they were copied from."""
_BOUND = re.compile(
    r"([^\W\d]\w*)\s*(?::=|=(?![=>])|:\s*[\w&<>\[\]]+\s*=(?!=))"
    r"|\b(?:let|const|var|mut|for|catch|as)\s+(?:mut\s+)?([^\W\d]\w*)"
    r"|\b[\w>\]]+\s+([^\W\d]\w*)\s*[,):=]"
)
"""Names that are bound, in languages other than Python: nearly so."""
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of code whose copies are looked for."""

    tokens: Tokens
    """Its code, without comments and docstring."""
    bound: frozenset[str]
    """Names that it binds, or that are parameters of its function."""


def python_parts(text: str) -> tuple[tuple[Part, ...], bool]:
    """Return the parts of a definition in Python, and whether it is a class.

    Of a text that is no definition, the whole is the part.
    """
    source = parsable(text)
    try:
        (node,) = ast.parse(source).body
    except (SyntaxError, ValueError):
        return (Part(words(python_tokens(source, (1, 0)) or text), frozenset()),), False
    if isinstance(node, ast.If):
        (node, *_) = node.body
    if isinstance(node, ast.ClassDef):
        return tuple(_class_parts(node, source)), True
    body = node.body if isinstance(node, _Function) else [node]
    return (_part(source, node, _without_docstring(body)),), False


def _class_parts(node: ast.ClassDef, source: str) -> Iterator[Part]:
    loose: list[ast.stmt] = []
    for each in _without_docstring(node.body):
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _part(source, each, _without_docstring(each.body))
            case ast.ClassDef():
                yield from _class_parts(each, source)
            case ast.AnnAssign() | ast.Pass():  # fields are its interface
                continue
            case _:
                loose.append(each)
    tokens = tuple(token for each in loose for token in _part(source, each, [each]).tokens)
    if len(tokens) >= _FIELDS:
        yield Part(tokens, frozenset())


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), _, *_]:
            return body[1:]
        case _:
            return body


def _part(source: str, owner: ast.stmt, body: list[ast.stmt]) -> Part:
    """Return statements of a program as a part, with the names that their owner binds."""
    lines = source.split("\n")
    first, last = body[0], body[-1]
    decorators: list[ast.expr] = getattr(first, "decorator_list", [])
    line, column = min([(first.lineno, first.col_offset), *((d.lineno, 0) for d in decorators)])
    end = last.end_lineno or last.lineno
    start = line, _column(lines[line - 1], column)
    ending = end, _column(lines[end - 1], last.end_col_offset or 0)
    code = words(python_tokens(source, start, ending) or "")
    return Part(code, frozenset(_bound_names(owner)))


def _column(line: str, offset: int) -> int:
    """Return the place in a line of an offset in bytes."""
    return len(line.encode()[:offset].decode("utf-8", "ignore"))


def _bound_names(owner: ast.stmt) -> Iterator[str]:
    for each in ast.walk(owner):
        match each:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case _:
                continue


def syntax_parts(text: str, language: Language) -> tuple[tuple[Part, ...], bool]:
    """Return the bodies of functions in another language, and whether they are of a class."""
    root = parser_of(language.name).parse(text.encode("utf-8", "surrogateescape")).root_node
    found: list[Part] = []
    left: list[Node] = [root]
    is_class = False
    while left:
        node = left.pop()
        is_class = is_class or node.type in language.classes
        body = node.child_by_field_name("body") if node.type in language.functions else None
        if body is None:
            left += reversed(node.children)
            continue
        whole, inner = (
            (each.text or b"").decode("utf-8", "surrogateescape") for each in (node, body)
        )
        tokens = code_tokens(inner.strip().removeprefix("{").removesuffix("}"), is_python=False)
        found.append(Part(tokens, _bound_in(whole)))
    if found or is_class:
        return tuple(found), is_class
    return (Part(code_tokens(text, is_python=False), frozenset()),), False


def _bound_in(text: str) -> frozenset[str]:
    return frozenset(name for groups in _BOUND.findall(text) for name in groups if name)
