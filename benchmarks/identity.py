"""Holds each kept definition of a slice against the repository's own text and syntax tree.

The text is taken from the script, through the manifest's line map, as Python would run it: where a
module is carried in a string literal, the string's value counts, not its spelling. Line ends are
left out of the comparison, since Python reads all kinds alike.
"""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .functions import statements

if TYPE_CHECKING:
    from slicefunc.slicer.model import Definition, LineMap, Manifest

COMPARED = ("function", "method", "class", "variable")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Identity:
    """How many of a slice's kept definitions are the repository's own."""

    target: bool
    """Whether every definition of the target is kept and identical."""
    kept: int
    identical: int
    edited: int
    """Of those that differ, how many the manifest lists under `edits`."""
    different: tuple[str, ...]
    """The others that differ, and how."""


def check_identity(
    folder: Path, source: str, manifest: Manifest, *, trees: bool = True
) -> Identity:
    """Compare byte for byte, and with `trees` also node for node.

    Args:
        folder: The repository.
        source: The script.
        manifest: Its manifest.
        trees: Whether to compare syntax trees too. It means parsing every script, and large runs
            do it on a sample: equal lines in the right place seldom make another tree.
    """
    script = _Script.of(source, manifest.lines, trees=trees)
    good: set[tuple[str, str]] = set()
    bad: dict[tuple[str, str], str] = {}
    kept = edited = 0
    for definition in manifest.definitions:
        if definition.kind not in COMPARED:
            continue
        kept += 1
        place = (definition.path, definition.qualname)
        why = _difference(folder / definition.path, script, definition)
        if not why:
            good.add(place)
        elif _is_edited(definition, manifest):
            edited += 1
            bad[place] = ""
        else:
            bad[place] = why
    targets = {(target.path, target.qualname) for target in manifest.targets}
    return Identity(
        target=targets <= good and not targets & bad.keys(),
        kept=kept,
        identical=kept - len(bad),
        edited=edited,
        different=tuple(f"{path}::{name}: {why}" for (path, name), why in bad.items() if why),
    )


@dataclass(frozen=True, slots=True)
class _View:
    """Text of the script that Python compiles: the script itself, or a carried module."""

    first: int
    """The script line on which the text begins."""
    last: int
    lines: Sequence[str]
    """Empty where they do not correspond to lines of the script."""
    nodes: dict[Span, ast.stmt] | None
    """Statements by first and last script line; `None` where trees are not compared."""


@dataclass(frozen=True, slots=True)
class _Script:
    """A script, cut into the texts that Python compiles."""

    visible: _View
    carried: tuple[_View, ...]
    runs: dict[str, list[LineMap]]
    """The line map by path, in the order of the repository's lines."""

    @classmethod
    def of(cls, source: str, lines: Sequence[LineMap], *, trees: bool) -> _Script:
        runs: dict[str, list[LineMap]] = {}
        for run in sorted(lines, key=lambda run: (run.path, run.line)):
            runs.setdefault(run.path, []).append(run)
        tree = ast.parse(source) if trees or _may_carry(source) else None
        nodes = _spans(tree, 1) if trees and tree else None
        spelled = _split(source)
        visible = _View(1, len(spelled), spelled, nodes)
        carried = tuple(_carried(tree, trees=trees)) if tree else ()
        return cls(visible, carried, runs)

    def script_lines(self, path: str, first: int, last: int) -> tuple[int, int] | None:
        """Where the script holds these lines of the repository, as one block."""
        runs = self.runs.get(path, [])
        index = bisect_right(runs, first, key=lambda run: run.line) - 1
        if index < 0 or first >= runs[index].line + runs[index].count:
            return None
        start = at = runs[index].script_line + first - runs[index].line
        line = first
        while index < len(runs):
            run = runs[index]
            if line != max(run.line, first) or at != run.script_line + line - run.line:
                return None
            taken = min(last, run.line + run.count - 1) - line + 1
            line, at, index = line + taken, at + taken, index + 1
            if line > last:
                return start, at - 1
        return None

    def views(self, first: int, last: int) -> Iterator[_View]:
        """The texts that may hold these script lines, the innermost first."""
        for view in self.carried:
            if view.first <= first and last <= view.last:
                yield view
                if view.first < first and last < view.last:
                    return  # inside of the string: the script's own spelling is not what runs
        yield self.visible


