"""Candidates run again: fresh inputs that refute them, and verdicts that drift."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ....slicer.errors import SliceFuncError
from ....verifier.execution.executors.shared_sandboxes import SharedSandboxes
from ....verifier.scoring.score import Candidate
from ...datasets.scoring.catalogue import Catalogue
from ...datasets.scoring.warm_scorers import WarmScorers
from ...evaluation.metrics.intervals import wilson
from ...places.environment_scorer import ScoreOptions
from ...places.fresh_scorer import FreshScorer, FreshVerdict
from .scored_candidates import ScoredCandidate

LISTED = 10
"""Refuted candidates, and verdicts that differ, that are listed."""
_Item = TypeVar("_Item")
Key = tuple[str, str]
"""An environment, and the tree of a candidate."""


@dataclass(frozen=True, slots=True)
class Rescoring:
    """Where candidates are run again."""

    catalogue: Catalogue
    sandboxes: SharedSandboxes
    seed: int = 0
    """Of the samples, and of the fresh inputs."""
    on_candidate: Callable[[], None] = field(default=lambda: None)
    """Called after each candidate."""

    def fresh_answers(
        self, candidates: Sequence[ScoredCandidate], most: int | None
    ) -> dict[str, Any]:
        """Return which of the passing candidates fresh inputs refute.

        Args:
            candidates: all candidates of the run.
            most: how many distinct ones are asked; `None` for all.
        """
        distinct: dict[Key, ScoredCandidate] = {}
        for each in candidates:
            if each.is_passed:
                distinct.setdefault((each.environment, each.tree), each)
        chosen = self._drawn(sorted(distinct), most)
        answers: dict[Key, FreshVerdict] = {}
        for environment, keys in _by_environment(chosen).items():
            texts = {key: distinct[key].text for key in keys}
            answers |= self._fresh(environment, texts)
        refuted = [key for key in chosen if answers[key].answer == "refuted"]
        agreeing = sum(answers[key].answer == "agrees" for key in chosen)
        unknown = Counter(answers[key].reason for key in chosen if answers[key].answer == "unknown")
        return {
            "distinct_passing": len(distinct),
            "asked": len(chosen),
            "answered": len(refuted) + agreeing,
            "refuted": len(refuted),
            "interval": _interval(len(refuted), len(refuted) + agreeing),
            "not_answered": sum(unknown.values()),
            "why": dict(sorted(unknown.items(), key=lambda each: (-each[1], each[0]))),
            "first": [_refutation(distinct[key], answers[key]) for key in refuted[:LISTED]],
            "answers": {key: answers[key].answer for key in chosen},
        }

    def drift(self, candidates: Sequence[ScoredCandidate], most: int | None) -> dict[str, Any]:
        """Return how many verdicts differ from the recorded ones when candidates are scored again.

        Args:
            candidates: all candidates of the run.
            most: how many are scored; `None` for all.
        """
        known = [at for at, each in enumerate(candidates) if each.reward is not None]
        chosen = self._drawn(known, most)
        scorers = WarmScorers(self.catalogue, self.sandboxes, ScoreOptions())
        pairs = Counter[tuple[str, str]]()
        why = Counter[str]()
        differing: list[dict[str, Any]] = []
        for at in sorted(chosen, key=lambda at: (candidates[at].environment, at)):
            each = candidates[at]
            verdict, reason = _verdict(scorers, each)
            self.on_candidate()
            if verdict == "infrastructure":
                why[reason] += 1
                continue
            pairs[each.verdict, verdict] += 1
            if verdict != each.verdict:
                differing.append(
                    {**_named(each), "recorded": each.verdict, "now": verdict, "reason": reason}
                )
        differ = [pair for pair in pairs if (pair[0] == "passed") != (pair[1] == "passed")]
        scored = pairs.total()
        changed = sum(pairs[pair] for pair in differ)
        return {
            "candidates": len(known),
            "asked": len(chosen),
            "scored": scored,
            "rewards_differ": changed,
            "interval": _interval(changed, scored),
            "verdicts_differ": len(differing),
            "changes": {
                f"{old} to {new}": n for (old, new), n in sorted(pairs.items()) if old != new
            },
            "not_answered": sum(why.values()),
            "why": dict(sorted(why.items(), key=lambda each: (-each[1], each[0]))),
            "first": differing[:LISTED],
        }

    def _drawn(self, items: Sequence[_Item], most: int | None) -> list[_Item]:
        """Return all items, or a sample that the seed decides, in their order."""
        if most is None or len(items) <= most:
            return list(items)
        places = random.Random(self.seed).sample(range(len(items)), most)  # noqa: S311 - chance, not secrecy
        return [items[at] for at in sorted(places)]

    def _fresh(self, environment: str, texts: Mapping[Key, str]) -> dict[Key, FreshVerdict]:
        try:
            found = self.catalogue.environment(environment)
            with FreshScorer(
                found, seed=self.seed, make=self.sandboxes.lend, folder=self.catalogue.root
            ) as fresh:
                answers: dict[Key, FreshVerdict] = {}
                for key, text in texts.items():
                    answers[key] = fresh.check(text)
                    self.on_candidate()
                return answers
        except SliceFuncError as error:
            return {key: FreshVerdict("unknown", reason=error.problem) for key in texts}


def _by_environment(keys: Sequence[Key]) -> dict[str, list[Key]]:
    found: dict[str, list[Key]] = {}
    for key in keys:
        found.setdefault(key[0], []).append(key)
    return found


def _verdict(scorers: WarmScorers, candidate: ScoredCandidate) -> tuple[str, str]:
    """Return the verdict now, and the reason for it."""
    try:
        scorer = scorers.ready(candidate.environment) or scorers.prepare(candidate.environment)
        score = scorer.score(Candidate("candidate", candidate.text))
    except SliceFuncError as error:
        return "infrastructure", error.problem
    return score.verdict, score.reason


def _interval(part: int, whole: int) -> list[float] | None:
    found = wilson(part, whole)
    return found and [round(each, 6) for each in found]


def _named(candidate: ScoredCandidate) -> dict[str, Any]:
    return {
        "environment": candidate.environment,
        "function": candidate.name,
        "sample": candidate.sample,
    }


def _refutation(candidate: ScoredCandidate, verdict: FreshVerdict) -> dict[str, Any]:
    first = verdict.difference
    return {
        **_named(candidate),
        "input": verdict.code,
        "where": first.where if first else "",
        "expected": first.expected if first else "",
        "observed": first.observed if first else "",
        "reason": verdict.reason,
    }
