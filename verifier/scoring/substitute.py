"""A slice's script with holes in place of the target, for the single-file layouts.

The target is in the script itself, or in a module carried as text (perhaps as two modules from one
file). Data files never are source code, so it is nowhere else.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...slicer.emission.text_literal import text_literal
from ..script.source_map import assembled
from .candidates.candidate_text import UnusableCandidate
from .candidates.offered_names import OfferedName
from .candidates.text_pieces import split_lines
from .module_holes import FilledText, TextWithHoles, holed


@dataclass(frozen=True, slots=True)
class Template:
    """A script with holes."""

    script: TextWithHoles | str
    """The script with holes, or with marks in place of the module texts that have holes."""
    literals: tuple[_Literal, ...]

    modules: tuple[str, ...]
    """Names that the target's module may have, as observations label its globals."""

    @property
    def names(self) -> frozenset[str]:
        """Return the names that the target's module binds; for merged modules those of all."""
        if isinstance(self.script, TextWithHoles):
            return self.script.names
        return frozenset(name for literal in self.literals for name in literal.text.names)

    @property
    def offered(self) -> tuple[OfferedName, ...]:
        """Return the names that a candidate may use undefined, as far as the script lacks them."""
        if isinstance(self.script, TextWithHoles):
            return self.script.surroundings.offered
        every = (each for literal in self.literals for each in literal.text.surroundings.offered)
        return tuple(dict.fromkeys(every))

    @property
    def original(self) -> str:
        """Return what was cut out: the definitions of the target, as its file has them."""
        texts = (
            [self.script]
            if isinstance(self.script, TextWithHoles)
            else [literal.text for literal in self.literals]
        )
        return "\n".join(slot.text for hole in texts[0].holes for slot in hole.slots)

    def filled(self, candidate: str) -> FilledText | UnusableCandidate:
        """Return the script with the candidate in place of the target."""
        if isinstance(self.script, TextWithHoles):
            return self.script.filled(candidate)
        text = self.script
        added: frozenset[str] = frozenset()
        for literal in self.literals:
            new = literal.text.filled(candidate)
            if isinstance(new, UnusableCandidate):
                return new
            text = text.replace(literal.mark, f"((1, {text_literal(new.text)}),)", 1)
            added = new.added
        return FilledText(text, added)


_MERGED = re.compile(r"^# (\S.*\.py)$", re.MULTILINE)
"""Matches the comment above the definitions of each merged file."""


@dataclass(frozen=True, slots=True)
class _Literal:
    """A module that the script carries."""

    mark: str
    """The mark that replaces it in the script."""
    text: TextWithHoles


def template(
    script: str, path: str, qualname: str, offered: Sequence[OfferedName] = ()
) -> Template:
    """Return the script without its target.

    Args:
        script: in the layout `flat` or `modules`.
        path: path of the target's file in the repository.
        qualname: qualified name of the target.
        offered: names of the target's file that a candidate may use without defining them.

    Raises:
        NoHoleError: the target cannot be cut out.
    """
    modules = tuple(module_names(path))
    found = sorted(carried_literals(script, path))
    if not found:
        is_merged = "_slice_func(" not in script
        merged = (path, *_MERGED.findall(script)) if is_merged else ()
        roots = (name for file in merged for name in module_names(file))
        names = frozenset(part for name in roots for part in name.split("."))
        return Template(holed(script, qualname, names, offered), (), ("<script>",))
    literals: list[_Literal] = []
    content = script.encode("utf-8", "surrogatepass")
    for first, last, text in reversed(found):
        mark = f"'{hashlib.sha256(content).hexdigest()}'"
        content = content[:first] + mark.encode() + content[last:]
        literals.append(_Literal(mark, holed(text, qualname, offered=offered)))
    text = content.decode("utf-8", "surrogatepass")
    return Template(text, tuple(reversed(literals)), modules)


@lru_cache(maxsize=4)
def carried_literals(script: str, path: str) -> tuple[tuple[int, int, str], ...]:
    """Return start, end (in bytes) and text of the file in calls of the script's loader."""
    if "_slice_func(" not in script:
        return ()
    starts = [0]
    for line in split_lines(script):
        starts.append(starts[-1] + len(line.encode("utf-8", "surrogatepass")))
    found: list[tuple[int, int, str]] = []
    for node in ast.walk(ast.parse(script)):
        match node:
            case ast.Tuple(
                elts=[ast.Constant(value=name), ast.Constant(value=bool()), ast.Tuple() as pieces]
            ) if name == path and pieces.elts:
                first = starts[pieces.lineno - 1] + pieces.col_offset
                last = starts[(pieces.end_lineno or pieces.lineno) - 1] + (
                    pieces.end_col_offset or 0
                )
                found.append((first, last, assembled(pieces)))
            case _:
                continue
    return tuple(found)


def module_names(path: str) -> Iterator[str]:
    """Yield dotted names under which a file may be imported, the longest first."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    for start in range(len(parts)):
        yield ".".join(parts[start:])
