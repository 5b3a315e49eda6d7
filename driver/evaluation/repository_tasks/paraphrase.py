"""Names of a repository with other letter cases, so that a model that has read it does not know it.

RepoClassBench does so with popular repositories. Names that the repository defines outside its
tests are changed in all of its Python and Cython files in the same way; names that come from
elsewhere never. A task is paraphrased only if the tests that passed still pass.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ....slicer import Repository
from ....slicer.errors import OptionError, SliceFuncError
from ....slicer.repo.import_roots import STDLIB
from ....verifier.evidence.recordings.relevant_tests import is_test
from ...datasets.building.plan import RepositoryPlan
from .class_tasks import class_draft
from .grading import Grader
from .task_file import RepositoryTask, RunOfTests
from .toolchains import language_of_repository

_WORD = re.compile(r"[^\W\d]\w*")
_SHORTEST = 5
_ENDINGS = (".py", ".pyi", ".pyx", ".pxd")


def require_python(origin: RepositoryPlan, grader: Grader) -> None:
    """Check that a repository's names can be paraphrased.

    Raises:
        OptionError: its language is Java.
        SliceFuncError: the repository cannot be had.
    """
    folder = grader.checkout(class_draft(origin, "", "", "", RunOfTests((), ""))).folder
    if language_of_repository(folder) == "java":
        raise OptionError(
            f"{origin.repo}: names in Java cannot be paraphrased",
            "leave --paraphrase out: it is for Python and Cython",
        )


def paraphrased_task(task: RepositoryTask, grader: Grader, seed: int = 0) -> RepositoryTask | None:
    """Return a task with other letter cases in its repository's names; `None` if tests then fail.

    All names are tried first; then those of classes and functions, then those of classes, since
    methods are often looked up by parts of their names.

    Raises:
        SliceFuncError: the repository or its toolchain cannot be had.
    """
    folder = grader.checkout(task).folder
    repository = Repository(folder)
    texts = {path: (folder / path).read_text("utf-8", "surrogateescape") for path in _files(folder)}
    wanted = (*task.expected, *task.kept)
    for kinds in _LEVELS:
        names = renamed(repository, seed, kinds)
        found = _with_names(task, texts, names) if names else None
        if found is None:
            continue
        results = grader.run(found, found.gold).results
        if all(results.get(each) == "passed" for each in wanted):
            return found
    return None


_LEVELS = (
    frozenset({"class", "function", "method"}),
    frozenset({"class", "function"}),
    frozenset({"class"}),
)


def _with_names(
    task: RepositoryTask, texts: Mapping[str, str], names: Mapping[str, str]
) -> RepositoryTask:
    start = {**texts, **{path: text for path, text in task.start.items() if text is not None}}
    new_start = {path: with_names(text, names) for path, text in start.items()}
    return replace(
        task,
        name=names.get(task.name, task.name),
        statements={kind: with_names(text, names) for kind, text in task.statements.items()},
        start={path: text for path, text in new_start.items() if text != texts.get(path)},
        gold={path: text and with_names(text, names) for path, text in task.gold.items()},
        metadata={
            **task.metadata,
            "code": with_names(str(task.metadata.get("code", "")), names),
            "imports": with_names(str(task.metadata.get("imports", "")), names),
            "renamed": dict(sorted(names.items())),
        },
    )


def renamed(repository: Repository, seed: int, kinds: frozenset[str]) -> dict[str, str]:
    """Return new names for those that a repository defines and that nothing else has.

    Args:
        repository: the repository.
        seed: of the letters that change.
        kinds: `class`, `function` and `method`: what gets a new name.
    """
    own: set[str] = set()
    taken = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *STDLIB}
    for path in repository.python_files():
        try:
            module = repository.module_at(path)
            tree = module.source.tree
        except SliceFuncError:
            continue
        top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            match node:
                case ast.ClassDef(name=name) if not is_test(path):
                    (own if "class" in kinds else taken).add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    kind = "function" if id(node) in top else "method"
                    (own if kind in kinds and not is_test(path) else taken).add(name)
                case ast.Import(names=names):
                    taken |= {part for each in names for part in each.name.split(".")}
                case ast.ImportFrom(module=source, level=level, names=names):
                    base = module.resolve_relative(level, source)
                    taken |= set((source or "").split("."))
                    if base is None or repository.find_module(base, module) is None:
                        taken |= {each.name for each in names}
                case ast.keyword(arg=str(name)) | ast.arg(arg=name):
                    taken.add(name)
                case _:
                    continue
    usable = sorted(
        name
        for name in own - taken
        if len(name) >= _SHORTEST and not name.startswith("__") and not name.startswith("test")
    )
    words = own | taken
    chance = random.Random(seed)  # noqa: S311 - a draw, and no secret
    found: dict[str, str] = {}
    for name in usable:
        new = "".join(each.swapcase() if chance.random() < 0.5 else each for each in name)
        if new != name and new not in words:
            words.add(new)
            found[name] = new
    return found


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other names; in strings and comments too, which may look names up."""
    return _WORD.sub(lambda found: names.get(found[0], found[0]), text)


def _files(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if path.endswith(_ENDINGS) and file.is_file() and not path.startswith("."):
            yield path
