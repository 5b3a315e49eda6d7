"""The runtime's pieces as statements: a script carries the part that its names reach."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from ...slicer.syntax.nodes import walk
from ...slicer.syntax.scopes import imported_as
from ..world import runtime_text

_NAMED = re.compile(r"slice_func_mocks\.(\w+)")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_BANNER = re.compile(r"# -{3,}")


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A top-level statement of a piece."""

    text: str
    """Its source, with the comment right above it."""
    gap: str
    """The blank lines above it."""
    banner: str
    """The section heading above it; usually empty."""
    binds: frozenset[str]
    """Names that it defines; empty for a statement that runs for its effect."""
    uses: frozenset[str]
    is_import: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A file of the runtime, split into statements."""

    title: str
    """A comment with the piece's name and summary."""
    needs: tuple[str, ...]
    """Names of the pieces that it imports."""
    offers: frozenset[str]
    """Its `__all__`: names that cases may call although the script does not."""
    statements: tuple[Statement, ...]


@cache
def piece(name: str) -> Piece:
    """Return a piece of the runtime, split into statements."""
    text = runtime_text(name)
    body = ast.parse(text).body
    doc = ast.get_docstring(ast.Module(body, [])) or ""
    needs = sorted(
        (node.module or "").rpartition(".")[2]
        for node in body
        if isinstance(node, ast.ImportFrom) and node.level
    )
    offers = {name for node in body for name in _offered(node)}
    return Piece(
        f"# {name}: {' '.join(_PARAGRAPHS.split(doc)[0].split())}",
        tuple(filter(None, needs)),
        frozenset(offers),
        tuple(_statements(body, text.splitlines(keepends=True))),
    )


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return the pieces and those that they import, in topological order."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            for needed in piece(name).needs:
                add(needed)
            found[name] = None

    for name in names:
        add(name)
    return tuple(found)


def carried(pieces: Sequence[Piece], roots: Iterable[str]) -> Iterator[str]:
    """Yield each piece's text, without the statements that the names do not reach."""
    kept = _reached(pieces, {*roots, *(name for each in pieces for name in each.offers)})
    imported: set[str] = set()
    for each in pieces:
        statements = [s for s in each.statements if s in kept]
        if not all(s.is_import for s in statements):
            fresh = [s for s in statements if not (s.is_import and s.text in imported)]
            imported.update(s.text for s in fresh if s.is_import)
            yield f"{each.title}\n\n{_joined(fresh)}"


def _reached(pieces: Sequence[Piece], roots: Iterable[str]) -> set[Statement]:
    own = [s for each in pieces for s in each.statements if not s.is_import]
    defining: dict[str, list[Statement]] = {}
    for statement in own:
        for name in statement.binds:
            defining.setdefault(name, []).append(statement)
    kept: set[Statement] = set()
    names: set[str] = set()
    todo = sorted(roots)
    while todo:
        while todo:
            name = todo.pop()
            if name not in names:
                names.add(name)
                new = [s for s in defining.get(name, ()) if s not in kept]
                kept.update(new)
                todo += [used for s in new for used in s.uses]
        # a statement that runs for its effect stays with the names it acts on
        new = [s for each in pieces for s in _effects(each, names) if s not in kept]
        kept.update(new)
        todo = [used for s in new for used in s.uses]
    for each in pieces:
        used = {name for s in each.statements if s in kept for name in s.uses}
        used.update(roots)
        kept.update(s for s in each.statements if s.is_import and not s.binds.isdisjoint(used))
    return kept


def _effects(each: Piece, names: set[str]) -> Iterator[Statement]:
    defined = {name for s in each.statements if not s.is_import for name in s.binds}
    for statement in each.statements:
        if not statement.binds:
            own = statement.uses & defined
            if not own or not own.isdisjoint(names):
                yield statement


def _joined(statements: Sequence[Statement]) -> str:
    text = ""
    banner = ""
    for statement in statements:
        heading = statement.banner if statement.banner != banner else ""
        banner = statement.banner
        text += (statement.gap if text else "") + heading + statement.text
    return text


# ----------------------------------------------------------------------------- taking apart


def _offered(node: ast.stmt) -> Sequence[str]:
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
            return cast("Sequence[str]", ast.literal_eval(value))
        case _:
            return ()


def _statements(body: Sequence[ast.stmt], lines: Sequence[str]) -> list[Statement]:
    found: list[Statement] = []
    above = 0
    banner = ""
    for node in body:
        end = node.end_lineno or node.lineno
        between = lines[above:end]
        above = end
        match node:
            case ast.ImportFrom(module="__future__") | ast.ImportFrom(level=1 | 2 | 3 | 4 | 5):
                continue
            case ast.Expr(value=ast.Constant()):
                if found:  # the docstring of the name above it
                    found[-1] = replace(found[-1], text=found[-1].text + "".join(between))
                continue
            case _ if _offered(node):
                continue
            case _:
                pass
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        start = len(between) - (end - first + 1)
        while start and between[start - 1].startswith("#"):
            start -= 1
        banner = next((f"{line}\n\n" for line in between[:start] if _BANNER.match(line)), banner)
        found.append(_statement(node, "".join(between[start:]), between[:start], banner))
    return found


def _statement(node: ast.stmt, text: str, above: Sequence[str], banner: str) -> Statement:
    is_large = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    blank = 2 if is_large else min(2, sum(not line.strip() for line in above))
    uses: set[str] = set()
    for inner in walk(node):
        match inner:
            case ast.Name(id=name):
                uses.add(name)
            case ast.Global(names=names):
                uses.update(names)
            case ast.Constant(value=str(word)) if "slice_func_mocks." in word:
                uses.update(_NAMED.findall(word))
            case _:
                pass
    is_import = isinstance(node, (ast.Import, ast.ImportFrom))
    return Statement(
        text, "\n" * blank, banner, frozenset(_bound(node)), frozenset(uses), is_import
    )


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from map(imported_as, names)
        case ast.Assign(targets=targets):
            places = [inner for target in targets for inner in walk(target)]
            if all(isinstance(inner, (ast.Name, ast.Tuple)) for inner in places):
                yield from (inner.id for inner in places if isinstance(inner, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            pass
