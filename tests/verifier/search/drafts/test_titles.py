"""Names of cases: all different, the same each time, and about what is to be seen."""

from __future__ import annotations

import json

import pytest
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.present.case_titles import titles


def _returned(value: object, **more: object) -> str:
    shown = {
        "outcome": "returned", "value": value, "arguments": [], "globals": [], "files": [],
        "effects": [], "stdout": "", "stderr": "", "shared": [],
    }  # fmt: skip
    return json.dumps(shown | more, separators=(",", ":"))


def _raised(name: str) -> str:
    raised = {"kind": "exception", "type": name, "args": [], "state": []}
    shown = json.loads(_returned(None)) | {"outcome": "raised", "exception": raised}
    del shown["value"]
    return json.dumps(shown, separators=(",", ":"))


def _draft(**given: str) -> Draft:
    return Draft(arguments=tuple(given.items()))


@pytest.mark.parametrize(
    ("given", "observation", "name"),
    [
        ({"a": "1"}, _returned(None), "case_returns_none"),
        ({"a": "1"}, _returned(False), "case_returns_false"),
        ({"a": "1"}, _returned(-3), "case_returns_minus_3"),
        ({"a": "1"}, _returned({"kind": "list", "items": []}), "case_returns_empty_list"),
        ({"a": "1"}, _returned({"kind": "list", "items": [1, 2]}), "case_returns_two_items"),
        ({"a": "1"}, _returned(None, stdout="x\n"), "case_prints"),
        ({"a": "1"}, _raised("ValueError"), "case_raises_value_error"),
        ({"a": "1"}, _raised("<script>.OSProblem"), "case_raises_os_problem"),
    ],
)
def test_one_case_is_called_by_its_end(given: dict[str, str], observation: str, name: str) -> None:
    assert titles([_draft(**given)], [observation]) == (name,)


def test_what_is_special_in_what_is_given_tells_like_ends_apart() -> None:
    drafts = [_draft(items="[]"), _draft(items="[1, 2]"), _draft(items="None")]
    ends = [_returned(0), _returned(0), _raised("TypeError")]
    assert titles(drafts, ends) == (
        "case_empty_items_returns_zero",
        "case_items_of_two_returns_zero",
        "case_raises_type_error",
    )


def test_a_key_that_only_others_have_is_missing() -> None:
    drafts = [_draft(order="{'id': 1, 'price': 2}"), _draft(order="{'id': 1}")]
    assert titles(drafts, [_returned("text-1")] * 2)[1] == "case_without_price_returns_text"


def test_names_are_all_different_and_free() -> None:
    drafts = [_draft(a="x()")] * 3
    found = titles(drafts, [_returned("text-1")] * 3, used_names=["case_returns_text"])
    assert len({*found, "case_returns_text"}) == 4
    assert found == titles(drafts, [_returned("text-1")] * 3, used_names=["case_returns_text"])
    assert all(name.isidentifier() for name in found)
