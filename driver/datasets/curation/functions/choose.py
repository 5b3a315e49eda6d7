"""Choose the functions of one repository: leave some out, prefer those with docstrings, cap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .....slicer.repo.repository import Repository
from ..candidates import FunctionRejection
from ..contents.file_kinds import is_generated, is_test_file, is_vendored
from ..settings import Settings
from .gpu_cloud import module_of, word_of
from .listing import Listed, functions_of
from .sampling import FunctionName, rank
from .trivial import why_trivial


@dataclass(slots=True)
class Choice:
    """The functions that are kept, and those that are not."""

    kept: list[FunctionName] = field(default_factory=list[FunctionName])
    left_out: list[FunctionRejection] = field(default_factory=list[FunctionRejection])


def choose_functions(repo: str, repository: Repository, settings: Settings) -> Choice:
    """Return the choice among the functions of a repository, each part in source order."""
    rejected: dict[FunctionName, tuple[str, str]] = {}
    open_to_choice: list[Listed] = []
    every = list(functions_of(repository))
    for function, rule, reason in _judged(repository, every, settings):
        if rule:
            rejected[function.path, function.qualname] = rule, reason
        else:
            open_to_choice.append(function)
    rejected.update(_over_the_cap(repo, repository, open_to_choice, settings))
    choice = Choice()
    for function in every:
        name = function.path, function.qualname
        if name in rejected:
            choice.left_out.append(FunctionRejection(repo, *name, *rejected[name]))
        else:
            choice.kept.append(name)
    return choice


def _judged(
    repository: Repository, every: list[Listed], settings: Settings
) -> Iterator[tuple[Listed, str, str]]:
    """Yield each function with the rule and reason that leave it out, by its file or its text."""
    files: dict[str, tuple[str, str]] = {}
    for function in every:
        path = function.path
        if path not in files:
            files[path] = _of_file(path, repository.source(path).text, settings)
        rule, reason = files[path]
        if not rule and settings.without_gpu_cloud == "words":
            word = word_of(function, repository.source(path).lines)
            rule, reason = ("gpu-cloud", f"its text has the word {word}") if word else ("", "")
        yield function, rule, reason


def _of_file(path: str, text: str, settings: Settings) -> tuple[str, str]:
    if is_test_file(path) and "tests" not in settings.keep:
        return "tests", "its file is a test"
    if is_vendored(path) and "vendored" not in settings.keep:
        return "vendored", "its file is a copy of another project's"
    if is_generated(path, text) and "generated" not in settings.keep:
        return "generated", "a program wrote its file"
    return "", ""


def _over_the_cap(
    repo: str, repository: Repository, functions: list[Listed], settings: Settings
) -> dict[FunctionName, tuple[str, str]]:
    """Return the functions beyond the limits of one repository, and those of GPU and cloud tasks.

    Slices are made one after the other, and only until there are enough functions.
    """

    def order(each: Listed) -> tuple[bool, bytes]:
        return not each.has_docstring, rank(settings.seed, repo, each.path, each.qualname)

    rejected: dict[FunctionName, tuple[str, str]] = {}
    by_imports = settings.without_gpu_cloud == "imports"
    trivial = taken = 0
    for function in sorted(functions, key=order):
        name = function.path, function.qualname
        why = why_trivial(function.node)
        if why and trivial >= settings.max_trivial:
            rejected[name] = "trivial", why
        elif settings.max_functions and taken >= settings.max_functions:
            rejected[name] = "max-functions", f"{settings.max_functions} others were chosen"
        elif by_imports and (module := module_of(function, repository)):
            rejected[name] = "gpu-cloud", f"its slice imports {module}"
        else:
            taken += 1
            trivial += why is not None
    return rejected
