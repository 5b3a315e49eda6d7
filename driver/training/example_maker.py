"""The examples of each function by recipe, and the samples that are left out, by reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .answers import distinct, drawn
from .candidates import GOLD, Candidate, Candidates
from .examples import Demonstration, Example, Preference, Prompt
from .functions import TrainingFunction, answer_of
from .options import TrainingOptions
from .preferences import REFUTED, RightAnswer, WrongAnswer, failures, preferences
from .sandbox_checks import NOT_CHECKED, Checked, Checks
from .tree_digests import TreeDigests

TOO_LONG = "too long"
UNSTEADY = "passes once and fails once"
HAS_TURN_MARK = "has a control token"
SAME_AS_ORIGINAL = "same as the original"
SAME_AS_ANOTHER = "same as another"
REFUTED_BY_INPUTS = "refuted by fresh inputs"
NO_ANSWER = "no answer to fresh inputs"
OVER_LIMIT = "over the limit of a function"
NO_PAIR = "no pair"
_CONTROL_TOKEN = re.compile(r"<\|\w+\|>")
"""Matches what tokenizers of chat models take for the end of a turn, and the like."""

WrongDefinitions = Callable[[TrainingFunction], Sequence[WrongAnswer]]
"""Returns further definitions of a function that are known to be wrong."""


@dataclass(slots=True)
class ExampleMaker:
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
    _digests: TreeDigests = field(default_factory=TreeDigests)
    _right: dict[str, Sequence[Candidate]] = field(default_factory=dict[str, "Sequence[Candidate]"])
    """Distinct right answers, by id of the function."""
    checked: Mapping[str, Checked] = field(default_factory=dict[str, Checked])

    def of(
        self, functions: Sequence[TrainingFunction]
    ) -> Iterator[tuple[TrainingFunction, list[Example]]]:
        """Yield the examples of each function."""
        known = self.candidates.by_environment
        texts = [text for each in functions for text in (each.code, *known.get(each.id, ()))]
        if known:
            self._digests.add_all(texts)
        short: list[TrainingFunction] = []
        for each in functions:
            if self._is_short(each, each.code):
                short.append(each)
            else:
                self.left_out[TOO_LONG] += 1
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
        self.dropped[UNSTEADY] += _passed(passing) - _passed(steady)
        self.dropped[HAS_TURN_MARK] += _passed(steady) - _passed(plain)
        self.dropped[TOO_LONG] += _passed(plain) - _passed(short)
        self.dropped[SAME_AS_ORIGINAL] += found.same_as_original
        self.dropped[SAME_AS_ANOTHER] += found.same_as_other
        return found.candidates

    def _kept(self, function: TrainingFunction) -> list[Candidate]:
        """Return the right answers that stay: those that nothing refutes, at most so many."""
        every = self._right[function.id]
        checked = self.checked.get(function.id, NOT_CHECKED)
        agreed = [each for each in every if each.code not in checked.refuted]
        right = [each for each in agreed if each.code not in checked.unanswered]
        kept = drawn(right, function, self.options.per_function, self.options.seed)
        self.dropped[REFUTED_BY_INPUTS] += len(every) - len(agreed)
        self.dropped[NO_ANSWER] += len(agreed) - len(right)
        self.dropped[OVER_LIMIT] += len(right) - len(kept)
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
        found = preferences(function, right, wrong, self._digests, most, seed)
        if len(found) < most:
            wrong += [each for each in self.wrong(function) if self._is_short(function, each.code)]
            found = preferences(function, right, wrong, self._digests, most, seed)
        if not found:
            self.left_out[NO_PAIR] += 1
        return found


def _passed(candidates: Iterable[Candidate]) -> int:
    return sum(each.passed for each in candidates)
