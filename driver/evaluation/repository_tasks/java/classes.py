"""The Java classes of a repository, as RepoClassBench selects them.

The file is the class: it is taken out as a whole, with its imports. Classes and records are tasks,
abstract ones too; interfaces and enums are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from .....llm.retrieval.source_files import source_files
from ..class_facts import LEAST_METHODS, ClassFacts, ClassFiles
from ..task_file import RunOfTests
from ..test_paths import is_java_test
from .index import JavaIndex, JavaType
from .references import used_by_methods
from .removal import without_java_class
from .run import java_run
from .skeletons import java_skeleton
from .source import CLASSES, JavaFile, java_file, name_of
from .test_calls import methods_called

_WORD = re.compile(r"[^\W\d]\w*")


class JavaClasses:
    """The top-level classes of a repository's Java files outside its tests."""

    language = "java"

    def __init__(self, folder: Path) -> None:
        """Take the repository."""
        self._folder = folder

    def classes(self) -> Iterator[ClassFacts]:
        """Yield the classes, file by file."""
        for owner in self._index.types.values():
            if owner.node.type in CLASSES and owner.node == owner.file.main_type:
                yield self._facts(owner)

    def files(self, facts: ClassFacts) -> ClassFiles:
        """Return the file of a class without it and with it, and its description."""
        file = self._files[facts.path]
        start = without_java_class(file.package, facts.name)
        return ClassFiles(start, file.text, "", java_skeleton(file))

    def run(self, facts: ClassFacts) -> RunOfTests:
        """Return how the tests that name a class run."""
        files = (self._files[path] for path in facts.tests)
        names = [file.full_name(node) for file in files for node in file.types]
        return java_run(self._folder, sorted(names))

    def _facts(self, owner: JavaType) -> ClassFacts:
        tests = [file for file in self._tests if self._names(file, owner)]
        called = {name for file in tests for name in methods_called(self._index, owner, file)}
        tested = tuple(sorted(called))
        is_enough = len(tested) >= LEAST_METHODS
        return ClassFacts(
            name_of(owner.node),
            owner.file.path,
            owner.file.text,
            tuple(file.path for file in tests),
            tested,
            used_by_methods(self._index, owner, tested) if is_enough else {},
        )

    def _names(self, test: JavaFile, owner: JavaType) -> bool:
        """Whether a test names a class."""
        if name_of(owner.node) not in self._words[test.path]:
            return False
        return owner in self._visible[test.path] or owner.full_name in test.text

    @cached_property
    def _files(self) -> Mapping[str, JavaFile]:
        paths = [path for path in source_files(self._folder) if path.endswith(".java")]
        return {path: java_file(path, self._text(path)) for path in paths}

    def _text(self, path: str) -> str:
        return (self._folder / path).read_text("utf-8", "surrogateescape")

    @cached_property
    def _tests(self) -> list[JavaFile]:
        return [file for path, file in self._files.items() if is_java_test(path)]

    @cached_property
    def _index(self) -> JavaIndex:
        return JavaIndex(file for path, file in self._files.items() if not is_java_test(path))

    @cached_property
    def _words(self) -> Mapping[str, frozenset[str]]:
        return {file.path: frozenset(_WORD.findall(file.text)) for file in self._tests}

    @cached_property
    def _visible(self) -> Mapping[str, frozenset[JavaType]]:
        """The types that each test can name."""
        index = self._index
        return {
            file.path: frozenset(
                (*index.visible(file).values(), *index.static_names(file).values())
            )
            for file in self._tests
        }