def _difference(file: Path, script: _Script, definition: Definition) -> str:
    """Why the kept definition is not the repository's own; empty where it is."""
    original = _original(file)
    first, last = definition.first_line, definition.last_line
    if definition.kind != "class":
        return _block_difference(original, script, definition.path, first, last)
    if script.script_lines(definition.path, first, last):
        return _block_difference(original, script, definition.path, first, last)
    node = original.nodes.get((first, last))
    if not isinstance(node, ast.ClassDef):
        return "no such class in the repository"
    header = max(first, _span(node.body[0])[0] - 1)
    return _block_difference(original, script, definition.path, first, header, header=node)


def _block_difference(
    original: _Original,
    script: _Script,
    path: str,
    first: int,
    last: int,
    *,
    header: ast.ClassDef | None = None,
) -> str:
    """Compare one block of lines, and the statement that it is, or the head of a pruned class."""
    place = script.script_lines(path, first, last)
    if place is None:
        return "the line map does not give it as one block"
    start, end = place
    wanted = original.lines[first - 1 : last]
    for view in script.views(start, end):
        if list(view.lines[start - view.first : end - view.first + 1]) == wanted:
            break
    else:
        return "text differs"
    if view.nodes is None:
        return ""
    if header is not None:
        found = [n for (at, _), n in view.nodes.items() if at == start]
        same = any(isinstance(n, ast.ClassDef) and _head(n) == _head(header) for n in found)
        return "" if same else "head of the class differs as a tree"
    ours, theirs = view.nodes.get((start, end)), original.nodes.get((first, last))
    if theirs is None:
        return ""  # part of a line, or several statements on it: the text is all there is
    if ours is None:
        return "no such statement in the script"
    return "" if ast.dump(ours) == ast.dump(theirs) else "tree differs"


def _is_edited(definition: Definition, manifest: Manifest) -> bool:
    return any(
        edit.path == definition.path and definition.first_line <= edit.line <= definition.last_line
        for edit in manifest.edits
    )


@dataclass(frozen=True, slots=True)
class _Original:
    """A file of the repository."""

    lines: list[str]
    nodes: dict[Span, ast.stmt]


@functools.lru_cache(maxsize=2000)
def _original(file: Path) -> _Original:
    content = file.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return _Original(_split(content.decode(encoding)), _spans(ast.parse(content), 1))


def _split(text: str) -> list[str]:
    """Lines as Python's tokenizer counts them, without their ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _may_carry(source: str) -> bool:
    """Whether a script may carry modules in strings, which only parsing can tell for sure."""
    return "sys.meta_path" in source


def _carried(tree: ast.Module, *, trees: bool) -> Iterator[_View]:
    """The texts that long string literals hold."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, (str, bytes)):
            continue
        if node.end_lineno is None or node.end_lineno == node.lineno:
            continue
        text = node.value if isinstance(node.value, str) else node.value.decode()
        lines = _split(text)
        if len(lines) != node.end_lineno - node.lineno + 1:
            lines = []
        nodes = _parsed_spans(text, node.lineno) if trees else None
        yield _View(node.lineno, node.end_lineno, lines, nodes)


def _parsed_spans(text: str, first: int) -> dict[Span, ast.stmt]:
    """Statements of a carried text; none where it is prose."""
    try:
        return _spans(ast.parse(text), first)
    except (SyntaxError, ValueError):
        return {}


def _spans(tree: ast.Module, first: int) -> dict[Span, ast.stmt]:
    """All statements outside of functions by their lines, counted from `first`.

    Of several statements on the same lines, the outermost stays.
    """
    found: dict[Span, ast.stmt] = {}
    for node in statements(tree.body):
        start, end = _span(node)
        found.setdefault((start + first - 1, end + first - 1), node)
    return found


def _span(node: ast.stmt) -> Span:
    """First and last line of a statement, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return first, node.end_lineno or node.lineno


def _head(node: ast.ClassDef) -> tuple[str, ...]:
    """A class without its body."""
    parts = (*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", ()))
    return (node.name, *(ast.dump(part) for part in parts))
