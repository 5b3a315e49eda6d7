"""The lines of a target: in the repository's file, and in a slice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ...slicer.emission.choose_layout import layout_of
from ...slicer.model import Definition, Manifest, Slice, Target
from ...slicer.repo.target_paths import walk_definitions
from .module_statements import first_line_of, is_overload, statements_of
from .source_map import SourceMap, original_text, texts_of_tree


@dataclass(frozen=True, slots=True)
class TracedLines:
    """Lines whose arcs are collected, with their source."""

    file: str
    """End of the path in the code's file name; empty for the script itself."""
    text: str
    """The text that Python compiles."""
    first: int
    last: int
    offset: int
    """Offset from a line to the repository's."""
    qualname: str = ""
    """Qualified name of the definition on these lines."""


def traced_lines(folder: Path, sliced: Slice) -> tuple[TracedLines, ...]:
    """Return the lines of the targets: one block, or several in branches; no overloads.

    Args:
        folder: The repository.
        sliced: A slice of it.
    """
    manifest = sliced.manifest
    if layout_of(manifest).is_tree:
        return tuple(found for t in manifest.targets for found in _in_tree(sliced, t))
    source_map = SourceMap.of(sliced.source, manifest)
    return tuple(
        found for t in manifest.targets for found in _in_script(folder, source_map, manifest, t)
    )


_ACCESSOR = re.compile(r"@\w+\.(?:setter|deleter|getter)\b")


def joined(blocks: tuple[TracedLines, ...]) -> tuple[TracedLines, ...]:
    """Return the blocks, with a property and its setter joined if only comments separate them.

    Args:
        blocks: Of one target, in the order of their lines.
    """
    found: list[TracedLines] = []
    for each in blocks:
        before = found[-1] if found else None
        if before is not None and replace(each, first=before.first, last=before.last) == before:
            *between, head = each.text.splitlines()[before.last : each.first]
            is_next = all(line.strip()[:1] in ("", "#") for line in between)
            if is_next and _ACCESSOR.match(head.strip()):
                found[-1] = replace(before, last=each.last)
                continue
        found.append(each)
    return tuple(found)


def _in_script(
    folder: Path, source_map: SourceMap, manifest: Manifest, target: Target
) -> Iterator[TracedLines]:
    path = target.path
    for found in target_definitions(
        original_text(folder / path), manifest, target, overloads=False
    ):
        start, end = (
            source_map.start(path, found.first_line),
            source_map.start(path, found.last_line),
        )
        if start and end and start[0]:  # a file that is carried twice has no unique text
            file = path if path in source_map.carried else ""
            offset = found.first_line - start[1]
            yield TracedLines(file, start[0], start[1], end[1], offset, found.qualname)


def _in_tree(sliced: Slice, target: Target) -> Iterator[TracedLines]:
    """Yield the target's lines in a pruned file, which equal the file's own."""
    text = texts_of_tree(sliced).get(target.path, "")
    for found in target_definitions(text, sliced.manifest, target, overloads=False):
        first, last = found.first_line, found.last_line
        yield TracedLines(target.path, text, first, last, 0, found.qualname)


def target_definitions(
    text: str, manifest: Manifest, target: Target, *, overloads: bool = True
) -> Iterator[Definition]:
    """Yield all definitions of the target in its file; for a nested function the outer one's.

    Args:
        text: The file in the repository.
        manifest: Of the slice; it knows the names that hold functions, as `f = lambda: 0` does.
        target: One of the slice's.
        overloads: Those that only say a type of what follows, too.
    """
    body = statements_of(text).body
    parts = target.qualname.replace(".<locals>", "").split(".")
    named = list(walk_definitions(body))
    for depth in range(len(parts), 0, -1):
        qualname = ".".join(parts[:depth])
        nodes = [node for name, node in named if name == qualname]
        if not overloads:
            nodes = [node for node in nodes if not is_overload(node)] or nodes
        if depth < len(parts):
            nodes = [node for node in nodes if not isinstance(node, ast.ClassDef)]
        for node in nodes:
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            first, last = first_line_of(node), node.end_lineno or node.lineno
            yield Definition(target.path, qualname, kind, first, last, "")
        if nodes:
            return
    for kept in manifest.definitions:
        if kept.path == target.path and target.qualname in _names(kept):
            yield kept


def _names(kept: Definition) -> list[str]:
    """Return the names that a statement binds, which the manifest writes as `Class.a, b`."""
    prefix, _, first = kept.qualname.split(", ")[0].rpartition(".")
    names = [first, *kept.qualname.split(", ")[1:]]
    return [f"{prefix}.{name}" if prefix else name for name in names]
