"""Batched trials: run many cases on the original and its mutants in one run of the sandbox."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from ...slicer.model import Gap
from ..script.branch_coverage import Arc, parsed_arcs
from .executors.interface import Case, Determinism, Job, Limits, Mutant, Outcome

Runs = Callable[[Job], Outcome]
_MOST_RUNS = 4
"""Most runs for the mutants of a target, where a mutant timed out or ended the run."""
_LONGEST = 4000
"""Longest operand in characters."""
_AFTER = '"observation":'
_LIMITS = Limits(wall_seconds=60.0, cpu_seconds=60.0, memory_bytes=4 << 30, record_bytes=64 << 20)


@dataclass(frozen=True, slots=True)
class OriginalTrial:
    """The behaviour of the original in one case."""

    observation: str
    """The observation as JSON; empty if the case timed out or ended the process."""
    arcs: frozenset[Arc] = frozenset()
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Places of the mocked world asked so far, with their variants."""
    missing_paths: tuple[str, ...] = ()
    """Missing paths in the working folder that the case looked up."""
    gap: Gap | None = None
    """The gap of the slice at which the call ended; its observation then does not show the
    target."""


@dataclass(frozen=True, slots=True)
class MutantRun:
    """The differences that one mutant showed."""

    name: str
    end: str
    """`ended`, `timeout`, `died`, or `not applied`."""
    differs: tuple[tuple[int, str], ...]
    """Pairs of case and observation (JSON, or empty) that differ from the original's."""


Pair = tuple[int, object, object]
"""Number of a test, and its operands once; `...` for a non-literal."""


