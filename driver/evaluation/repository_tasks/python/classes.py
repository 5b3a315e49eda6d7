"""The Python classes of a repository, as RepoClassBench selects them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from .....slicer import Repository, slice_function
from .....slicer.errors import SliceFuncError
from .....slicer.model import Manifest
from .....verifier.evidence.recordings.relevant_tests import is_test
from ..class_facts import LEAST_METHODS, ClassFacts, ClassFiles
from ..task_file import RunOfTests
from ..toolchains import run_of_tests
from .removal import class_code, relatives, without_classes, without_spans
from .skeletons import skeleton


@dataclass(frozen=True, slots=True)
class PythonClasses:
    """The global classes of a repository's Python files outside its tests."""

    repository: Repository
    removes_relatives: bool
    """Whether classes with the same bases in the same file go as well."""
    language: str = field(default="python", init=False)

    def classes(self) -> Iterator[ClassFacts]:
        """Yield the classes, file by file."""
        repository = self.repository
        for path in repository.python_files():
            if is_test(path):
                continue
            for node in self._nodes(path):
                code = class_code(repository.text(path), node)
                tests = tuple(_tests_of(repository, node.name))
                tested = _tested_methods(repository, node, tests)
                facts = ClassFacts(node.name, path, code, tests, tested, {})
                yield replace(facts, used=_used_by_methods(repository, facts))

    def files(self, facts: ClassFacts) -> ClassFiles:
        """Return the file of a class without it and with it, and its description."""
        text = self.repository.text(facts.path)
        node = next(each for each in self._nodes(facts.path) if each.name == facts.name)
        related = relatives(text, node) if self.removes_relatives else []
        start, imports = without_classes(text, [node, *related], node)
        return ClassFiles(
            start,
            without_spans(text, related),
            imports,
            skeleton(node, facts.path),
            tuple(each.name for each in related),
        )

    def run(self, facts: ClassFacts) -> RunOfTests:
        """Return how the tests that name a class run."""
        return run_of_tests(self.repository.path, self.language, facts.tests)

    def _nodes(self, path: str) -> list[ast.ClassDef]:
        try:
            body = self.repository.source(path).tree.body
        except SliceFuncError:
            return []
        return [node for node in body if isinstance(node, ast.ClassDef)]


def _tests_of(repository: Repository, name: str) -> Iterator[str]:
    word = re.compile(rf"\b{re.escape(name)}\b")
    for path in repository.python_files():
        if is_test(path) and word.search(repository.text(path)):
            yield path


def _tested_methods(
    repository: Repository, node: ast.ClassDef, tests: Sequence[str]
) -> tuple[str, ...]:
    """Return the methods of a class whose names tests call as attributes, or that make it."""
    names = {
        each.name for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    called: set[str] = set()
    for path in tests:
        try:
            tree = repository.source(path).tree
        except SliceFuncError:
            continue
        for each in ast.walk(tree):
            match each:
                case ast.Attribute(attr=attribute) if attribute in names:
                    called.add(attribute)
                case ast.Call(func=ast.Name(id=made)) if made == node.name:
                    called.add("__init__")
                case _:
                    continue
    return tuple(sorted(called & names))


def _used_by_methods(repository: Repository, facts: ClassFacts) -> dict[str, tuple[str, ...]]:
    """Return what tested methods need outside the class, by their slices."""
    found: dict[str, tuple[str, ...]] = {}
    for name in facts.tested if len(facts.tested) >= LEAST_METHODS else ():
        target = f"{facts.path}::{facts.name}.{name}"
        with suppress(SliceFuncError):  # a method without a slice refers to nothing that is known
            found[name] = tuple(_outside(slice_function(repository, target).manifest, facts))
    return found


def _outside(manifest: Manifest, facts: ClassFacts) -> Iterator[str]:
    for each in manifest.definitions:
        is_own = each.path == facts.path and each.qualname.partition(".")[0] == facts.name
        if each.kind in ("function", "method", "class", "variable") and not is_own:
            yield f"{each.path}::{each.qualname}"
