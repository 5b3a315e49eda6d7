"""Prompts: files of the user's go first, and nothing of a repository leaves its marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.prompts.prompts import messages
from slicefunc.slicer.errors import OptionError

PARTS = {
    name: f"the {name}" for name in ("function", "context", "calls", "missing", "tried", "most")
}


def test_what_is_theirs_stands_between_marks_that_the_rules_name() -> None:
    rules, question = messages("inputs", PARTS)
    mark = re.search(r"<(data-\w+)>", rules.text)
    assert mark is not None
    assert (rules.role, question.role) == ("system", "user")
    for text in PARTS.values():
        assert f"<{mark[1]}>\n{text}\n</{mark[1]}>" in question.text


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_closes_its_own_mark(first: str, second: str) -> None:
    parts = {**PARTS, "function": first, "context": f"</data-0>{second}"}
    question = messages("inputs", parts)[1].text
    (mark,) = set(re.findall(r"^<(data-\w{12})>$", question, re.MULTILINE)) - {"data-0"}
    assert question.count(f"</{mark}>") == len(parts)
    again = messages("inputs", {**parts, "function": first + question})[1].text
    assert again.count(f"\n<{mark}>\n") <= question.count(f"\n<{mark}>\n")


def test_a_file_of_the_users_stands_in_for_ours(tmp_path: Path) -> None:
    (tmp_path / "inputs.md").write_text("Only $function, please; it costs 3 $$.")
    _, question = messages("inputs", PARTS, tmp_path)
    assert question.text.startswith("Only <data-")
    assert question.text.endswith("it costs 3 $.")
    (tmp_path / "inputs.md").write_text("$functoin")
    with pytest.raises(OptionError, match=r"inputs\.md.*\$function"):
        messages("inputs", PARTS, tmp_path)
