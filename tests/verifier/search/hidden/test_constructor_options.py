"""Instances that somebody was seen to make, with the options of their constructor."""

from __future__ import annotations

from slicefunc.verifier.inputs.argument_pools import Inputs
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.hidden.constructor_options import constructed_otherwise

TEXTS = ("Report(tree='tree-1', file='a.txt', deep=True)", "Other(file='b.txt')")
INPUTS = Inputs("Report.lines", "method", Receivers(TEXTS))


def test_each_option_is_given_alone_and_all_together() -> None:
    seeds = [Draft("Report(tree=Tree())", (("n", "1"),)), Draft("Report(tree=Tree())", ())]
    assert list(constructed_otherwise(INPUTS, seeds)) == [
        Draft("Report(tree=Tree(), file='a.txt')", (("n", "1"),)),
        Draft("Report(tree=Tree(), deep=True)", (("n", "1"),)),
        Draft("Report(tree=Tree(), file='a.txt', deep=True)", (("n", "1"),)),
    ]


def test_what_is_given_already_stays_and_other_receivers_too() -> None:
    seeds = [Draft(TEXTS[0], ()), Draft("shared", ()), Draft("Third()", ())]
    assert list(constructed_otherwise(INPUTS, seeds)) == []
