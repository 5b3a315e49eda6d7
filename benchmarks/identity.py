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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .functions import named_functions, statements

if TYPE_CHECKING:
    from slicefunc.slicer.model import Definition, LineMap, Manifest, Target

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
    bad: dict[tuple[str, str], str] = {}
    kept = edited = 0
    for definition in manifest.definitions:
        if definition.kind not in COMPARED:
            continue
        kept += 1
        place = (definition.path, definition.qualname)
        why = _difference(folder / definition.path, script, definition)
        if why and _is_edited(definition, manifest):
            edited += 1
            bad[place] = ""
        elif why:
            bad[place] = why
    return Identity(
        target=all(
            _target_is_kept(folder / target.path, script, target) for target in manifest.targets
        ),
        kept=kept,
        identical=kept - len(bad),
        edited=edited,
        different=tuple(f"{path}::{name}: {why}" for (path, name), why in bad.items() if why),
    )


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that Python compiles: the script itself, or a module that it carries."""

    lines: list[str]
    nodes: dict[Span, ast.stmt] | None
    """Statements by first and last line; `None` where trees are not compared."""

    @classmethod
    def of(cls, text: str, *, trees: bool) -> _Text:
        return cls(_split(text), _spans(ast.parse(text)) if trees else None)

    def difference(self, at: Span, original: _Text, of: Span) -> str:
        """Why the lines and the statement here are not the original ones; empty where they are."""
        if self.lines[at[0] - 1 : at[1]] != original.lines[of[0] - 1 : of[1]]:
            return "text differs"
        theirs = (original.nodes or {}).get(of)
        if self.nodes is None or theirs is None:
            return ""  # of a part of a line, or of several statements on it, the text is all
        ours = self.nodes.get(at)
        if ours is None:
            return "no such statement in the script"
        return "" if ast.dump(ours) == ast.dump(theirs) else "tree differs"


@dataclass(frozen=True, slots=True)
class _Script:
    """A script: its own text, and those of the modules that it carries, by path."""

    visible: _Text
    carried: dict[str, _Text]
    runs: dict[str, list[LineMap]]
    """The line map by path, in the order of the repository's lines."""

    @classmethod
    def of(cls, source: str, lines: Sequence[LineMap], *, trees: bool) -> _Script:
        runs: dict[str, list[LineMap]] = {}
        for run in sorted(lines, key=lambda run: (run.path, run.line)):
            runs.setdefault(run.path, []).append(run)
        texts = {path: _Text.of(text, trees=trees) for path, text in carried_texts(source).items()}
        return cls(_Text.of(source, trees=trees), texts, runs)

    def block(self, path: str, first: int, last: int) -> tuple[_Text, Span] | None:
        """The text that holds these lines of the repository as one block, and where."""
        if path in self.carried:
            return self.carried[path], (first, last)  # padded: the lines are the repository's
        place = self._visible_block(path, first, last)
        return (self.visible, place) if place else None

    def maps(self, path: str, line: int) -> bool:
        """Whether the line map knows the line."""
        return self._visible_block(path, line, line) is not None

    def _visible_block(self, path: str, first: int, last: int) -> Span | None:
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


def carried_texts(source: str) -> dict[str, str]:
    """The modules that a script carries, by path, as Python compiles them.

    A script of the `modules` layout holds for each of them a tuple of path, whether it is a
    package, and pieces of text with the line on which each stands.
    """
    if "_slice_func(" not in source:
        return {}
    found: dict[str, str] = {}
    twice: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Tuple(
                elts=[
                    ast.Constant(value=str(path)),
                    ast.Constant(value=bool()),
                    ast.Tuple() as held,
                ]
            ):
                twice |= {path} & found.keys()
                found[path] = _assembled(held)
            case _:
                pass
    # One file under two module names is two copies of its classes and state: neither is the
    # original, and an empty text makes all that is in it differ.
    return {path: "" if path in twice else text for path, text in found.items()}


def _assembled(held: ast.Tuple) -> str:
    """Pieces put together, each on its line."""
    lines: list[str] = [""]
    for piece in held.elts:
        line, text = ast.literal_eval(piece)
        lines += [""] * (line - len(lines))
        first, *others = _split(text)
        lines[-1] += first
        lines += others
    return "\n".join(lines)


def _difference(file: Path, script: _Script, definition: Definition) -> str:
    """Why the kept definition is not the repository's own; empty where it is."""
    original = _original(file)
    path, of = definition.path, (definition.first_line, definition.last_line)
    if not script.maps(path, of[0]):
        return "the line map does not hold it"
    whole = script.block(path, *of)
    why = whole[0].difference(whole[1], original, of) if whole else "not held as one block"
    node = (original.nodes or {}).get(of)
    if not why or definition.kind != "class" or not isinstance(node, ast.ClassDef):
        return why
    # Members may have been pruned: its head is compared here, each kept member by itself.
    return _head_difference(script, original, definition, node)


def _head_difference(
    script: _Script, original: _Text, definition: Definition, node: ast.ClassDef
) -> str:
    """The same for a class without its body."""
    of = definition.first_line, max(definition.first_line, _span(node.body[0])[0] - 1)
    held = script.block(definition.path, *of)
    if held is None:
        return "its head is not held as one block"
    text, at = held
    if text.lines[at[0] - 1 : at[1]] != original.lines[of[0] - 1 : of[1]]:
        return "text of the head differs"
    if text.nodes is None:
        return ""
    here = [found for span, found in text.nodes.items() if span[0] == at[0]]
    same = any(isinstance(n, ast.ClassDef) and _head(n) == _head(node) for n in here)
    return "" if same else "head differs as a tree"


def _target_is_kept(file: Path, script: _Script, target: Target) -> bool:
    """Whether all definitions of the target, also those in branches, are there and identical."""
    original = _original(file)
    tree = ast.parse(file.read_bytes())
    spans = [_span(node) for name, node in named_functions(tree.body) if name == target.qualname]
    held = [(script.block(target.path, *of), of) for of in spans]
    return bool(held) and not any(
        block is None or block[0].difference(block[1], original, of) for block, of in held
    )


def _is_edited(definition: Definition, manifest: Manifest) -> bool:
    return any(
        edit.path == definition.path and definition.first_line <= edit.line <= definition.last_line
        for edit in manifest.edits
    )


@functools.lru_cache(maxsize=2000)
def _original(file: Path) -> _Text:
    content = file.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return _Text.of(content.decode(encoding), trees=True)


def _split(text: str) -> list[str]:
    """Lines as Python's tokenizer counts them, without their ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _spans(tree: ast.Module) -> dict[Span, ast.stmt]:
    """All statements outside of functions by their lines.

    Of several statements on the same lines, the outermost stays.
    """
    found: dict[Span, ast.stmt] = {}
    for node in statements(tree.body):
        found.setdefault(_span(node), node)
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
