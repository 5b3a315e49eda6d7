"""Times since the epoch that no calendar has are no cases."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.search.plausibility.clock_numbers import are_times, clock_parameters

DAY = ast.parse(
    "def f(stamp, n):\n    return time.gmtime(stamp).tm_yday + n, date.fromtimestamp(stamp)"
)


@pytest.mark.parametrize(
    ("arguments", "are"),
    [
        ({"stamp": "0"}, True),
        ({"stamp": "-86400.5", "n": "9007199254740993"}, True),
        ({"stamp": "9007199254740993"}, False),
        ({"stamp": "1e300"}, False),
        ({"stamp": "now()"}, True),
    ],
)
def test_only_times_are_given_for_what_is_read_as_one(
    arguments: dict[str, str], *, are: bool
) -> None:
    assert are_times(clock_parameters(DAY), arguments) is are
