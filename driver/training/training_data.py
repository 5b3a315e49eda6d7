"""The passes from a dataset and its runs to training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..datasets.deduplication.function import Reference
from ..datasets.storage.dataset import Dataset
from ..evaluation.runs import RunTable
from .answers import distinct, drawn
from .candidates import GOLD, Candidate, Candidates, read_candidates
from .contamination import Contamination, contamination_of
from .examples import Demonstration, Example, Preference, Prompt
from .functions import TrainingFunction, answer_of, training_functions
from .options import TrainingOptions
from .preferences import MUTANT, RightAnswer, WrongAnswer, failures, preferences
from .tree_digests import tree_digests

_CONTAMINATED = "contaminated or duplicate"
_TOO_LONG = "too long"
_NO_PAIR = "no pair"
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
) -> TrainingData:
    """Return the examples of a recipe.

    Args:
        dataset: the environments.
        runs: runs of them, for all recipes but `sft`.
        references: what must not be in the data.
        options: what is wanted.
        wrong: definitions that are known to be wrong, for `dpo`.
    """
    # what the dataset offers, and what evaluations know
    contamination = contamination_of(dataset, references, options)
    left_out: Counter[str] = Counter()
    functions: list[TrainingFunction] = []
    for each in training_functions(dataset, options):
        if each.id in contamination.ids:
            left_out[_CONTAMINATED] += 1
        else:
            functions.append(each)
    # what models answered
    candidates = read_candidates(
        runs, dataset.ids(), options.model, with_failed=options.recipe == "dpo"
    )
    if options.mixed_only:
        kept = [each for each in functions if candidates.pass_rate(each.id) not in (None, 0.0, 1.0)]
        left_out[_NOT_MIXED] += len(functions) - len(kept)
        functions = kept
    # the examples of each function
    make = _Examples(options, candidates, wrong, left_out)
    examples = {each: made for each, made in make.of(functions) if made}
    report = {
        "recipe": options.recipe,
        "format": options.format,
        "functions": {
            "dataset": len(dataset.ids()),
            "with_examples": len(examples),
            "left_out": dict(sorted(left_out.items())),
        },
        "repositories": len({each.repo for each in examples}),
        "contamination": contamination.to_json(),
        "candidates": _candidate_counts(candidates, make, contamination),
        "examples": _example_counts(examples),
    }
    return TrainingData(examples, report)


@dataclass(slots=True)
class _Examples:
    """Makes the examples of functions, and counts what is left out."""

    options: TrainingOptions
    candidates: Candidates
    wrong: WrongDefinitions
    left_out: Counter[str]
    dropped: Counter[str] = field(default_factory=Counter[str])
    """Candidates that are left out, by reason."""
    _digests: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(
        self, functions: Sequence[TrainingFunction]
    ) -> Iterator[tuple[TrainingFunction, list[Example]]]:
        """Yield the examples of each function."""
        known = self.candidates.by_environment
        texts = [text for each in functions for text in (each.code, *known.get(each.id, ()))]
        self._digests = tree_digests(texts) if known else {}
        for each in functions:
            yield each, list(self._made(each))

    def _made(self, function: TrainingFunction) -> Iterator[Example]:
        options = self.options
        if function.tokens_with(function.code) > options.most_tokens:
            self.left_out[_TOO_LONG] += 1
            return
        match options.recipe:
            case "grpo":
                yield Prompt(function, self.candidates.pass_rate(function.id))
            case "dpo":
                yield from self._preferences(function)
            case "sft" | "rft":
                yield Demonstration(function, answer_of(function.code), GOLD, "")
                for each in self._right(function) if options.recipe == "rft" else ():
                    yield Demonstration(function, answer_of(each.code), each.source, each.model)

    def _right(self, function: TrainingFunction) -> list[Candidate]:
        """Return the candidates of a function that stay."""
        passing = self.candidates.of(function.id, passes=True)
        short = [each for each in passing if self._is_short(function, each.code)]
        self.dropped[_TOO_LONG] += len(passing) - len(short)
        if not short:
            return []
        found = distinct(short, [self._digests[function.code]], self._digests)
        kept = drawn(found.candidates, function, self.options.per_function, self.options.seed)
        self.dropped["same as original"] += found.same_as_original
        self.dropped["same as another"] += found.same_as_other
        self.dropped["over the limit of a function"] += len(found.candidates) - len(kept)
        return kept

    def _is_short(self, function: TrainingFunction, code: str) -> bool:
        return function.tokens_with(code) <= self.options.most_tokens

    def _preferences(self, function: TrainingFunction) -> list[Preference]:
        options = self.options
        right = [RightAnswer(each.code, each.source) for each in self._right(function)]
        right.append(RightAnswer(function.code, GOLD))
        wrong = [
            each
            for each in failures(self.candidates.of(function.id, passes=False))
            if self._is_short(function, each.code)
        ]
        most, seed = options.per_function, options.seed
        found = preferences(function, right, wrong, self._with(right, wrong), most, seed)
        if len(found) < most or any(each.rejected_source == MUTANT for each in found):
            wrong += self.wrong(function)
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


def _candidate_counts(
    candidates: Candidates, made: _Examples, contamination: Contamination
) -> dict[str, Any]:
    """Return what became of the samples of the runs."""
    out = contamination.ids
    distinct_texts = sum(
        each.passes for known in candidates.by_environment.values() for each in known.values()
    )
    return {
        "samples": sum(candidates.samples.values()),
        "passed": sum(candidates.passing.values()),
        "distinct_texts_passed": distinct_texts,
        "of_functions_left_out": sum(candidates.samples[each] for each in sorted(out)),
        "of_other_environments": candidates.foreign,
        "left_out": dict(sorted(made.dropped.items())),
        "by_source": candidates.counts(),
    }


def _example_counts(examples: Mapping[TrainingFunction, Sequence[Example]]) -> dict[str, Any]:
    """Return the numbers of examples by split and by source, as table 9 of RepoST has them."""
    every = [each for some in examples.values() for each in some]
    rows: Counter[tuple[str, str]] = Counter()
    functions: dict[tuple[str, str], set[str]] = {}
    for each in every:
        key = _source(each)
        rows[key] += 1
        functions.setdefault(key, set()).add(each.function.id)
    return {
        "rows": len(every),
        "splits": dict(sorted(Counter(each.function.split for each in every).items())),
        "sources": [
            {"source": source, "of": of, "rows": rows[source, of], "functions": len(some)}
            for (source, of), some in sorted(functions.items())
        ],
    }


def _source(example: Example) -> tuple[str, str]:
    """Return where an answer is from and its model, or where both answers of a pair are from."""
    match example:
        case Demonstration(source=source, model=model):
            return source, model
        case Preference(source=source, rejected_source=rejected):
            return source, rejected
        case Prompt():
            return "prompt", ""


def examples_of(
    data: TrainingData, functions: Sequence[TrainingFunction]
) -> tuple[list[Example], dict[str, Any]]:
    """Return the examples of some of the functions, and their numbers."""
    some = {each: data.examples[each] for each in functions}
    return [each for made in some.values() for each in made], _example_counts(some)
