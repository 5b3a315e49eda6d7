"""The distribution that provides a missing module, requested from a model.

A module that no table lists is first searched under its own name. If there is no such distribution,
or it holds something else, a model may name another one. It is accepted only if it can be
installed, its own record lists code of the module, and the import succeeds, alone and in the slice.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from ...llm.stages.distribution_names import (
    DistributionGap,
    checked_distributions,
    distributions_request,
)
from ...llm.stages.second_questions import retry_question
from ...mocker.contacts import is_below
from ...slicer.packaging.build_metadata import own_distributions
from ...slicer.packaging.distribution_names import NAMESPACES
from ...slicer.syntax.nodes import walk
from ...slicer.syntax.requirement import normal, parse_requirement
from ..places.script_environment import needs_for

if TYPE_CHECKING:
    from ...llm.client.questions import Answer
    from ...llm.stages.distribution_names import Providers
    from ...slicer import Repository
    from ...slicer.emission.manifest.requirements import RequiredDistributions
    from ...slicer.model import External, Slice
    from ...verifier.execution.executors.interface import Profile
    from ..places.repository_origin import Origin
    from ..places.script_environment import Provision
    from .model_session import ModelPart

_SHOWN = 10
"""Maximum number of statements, and of names, that describe a module."""
_LONGEST = 300
"""Maximum number of characters of one line of the description."""

Again = Callable[[Mapping[str, str], Sequence[str]], "Provision"]
"""Provides for the slice with these requirements for modules, and those distributions stubbed."""
ImportErrorOf = Callable[["Profile", str], str]
"""Returns the error when a module is imported alone."""


@dataclass(frozen=True, slots=True)
class MissingModule:
    """A module that could not be found, for all that the slice imports from it."""

    module: str
    distribution: str
    """The distribution that was tried."""
    trouble: str
    """Why that failed."""


def with_distributions(
    repository: Repository,
    sliced: Slice,
    origin: Origin,
    provision: Provision,
    model: ModelPart,
    again: Again,
    error_of: ImportErrorOf,
) -> tuple[tuple[str, str], ...]:
    """Return modules that could not be found, with the requirements found to provide them.

    Args:
        repository: the slice's repository.
        sliced: the slice, without stubs for missing distributions.
        origin: the repository's origin.
        provision: where the slice ran.
        model: the model to ask.
        again: provides for the slice with other distributions.
        error_of: returns the error when a module is imported.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    needs = needs_for(repository, sliced.manifest)
    wanted = missing_modules(needs, sliced, provision)
    if not wanted:
        return ()
    settings = model.client.settings
    question = distributions_request(_gap(needs, sliced, origin, wanted), settings)
    tried = {each.module: each.distribution for each in wanted}
    own = frozenset(own_distributions(repository, sliced.manifest.targets[0].path))
    taken: dict[str, str] = {}
    for _ in range(settings.tries):
        answer = model.ask(question)
        if answer is None or answer.problem not in (None, "malformed"):
            break
        found, rejected = _read(answer, tried, own)
        taken, refused = _working_requirements({**found, **taken}, provision, again, error_of)
        faults = (*rejected, *(f"{module}: {why}" for module, why in refused.items()))
        if len(taken) == len(tried) or not faults:
            break
        question = retry_question(question, answer.text, faults, settings)
    for module, requirement in taken.items():
        model.report(f"{module} is of {requirement}: the model says so, and it is found there")
    return tuple(sorted(taken.items()))


def missing_modules(
    needs: RequiredDistributions, sliced: Slice, provision: Provision
) -> tuple[MissingModule, ...]:
    """Return the modules of the slice that an index should have and that were not found, in order.

    Modules whose distribution the user gives are left out: nobody knows better.
    """
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for external in sliced.manifest.externals:
        trouble = _import_trouble(external, provision)
        if external.distribution is None or not trouble or external.treatment == "stubbed":
            continue
        top = external.module.partition(".")[0]
        for module in _parts(external):
            if not needs.is_declared_by_user(module):
                groups.setdefault((external.distribution, top), {})[module] = trouble
    found = (
        MissingModule(module, distribution, next(iter(troubles.values())))
        for (distribution, _), troubles in groups.items()
        for module in _joined(tuple(troubles))
    )
    return tuple(sorted(found, key=lambda each: each.module))


def _parts(external: External) -> tuple[str, ...]:
    """Return the module; for a namespace shared by many distributions, the imported parts of it."""
    if external.module in NAMESPACES and external.names:
        return tuple(f"{external.module}.{name}" for name in external.names)
    return (external.module,)


