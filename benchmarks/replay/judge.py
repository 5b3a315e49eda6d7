"""Compares what original and slice did on each recorded call of one function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..common.report import without_places
from .sandbox import INSTALLED

if TYPE_CHECKING:
    from .slices import Modules, Sliced

Record = dict[str, object]


class Called(Protocol):
    """What is needed of a function that the suite calls."""

    data: list[str]
    tests: list[str]
    skipped: dict[str, int]

    @property
    def target(self) -> str:
        """`path::qualname`."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the replay of one function went; written as one line of JSON."""

    target: str
    recorded: int
    """Calls that were recorded."""
    compared: int
    """Calls that ran in both, and on which the original agrees with itself."""
    identical: int
    masked: int
    """Compared calls of which some numbers were not: the original itself gives others each time."""
    left: dict[str, int]
    """Calls that were left out, by reason."""
    failed: str
    """Why nothing ran: the slicer's or the script's error."""
    differences: tuple[Record, ...]
    """The first few differing calls: which test, what differs, both observations."""
    keep: tuple[str, ...]
    """What the slice was told to keep besides the target."""
    layout: str
    definitions: int
    """All kept definitions."""
    functions: int
    """Kept functions and methods; a name in a file counts once, its overload stubs included."""
    executed: int
    """Those of them whose body ran at least once, at import or in the replay; counted alike."""
    script: str
    found: dict[str, str] = field(default_factory=dict)
    """For each class that the arguments need, how the slice has it without being asked."""
    kept_without: int = 0
    """Functions and methods kept when no class is named."""
    named: str = "touched"
    """What was named of what the arguments refer to: what the calls touched; all that the slice
    lacked; and all classes in any case.
    """
    touched: tuple[str, ...] = ()
    """Names kept because the calls turned out to need them."""
    rounds: int = 0
    """How often it was sliced again for those."""
    answered: dict[str, int] = field(default_factory=dict)
    """Compared calls that differ from the original's, and do just what the original does under the
    same mocks; by what they did to the outside world.
    """
    never_ran: tuple[str, ...] = field(default=())
    """A few kept functions that did not run, for a look at what is too wide."""

    @property
    def differing(self) -> int:
        """Compared calls that nothing explains."""
        return self.compared - self.identical - sum(self.answered.values())


_NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
_PLACE = re.compile(r'<home>/[^\s:"]+\.py(", line |:)\d+')
"""A file and line in what is printed: the script is another file than the module that it is of."""
_KIND = re.compile(r"\('(\w+)'")
_INSTALLED = {"ENVIRONMENT": INSTALLED}
_PRINTED = frozenset({"stdout", "stderr"})
SHOWN_DIFFERENCES = 3
UNNOTED = "nothing noted, mocks of"
"""What a call did to the outside world that reads a variable, a clock or an answer, no more."""
_SLICE_LEFT_OUT = ("missing", "arguments:", "uncarried:", "too ")


def judge(
    function: Called,
    originals: list[Record],
    result: Record | str,
    sliced: Sliced | None,
    modules: Modules,
    about: Record,
    mocked: Record | None = None,
) -> Outcome:
    """The outcome of one function, from the observations of both sides.

    Args:
        function: The function and its recorded calls.
        originals: The results of both runs of the original.
        result: The result of the slice, or why there is none.
        sliced: The slice, if there is one.
        modules: The package's modules.
        about: More fields of the outcome.
        mocked: What the original does under the mocks of the slice.
    """
    answers: list[Record] = [] if mocked is None else mocked.get("calls", [])  # pyright: ignore
    answered: Counter[str] = Counter()
    left: Counter[str] = Counter(f"recording: {reason}" for reason in _repeated(function.skipped))
    failed = result if isinstance(result, str) else str(result.get("failed", ""))
    failed = failed or next((f"original: {o['failed']}" for o in originals if "failed" in o), "")
    compared = identical = clocks = 0
    differences: list[Record] = []
    first, second = ([] if "failed" in o else o.get("calls", []) for o in originals)
    calls = [] if isinstance(result, str) else result.get("calls", [])
    if not failed:
        for number, (one, two, ours) in enumerate(zip(first, second, calls, strict=False)):  # pyright: ignore
            reason = _left_out(one, two, ours)
            if reason:
                left[reason] += 1
                continue
            one, two = _comparable(one, ours), _comparable(two, ours)  # noqa: PLW2901
            hidden = masks(one, two) or {}
            what = _difference(one, ours, hidden)
            if hidden and what and masks(one, ours if "observed" in ours else two) is not None:
                left["unstable: numbers that the original gives anew"] += 1
                continue
            compared += 1
            clocks += bool(hidden)
            if not what:
                identical += 1
            elif number < len(answers) and (
                kind := _answered(answers[number], ours, hidden, sliced)
            ):
                answered[kind] += 1
            elif len(differences) < SHOWN_DIFFERENCES:
                where = {"call": number, "test": function.tests[number]}
                differences.append({**where, **what})
    kept = sliced.functions(modules) if sliced else set()
    ran = (
        set() if sliced is None or isinstance(result, str) else _ran(result, sliced, modules) & kept
    )
    return Outcome(
        target=function.target,
        recorded=len(function.data),
        compared=compared,
        identical=identical,
        masked=clocks,
        answered=dict(answered),
        left=dict(left),
        failed=failed,
        differences=tuple(differences),
        keep=sliced.keep if sliced else (),
        layout=sliced.manifest.layout if sliced else "",
        definitions=len(sliced.manifest.definitions) if sliced else 0,
        functions=len(kept),
        executed=len(ran),
        script=str(sliced.script) if sliced else "",
        never_ran=tuple(sorted(f"{m}:{q}" for m, q in kept - ran)),
        **about,  # pyright: ignore
    )


