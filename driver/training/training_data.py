"""The passes from a dataset and its runs to training data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ...slicer.errors import OptionError
from ..datasets.deduplication.function import Reference
from ..datasets.storage.dataset import Dataset
from ..evaluation.runs import RunTable
from .answers import distinct, drawn
from .candidates import GOLD, Candidate, Candidates, read_candidates
from .contamination import contamination_of
from .examples import Demonstration, Example, Preference, Prompt
from .functions import TrainingFunction, answer_of, training_functions
from .options import TrainingOptions
from .preferences import REFUTED, RightAnswer, WrongAnswer, failures, preferences
from .sandbox_checks import NOT_CHECKED, Checked, Checks, no_checks
from .tree_digests import tree_digests

_CONTAMINATED = "contaminated or duplicate"
_TOO_LONG = "too long"
_CONTROL_TOKEN = re.compile(r"<\|\w+\|>")
"""Matches what tokenizers of chat models take for the end of a turn, and the like."""
_UNSTEADY = "passes once and fails once"
_NO_PAIR = "no pair"
_LISTED = 20
"""Refuted answers that the report shows."""
_NOT_MIXED = "all samples pass, or none"

WrongDefinitions = Callable[[TrainingFunction], Sequence[WrongAnswer]]
"""Returns further definitions of a function that are known to be wrong."""


@dataclass(slots=True)
class TrainingData:
    """Examples by function, and what was left out."""

    examples: dict[TrainingFunction, list[Example]]
    report: dict[str, Any] = field(default_factory=dict[str, Any])


def training_data(
    dataset: Dataset,
    runs: Sequence[RunTable],
    references: Sequence[Reference],
    options: TrainingOptions,
    wrong: WrongDefinitions,
    checks: Checks = no_checks,
) -> TrainingData:
    """Return the examples of a recipe.

    Args:
        dataset: the environments.
        runs: runs of them, for all recipes but `sft`.
        references: what must not be in the data.
        options: what is wanted.
        wrong: definitions that are known to be wrong, for `dpo`.
        checks: holds answers against fresh inputs.

    Raises:
        OptionError: no sample is of the dataset, or repositories cannot be held back.
    """
    # what the dataset offers, and what evaluations know
    every = list(training_functions(dataset, options))
    contamination = contamination_of(dataset, every, references, options)
    functions = [each for each in every if each.id not in contamination.ids]
    left_out: Counter[str] = Counter()
    left_out[_CONTAMINATED] = len(every) - len(functions)
    # what models answered
    candidates = read_candidates(
        runs, dataset.ids(), options.model, with_tries=options.recipe == "dpo"
    )
    if runs and not candidates.samples:
        raise OptionError(
            "no sample of the runs is of an environment of the dataset",
            "name runs of this dataset",
        )
    if options.mixed_only:
        kept = [each for each in functions if candidates.pass_rate(each.id) not in (None, 0.0, 1.0)]
        left_out[_NOT_MIXED] += len(functions) - len(kept)
        functions = kept
    # the examples of each function
    make = _Examples(options, candidates, wrong, checks, left_out)
    examples = {each: made for each, made in make.of(functions) if made}
    report = {
        "recipe": options.recipe,
        "format": options.format,
        "functions": {
            "dataset": len(dataset.ids()),
            "with_examples": len(examples),
            "with_cut_context": sum(each.cut > 0 for each in examples),
            "left_out": {name: n for name, n in sorted(left_out.items()) if n},
        },
        "repositories": len({each.repo for each in examples}),
        "contamination": contamination.to_json(),
        "candidates": _candidate_counts(candidates, make, options),
        "examples": _example_counts(examples),
    }
    return TrainingData(examples, report)


@dataclass(slots=True)
class _Examples:
    """Makes the examples of functions, and counts what is left out."""

    options: TrainingOptions
    candidates: Candidates
    wrong: WrongDefinitions
    checks: Checks
    left_out: Counter[str]
    dropped: Counter[str] = field(default_factory=Counter[str])
    """Samples that pass and are left out, by reason."""
    kept: int = 0
    """Samples that stay as right answers."""
    _digests: Mapping[str, str] = field(default_factory=dict[str, str])
    _right: dict[str, Sequence[Candidate]] = field(default_factory=dict[str, "Sequence[Candidate]"])
    """Distinct right answers, by id of the function."""
    checked: Mapping[str, Checked] = field(default_factory=dict[str, Checked])

    def of(
        self, functions: Sequence[TrainingFunction]
    ) -> Iterator[tuple[TrainingFunction, list[Example]]]:
        """Yield the examples of each function."""
        known = self.candidates.by_environment
        texts = [text for each in functions for text in (each.code, *known.get(each.id, ()))]
        self._digests = tree_digests(texts) if known else {}
        short: list[TrainingFunction] = []
        for each in functions:
            if self._is_short(each, each.code):
                short.append(each)
            else:
                self.left_out[_TOO_LONG] += 1
        if self.options.recipe in ("rft", "dpo"):
            self._right = {each.id: self._distinct(each) for each in short}
            answers = {each: [one.code for one in self._right[each.id]] for each in short}
            self.checked = self.checks(answers)
        for each in short:
            yield each, list(self._made(each))

    def _made(self, function: TrainingFunction) -> Iterator[Example]:
        options = self.options
        match options.recipe:
            case "grpo":
                yield Prompt(function, self.candidates.pass_rate(function.id))
            case "dpo":
                yield from self._preferences(function)
            case "sft" | "rft":
                yield Demonstration(function, answer_of(function.code), GOLD, "")
                for each in self._kept(function) if options.recipe == "rft" else ():
                    yield Demonstration(function, answer_of(each.code), each.source, each.model)

    def _distinct(self, function: TrainingFunction) -> Sequence[Candidate]:
        """Return the distinct right answers to a function; count the samples of the others."""
        every = self.candidates.of(function.id)
        failing = {self._digests[each.code] for each in every if each.failed}
        passing = [each for each in every if each.passed]
        steady = [each for each in passing if self._digests[each.code] not in failing]
        plain = [each for each in steady if not _CONTROL_TOKEN.search(each.code)]
        short = [each for each in plain if self._is_short(function, each.code)]
        found = distinct(short, function.code, self._digests)
        self.dropped[_UNSTEADY] += _passed(passing) - _passed(steady)
        self.dropped["has a control token"] += _passed(steady) - _passed(plain)
        self.dropped[_TOO_LONG] += _passed(plain) - _passed(short)
        self.dropped["same as the original"] += found.same_as_original
        self.dropped["same as another"] += found.same_as_other
        return found.candidates

    def _kept(self, function: TrainingFunction) -> list[Candidate]:
        """Return the right answers that stay: those that nothing refutes, at most so many."""
        every = self._right[function.id]
        checked = self.checked.get(function.id, NOT_CHECKED)
        agreed = [each for each in every if each.code not in checked.refuted]
        right = [each for each in agreed if each.code not in checked.unanswered]
        kept = drawn(right, function, self.options.per_function, self.options.seed)
        self.dropped["refuted by fresh inputs"] += len(every) - len(agreed)
        self.dropped["no answer to fresh inputs"] += len(agreed) - len(right)
        self.dropped["over the limit of a function"] += len(right) - len(kept)
        self.kept += len(kept)
        return kept

    def _is_short(self, function: TrainingFunction, code: str) -> bool:
        return function.tokens_with(code) <= self.options.most_tokens

    def _preferences(self, function: TrainingFunction) -> list[Preference]:
        options = self.options
        checked = self.checked.get(function.id, NOT_CHECKED)
        right = [RightAnswer(each.code, each.source) for each in self._kept(function)]
        right.append(RightAnswer(function.code, GOLD))
        every = self.candidates.of(function.id)
        passing = {self._digests[each.code] for each in every if each.passed}
        failing = [
            each
            for each in every
            if each.is_wrong
            and self._digests[each.code] not in passing
            and not _CONTROL_TOKEN.search(each.code)
        ]
        wrong = [
            *(WrongAnswer(each, REFUTED) for each in sorted(checked.refuted)),
            *checked.wrong,
            *failures(each for each in failing if self._is_short(function, each.code)),
        ]
        most, seed = options.per_function, options.seed
        found = preferences(function, right, wrong, self._with(right, wrong), most, seed)
        if len(found) < most:
            wrong += [each for each in self.wrong(function) if self._is_short(function, each.code)]
            found = preferences(function, right, wrong, self._with(right, wrong), most, seed)
        if not found:
            self.left_out[_NO_PAIR] += 1
        return found

    def _with(
        self, right: Sequence[RightAnswer], wrong: Sequence[WrongAnswer]
    ) -> Mapping[str, str]:
        """Return the digests of these texts."""
        texts = [each.code for each in (*right, *wrong)]
        new = tree_digests(each for each in texts if each not in self._digests)
        return {**{each: self._digests[each] for each in texts if each in self._digests}, **new}


def _passed(candidates: Iterable[Candidate]) -> int:
    return sum(each.passed for each in candidates)


def _candidate_counts(
    candidates: Candidates, made: _Examples, options: TrainingOptions
) -> dict[str, Any]:
    """Return what became of the samples of the runs."""
    passed = sum(candidates.passing.values())
    found = {
        "samples": sum(candidates.samples.values()),
        "passed": passed,
        "without_verdict": candidates.unknown,
        "of_other_environments": candidates.foreign,
        "by_source": candidates.counts(),
    }
    if options.recipe in ("sft", "grpo"):
        return found
    # each sample that passes is counted once
    rest = passed - made.kept - sum(made.dropped.values())
    dropped = {**made.dropped, "of functions left out": rest}
    left_out = {name: number for name, number in sorted(dropped.items()) if number}
    found |= {"kept": made.kept, "left_out": left_out}
    return {**found, "fresh": _fresh_counts(made.checked)} if made.checked else found


def _fresh_counts(checked: Mapping[str, Checked]) -> dict[str, Any]:
    """Return what fresh inputs said, with the first refutations."""
    refutations = [
        {"environment": identity, **asdict(each)}
        for identity, found in sorted(checked.items())
        for each in found.refutations
    ]
    return {
        "functions": len(checked),
        "with_inputs": sum(each.is_asked for each in checked.values()),
        "answers": sum(each.answers for each in checked.values()),
        "unanswered": sum(len(each.unanswered) for each in checked.values()),
        "mutants": sum(each.mutants for each in checked.values()),
        "hard_mutants": sum(len(each.wrong) for each in checked.values()),
        "refuted": len(refutations),
        "first": refutations[:_LISTED],
    }


def _example_counts(examples: Mapping[TrainingFunction, Sequence[Example]]) -> dict[str, Any]:
    """Return the numbers of examples by split and by source, as table 9 of RepoST has them."""
    every = [each for some in examples.values() for each in some]
    rows: Counter[tuple[str, str, str]] = Counter()
    functions: dict[tuple[str, str, str], set[str]] = {}
    for each in every:
        key = _source(each)
        rows[key] += 1
        functions.setdefault(key, set()).add(each.function.id)
    return {
        "rows": len(every),
        "splits": dict(sorted(Counter(each.function.split for each in every).items())),
        "sources": [
            {
                "source": source,
                "of": of,
                "what": what,
                "rows": rows[source, of, what],
                "functions": len(some),
            }
            for (source, of, what), some in sorted(functions.items())
        ],
    }


def _source(example: Example) -> tuple[str, str, str]:
    """Return where an answer is from and its model, or both answers of a pair; and for people."""
    match example:
        case Demonstration(source=source, model=model):
            return source, model, " ".join(filter(None, (source, model)))
        case Preference(source=source, rejected_source=rejected):
            return source, rejected, f"chosen {source}, rejected {rejected}"
        case Prompt():
            return "prompt", "", "questions"


def examples_of(
    data: TrainingData, functions: Sequence[TrainingFunction]
) -> tuple[list[Example], dict[str, Any]]:
    """Return the examples of some of the functions, and their numbers."""
    some = {each: data.examples[each] for each in functions}
    return [each for made in some.values() for each in made], _example_counts(some)