def _joined(modules: Sequence[str]) -> tuple[str, ...]:
    """Return the common package of the modules, or all if many distributions share that package."""
    columns = zip(*(module.split(".") for module in modules), strict=False)
    shared = ".".join(c[0] for c in takewhile(lambda column: len(set(column)) == 1, columns))
    return tuple(modules) if shared in NAMESPACES else (shared,)


def _import_trouble(external: External, provision: Provision) -> str:
    """Return why a module is missing; empty if it is not."""
    for problem in provision.problems:
        is_it = normal(problem.distribution) == normal(external.distribution or "")
        if is_it and not problem.is_relaxed:
            return f"{problem.code}: {problem.detail}"[:_LONGEST]
    return provision.import_error(external.module)


# ------------------------------------------------------------------------ the question


def _gap(
    needs: RequiredDistributions, sliced: Slice, origin: Origin, wanted: Sequence[MissingModule]
) -> DistributionGap:
    description = "\n\n".join("\n".join(_description(needs, sliced, each)) for each in wanted)
    names = ", ".join(each.module for each in wanted)
    return DistributionGap(description, origin.time or "", f"distribution of {names}")


def _description(
    needs: RequiredDistributions, sliced: Slice, missing: MissingModule
) -> Iterator[str]:
    """Yield the description of a module for a model."""
    yield missing.module
    for line in list(_statements(needs.repository, sliced, missing.module))[:_SHOWN]:
        yield f"  {line}"[:_LONGEST]
    used = {name for each in sliced.references for name in each.names}
    names = sorted(name for name in used if is_below(name, missing.module))
    yield f"  used: {', '.join(names[:_SHOWN]) or 'nothing by its name'}"
    how = "the repository declares it" if needs.is_declared(missing.module) else "a guess"
    yield f"  tried: {missing.distribution} ({how})"
    yield f"  then: {missing.trouble}"


def _statements(repository: Repository, sliced: Slice, module: str) -> Iterator[str]:
    """Yield the imports of a module in the kept code, each with its position."""
    for path in sliced.manifest.files_read:
        kept = [d for d in sliced.manifest.definitions if d.path == path]
        for node in walk(repository.source(path).tree):
            match node:
                case ast.Import(names=aliases):
                    names = [alias.name for alias in aliases]
                case ast.ImportFrom(module=str() as start, names=aliases, level=0):
                    names = [f"{start}.{alias.name}" for alias in aliases]
                case _:
                    continue
            line = node.lineno
            is_kept = any(each.first_line <= line <= each.last_line for each in kept)
            if is_kept and any(is_below(name, module) for name in names):
                yield f"{path}:{line}: {ast.unparse(node)}"


# ------------------------------------------------------------------------ the answer


def _read(
    answer: Answer[Providers], tried: Mapping[str, str], own: frozenset[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    if answer.value is None:
        return {}, (f"it cannot be read: {answer.detail}",)
    return checked_distributions(answer.value, tried, own)


def _working_requirements(
    proposed: dict[str, str], provision: Provision, again: Again, error_of: ImportErrorOf
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the requirements that work together, and why the others do not.

    Other missing modules are stubbed meanwhile, so that their imports end no run early.
    """
    refused: dict[str, str] = {}
    while proposed:
        others = [
            name for name in provision.not_installable
            if not any(is_below(module, name) for module in proposed)
        ]  # fmt: skip
        made = again(proposed, others)
        faults = {module: _fault(module, text, made, error_of) for module, text in proposed.items()}
        wrong = {module: fault for module, fault in faults.items() if fault}
        refused |= wrong
        if not wrong:
            break
        proposed = {module: text for module, text in proposed.items() if module not in wrong}
    return proposed, refused


def _fault(module: str, text: str, made: Provision, error_of: ImportErrorOf) -> str:
    """Return why a requirement does not provide the module; empty if it does."""
    requirement = parse_requirement(text)
    assert requirement is not None
    for problem in made.problems:
        if normal(problem.distribution) == normal(requirement.name):
            return f"{text} cannot be had: {problem.code}: {problem.detail}"[:_LONGEST]
    if not made.has_code(module, requirement.name):
        return f"{text} is installed, and has no code of that module"
    error = made.import_error(module) or error_of(made.profile, module)
    return f"{text} is installed, but: {error}"[:_LONGEST] if error else ""
