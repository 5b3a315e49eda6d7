"""Classes from natural language, after RepoClassBench (Deshpande et al., 2024, sections 3 and E).

A class is a task if it is global, has at most 3,000 tokens and two methods or more that tests call
directly and that refer to the rest of the repository, and if tests fail without it and pass with
it. It is taken out with the imports that only it uses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ....slicer import Repository, slice_function
from ....slicer.errors import SliceFuncError
from ....slicer.model import Manifest
from ....verifier.evidence.recordings.relevant_tests import is_test
from ...datasets.building.plan import RepositoryPlan
from ..contexts import token_estimate
from .feature_tasks import LeftOut, checked_task
from .grading import Grader
from .skeletons import skeleton
from .task_file import RepositoryTask, RunOfTests
from .toolchains import run_of_tests

MOST_TOKENS = 3000
LEAST_METHODS = 2
_LONGEST_QUOTED = 200
_WORD = re.compile(r"[^\W\d]\w*")
PLACEHOLDER = "# the class {name} belongs here\n"


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What tests and the repository have to do with a class."""

    name: str
    path: str
    node: ast.ClassDef
    tests: tuple[str, ...]
    """Files of tests that name it."""
    tested: tuple[str, ...]
    """Methods that tests call directly."""
    used: Mapping[str, tuple[str, ...]]
    """Definitions of the repository outside the class that each tested method needs."""

    @property
    def referring(self) -> tuple[str, ...]:
        """Return the tested methods that refer to the rest of the repository."""
        return tuple(sorted(name for name, used in self.used.items() if used))


def class_tasks(
    origin: RepositoryPlan, grader: Grader, limit: int, *, removes_relatives: bool = False
) -> Iterator[RepositoryTask | LeftOut]:
    """Yield the tasks of a Python repository at its commit.

    Args:
        origin: the repository and its commit.
        grader: runs tests.
        limit: number of classes that are tried.
        removes_relatives: whether classes with the same bases in the same file go as well.
    """
    probe = class_draft(origin, origin.commit or "", "", "", RunOfTests((), "pytest"))
    repository = Repository(grader.checkout(probe).folder)
    tried = 0
    for path in repository.python_files():
        if is_test(path):
            continue
        for facts in _classes(repository, path):
            label = f"{path}::{facts.name}"
            why = _why_not(repository, facts)
            if why:
                yield LeftOut(label, why)
                continue
            if tried >= limit:
                return
            tried += 1
            draft = _task(origin, repository, facts, removes_relatives=removes_relatives)
            try:
                found = checked_task(draft, grader)
            except SliceFuncError as error:
                yield LeftOut(label, error.problem.splitlines()[0])
                continue
            yield found or LeftOut(label, "no test fails without it and passes with it, twice")


def class_draft(
    origin: RepositoryPlan, commit: str, path: str, name: str, run: RunOfTests
) -> RepositoryTask:
    """Return the task of a class without its texts and tests."""
    return RepositoryTask(
        family="class",
        language="python",
        repo=origin.repo,
        source=origin.source,
        commit=commit,
        path=path,
        name=name,
        statements={},
        start={},
        tests={},
        gold={},
        run=run,
        expected=(),
        kept=(),
    )


def _task(
    origin: RepositoryPlan,
    repository: Repository,
    facts: ClassFacts,
    *,
    removes_relatives: bool,
) -> RepositoryTask:
    text = repository.text(facts.path)
    removed = [facts.node]
    if removes_relatives:
        removed += _relatives(text, facts.node)
    code = class_code(text, facts.node)
    start, imports = without_classes(text, removed, facts.node)
    # the fields of RepoClassBench's table of metadata
    metadata: dict[str, Any] = {
        "class_name": facts.name,
        "file": facts.path,
        "repo_metadata": {"repo": origin.repo, "commit_id": origin.commit},
        "ground_truth_class_body": code,
        "code": code,
        "tested_methods": facts.tested,
        "referring_methods": facts.referring,
        "dependencies": sorted({each for used in facts.used.values() for each in used}),
        "relatives_removed": [each.name for each in removed[1:]],
        "imports": imports,
    }
    run = run_of_tests(repository.path, "python", facts.tests)
    return replace(
        class_draft(origin, origin.commit or "", facts.path, facts.name, run),
        statements={"skeleton": skeleton(facts.node, facts.path)},
        start={facts.path: start},
        gold={facts.path: _without_spans(text, removed[1:])},
        metadata=metadata,
    )


