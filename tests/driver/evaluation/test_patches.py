"""Patches of models: what `diff` writes is undone by them, and what a model gets wrong is borne."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.patches import Hunk, Unapplied, hunks_of, patched

BEFORE = "".join(f"line {number}\n" for number in range(1, 31))
AFTER = BEFORE.replace("line 3\n", "third\n").replace("line 20\n", "").replace("line 27\n", "27\n")
lines = st.text(st.sampled_from("ab +-@ \\`"), max_size=4)
texts = st.lists(lines, min_size=1, max_size=12).map(lambda each: "".join(f"{x}\n" for x in each))


def diff(before: str, after: str, path: str = "shop/tax.py", context: int = 3) -> str:
    return "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"a/{path}",
            f"b/{path}",
            n=context,
        )
    )


def block(text: str) -> str:
    return f"This is the change:\n\n```diff\n{text}```\n\nIt mends all.\n"


def as_seen(text: str) -> list[str]:
    """A text's lines, without the spaces at their ends, which do not count."""
    return [line.rstrip() for line in text.splitlines()]


def is_plain(text: str) -> bool:
    """Whether no line can be taken for the name of a file when a sign stands before it."""
    return not re.search(r"^(--|\+\+) ", text, re.M)


@given(texts.filter(is_plain), texts.filter(is_plain), st.integers(1, 3))
def test_a_diff_of_two_texts_makes_the_second_of_the_first(
    before: str, after: str, context: int
) -> None:
    found = patched(before, hunks_of(block(diff(before, after, context=context))))
    assert isinstance(found, str)
    assert as_seen(found) == as_seen(after)


@given(texts.filter(is_plain), texts.filter(is_plain))
def test_a_diff_that_stands_alone_is_read_like_one_in_a_block(before: str, after: str) -> None:
    assert hunks_of(diff(before, after)) == hunks_of(block(diff(before, after)))


@given(st.lists(lines.filter(lambda line: line.strip()), unique_by=str.rstrip), st.data())
def test_a_diff_applies_wherever_its_line_numbers_say_that_it_belongs(
    content: list[str], data: st.DataObject
) -> None:
    before = "".join(f"{line}\n" for line in (*content, "last"))
    after = before.replace("last\n", "end\n")
    wrong = data.draw(st.integers(1, 10**6))
    moved = re.sub(r"@@ -\d+", f"@@ -{wrong}", diff(before, after))
    found = patched(before, hunks_of(moved))
    assert isinstance(found, str)
    assert as_seen(found) == as_seen(after)


@given(st.integers(0, 40), st.integers(-3, 3))
def test_of_equal_places_the_nearest_to_the_line_number_is_changed(place: int, error: int) -> None:
    before = "x = 0\n" + "same\nother\n\n\n\n\n\n\n" * 41
    line = 2 + 8 * place
    hunk = Hunk("", line + error, ("same", "other"), ("changed",))
    found = patched(before, [hunk])
    assert isinstance(found, str)
    assert found.splitlines().index("changed") == line - 1


def test_later_hunks_move_with_what_earlier_ones_add() -> None:
    before = "same\nother\n" * 10
    after = "new\n" * 6 + before.replace("same\nother\n", "same\nend\n", 1)[:0] + before
    changed = after.splitlines(keepends=True)
    changed[6 + 9] = "end\n"  # the fifth `other`
    found = patched(before, hunks_of(diff(before, "".join(changed), context=1)))
    assert found == "".join(changed)


def test_the_hunks_of_several_files_name_their_files() -> None:
    text = diff("a\n", "b\n", "shop/one.py") + diff("c\n", "d\n", "shop/two.py")
    assert [(each.path, each.before, each.after) for each in hunks_of(block(text))] == [
        ("shop/one.py", ("a",), ("b",)),
        ("shop/two.py", ("c",), ("d",)),
    ]


