"""Ideas for proposing inputs, each switched off in turn: what does only that idea give?

    python -m benchmarks.cases.ablation --repos DIR ... --draw FILE [--sample N] [--seed S]
    python -m benchmarks.cases.ablation --repos DIR ... --listed FILE [--only IDEA ...] [--base]

`--draw` writes a list of functions, `folder path::qualname` a line. `--listed` searches for cases
of each, without a model and without recorded calls; then again with each idea off that gave
something there. `--base` leaves it at the first search, to compare two states of the code. A run
resumes where it stopped; ideas stand in `search_ideas.py`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.places.preloaded_modules import preload_profile
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Slice
from slicefunc.verifier.execution.batched_trials import OriginalTrial
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Job, Mutant, Outcome, Profile
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.statements import texts_of
from slicefunc.verifier.mutation.mutants import MutantRecord
from slicefunc.verifier.search.corpus.corpus import Corpus
from slicefunc.verifier.search.corpus.trial_result import TrialResult
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.exploration import Budget
from slicefunc.verifier.search.hidden import adversaries
from slicefunc.verifier.search.hidden.proposals import Proposal
from slicefunc.verifier.search.mutants.draft_selection import Selection

from ..common.records import Records, opened
from ..common.report import Progress, digest_of, table
from ..environments.environments import _is_beside
from ..sources.sdists import DEFAULT_WORK
from .search_ideas import IDEAS, Idea

Record = dict[str, Any]
_BASE = ""
_CHUNK = 3
"""Functions of one repository that one process searches, before they are recorded."""
_SECONDS = 60.0
"""Processor seconds for one search; drawn functions seldom need a tenth of them."""


def main(argv: list[str] | None = None) -> int:
    """Draw, or measure what is not yet recorded, and print; the exit status is 0."""
    options = _arguments().parse_args(argv)
    if options.draw:
        options.draw.write_text("".join(f"{each}\n" for each in _drawn(options)), "utf-8")
        return 0
    listed = options.listed.read_text("utf-8").splitlines()
    key = options.tag or digest_of("slicer", "mocker", "verifier", "driver")
    with opened(options.work / f"ablation-{options.listed.stem}-{key}.jsonl") as records:
        _measure(records, {each: [_BASE] for each in listed}, options)
        if not options.base:
            _measure(records, _wanted(records.found, listed, options), options)
        found = records.found
    print(_summary(found))
    if not options.base:
        print(_by_idea(found))
    return 0


def _drawn(options: argparse.Namespace) -> list[str]:
    """Return functions of the repositories' own code, drawn with the seed."""
    folders = [f for place in options.repos for f in sorted(place.iterdir()) if f.is_dir()]
    every = [
        f"{folder.name} {target}"
        for folder in folders
        for target in Repository(folder).targets()
        if not _is_beside(target.path)
    ]
    chosen = random.Random(options.seed).sample(range(len(every)), options.sample)
    return [every[at] for at in chosen]


def _wanted(
    found: Sequence[Record], listed: Sequence[str], options: argparse.Namespace
) -> dict[str, list[str]]:
    """Return the ideas to switch off for each function: those that gave something there."""
    count = Counter[str]()
    wanted: dict[str, list[str]] = {}
    base = {r["function"]: r for r in found if r["off"] == _BASE}
    for function in sorted(listed, key=lambda each: base[each]["seconds"]):
        for idea in base[function].get("gave", ()):
            if count[idea] < options.most and (not options.only or idea in options.only):
                count[idea] += 1
                wanted.setdefault(function, []).append(idea)
    return wanted