def _answered(
    theirs: Record, ours: Record, hidden: dict[str, frozenset[int]], sliced: Sliced | None
) -> str:
    """What a call did to the outside world, if the original does all the same under the mocks.

    Numbers that the original gives anew each time, an `id` for one, it gives anew there as well.
    """
    if "observed" not in theirs or "observed" not in ours:
        return ""
    if theirs["effects"] != ours["effects"] or _difference(_comparable(theirs, ours), ours, hidden):
        return ""
    effects: list[str] = ours["effects"]  # pyright: ignore
    kinds = sorted({found[1] for effect in effects if (found := _KIND.match(effect))})
    families = sorted(mock.family for mock in sliced.manifest.mocks) if sliced else ()
    return ", ".join(kinds) or f"{UNNOTED} {', '.join(families)}"


def _repeated(counts: dict[str, int]) -> Iterable[str]:
    return (reason for reason, count in counts.items() for _ in range(count))


def _left_out(one: Record, two: Record, ours: Record) -> str:
    """Why a call is not compared, or nothing."""
    if "left" in one:
        return f"original: {one['left']}"
    if "left" in two or masks(one, two) is None:
        return "unstable: the original differs from itself"
    if str(ours.get("left", "")).startswith(_SLICE_LEFT_OUT):
        missing = ours.get("missing")
        return f"slice: {ours['left']}" + (f" {missing[0]}" if missing else "")  # pyright: ignore
    return ""


def _comparable(theirs: Record, ours: Record) -> Record:
    """An observation of the original without the state of what is a placeholder in the slice.

    No call has touched that placeholder, so none has changed what it stands for.
    """
    seen: dict[str, str] = ours.get("observed", {})  # pyright: ignore
    observed: dict[str, str] = theirs["observed"]  # pyright: ignore
    kept = {k: v for k, v in observed.items() if k in seen or not k.startswith("state of ")}
    return {**theirs, "observed": kept}


def masks(one: Record, two: Record) -> dict[str, frozenset[int]] | None:
    """Where both runs of the original differ in numbers only: clocks, process ids.

    Returns, for each part of the observation, which of its numbers are not compared; `None` if the
    runs differ in anything else.
    """
    first: dict[str, str] = one["observed"]  # pyright: ignore
    second: dict[str, str] = two["observed"]  # pyright: ignore
    if first.keys() != second.keys():
        return None
    found: dict[str, frozenset[int]] = {}
    for name, text in first.items():
        a, b = _NUMBER.split(text), _NUMBER.split(second[name])
        differing = frozenset(i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
        if len(a) != len(b) or any(i % 2 == 0 for i in differing):
            return None
        if differing:
            found[name] = differing
    return found


def masked(text: str, numbers: frozenset[int]) -> str:
    """A part of an observation without those numbers."""
    parts = _NUMBER.split(text)
    return "".join("?" if i in numbers else part for i, part in enumerate(parts))


def _difference(one: Record, ours: Record, hidden: dict[str, frozenset[int]]) -> Record:
    """What differs: the names of the parts, with both texts from shortly before they part."""
    if "observed" not in ours:
        return {"what": ["left"], "slice": ours.get("left", ""), "original": one["observed"]}
    theirs: dict[str, str] = dict(one["observed"])  # pyright: ignore
    mine: dict[str, str] = dict(ours["observed"])  # pyright: ignore
    for name, numbers in hidden.items():
        theirs[name] = masked(theirs[name], numbers)
        mine[name] = masked(mine.get(name, ""), numbers)
    for text in (theirs, mine):
        text |= {name: _PLACE.sub("<place>", text[name]) for name in _PRINTED & text.keys()}
    what = sorted(k for k in theirs.keys() | mine.keys() if theirs.get(k) != mine.get(k))
    if not what:
        return {}
    original, sliced = {}, {}
    for name in what:
        # before they are cut: a part of a place would not be known again
        a, b = (without_places(text.get(name, ""), _INSTALLED) for text in (theirs, mine))
        same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
        original[name] = a[max(0, same - 80) : same + 200]
        sliced[name] = b[max(0, same - 80) : same + 200]
    return {"what": what, "original": original, "slice": sliced}


def _ran(result: Record, sliced: Sliced, modules: Modules) -> set[tuple[str, str]]:
    """Executed functions by their true module."""
    flat = sliced.flat_names(modules)
    own = modules.name_of(sliced.manifest.targets[0].path)
    found: set[tuple[str, str]] = set()
    for name, qualname in result.get("executed", ()):  # pyright: ignore
        if name == "replayed_slice":
            top = qualname.partition(".")[0]
            found.add((flat.get(qualname, flat.get(top, own)), qualname))
        else:
            found.add((name, qualname))
    return found
