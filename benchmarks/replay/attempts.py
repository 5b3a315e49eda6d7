"""Which names of its arguments a function is sliced with: as few as its recorded calls allow.

Classes whose instances are arguments are named, and what the arguments cannot be made without. What
arguments merely refer to, and instances somewhere inside of them, are placeholders at first: the
name, or the class, is named once a call touches one. What code that is handed in asks for in vain
is named as well. Where that does not do, all is named: classes of all instances, what is referred
to, also by a text that spells it, and in the end whole classes in place of what instances need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .inside.nodes import Need
from .judge import Called, Outcome, judge
from .slices import Modules, Sliced, Slicer, found_without

Record = dict[str, object]
ROUNDS = 8
"""How often a slice is made because arguments turned out to need one more definition."""
TOUCH_ROUNDS = 10
"""How often one is made again because calls touched placeholders."""


class Sliceable(Called):
    """What is needed of a function besides."""

    names: dict[tuple[str, str], Need]


@dataclass(frozen=True, slots=True)
class Trial:
    """How one function is sliced and run."""

    slice: Callable[[list[str], frozenset[str]], Sliced | str]
    """From names to keep, some of them classes of instances."""
    run: Callable[[Sliced, bool, Sequence[str]], Record]
    """Runs the recorded calls; says whether placeholders are allowed, and which classes' instances
    inside of arguments are some.
    """
    modules: Modules


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it."""

    made: Sliced | str
    result: Record | str
    rounds: int = 0
    """How often it was sliced again."""
    added: tuple[str, ...] = ()
    """Names that were kept because the calls turned out to need them."""


def outcome_of(
    function: Sliceable,
    number: int,
    slicer: Slicer,
    modules: Modules,
    run: Callable[[Sliced, bool, Sequence[str]], Record],
    originals: list[Record],
    mocked: Callable[[Sliced], Record] | None = None,
) -> Outcome:
    """Slice one function and run its calls, with ever more named until they do what they did.

    `mocked` runs them on the original under the mocks of a slice, where slices have any.
    """
    needs: dict[str, Need] = {}
    spelled: dict[str, set[str]] = {}
    for name, need in function.names.items():
        if target := modules.target(*name):
            needs[target] = needs.get(target, need) | need
            spelled.setdefault(target, set()).add(":".join(name))
    plain = slicer.slice(number, function.target, ())
    if isinstance(plain, str):
        return judge(function, originals, plain, None, modules, {})
    classes = sorted(name for name in needs if modules.is_class(name))
    about: Record = {
        "found": found_without(classes, plain.manifest),
        "kept_without": len(plain.functions(modules)),
    }
    trial = Trial(
        lambda keep, instances: slicer.slice(number, function.target, keep, instances),
        run,
        modules,
    )
    outcomes: list[Outcome] = []
    for way, ran in _attempts(needs, spelled, plain.names(), trial):
        sliced = ran.made if isinstance(ran.made, Sliced) else None
        more = {"named": way, "rounds": ran.rounds, "touched": ran.added}
        outcome = judge(function, originals, ran.result, sliced, modules, about | more)
        if outcome.differing and mocked is not None and sliced is not None:
            answers = mocked(sliced)
            outcome = judge(function, originals, ran.result, sliced, modules, about | more, answers)
        outcomes.append(outcome)
        if _is_clean(outcomes[-1], way):
            break
    return max(outcomes, key=_goodness)


def _attempts(
    needs: dict[str, Need], spelled: Mapping[str, set[str]], held: set[str], trial: Trial
) -> Iterator[tuple[str, Ran]]:
    """Ever more is named: what is touched, all that is lacking, all classes, all of each class."""
    is_class = trial.modules.is_class
    needed = {name: need for name, need in needs.items() if need & ~Need.MENTION}
    # A class that is there without any member is there for its name: instances are not expected.
    owners = {name.rpartition(".")[0] for name in held}
    held = {name for name in held if name in owners or not is_class(name)}
    asleep = {
        name: spelled[name]
        for name, need in needed.items()
        if name not in held and not need & (Need.INSTANCE | Need.REBUILD)
    }
    instances = _instances(needed, Need.REBUILD, is_class)
    keep = [n for n, need in needed.items() if need & Need.REBUILD or n not in held]
    keep = sorted(name for name in keep if name not in asleep)
    ran = _sliced_and_run(trial, keep, instances, TOUCH_ROUNDS, asleep, placeholders=True)
    yield "touched", ran
    itself = Need.REBUILD | Need.MENTION
    instances = _instances(needs, itself, is_class)
    # A class that is handed over as such may be called: it is always named.
    lacking = sorted(name for name, need in needs.items() if need & itself or name not in held)
    yield "lacking", _sliced_and_run(trial, lacking, instances, ROUNDS - 1)
    everything = sorted({*lacking, *filter(is_class, needs)})
    yield "all", _sliced_and_run(trial, everything, instances, ROUNDS - 1)
    yield "whole", _sliced_and_run(trial, everything, frozenset(), ROUNDS - 1)