def test_the_hunks_of_several_blocks_are_all_read() -> None:
    text = block(diff("a\n", "b\n", "one.py")) + block(diff("c\n", "d\n", "two.py"))
    assert [each.path for each in hunks_of(text)] == ["one.py", "two.py"]


def test_a_new_file_is_made_of_nothing() -> None:
    text = "--- /dev/null\n+++ b/shop/new.py\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    (hunk,) = hunks_of(block(text))
    assert hunk.path == "shop/new.py"
    assert patched("", [hunk]) == "one\ntwo\n"


def test_names_of_files_need_no_letter_before_them() -> None:
    (hunk,) = hunks_of("--- shop/tax.py\n+++ shop/tax.py\n@@ -1 +1 @@\n-a\n+b\n")
    assert hunk.path == "shop/tax.py"


def test_an_empty_line_of_context_may_lack_its_space() -> None:
    (hunk,) = hunks_of("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n")
    assert patched("a\n\nb\n", [hunk]) == "a\n\nc\n"


def test_spaces_at_the_ends_of_lines_do_not_count() -> None:
    assert patched("a  \nb\n", hunks_of("@@ -1,2 +1,2 @@\n a\n-b \n+c\n")) == "a  \nc\n"


def test_a_missing_line_break_at_the_end_is_no_line() -> None:
    text = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    assert patched("a", hunks_of(text)) == "b\n"


@given(texts)
def test_old_lines_that_are_not_in_the_file_do_not_apply(text: str) -> None:
    found = patched(text, [Hunk("", 1, ("absent",), ("x",))])
    assert found == Unapplied("hunk 1 does not fit: its old lines are not in the file")


def test_the_hunk_that_does_not_fit_is_counted() -> None:
    hunks = [Hunk("", 1, ("line 1",), ("one",)), Hunk("", 9, ("line 99",), ("x",))]
    assert patched(BEFORE, hunks) == Unapplied(
        "hunk 2 does not fit: its old lines are not in the file"
    )


@given(st.text())
def test_an_answer_without_a_diff_has_no_hunks(answer: str) -> None:
    assert hunks_of(answer.replace("@@", "")) == []


@given(st.text(st.sampled_from("ab \n+-@0123456789,`\\")))
def test_whatever_an_answer_holds_is_read(answer: str) -> None:
    found = patched(BEFORE, hunks_of(f"```diff\n@@ -1 +1 @@\n{answer}"))
    assert isinstance(found, (str, Unapplied))


def test_added_lines_without_context_go_below_the_line_that_is_named() -> None:
    after = BEFORE.replace("line 3\n", "line 3\nnew\n")
    assert patched(BEFORE, hunks_of(diff(BEFORE, after, context=0))) == after


def test_a_removed_comment_of_sql_is_no_name_of_a_file() -> None:
    before, after = "SQL = '''\n-- all\n'''\n", "SQL = '''\n++ all\n'''\n"
    assert patched(before, hunks_of(block(diff(before, after)))) == after


@pytest.mark.parametrize("sign", ["\x0c", "\x1c", "\x85", "\u2028"])
def test_other_ends_of_lines_stay_in_a_line(sign: str) -> None:
    before = f"TEXT = 'a{sign}b'\nlast = 1\n"
    after = before.replace("last = 1", "last = 2")
    hunk = Hunk("", 2, ("last = 1",), ("last = 2",))
    assert patched(before, [hunk]) == after


def test_a_file_keeps_its_ends_of_lines() -> None:
    assert patched("a\r\nb\r\n", [Hunk("", 1, ("a",), ("c",))]) == "c\r\nb\r\n"


@pytest.mark.parametrize(
    "answer",
    ["```\n{}```\n", "Here it is:\n\n{}\nThis mends it.\n", "~~~diff\n{}~~~\n"],
    ids=["plain block", "text", "tildes"],
)
def test_a_diff_ends_where_its_header_says(answer: str) -> None:
    assert patched(BEFORE, hunks_of(answer.format(diff(BEFORE, AFTER)))) == AFTER
