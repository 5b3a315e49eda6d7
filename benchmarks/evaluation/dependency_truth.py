"""What targets need, by the slicer: the definitions that retrieval should find.

A target's dependency closure is known without a model. Counted are functions, methods, classes and
variables in other files than the target's, since that file is given to the model.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.target_guard import HiddenTarget, hidden_target
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.slicer.model import Definition, Target
from slicefunc.verifier.scoring.module_holes import FilledText, NoHoleError, holed

COUNTED = frozenset({"function", "method", "class", "variable"})


@dataclass(frozen=True, slots=True)
class Needed:
    """A target with what it needs from other files."""

    target: Target
    hidden: HiddenTarget
    file_with_hole: str
    head: str
    """Signature and docstring."""
    text: str
    """Its text in the repository."""
    closure: tuple[Definition, ...]
    """All definitions of other files that it reaches."""
    direct: tuple[Definition, ...]
    """Those that it refers to itself."""


def is_found(definition: Definition, chunk: Chunk) -> bool:
    """Whether a chunk shows a definition: its first lines, or as a method its class's outline."""
    if chunk.path != definition.path:
        return False
    if chunk.kind == "block":
        return chunk.first <= definition.first_line <= chunk.last
    if definition.kind in ("function", "method", "class"):
        return chunk.name == definition.qualname
    return chunk.kind == "class" and chunk.name == definition.qualname.rpartition(".")[0]


def needed_by(repository: Repository, target: Target) -> Needed | None:
    """Return what a target needs from other files; `None` where nothing, or where no slice is."""
    try:
        sliced = slice_function(repository, target, emit="modules", explain=True)
        text = repository.text(target.path)
        hole = holed(text, target.qualname)
    except (SliceFuncError, NoHoleError):
        return None
    main = hole.holes[0].slots[hole.holes[0].main]
    if not main.header:
        return None
    own = "".join(text.splitlines(keepends=True)[main.first - 1 : main.last])
    stub = hole.filled(f"{main.header}\n    ...\n")
    if not isinstance(stub, FilledText):
        return None
    known = {f"{each.path}::{each.qualname}": each for each in sliced.manifest.definitions}
    users: dict[str, set[str]] = {}
    for user, used in sliced.edges:
        users.setdefault(user, set()).add(used)
    label = f"{target.path}::{target.qualname}"
    reached = set(_reached(users, label))
    closure = _elsewhere(reached, known, target)
    direct = _elsewhere(_through_imports(users, label, known), known, target)
    if not closure:
        return None
    name = target.qualname.rpartition(".")[2]
    hidden = hidden_target(target.path, main.first, main.last, name, own)
    return Needed(target, hidden, stub.text, main.header, own, closure, direct)


def _elsewhere(
    labels: set[str], known: Mapping[str, Definition], target: Target
) -> tuple[Definition, ...]:
    found = (known[each] for each in sorted(labels & known.keys()))
    return tuple(each for each in found if each.path != target.path and each.kind in COUNTED)


def _reached(users: Mapping[str, set[str]], start: str) -> Iterator[str]:
    seen, left = {start}, [start]
    while left:
        for each in sorted(users.get(left.pop(), ())):
            if each not in seen:
                seen.add(each)
                left.append(each)
                yield each


def _through_imports(
    users: Mapping[str, set[str]], start: str, known: Mapping[str, Definition]
) -> set[str]:
    """Return what a target refers to; an import on the way is followed."""
    found: set[str] = set()
    left = sorted(users.get(start, ()))
    while left:
        each = left.pop()
        if each in found:
            continue
        found.add(each)
        definition = known.get(each)
        if definition is not None and definition.kind == "import":
            left += sorted(users.get(each, ()))
    return found


def drawn_targets(repository: Repository, count: int, seed: int) -> Iterator[Needed]:
    """Yield up to so many targets of a repository with needs in other files, drawn by seed."""
    targets = sorted(repository.targets(), key=lambda each: (each.path, each.qualname))
    random.Random(f"{seed}:{Path(repository.path).name}").shuffle(targets)
    found = 0
    for target in targets:
        if found >= count:
            return
        needed = needed_by(repository, target)
        if needed is not None:
            found += 1
            yield needed
