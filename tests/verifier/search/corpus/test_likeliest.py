"""The drafts that a search begins with."""

from __future__ import annotations

from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.search.corpus.seed_drafts import answered

INPUTS = Inputs("f", "function", pools=(Pool("x", "keyword", ("1", "2")),))
SERVER = ("default", "without_name", "404", "redirect", "timeout")


def chosen(places: dict[str, tuple[str, ...]], *numbers: float) -> list[tuple[str, str]]:
    """Place and variant of each draft."""
    drafts = list(answered(INPUTS, places, numbers))
    assert all(dict(draft.arguments) == {"x": "1"} for draft in drafts)
    return [answer for draft in drafts for answer in draft.answers]


def test_each_other_answer_is_tried_alone() -> None:
    found = chosen({"requests": SERVER, "getenv": ("default", "none")}, 3)
    assert found == [("getenv", "none"), *(("requests", name) for name in SERVER[1:])]


def test_statuses_that_the_code_names_are_tried_of_servers_alone() -> None:
    found = chosen({"requests": SERVER, "getenv": ("default", "none")}, 401, 7, 404, 429.0, 503)
    assert found[-2:] == [("requests", "401"), ("requests", "503")]
    assert len(found) == len(SERVER) + 2
    assert (
        len(chosen({"requests": SERVER}, *range(400, 500))) == len(SERVER) - 1 + 5
    )  # six, one of which it has
