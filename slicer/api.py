"""The slicer as a list of steps, from a target to a slice."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .closure.load_effects.import_time_effects import keep_effects
from .closure.repository_analysis import analysis_of
from .closure.start.observed_additions import Place, keep_observed, place_of
from .closure.start.seeds import REQUESTED, TARGET, receive, seed
from .closure.start.target_definitions import Goal, find_goal
from .closure.worklist import Closure
from .effects.loaded_modules import LoadedModules
from .emission.choose_layout import EMITS, candidates
from .emission.emission import Emission
from .emission.emit import emit
from .emission.header_insertion import with_header
from .emission.manifest.external_references import external_references
from .emission.manifest.manifest import build_manifest
from .emission.manifest.reason_edges import reason_edges
from .emission.manifest.requirements import header_of, needs_of
from .emission.manifest.shared_packages import keep_shared_packages
from .errors import OptionError, TargetError, expect
from .model import Emit, Layout, Slice, Target
from .repo.repository import Repository
from .resources.data_files import load_resource_packages
from .resources.data_module_names import keep_named_in_data
from .resources.executed_files import keep_run_files
from .syntax.gc_pause import paused


def slice_function(  # noqa: PLR0913 - what may be said of a slice
    repository: Repository,
    target: str | Target | Sequence[str | Target],
    *,
    emit: Emit = "script",
    keep: Sequence[str | tuple[str, str]] = (),
    instances: Sequence[str] = (),
    constructors: bool = True,
    distributions: Sequence[tuple[str, str]] = (),
    observed: Sequence[str] = (),
    explain: bool = False,
) -> Slice:
    """Return the slice of one or several targets.

    Args:
        repository: the repository of the targets; its caches serve later calls.
        target: `path::qualname`, a `Target`, or several that share one closure.
        emit: the layout; `script` means `flat` where that is safe, else `modules`.
        keep: further definitions to keep, as `path::qualname`, or as a pair of that and a reason;
            a kept class can be constructed.
        instances: classes whose instances are passed in from outside; the slice keeps their members
            that it uses, without their constructors.
        constructors: whether the classes of the target and of its parameters can be constructed
            in the slice; if not, their instances are passed in from outside as well.
        distributions: modules, each with the requirement that provides it, as
            `("acme.cloud", "acme-cloud>=2")`; the longest matching prefix of an import wins.
        observed: statements or class members that were seen to run in the repository, as
            `path:line`; kept if nothing else keeps them.
        explain: whether the slice records every reason for a definition, and not only the first.

    Raises:
        TargetError: a target does not exist or is ambiguous, or no target is given.
        SourceError: a file that the closure needs does not parse.
        OptionError: two targets would bind the same name, the layout is unknown, or the text given
            for a module is not a requirement.
        NotSupportedError: `emit="flat"` where merging is not provably safe.
    """
    expect(repository, Repository, "the repository", "write Repository(folder)")
    expect(target, (str, Target, list, tuple), "the target", "write 'path::qualname'")
    if isinstance(keep, str):
        keep = (keep,)
    with paused():
        return _slice(
            repository, target, emit, keep, instances,
            constructors=constructors, distributions=distributions, observed=observed,
            explain=explain,
        )  # fmt: skip


def _slice(  # noqa: PLR0913
    repository: Repository, target: str | Target | Sequence[str | Target], emit: Emit,
    keep: Sequence[str | tuple[str, str]], instances: Sequence[str], *, constructors: bool,
    distributions: Sequence[tuple[str, str]], observed: Sequence[str], explain: bool,
) -> Slice:  # fmt: skip
    started = time.perf_counter()
    given = [target] if isinstance(target, (str, Target)) else list(target)
    if not given:
        raise TargetError("no target is given", "write one as PATH::QUALNAME")
    if emit not in EMITS:
        raise OptionError(f"no layout is called {emit!r}", f"emit one of {', '.join(EMITS)}")
    goals = [find_goal(repository, item) for item in given]
    reasons = [(item, REQUESTED) if isinstance(item, str) else item for item in keep]
    kept_too = [(find_goal(repository, item, is_target=False), why) for item, why in reasons]
    layouts = candidates(emit)
    is_tree = layouts[0].is_tree
    if not is_tree:
        _check_names(goals)
    arriving = [find_goal(repository, item, is_target=False) for item in instances]
    closure = close(
        repository, goals, kept_too, arriving,
        constructors=constructors, as_package=is_tree,
        observed=tuple(map(place_of, observed)),
        explain=explain,
    )  # fmt: skip
    emission = _emit(closure, goals, layouts)
    needs = needs_of(repository, goals, distributions)
    header = header_of(closure, goals, needs)
    emission = with_header(emission, header)
    manifest = build_manifest(
        closure, goals, emission, needs, header, time.perf_counter() - started
    )
    edges = reason_edges(closure) if explain else ()
    return Slice(emission.source, emission.files, manifest, external_references(closure), edges)


def _emit(closure: Closure, goals: list[Goal], layouts: Sequence[Layout]) -> Emission:
    modules = list(dict.fromkeys(goal.module for goal in goals))
    bound = {module.name: [g.outer for g in goals if g.module is module] for module in modules}
    return emit(closure, modules, bound, layouts)


def _check_names(goals: list[Goal]) -> None:
    seen: dict[str, Goal] = {}
    for goal in goals:
        other = seen.setdefault(goal.outer, goal)
        if other.module is not goal.module:
            raise OptionError(
                f"{other.target} and {goal.target} would both be bound as {goal.outer}",
                "use --emit package",
            )


def close(  # noqa: PLR0913 - likewise
    repository: Repository, goals: Sequence[Goal], keep: Sequence[tuple[Goal, str]],
    arriving: Sequence[Goal] = (), *, constructors: bool = True, as_package: bool = False,
    observed: Sequence[Place] = (),
    explain: bool = False,
) -> Closure:  # fmt: skip
    """Return the closure of the goals, definitions to keep, and classes whose instances arrive."""
    analysis = analysis_of(repository)
    closure = Closure(analysis)
    closure.constructs_parameters = constructors
    closure.as_package = as_package
    if explain:
        closure.track_all_readers()
    closure.bound = tuple((goal.module, goal.outer) for goal in goals)
    for goal in goals:
        seed(closure, goal, TARGET)
    for goal, why in keep:
        seed(closure, goal, why)
    for goal in arriving:
        receive(closure, goal)
    loaded = closure.loaded = LoadedModules(analysis.inference, [goal.module for goal in goals])
    while True:
        closure.run()
        load_resource_packages(closure)
        if not (
            keep_run_files(closure)
            or keep_named_in_data(closure)
            or keep_effects(closure, loaded)
            or closure.class_keeper.keep_registered()
            or closure.class_keeper.keep_annotations()
            or closure.class_keeper.keep_abstract()
            or closure.class_keeper.keep_library_hooks()
            or keep_shared_packages(closure)
            or keep_observed(closure, repository, observed)
        ):
            return closure
