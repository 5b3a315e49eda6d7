"""Map the repository's lines to a slice's texts, as Python compiles them.

The manifest's line map says which lines of a script are the repository's. For modules carried in
literals, their value counts and not their spelling. Line ends are ignored, since Python reads all
kinds alike.
"""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ...slicer.emission.choose_layout import layout_of
from ...slicer.model import LineMap, Manifest, Slice


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a text that Python compiles."""

    text: str
    first: int
    last: int

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines without their ends."""
        return lines_of(self.text)[self.first - 1 : self.last]


@dataclass(frozen=True, slots=True)
class SourceMap:
    """A script's own text and its carried texts, with the mapping from the repository's lines."""

    visible: str
    carried: Mapping[str, str]
    """Carried modules by path, each line at its number in the repository."""
    runs: Mapping[str, tuple[LineMap, ...]]
    """The line map by path, in the order of the repository's lines."""

    @classmethod
    def of(cls, source: str, manifest: Manifest) -> SourceMap:
        """Read a script."""
        runs: dict[str, list[LineMap]] = {}
        for run in sorted(manifest.lines, key=lambda run: (run.path, run.line)):
            runs.setdefault(run.path, []).append(run)
        carried = carried_texts(source) if layout_of(manifest).carries_modules else {}
        for path in carried.keys() & runs.keys():
            if _repeats(runs[path]):  # the script's own module is carried under another name, too
                carried[path] = ""
        return cls(source, carried, {path: tuple(found) for path, found in runs.items()})

    def maps(self, path: str, line: int) -> bool:
        """Whether the line map contains the line."""
        return self._visible_line(path, line) > 0

    def block(self, path: str, first: int, last: int) -> Block | None:
        """Return these lines of the repository as a block; `None` if they are not contiguous."""
        if path in self.carried:
            return Block(self.carried[path], first, last)
        start, end = self._visible_line(path, first), self._visible_line(path, last)
        if not start or end - start != last - first:
            return None
        return Block(self.visible, start, end) if self._is_whole(path, first, last) else None

    def start(self, path: str, line: int) -> tuple[str, int] | None:
        """Return the text that holds a line of the repository, and the line there."""
        if path in self.carried:
            return self.carried[path], line
        at = self._visible_line(path, line)
        return (self.visible, at) if at else None

    def _visible_line(self, path: str, line: int) -> int:
        """Return the line in the script itself; 0 if it has none."""
        run = self._run(path, line)
        return run.script_line + line - run.line if run else 0

    def _is_whole(self, path: str, first: int, last: int) -> bool:
        while first <= last:
            run = self._run(path, first)
            if run is None:
                return False
            first = run.line + run.count
        return True

    def _run(self, path: str, line: int) -> LineMap | None:
        runs = self.runs.get(path, ())
        at = bisect_right(runs, line, key=lambda run: run.line) - 1
        return runs[at] if at >= 0 and line < runs[at].line + runs[at].count else None


def _repeats(runs: Sequence[LineMap]) -> bool:
    """Whether some line occurs in two runs."""
    return any(one.line + one.count > other.line for one, other in pairwise(runs))


def texts_of_tree(sliced: Slice) -> dict[str, str]:
    """Return the Python files of a pruned tree by path."""
    return {f.path: decoded(f.content) for f in sliced.files if f.path.endswith(".py")}


def carried_texts(source: str) -> dict[str, str]:
    """Return the modules that a script carries, by path, as Python compiles them.

    The call of the script's loader holds for each module its path, whether it is a package, and
    pieces of text with their lines.
    """
    if "_slice_func(" not in source:
        return {}
    found: dict[str, str] = {}
    twice: set[str] = set()
    for statement in ast.parse(source).body:
        if not _is_loading(statement):
            continue
        for node in ast.walk(statement):
            match node:
                case ast.Tuple(
                    elts=[
                        ast.Constant(value=str(path)),
                        ast.Constant(value=bool()),
                        ast.Tuple() as pieces,
                    ]
                ):
                    twice |= {path} & found.keys()
                    found[path] = assembled(pieces)
                case _:
                    pass
    # A file under two module names makes two copies of its classes and state. Neither is the
    # original, and an empty text makes everything in it differ.
    return {path: "" if path in twice else text for path, text in found.items()}


def _is_loading(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="_slice_func"))):
            return True
        case _:
            return False


def assembled(pieces: ast.Tuple) -> str:
    """Return a carried module's text: its pieces, each at its line."""
    lines: list[str] = [""]
    for piece in pieces.elts:
        line, text = ast.literal_eval(piece)
        lines += [""] * (line - len(lines))
        first, *others = lines_of(text)
        lines[-1] += first
        lines += others
    return "\n".join(lines)


def original_text(file: Path) -> str:
    """Return the text of a repository file; cached until the file changes."""
    found = file.stat()
    return _read(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=2000)
def _read(file: Path, _changed: int, _size: int) -> str:
    return decoded(file.read_bytes())


def decoded(content: bytes) -> str:
    """Return the text of a Python file in its declared encoding."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return content.decode(encoding)


@lru_cache(maxsize=2000)
def lines_of(text: str) -> tuple[str, ...]:
    """Return lines as Python's tokenizer counts them, without their ends."""
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
