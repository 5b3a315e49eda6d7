"""The `package` layout: a pruned tree of files at their original paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ....closure.worklist import Closure
from ....errors import SourceError
from ....model import Edit, EmittedFile
from ....repo.import_roots import module_name
from ....repo.project_roots import build_files, member_roots
from ....repo.repository import Module, Repository
from ...emission import Emission, KeptTexts, all_edits
from ...kept_text import ModuleText, Piece, joined
from ...module_loading.load_order import with_load_order
from ...visible_names import needs_name
from . import LAYOUT

_COLUMN_0 = re.compile(r"^(?:from|import)\b.*", re.M)
_WHY = "shows in which folder the imports of the tree begin"


def write(kept: KeptTexts, why: str) -> Emission:
    """Return the tree of files; its text is the target's own module."""
    closure, targets = kept.closure, kept.targets
    texts = with_load_order(closure, targets, kept.texts, (), visible=False)
    texts = with_roots(closure.names.repository, targets, texts, needs_name=needs_name(closure))
    own = texts[targets[0].name]
    source = joined([*own.future, *own.pieces])
    data = {**kept.data, **_build_files(closure)}
    files = package_files(texts, data)
    return Emission(source, files, LAYOUT, why, (), all_edits(texts), tuple(sorted(data)))


def _build_files(closure: Closure) -> dict[str, bytes]:
    """Return the build files that make folders of the tree into projects."""
    repository = closure.names.repository
    members = member_roots(repository)
    found: dict[str, bytes] = {}
    for name, kept in closure.modules.items():
        if kept.module.root in members.get(name.partition(".")[0], ()):
            for path in build_files(repository, kept.module.path):
                with suppress(SourceError):
                    found[path] = repository.read_data(path)
    return found


def package_files(
    texts: Mapping[str, ModuleText], data: Mapping[str, bytes]
) -> tuple[EmittedFile, ...]:
    """Return the files of the tree, sorted by path."""
    contents: dict[str, bytes] = {}
    for text in texts.values():
        source = _source(text).encode("utf-8")
        # a file that is imported under two names contains what either of them needs
        contents[text.module.path] = max(contents.get(text.module.path, b""), source, key=len)
    # code that is also read as data is written as the imported module
    every = {**data, **contents}
    return tuple(EmittedFile(path, content) for path, content in sorted(every.items()))


def _source(text: ModuleText) -> str:
    return joined(sorted([*text.future, *text.pieces], key=lambda p: p.line))


def with_roots(
    repository: Repository, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    *, needs_name: bool,
) -> dict[str, ModuleText]:  # fmt: skip
    """Return the texts, with an import of the target's root if pruning removed all of them.

    A folder without `__init__.py` is a package only for code that imports through it. Without such
    an import, nothing in the tree tells `import ns.pkg.mod` from `import pkg.mod`.
    """
    found = dict(texts)
    for target in targets:
        text = texts[target.name]
        top = target.name.partition(".")[0]
        mentions = re.compile(rf"^[ \t]*(?:from|import)\s+{re.escape(top)}\b", re.M)
        if (
            "." in target.name
            and _name(repository, target, _source(text)) != target.name
            and (needs_name or any(mentions.search(_source(other)) for other in texts.values()))
            and _is_certain(repository, target)
        ):
            found[target.name] = _with_import(text, top)
    return found


def _name(repository: Repository, module: Module, text: str) -> str:
    return module_name(repository, repository.roots, module.path, lambda: text)


def _is_certain(repository: Repository, target: Module) -> bool:
    """Whether the module only loads under its full name: its own imports are unguarded."""
    imports = "\n".join(_COLUMN_0.findall(target.source.text))
    top = target.name.partition(".")[0]
    return (
        _name(repository, target, imports) == target.name
        and _name(repository, target, f"import {top}\n") == target.name
    )


def _with_import(text: ModuleText, top: str) -> ModuleText:
    lines = text.module.source.lines
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    head = tuple(_head(text))
    rest = text.pieces[len(head) :]
    after = max((piece.line for piece in (*head, *text.future)), default=0)
    line = rest[0].line if rest else after + 1
    blank = rest[0].blank_before if rest else 1
    added = Piece(line, f"import {top}{end}", blank, is_verbatim=False)
    edit = Edit(text.module.path, line, f"import of {top} added", _WHY)
    return replace(text, pieces=(*head, added, *rest), edits=(*text.edits, edit))


def _head(text: ModuleText) -> Iterator[Piece]:
    """Yield the piece of the docstring."""
    lines = text.module.source.docstring_lines
    for piece in text.pieces[:1]:
        if lines is not None and piece.line <= lines[0]:
            yield piece