def _classes(repository: Repository, path: str) -> Iterator[ClassFacts]:
    try:
        body = repository.source(path).tree.body
    except SliceFuncError:
        return
    for node in body:
        if isinstance(node, ast.ClassDef):
            tests = tuple(_tests_of(repository, node.name))
            tested = _tested_methods(repository, node, tests)
            facts = ClassFacts(node.name, path, node, tests, tested, {})
            yield replace(facts, used=_used_by_methods(repository, facts))


def _why_not(repository: Repository, facts: ClassFacts) -> str:
    """Return why a class is no task before any test runs; empty if it may be one."""
    text = class_code(repository.text(facts.path), facts.node)
    if token_estimate(text) > MOST_TOKENS:
        return f"over {MOST_TOKENS} tokens"
    if not facts.tests:
        return "no test names it"
    if len(facts.tested) < LEAST_METHODS:
        return "tests call fewer than two of its methods"
    if len(facts.referring) < LEAST_METHODS:
        return "fewer than two tested methods refer to the rest of the repository"
    return ""


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


def class_code(text: str, node: ast.ClassDef) -> str:
    """Return the text of a class with its decorators."""
    first, last = _span(node)
    return "".join(text.splitlines(keepends=True)[first - 1 : last])


def _span(node: ast.ClassDef) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first, node.end_lineno or node.lineno


def _relatives(text: str, node: ast.ClassDef) -> list[ast.ClassDef]:
    """Return the other classes of a file with a base of this one."""
    bases = {ast.unparse(each) for each in node.bases}
    return [
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.ClassDef)
        and each.name != node.name
        and bases & {ast.unparse(base) for base in each.bases}
    ]


def without_classes(
    text: str, removed: Sequence[ast.ClassDef], main: ast.ClassDef
) -> tuple[str, str]:
    """Return a file without classes, and the imports that only they use, which go too.

    A comment marks the place.

    Args:
        text: the file.
        removed: the classes.
        main: the one of them in whose place the comment stands.
    """
    lines = text.splitlines(keepends=True)
    for node in sorted(removed, key=lambda each: each.lineno, reverse=True):
        first, last = _span(node)
        mark = [PLACEHOLDER.format(name=main.name)] if node.name == main.name else []
        lines[first - 1 : last] = mark
    return _without_unused_imports("".join(lines), text)


def _without_unused_imports(text: str, original: str) -> tuple[str, str]:
    """Return a text without the imports that the original uses and it no longer, and these."""
    used, was_used = _used_names(text) | _quoted_names(text), _used_names(original)
    lines = text.splitlines(keepends=True)
    removed: list[str] = []
    body = ast.parse(text).body
    for node in reversed(body):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            continue
        bound = {alias.asname or alias.name.partition(".")[0]: alias for alias in node.names}
        gone = {name for name in bound if name in was_used and name not in used}
        if not gone or _shares_line(node, body):
            continue
        kept = [alias for name, alias in bound.items() if name not in gone]
        removed.append(_import([bound[name] for name in bound if name in gone], node))
        lines[node.lineno - 1 : node.end_lineno] = [_import(kept, node)] if kept else []
    return "".join(lines), "".join(reversed(removed))


def _import(names: list[ast.alias], node: ast.Import | ast.ImportFrom) -> str:
    """Return a statement that imports some names as another does."""
    is_plain = isinstance(node, ast.Import)
    made = ast.Import(names) if is_plain else ast.ImportFrom(node.module, names, node.level)
    return ast.unparse(made) + "\n"


def _shares_line(node: ast.stmt, body: Sequence[ast.stmt]) -> bool:
    """Whether another statement stands on the lines of one."""
    first, last = node.lineno, node.end_lineno or node.lineno
    return any(
        other is not node and other.lineno <= last and (other.end_lineno or other.lineno) >= first
        for other in body
    )


def _quoted_names(text: str) -> set[str]:
    """Return the words in short texts: annotations that are quoted, and names in `__all__`."""
    return {
        word
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if len(node.value) < _LONGEST_QUOTED
        for word in _WORD.findall(node.value)
    }


def _used_names(text: str) -> set[str]:
    return {
        node.id
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _without_spans(text: str, removed: Sequence[ast.ClassDef]) -> str:
    """Return a file without some classes."""
    lines = text.splitlines(keepends=True)
    for node in sorted(removed, key=lambda each: each.lineno, reverse=True):
        first, last = _span(node)
        del lines[first - 1 : last]
    return "".join(lines)