def _instances(
    needs: dict[str, Need], other: Need, is_class: Callable[[str], bool]
) -> frozenset[str]:
    """Classes that are there for their instances, and for nothing else."""
    return frozenset(name for name, need in needs.items() if is_class(name) and not need & other)


def _sliced_and_run(
    trial: Trial,
    keep: list[str],
    instances: frozenset[str],
    rounds: int,
    asleep: Mapping[str, set[str]] | None = None,
    *,
    placeholders: bool = False,
) -> Ran:
    """Slice and run, again with more kept as long as the calls turn out to need more.

    `asleep` are classes, each with its names, whose instances inside of arguments are placeholders
    until a call touches one.
    """
    added: list[str] = []
    woken: list[str] = []
    for number in range(rounds + 1):
        made = trial.slice(sorted({*keep, *added, *woken}), instances - {*added})
        if isinstance(made, str):
            return Ran(made, made, number, (*added, *woken))
        still = {name: names for name, names in (asleep or {}).items() if name not in woken}
        result = trial.run(made, placeholders, sorted(n for names in still.values() for n in names))
        touched = set(_missing(result, trial.modules)) - {*keep, *added}
        awake = still.keys() & {*_touched_inside(result, trial.modules), *map(_owner, touched)}
        if not (touched or awake) or number == rounds:
            break
        added += sorted(touched)
        woken += sorted(awake)
    return Ran(made, result, number, (*added, *woken))


def _missing(result: Record, modules: Modules) -> Iterator[str]:
    """What the calls lacked, as the slicer names it."""
    calls: Iterable[dict[str, list[str]]] = result.get("calls", ())  # pyright: ignore
    for text in (text for call in calls for text in call.get("missing", ())):
        targets = [modules.target(*name.split(":", 1)) for name in text.split("|")]
        exact = [t for t, n in zip(targets, text.split("|"), strict=True) if _is_exact(t, n)]
        yield from (exact or [target for target in targets if target])[:1]
    # Asked for by code that was handed in: of a name that nothing defines, nothing is to be kept.
    for text in (text for call in calls for text in call.get("asked", ())):
        bound = (modules.bound(*name.split(":", 1)) for name in text.split("|"))
        yield from [target for target in bound if target][:1]


def _touched_inside(result: Record, modules: Modules) -> Iterator[str]:
    """The classes of placeholders that calls touched inside of their arguments."""
    calls: Iterable[dict[str, list[str]]] = result.get("calls", ())  # pyright: ignore
    for text in (text for call in calls for text in call.get("held", ())):
        if target := modules.target(*text.split(":", 1)):
            yield target


def _owner(target: str) -> str:
    """The class of a method, whose instance is needed to bind it."""
    return target.rpartition(".")[0] if "." in target.partition("::")[2] else target


def _is_exact(target: str | None, name: str) -> bool:
    return target is not None and target.partition("::")[2] == name.partition(":")[2]


def _is_clean(outcome: Outcome, way: str) -> bool:
    """Whether nothing is gained by naming more."""
    left = way == "touched" and any(reason.startswith("slice: ") for reason in outcome.left)
    return not outcome.differing and not outcome.failed and not left


def _goodness(outcome: Outcome) -> tuple[bool, bool, int, int]:
    """The first of the best outcomes is taken: the one with the least named.

    What differs then is what no naming mends.
    """
    alike = outcome.compared - outcome.differing
    return (outcome.compared > 0, not outcome.differing, alike, outcome.compared)