def _measure(records: Records, wanted: dict[str, list[str]], options: argparse.Namespace) -> None:
    known = {(r["function"], r["off"]) for r in records.found}
    left = {f: [i for i in ideas if (f, i) not in known] for f, ideas in wanted.items()}
    left = {function: ideas for function, ideas in left.items() if ideas}
    progress = Progress("functions", len(left))
    folders = {f.name: f for place in options.repos for f in place.iterdir()}
    chunks: list[tuple[Path, list[str]]] = []
    for name, functions in groupby(sorted(left), lambda each: each.split(" ", 1)[0]):
        chunks += [(folders[name], list(some)) for some in batched(functions, _CHUNK)]
    random.Random(options.seed).shuffle(chunks)  # so that a part of the run is a draw, too
    work = [(folder, {each: left[each] for each in functions}) for folder, functions in chunks]
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for some in pool.imap_unordered(_searched_all, work):
            for record in some:
                records.add(record)
            progress.advance(len({record["function"] for record in some}))


def batched(items: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield the items in lists of that size."""
    left = iter(items)
    while some := list(islice(left, size)):
        yield some


def _searched_all(work: tuple[Path, Mapping[str, Sequence[str]]]) -> list[Record]:
    folder, wanted = work
    repository = Repository(folder)
    return [r for function, ideas in wanted.items() for r in _searched(repository, function, ideas)]


def _searched(repository: Repository, function: str, ideas: Sequence[str]) -> list[Record]:
    """Return a record of the search with each of the ideas off."""
    try:
        sliced = compile_slice(repository, (function.split(" ", 1)[1],))
        profile = preload_profile(sliced.manifest, Profile())
    except Exception as error:  # noqa: BLE001 - one function must not end the run
        message = f"not placed: {type(error).__name__}"
        return [{"function": function, "off": i, "failure": message, "seconds": 0} for i in ideas]
    whole = inputs_of(repository, sliced)
    before = {i.name: i for i in IDEAS if i.acts_before_search}
    found: list[Record] = []
    for name in ideas:
        record: Record = {"function": function, "off": name}
        if name == _BASE:
            gave = _gave(repository, sliced)
            credit = Credit({n: _texts_without(before[n], repository, sliced) for n in gave})
            with credit.watching():
                record |= _search(repository, sliced, profile)
            credit.keep(record["cases"], record["hidden"])
            record |= {"gave": sorted(credit.gave), "credit": credit.counts()}
            record["hidden"] = len(record["hidden"])
        else:
            with next(each for each in IDEAS if each.name == name).off():
                inputs_of.cache_clear()
                if name in before and whole == inputs_of(repository, sliced):
                    record["same"] = True
                else:
                    record |= _search(repository, sliced, profile)
                    record["hidden"] = len(record["hidden"])
            inputs_of.cache_clear()
        found.append(record)
    return found


def _gave(repository: Repository, sliced: Slice) -> list[str]:
    """Return the ideas that give something before the search."""
    found = dict[str, None]()
    with ExitStack() as switched:
        for each in IDEAS:
            if each.acts_before_search:
                switched.enter_context(each.watched(lambda name, _: found.setdefault(name)))
        inputs_of.cache_clear()
        inputs_of(repository, sliced)
    return list(found)


def _texts_without(idea: Idea, repository: Repository, sliced: Slice) -> frozenset[str] | None:
    """Return the expressions that only this idea gives; `None` where it changes nothing."""
    whole = inputs_of(repository, sliced)
    with idea.off():
        inputs_of.cache_clear()
        without = inputs_of(repository, sliced)
    inputs_of.cache_clear()
    return None if whole == without else _texts(whole) - _texts(without)


def _texts(inputs: Inputs | None) -> frozenset[str]:
    if inputs is None:
        return frozenset()
    pools = (text for p in inputs.pools for text in (*p.texts, *p.stand_ins, *p.forms))
    pairs = (text for each in (*inputs.together, *inputs.fitting) for _, text in each)
    statements = texts_of((*inputs.receivers.states, *inputs.surroundings))
    return frozenset((*pools, *pairs, *inputs.receivers.texts, *statements, *inputs.files))


@dataclass(slots=True)
class Credit:
    """Who proposed the drafts that were the first to reach a branch or to kill a mutant."""

    texts: Mapping[str, frozenset[str] | None]
    """The expressions that only one idea gives, for ideas that act before the search."""
    gave: set[str] = field(init=False)
    origins: dict[Draft, set[str]] = field(default_factory=dict[Draft, set[str]])
    reached: Counter[str] = field(default_factory=Counter[str])
    killed: Counter[str] = field(default_factory=Counter[str])
    kept: Counter[str] = field(default_factory=Counter[str])
    hidden: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self.gave = {name for name, texts in self.texts.items() if texts is not None}

    def counts(self) -> dict[str, list[int]]:
        """Return, by idea, branches reached, mutants killed, cases kept and hidden cases."""
        counts = (self.reached, self.killed, self.kept, self.hidden)
        names = sorted(frozenset[str]().union(*counts))
        return {name: [count[name] for count in counts] for name in names}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what each idea gives, and what comes of it."""
        note, left = Corpus._note, Selection._left  # noqa: SLF001 - watched from outside

        def noting(corpus: Corpus, trial: TrialResult, tried: OriginalTrial) -> None:
            before = len(corpus.best)
            note(corpus, trial, tried)
            for name in self._names(trial.draft) if len(corpus.best) > before else ():
                self.reached[name] += len(corpus.best) - before

        def leaving(
            selection: Selection, trials: Sequence[TrialResult], mutants: Sequence[Mutant]
        ) -> list[Mutant]:
            survived = left(selection, trials, mutants)
            for mutant in {m.name for m in mutants} - {m.name for m in survived}:
                killers = [e for e in trials if mutant in selection.killed(e)]
                names = [self._names(each.draft) for each in killers]
                self.killed.update(set[str].intersection(*names) if names else ())
            return survived

        with ExitStack() as switched:
            for each in IDEAS:
                if not each.acts_before_search:
                    switched.enter_context(each.watched(self._noted))
            switched.enter_context(patch.object(Corpus, "_note", noting))
            switched.enter_context(patch.object(Selection, "_left", leaving))
            yield

    def keep(self, cases: Sequence[str], hidden: Sequence[str]) -> None:
        """Count the final cases that hold an expression which only one idea gives."""
        for name, texts in self.texts.items():
            for counter, codes in ((self.kept, cases), (self.hidden, hidden)):
                found = sum(any(_stands_in(text, code) for text in texts or ()) for code in codes)
                if found:
                    counter[name] += found

    def _noted(self, name: str, given: object) -> None:
        self.gave.add(name)
        given = given.draft if isinstance(given, TrialResult | Proposal) else given
        if isinstance(given, Draft):
            self.origins.setdefault(given, set()).add(name)

    def _names(self, draft: Draft) -> set[str]:
        texts = set(draft.texts)
        own = {name for name, only in self.texts.items() if only and texts & only}
        return own | self.origins.get(draft, set())


def _stands_in(text: str, code: str) -> bool:
    return text.replace("{it}", "").replace("{", "").replace("}", "")[-60:] in code.replace(
        "{", ""
    ).replace("}", "")


def _search(repository: Repository, sliced: Slice, profile: Profile) -> Record:
    """Return what one search finds and costs."""
    versions: list[frozenset[int]] = []
    told = adversaries._killers  # noqa: SLF001 - watched from outside

    def noted(
        selection: Selection, calls: Sequence[TrialResult], made: Sequence[MutantRecord]
    ) -> list[frozenset[int]]:
        found = told(selection, calls, made)
        versions.extend(found)
        return found

    executor = choose().make()
    spent = -time.process_time()

    def run(job: Job) -> Outcome:
        nonlocal spent
        outcome = executor.run(job)
        spent += outcome.cpu_seconds
        return outcome

    executor.start(profile)
    try:
        with patch.object(adversaries, "_killers", noted):
            made = search_cases(repository, sliced, run, Budget(seconds=_SECONDS))
    except Exception as error:  # noqa: BLE001 - likewise
        return {"failure": f"internal: {error!r}", "seconds": 0, "cases": [], "hidden": []}
    finally:
        executor.close()
    coverage = made.coverage
    return {
        "seconds": spent + time.process_time(),
        "failure": made.code if made.failure else "",
        "tried": made.tried,
        "branches": coverage.branches if coverage else 0,
        "missing": sorted(map(str, coverage.missing)) if coverage else [],
        "killed": sorted(made.killed),
        "survived": sorted(each.mutant.name for each in made.survived),
        "cases": [each.code for each in made.cases],
        "hidden": [each.code for each in made.hidden],
        "versions": len(versions),
        "told apart": sum(map(bool, versions)),
    }


def _sums(found: Sequence[Record]) -> Record:
    return {
        "functions": len(found),
        "with cases": sum(bool(r.get("cases")) for r in found),
        "cases": sum(len(r.get("cases", ())) for r in found),
        "branches": sum(r.get("branches", 0) for r in found),
        "missing": sum(len(r.get("missing", ())) for r in found),
        "mutants": sum(len(r.get("killed", ())) + len(r.get("survived", ())) for r in found),
        "killed": sum(len(r.get("killed", ())) for r in found),
        "hidden": sum(r.get("hidden", 0) for r in found),
        "versions": sum(r.get("versions", 0) for r in found),
        "told apart": sum(r.get("told apart", 0) for r in found),
        "seconds": round(sum(r["seconds"] for r in found)),
    }


def _summary(found: Sequence[Record]) -> str:
    base = [r for r in found if r["off"] == _BASE]
    failures = Counter(r["failure"] for r in base if r["failure"])
    return table(["", "all"], [*_sums(base).items(), *failures.most_common()])


def _by_idea(found: Sequence[Record]) -> str:
    """Return a table of what is lost where an idea is off, and of what is gained there."""
    base = {r["function"]: r for r in found if r["off"] == _BASE}
    gave = Counter(name for r in base.values() for name in r.get("gave", ()))
    rows: list[list[object]] = []
    for idea in IDEAS:
        off = [r for r in found if r["off"] == idea.name]
        ran = [r for r in off if "same" not in r]
        with_it, without = _sums([base[r["function"]] for r in ran]), _sums(ran)
        pairs = [(base[r["function"]], r) for r in ran]
        lost = [(_lost(b, r, "killed"), _lost(r, b, "killed")) for b, r in pairs]
        rows.append([
            idea.name, gave[idea.name], len(off), len(ran),
            without["with cases"] - with_it["with cases"],
            with_it["missing"] - without["missing"],
            without["killed"] - with_it["killed"],
            f"-{sum(a for a, _ in lost)} +{sum(b for _, b in lost)}",
            without["cases"] - with_it["cases"],
            without["hidden"] - with_it["hidden"],
            without["told apart"] - with_it["told apart"],
            without["seconds"] - with_it["seconds"],
        ])  # fmt: skip
    head = ["idea", "gave in", "off in", "ran", "with cases", "branches", "killed", "lost, gained"]
    head += ["cases", "hidden", "told apart", "seconds"]
    return table(head, rows)


def _lost(one: Record, other: Record, what: str) -> int:
    return len(set(one.get(what, ())) - set(other.get(what, ())))


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.cases.ablation", description=__doc__)
    parser.add_argument("--repos", type=Path, nargs="+", required=True, help="folders of clones")
    parser.add_argument("--draw", type=Path, help="write the list of functions here, and end")
    parser.add_argument("--sample", type=int, default=80, help="functions that are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--listed", type=Path, help="measure the functions of this list")
    parser.add_argument("--only", nargs="*", default=[], metavar="IDEA")
    parser.add_argument("--most", type=int, default=12, help="functions for one idea")
    parser.add_argument("--base", action="store_true", help="only with all ideas")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--tag", help="names the record, whatever the code")
    return parser


if __name__ == "__main__":
    sys.exit(main())
