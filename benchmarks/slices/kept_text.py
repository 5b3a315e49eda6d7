"""Holds each kept definition of a slice against the repository, byte for byte and as a tree.

Trees are the verifier's business; here the text itself counts, comments and all, as Python would
run it: where a module is carried in a string literal, the string's value and not its spelling.
Line ends are left out, since Python reads all kinds alike.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from slicefunc.slicer.model import Slice
from slicefunc.verifier.same_code.ast_equivalence import Equivalence, equivalence
from slicefunc.verifier.script.module_statements import first_line_of, statements_of
from slicefunc.verifier.script.source_map import SourceMap, lines_of, original_text

from ..sources.functions import named_functions

if TYPE_CHECKING:
    from slicefunc.slicer.model import Definition, Manifest, Target

COMPARED = ("function", "method", "class", "variable")


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


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What came of the definitions of one file."""

    bad: dict[str, str]
    """Qualified names of those that differ, and how; empty where the manifest lists an edit."""
    edited: int


Known = dict[bytes, _Verdict]
"""Verdicts on carried files by all that they depend on, for the slices of one repository."""


def check_identity(
    folder: Path, source: str, manifest: Manifest, *,
    trees: bool = True, known: Known | None = None,
) -> Identity:  # fmt: skip
    """Compare byte for byte, and with `trees` also node for node.

    Args:
        folder: The repository.
        source: The script.
        manifest: Its manifest.
        trees: Whether to compare syntax trees too. It means parsing every script, and large runs
            do it on a sample: equal lines in the right place seldom make another tree.
        known: Verdicts of earlier calls for the same repository, which grow by those of this one:
            a file that is carried with the same text is compared once.
    """
    held = SourceMap.of(source, manifest)
    kept = [d for d in manifest.definitions if d.kind in COMPARED]
    files: dict[str, list[Definition]] = {}
    for definition in kept:
        files.setdefault(definition.path, []).append(definition)
    verdicts = Known() if known is None else known
    keys = {path: _question(held, manifest, found, trees) for path, found in files.items()}
    new = {path for path, key in keys.items() if key not in verdicts}
    as_trees = None
    if trees:
        left = tuple(d for d in manifest.definitions if d.path in new)
        as_trees = equivalence(folder, Slice(source, (), replace(manifest, definitions=left)))
    differing = _differing(as_trees)
    found = {p: _verdict(folder, held, manifest, files[p], differing) for p in files if p in new}
    verdicts |= {keys[path]: found[path] for path in new & held.carried.keys()}
    every = [(path, found[path] if path in new else verdicts[keys[path]]) for path in files]
    bad = {(path, name): why for path, part in every for name, why in part.bad.items()}
    edited = sum(part.edited for _, part in every)
    is_kept = all(_target_is_kept(folder, held, target) for target in manifest.targets)
    return Identity(
        target=is_kept and (as_trees is None or as_trees.ast_equal),
        kept=len(kept),
        identical=len(kept) - len(bad),
        edited=edited,
        different=tuple(f"{path}::{name}: {why}" for (path, name), why in bad.items() if why),
    )


def _question(
    source_map: SourceMap, manifest: Manifest, definitions: Sequence[Definition], trees: bool
) -> bytes:
    """All that the verdict on a carried file depends on, as a digest; its reasons are no part."""
    path = definitions[0].path
    parts = (
        path, trees, path in source_map.carried,
        [(d.qualname, d.kind, d.first_line, d.last_line) for d in definitions],
        [(run.line, run.count) for run in source_map.runs.get(path, ())],
        [edit.line for edit in manifest.edits if edit.path == path] if manifest.edits else (),
    )  # fmt: skip
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=20)
    digest.update(source_map.carried.get(path, "").encode("utf-8", "surrogatepass"))
    return digest.digest()


def _verdict(
    folder: Path, source_map: SourceMap, manifest: Manifest, definitions: Sequence[Definition],
    differing: Mapping[tuple[str, str, int], str],
) -> _Verdict:  # fmt: skip
    bad: dict[str, str] = {}
    edited = 0
    for definition in definitions:
        name = definition.qualname
        why = _difference(folder, source_map, definition) or differing.get(
            (definition.path, name, definition.first_line), ""
        )
        if why and _is_edited(definition, manifest):
            edited += 1
            bad[name] = ""
        elif why:
            bad[name] = why
    return _Verdict(bad, edited)


def _difference(folder: Path, source_map: SourceMap, definition: Definition) -> str:
    """Why the kept text is not the repository's own; empty where it is."""
    path, first, last = definition.path, definition.first_line, definition.last_line
    if not source_map.maps(path, first):
        return "the line map does not hold it"
    why = _text_difference(folder, source_map, path, (first, last))
    if not why or definition.kind != "class":
        return why
    # Members may have been pruned: its head is compared here, each kept member by itself.
    found = statements_of(original_text(folder / path)).at.get(first)
    if found is None or not isinstance(found.node, ast.ClassDef):
        return why
    head = first, max(first, first_line_of(found.node.body[0]) - 1)
    return _text_difference(folder, source_map, path, head, " of the head")


def _text_difference(
    folder: Path, source_map: SourceMap, path: str, span: tuple[int, int], part: str = ""
) -> str:
    block = source_map.block(path, *span)
    if block is None:
        return "its head is not held as one block" if part else "not held as one block"
    original = lines_of(original_text(folder / path))[span[0] - 1 : span[1]]
    return "" if block.lines == original else f"text{part} differs"


def _differing(as_trees: Equivalence | None) -> dict[tuple[str, str, int], str]:
    """Definitions whose trees differ, by path, qualified name and first line: how."""
    return {
        (found.path, found.qualname, found.line): found.why
        for found in (as_trees.definitions if as_trees else ())
        if not found.is_equal
    }


def _target_is_kept(folder: Path, source_map: SourceMap, target: Target) -> bool:
    """Whether all definitions of the target, also those in branches, are there and identical."""
    body = statements_of(original_text(folder / target.path)).body
    spans = [
        (first_line_of(node), node.end_lineno or node.lineno)
        for name, node in named_functions(list(body))
        if name == target.qualname
    ]
    return bool(spans) and not any(
        _text_difference(folder, source_map, target.path, span) for span in spans
    )


def _is_edited(definition: Definition, manifest: Manifest) -> bool:
    return any(
        edit.path == definition.path and definition.first_line <= edit.line <= definition.last_line
        for edit in manifest.edits
    )
