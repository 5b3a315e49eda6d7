"""What filled sheets show: agreement between people, with our checks, and what people could solve.

The tables follow RepoST (section 3.1, tables 2 and 3, appendix A.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from ...evaluation.metrics.intervals import wilson
from .agreement import cohen_kappa, fleiss_kappa
from .filled_sheets import Response
from .questions import DIFFICULTY, QUESTIONS, SAME, SOLVE, TESTS, UNSURE, Question
from .sheets import KeyItem

_Answers = dict[str, dict[str, str]]
"""Person → item → answer to one question."""


def findings(
    responses: Sequence[Response],
    key: Mapping[str, KeyItem],
    verdicts: Mapping[tuple[str, str], str] | None = None,
) -> dict[str, Any]:
    """Return the whole report as JSON data.

    Args:
        responses: the filled sheets.
        key: the key.
        verdicts: verdicts on solutions, by person and item, if they were scored.
    """
    people = sorted({each.person for each in responses})
    answers = {each.name: _answers(responses, each) for each in QUESTIONS}
    return {
        "schema": 1,
        "items": len(key),
        "altered": sum(each.is_altered for each in key.values()),
        "altered_tests": sum(each.are_tests_altered for each in key.values()),
        "people": {person: sum(each.person == person for each in responses) for person in people},
        "answers": {name: _counts(name, given) for name, given in answers.items()},
        "between_people": {each.name: _between(answers[each.name], each) for each in QUESTIONS},
        "with_checks": {
            SAME: _with_checks(answers[SAME], {k: v.same_function for k, v in key.items()}),
            TESTS: _with_checks(answers[TESTS], {k: v.tests_right for k, v in key.items()}),
        },
        "altered_slices": {
            "noticed": _told(answers[SAME], {k: v.is_altered for k, v in key.items()}, "no"),
            "others_taken_as_same": _told(
                answers[SAME], {k: not v.is_altered for k, v in key.items()}, "yes"
            ),
        },
        "altered_tests_noticed": _told(
            answers[TESTS], {k: v.are_tests_altered for k, v in key.items()}, "no"
        ),
        "could_solve": _solvable(answers[SOLVE], answers[DIFFICULTY]),
        "solved": _solved(verdicts, answers[DIFFICULTY]) if verdicts is not None else None,
    }


def share(successes: int, trials: int) -> dict[str, Any]:
    """Return a share with its 95 % interval (Wilson)."""
    interval = wilson(successes, trials)
    return {
        "count": successes,
        "of": trials,
        "share": successes / trials if trials else None,
        "interval": list(interval) if interval else None,
    }


def _answers(responses: Sequence[Response], question: Question) -> _Answers:
    found: _Answers = {}
    for each in responses:
        if question.name in each.answers:
            found.setdefault(each.person, {})[each.item] = each.answers[question.name]
    return found


def _counts(name: str, given: _Answers) -> dict[str, int]:
    (question,) = (each for each in QUESTIONS if each.name == name)
    counts = Counter(answer for own in given.values() for answer in own.values())
    return {answer: counts[answer] for answer in question.answers}


def _between(given: _Answers, question: Question) -> dict[str, Any]:
    """Return agreement of each pair of people, and of all on the items that all answered."""
    order = question.answers if question.is_ordered else ()
    pairs: list[dict[str, Any]] = []
    for first, second in combinations(sorted(given), 2):
        both = sorted(given[first].keys() & given[second].keys())
        one, other = [given[first][item] for item in both], [given[second][item] for item in both]
        same = sum(a == b for a, b in zip(one, other, strict=True))
        pairs.append(
            {"people": [first, second], "cohen_kappa": cohen_kappa(one, other, order)}
            | share(same, len(both))
        )
    common = set[str].intersection(*(set(own) for own in given.values())) if given else set[str]()
    rows = [[given[person][item] for person in sorted(given)] for item in sorted(common)]
    return {
        "pairs": pairs,
        "weights": "linear" if order else None,
        "fleiss_kappa": fleiss_kappa(rows) if rows else None,
        "fleiss_items": len(rows),
        "fleiss_people": len(given),
    }


def _with_checks(given: _Answers, ours: Mapping[str, str]) -> dict[str, Any]:
    """Return agreement with our checks, of each person and of the majority; unsure is left out."""
    of_people = {person: _compared(own, ours) for person, own in sorted(given.items())}
    return {"people": of_people, "majority": _compared(majority(given), ours)}


def _compared(own: Mapping[str, str], ours: Mapping[str, str]) -> dict[str, Any]:
    sure = sorted(item for item, answer in own.items() if answer != UNSURE)
    one, other = [own[item] for item in sure], [ours[item] for item in sure]
    same = sum(a == b for a, b in zip(one, other, strict=True))
    return {
        **share(same, len(sure)),
        "unsure": len(own) - len(sure),
        "cohen_kappa": cohen_kappa(one, other),
        "differ": [item for item in sure if own[item] != ours[item]],
    }


def majority(given: _Answers) -> dict[str, str]:
    """Return the answer to each item that more than half of those gave who were sure of one."""
    items = sorted({item for own in given.values() for item in own})
    found: dict[str, str] = {}
    for item in items:
        votes = Counter(own[item] for own in given.values() if own.get(item, UNSURE) != UNSURE)
        answer, count = votes.most_common(1)[0] if votes else (UNSURE, 0)
        found[item] = answer if 2 * count > votes.total() else UNSURE
    return found


def _told(given: _Answers, taken: Mapping[str, bool], wanted: str) -> dict[str, Any]:
    """Return the share of an answer among all that were given to the items that are taken."""
    every = [answer for own in given.values() for item, answer in own.items() if taken[item]]
    return share(every.count(wanted), len(every))


def _solvable(given: _Answers, difficulty: _Answers) -> dict[str, Any]:
    """Return the share of `yes`; unsure counts as not solvable."""
    every = [
        (person, item, answer == "yes")
        for person, own in sorted(given.items())
        for item, answer in sorted(own.items())
    ]
    return _rates(every, difficulty)


def _solved(verdicts: Mapping[tuple[str, str], str], difficulty: _Answers) -> dict[str, Any]:
    """Return the share of solutions that pass; without those of which nothing is known."""
    every = [
        (person, item, verdict == "passed")
        for (person, item), verdict in sorted(verdicts.items())
        if verdict != "infrastructure"
    ]
    return _rates(every, difficulty)


def _rates(every: Sequence[tuple[str, str, bool]], difficulty: _Answers) -> dict[str, Any]:
    (hardness,) = (each for each in QUESTIONS if each.name == DIFFICULTY)
    return {
        "all": _rate(good for _, _, good in every),
        "people": {
            person: _rate(good for who, _, good in every if who == person)
            for person in sorted({who for who, _, _ in every})
        },
        "difficulty": {
            level: _rate(
                good for who, item, good in every if difficulty.get(who, {}).get(item) == level
            )
            for level in hardness.answers
        },
    }


def _rate(every: Iterable[bool]) -> dict[str, Any]:
    listed = list(every)
    return share(sum(listed), len(listed))
