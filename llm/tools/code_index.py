"""An index of a repository's definitions, snippets and imports, for the tools of models.

It is brought up to date file by file: a file that has not changed keeps its record.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from ...slicer.closure.repository_analysis import analysis_of
from ...slicer.errors import SourceError, TargetError
from ...slicer.model import Target
from ...slicer.repo.repository import Repository
from ...slicer.syntax.gc_pause import paused
from ..retrieval.bm25 import Bm25
from ..retrieval.source_files import source_files
from ..retrieval.words import words_of
from .class_members import ClassMembers
from .file_records import Definition, FileRecord, Snippet, is_partial, record_of
from .syntax_members import SyntaxMembers
from .syntax_records import other_language, syntax_record
from .tool_contract import ToolInputError

_CLOSE = 3
"""Maximum number of names that an error offers."""
Stamp = tuple[int, int]
"""Modification time in nanoseconds, and size, of a file."""


class CodeIndex:
    """The index of one state of a repository."""

    def __init__(self, repository: Repository, records: Sequence[tuple[Stamp, FileRecord]]) -> None:
        """Take the repository and the records of its files; `index_of` makes them."""
        self.repository = repository
        self.records = tuple(record for _, record in records)
        self.stamps = {record.path: (stamp, record) for stamp, record in records}

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """All definitions, sorted by path, in source order."""
        return tuple(each for record in self.records for each in record.definitions)

    @cached_property
    def snippets(self) -> tuple[Snippet, ...]:
        """All snippets, sorted by path, in source order."""
        return tuple(each for record in self.records for each in record.snippets)

    @cached_property
    def snippet_similarity(self) -> Bm25:
        """The index of the snippets' words."""
        with paused():
            return Bm25((), [list(Counter(each.counts).elements()) for each in self.snippets])

    @cached_property
    def definition_similarity(self) -> tuple[tuple[Definition, ...], Bm25]:
        """Classes and free functions, and the index of their signatures, docstrings and members."""
        members: dict[str, list[str]] = {}
        for each in self.definitions:
            if each.kind == "method":
                owner = f"{each.path}::{each.qualname.rpartition('.')[0]}"
                members.setdefault(owner, []).append(f"{each.signature} {each.summary}")
        whole = tuple(each for each in self.definitions if each.kind != "method")
        texts = (
            f"{each.path} {each.signature} {each.docstring} {' '.join(members.get(each.label, ()))}"
            for each in whole
        )
        return whole, Bm25((), [list(words_of(text)) for text in texts])

    def text(self, path: str, first: int, last: int) -> str:
        """Return lines of a file."""
        if other_language(path):
            lines = self.content(path).decode("utf-8", "replace").split("\n")
            return "".join(f"{line}\n" for line in lines[first - 1 : last])
        return "".join(self.repository.source(path).lines[first - 1 : last])

    def content(self, path: str) -> bytes:
        """Return a file.

        Raises:
            SourceError: it cannot be read.
        """
        return self.repository.read_data(path)

    def known_path(self, path: str) -> str:
        """Return the path of a file in the repository's own spelling.

        Raises:
            ToolInputError: there is no such file in another language than Python.
            TargetError: there is no such file.
        """
        try:
            return self.repository.normal_path(path)
        except TargetError as error:
            if other_language(path):
                raise ToolInputError(error.problem, "leave path out for a new file") from None
            raise

    def members_of(self, definition: Definition) -> ClassMembers | SyntaxMembers:
        """Return the members of a class, with inherited ones."""
        if other_language(definition.path):
            return SyntaxMembers(definition, self.definitions, self.content)
        return ClassMembers(analysis_of(self.repository), definition)

    # ------------------------------------------------------------------ lookups

    def class_named(self, name: str) -> Definition:
        """Return the class that a name means: `Order`, `shop.models.Order` or `path::Order`.

        Raises:
            ToolInputError: there is none, or several.
        """
        return self.only(name, [each for each in self.definitions if each.kind == "class"], "class")

    def only(self, name: str, among: Sequence[Definition], what: str) -> Definition:
        """Return the one definition among those that a name means.

        Raises:
            ToolInputError: there is none, or several.
        """
        wanted = name.strip().removesuffix("()")
        found = [each for each in among if wanted in self.names_of(each)]
        by_label: dict[str, Definition] = {}
        for each in found:
            known = by_label.get(each.label)
            if known is None or is_partial(known.signature):
                by_label[each.label] = each
        if wanted in by_label or len(by_label) == 1:
            return by_label.get(wanted) or next(iter(by_label.values()))
        if found:
            labels = ", ".join(by_label)
            raise ToolInputError(f"{len(found)} are called {name}: {labels}", "name one of them")
        raise ToolInputError(f"the repository has no {what} {name}", self.nearest(wanted, among))

    def names_of(self, definition: Definition) -> tuple[str, ...]:
        """Return the names by which a definition can be meant."""
        module = self.stamps[definition.path][1].module
        return (
            definition.name,
            definition.qualname,
            f"{module}.{definition.qualname}",
            definition.label,
        )

    def nearest(self, name: str, among: Sequence[Definition]) -> str:
        """Return advice that names definitions with similar names."""
        by_name: dict[str, list[Definition]] = {}
        for each in among:
            by_name.setdefault(each.name.lower(), []).append(each)
        last = name.rpartition("::")[2].rpartition(".")[2].lower()
        close = difflib.get_close_matches(last, by_name, n=_CLOSE, cutoff=0.6)
        labels = [each.label for word in close for each in by_name[word]][:_CLOSE]
        if labels:
            return f"did you mean {', '.join(labels)}?"
        return "search for it with get_relevant_code"


def index_of(repository: Repository, former: CodeIndex | None = None) -> CodeIndex:
    """Return the index of a repository as it is now.

    Args:
        repository: the repository, freshly opened.
        former: an index of a former state, whose records of unchanged files are taken over.
    """
    known = former.stamps if former else {}
    with paused():
        # another instance: else the trees of all files would stay, and slow every collection
        reader = Repository(repository.path, roots=repository.roots)
        records = list(_records(reader, known))
        del reader
    return CodeIndex(repository, records)


def _records(
    repository: Repository, known: dict[str, tuple[Stamp, FileRecord]]
) -> Iterator[tuple[Stamp, FileRecord]]:
    paths = source_files(repository.path)
    others = {path: each for path in paths if (each := other_language(path))}
    for path in sorted([*repository.python_files(), *others]):
        found = known.get(path)
        try:
            stamp = stamp_of(repository, path)
            if found is not None and found[0] == stamp:
                yield found
            elif path in others:
                yield stamp, syntax_record(path, repository.read_data(path), others[path])
            else:
                yield stamp, record_of(repository.module_at(path))
        except (OSError, SourceError):
            continue  # what does not parse defines nothing


def stamp_of(repository: Repository, path: str) -> Stamp:
    """Return what tells one state of a file from another.

    Raises:
        OSError: the file is gone.
    """
    about = (repository.path / path).stat()
    return about.st_mtime_ns, about.st_size


def target_named(index: CodeIndex, name: str) -> Target:
    """Return the function, method or class that a name means, as a target.

    Raises:
        ToolInputError: there is none, or several.
    """
    found = index.only(name, index.definitions, "function or class")
    return Target(found.path, found.qualname)
