"""Shrinking, against a target whose branches and mutants are properties of a list."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Hashable, Sequence
from pathlib import Path
from typing import cast

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.execution.batched_trials import OriginalTrial
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.search.corpus.trial_result import TrialResult
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.minimise.shrink import keep_goals, shrunk
from slicefunc.verifier.search.minimise.simpler_drafts import Edit, edits_of

from tests.verifier.search.test_synthesise import searched

RETURNED = '{"outcome":"returned"'
RAISED = '{"outcome":"raised"'
INPUTS = Inputs(
    "f", "function", pools=(Pool("a", "keyword", ()), Pool("b", "keyword", ("1",), True))
)
Value = str | int
FEATURES: dict[str, Callable[[list[Value], object], bool]] = {
    "some": lambda items, _: bool(items),
    "many": lambda items, _: len(items) > 2,
    "text": lambda items, _: any(isinstance(i, str) for i in items),
    "needle": lambda items, _: any("needle" in str(i) for i in items),
    "large": lambda items, _: any(isinstance(i, int) and i > 50 for i in items),
    "twice": lambda items, _: len(items) > len(set(items)),
    "option": lambda _, option: option is not None,
}
ITEMS = st.lists(st.integers(-100, 10_000) | st.text("nedl -", max_size=30) | st.just("a needle"))
DRAFTS = st.builds(
    lambda items, option: Draft("", (("a", repr(items)), *([("b", repr(option))] * (option > 0)))),
    ITEMS,
    st.integers(0, 20),
)


class Fake:
    """Each feature is a branch and a mutant; what is asked, and how often, is noted."""

    def __init__(self, raises: str = "") -> None:
        self.rounds = 0
        self.drafts = 0
        self._raises = raises
        """It raises where that is missing."""

    def edits(self, draft: Draft) -> Sequence[Edit]:
        return edits_of(draft, INPUTS, ())

    def explored(self, draft: Draft) -> TrialResult:
        features = self._features(draft)
        head = RAISED if self._raises and self._raises not in features else RETURNED
        return TrialResult(draft, OriginalTrial(head))

    def trial_results(self, drafts: Sequence[Draft]) -> Sequence[TrialResult | None]:
        self.rounds += 1
        self.drafts += len(drafts)
        return [self.explored(draft) for draft in drafts]

    def places(self, explored: TrialResult) -> frozenset[Hashable]:
        return frozenset(self._features(explored.draft) - {"needle", "twice"})

    def killed(
        self, explored: Sequence[TrialResult], mutants: Collection[str]
    ) -> Sequence[Collection[str]]:
        return [self._features(e.draft) & {*mutants} for e in explored]

    def _features(self, draft: Draft) -> set[str]:
        given = {name: ast.literal_eval(text) for name, text in draft.arguments}
        items = cast("list[Value]", given["a"])
        return {name for name, has in FEATURES.items() if has(items, given.get("b"))}


def _shrunk(drafts: Sequence[Draft], fake: Fake) -> list[TrialResult]:
    kept = [fake.explored(draft) for draft in drafts]
    cases = keep_goals(kept, fake.places, lambda e: fake.killed([e], FEATURES)[0])
    return shrunk(cases, fake)


@given(st.lists(DRAFTS, min_size=1, max_size=4, unique=True))
def test_all_together_do_at_least_what_they_did_and_none_gets_longer(drafts: list[Draft]) -> None:
    fake = Fake()
    found = _shrunk(drafts, fake)
    kept = [fake.explored(draft) for draft in drafts]
    assert _all(fake, found) >= _all(fake, kept)
    for before, after in zip(kept, found, strict=True):
        assert after is before or after.draft == before.draft or after.cost < before.cost


def _all(fake: Fake, explored: Sequence[TrialResult]) -> set[Hashable]:
    killed = fake.killed(explored, FEATURES)
    return set[Hashable]().union(*map(fake.places, explored), *killed)


@given(st.lists(DRAFTS, min_size=1, max_size=4, unique=True))
def test_it_ends_after_a_few_runs_and_is_the_same_again(drafts: list[Draft]) -> None:
    one, two = Fake(), Fake()
    assert _shrunk(drafts, one) == _shrunk(drafts, two)
    assert one.rounds <= 4
    assert one.drafts <= 130 * len(drafts)


def test_what_nobody_needs_goes() -> None:
    draft = Draft("", (("a", repr([4711, "far too long a text", 7, 8, 9])), ("b", "15")))
    simple = Draft("", (("a", "['abc', 1, 2]"),))
    complicated, other = _shrunk([draft, simple], Fake())
    assert other.draft == simple
    assert len(complicated.draft.arguments[0][1]) < len("[4711, 7]")
    assert complicated.draft.arguments[1:] == (("b", "1"),)


def test_a_case_that_returns_does_not_come_to_raise() -> None:
    draft = Draft("", (("a", "[1, 2, 3, 4, 'needle']"),))
    [found] = shrunk(keep_goals([Fake().explored(draft)], _nothing, _nothing), Fake(raises="many"))
    assert len(cast("list[Value]", ast.literal_eval(found.draft.arguments[0][1]))) == 3


def _nothing(_: TrialResult) -> frozenset[str]:
    return frozenset()


def test_cases_of_a_real_target_are_short(tmp_path: Path) -> None:
    found = searched(
        tmp_path,
        "def tags(text, strict=False):\n"
        "    if strict and '@' in text:\n"
        "        raise ValueError('no names')\n"
        "    return [w[1:] for w in text.split() if w.startswith('#') and len(w) > 3]\n",
        "tags",
    )
    assert found.coverage is not None
    assert found.coverage.share == 1.0
    assert found.kill_rate is not None
    assert found.kill_rate > 0.9
    assert max(len(case.code) for case in found.cases) < 100