@dataclass(frozen=True, slots=True)
class Trials:
    """The results of one run."""

    tried: tuple[OriginalTrial, ...]
    mutants: tuple[MutantRun, ...] = ()
    failure: str = ""
    """Why there are no results: the script does not load, or the run ended early."""
    is_loaded: bool = True
    """Whether the script was loaded completely."""
    compared: tuple[tuple[Pair, ...], ...] = ()
    """Compared operands of each case, as far as they ran."""
    imported: tuple[str, ...] = ()
    """Installed modules that the last run imported, in the script or its cases."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The setting of trials: the script, its target, and the lines whose arcs count."""

    run: Runs
    script: str
    target: str
    span: tuple[int, int]
    file: str = ""
    """File of the carried module with these lines; empty for the script itself."""
    determinism: Determinism = field(default_factory=Determinism)
    seconds: float = 1.0
    """Time limit of one case in seconds."""
    is_isolated: bool = False
    """Whether each case runs in a fork of its own."""
    lacks: Callable[[str], Gap | None] = lambda _observation: None
    """Returns the gap of the slice at which an observation ends, if any."""

    def cases(self, cases: Sequence[Case]) -> Trials:
        """Run each case on the original. If one ends the process, the others still run."""
        tried: list[OriginalTrial] = []
        imported: tuple[str, ...] = ()
        while len(tried) < len(cases):
            found = self._run(cases[len(tried) :], ())
            tried += found.tried
            if not found.is_loaded:
                return Trials(tuple(tried), failure=found.failure, is_loaded=False)
            imported = found.imported
            if len(tried) < len(cases):
                tried.append(OriginalTrial(""))
        return Trials(
            tuple(replace(t, gap=self.lacks(t.observation)) for t in tried), imported=imported
        )

    def mutants(self, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Trials:
        """Run all cases on each mutant; the first run, without a name, is the original's.

        A mutant that ends the whole run, unlike the original, differs in the first case.
        """
        if not cases or not mutants:
            return Trials(())
        done: list[MutantRun] = []
        failure = ""
        for _ in range(_MOST_RUNS):
            left = mutants[max(len(done) - 1, 0) :]
            found = self._run(cases, left)
            done += found.mutants[1:] if done else found.mutants
            failure = found.failure
            is_original_well = bool(found.mutants) and found.mutants[0].end == "ended"
            if not failure or not is_original_well or len(done) > len(mutants):
                break
            if len(found.mutants) == 1:  # the very first mutant ended the run
                done.append(MutantRun(left[0].name, "died", ((0, ""),)))
            if len(done) > len(mutants):
                failure = ""
                break
        return Trials((), tuple(done), failure)

    def compared(self, cases: Sequence[Case], instrumented: str) -> tuple[tuple[Pair, ...], ...]:
        """Return what the tests of the instrumented target compare in each case."""
        return self._run(cases, (), instrumented).compared if cases else ()

    def _run(
        self, cases: Sequence[Case], mutants: Sequence[Mutant], instrumented: str = ""
    ) -> Trials:
        job = Job(
            self.script,
            task="trials",
            cases=tuple(cases),
            isolated=self.is_isolated,
            target=self.target,
            trace=self.span,
            trace_file=self.file,
            seconds=self.seconds,
            mutants=tuple(mutants),
            instrumented=instrumented,
            determinism=self.determinism,
            limits=_LIMITS,
        )
        return _read(self.run(job))


def _read(outcome: Outcome) -> Trials:
    tried: list[OriginalTrial] = []
    mutants: list[MutantRun] = []
    differs: list[tuple[int, str]] = []
    compared: list[tuple[Pair, ...]] = []
    imported: tuple[str, ...] = ()
    is_loaded = False
    failure = "" if outcome.end == "exited" else outcome.detail or outcome.end
    for text in outcome.records:
        record, observation = _parsed(text)
        match record:
            case {"kind": "load"}:
                failure = f"the script does not load: {_raised(observation)}"
                return Trials((), failure=failure, is_loaded=False)
            case {"kind": "ready"}:
                is_loaded = True
            case {
                "kind": "trial",
                "arcs": arcs,
                "seconds": int() | float() as seconds,
                "cpu": int() | float() as spent,
            }:
                places = _places(record.get("places"))
                requested = _texts(record.get("asked"))
                tried.append(
                    OriginalTrial(observation, parsed_arcs(arcs), seconds, spent, places, requested)
                )
            case {"kind": "differs", "case": int() as case}:
                differs.append((case, observation))
            case {"kind": "mutant", "name": str() as name, "end": str() as end}:
                mutants.append(MutantRun(name, end, tuple(differs)))
                differs = []
            case {"kind": "compared", "pairs": pairs}:
                compared.append(parsed_pairs(pairs))
            case {"kind": "imported", "names": names}:
                imported = tuple(map(str, cast("list[object]", names)))
            case {"kind": "end"}:
                pass
            case _:
                failure = failure or "records that nobody of ours writes"
    is_whole = bool(outcome.records) and outcome.records[-1] == '{"kind":"end"}'
    if not is_whole:
        failure = failure or f"it ended before its end: {_last_line(outcome.stderr)}"
    return Trials(tuple(tried), tuple(mutants), failure, is_loaded, tuple(compared), imported)


def parsed_pairs(record: object) -> tuple[Pair, ...]:
    """Return the pairs in a record from the sandbox; malformed ones are left out."""
    found: list[Pair] = []
    for item in cast("list[object]", record) if isinstance(record, list) else []:
        match item:
            case [int() as site, str() as left, str() as right] if type(site) is int:
                found.append((site, _operand(left), _operand(right)))
            case _:
                pass
    return tuple(found)


def _operand(text: str) -> object:
    """Return the value of a literal; `...` for anything else."""
    try:
        return ast.literal_eval(text) if len(text) <= _LONGEST else ...
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...


def _places(record: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = cast("dict[str, list[object]]", record) if isinstance(record, dict) else {}
    return tuple((place, tuple(map(str, names))) for place, names in found.items())


def _texts(record: object) -> tuple[str, ...]:
    found = cast("list[object]", record) if isinstance(record, list) else []
    return tuple(each for each in found if isinstance(each, str))


def _parsed(text: str) -> tuple[dict[str, object], str]:
    """Return a record without its observation, and the observation's text."""
    head, sign, rest = text.partition(_AFTER)
    observation = rest[:-1] if sign else ""
    if observation == "null":
        observation = ""
    try:
        record: object = json.loads(head.rstrip(",") + "}" if sign else text)
    except (ValueError, RecursionError):
        return {}, ""
    return (cast("dict[str, object]", record) if isinstance(record, dict) else {}), observation


def _raised(observation: str) -> str:
    from ..observation.decode_records import decode_text
    from ..observation.observation import Malformed
    from ..observation.short_text import render

    found = decode_text(observation)
    return found.what if isinstance(found, Malformed) else render(found.exception, found)


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "nothing on standard error"
