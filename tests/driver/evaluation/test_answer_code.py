"""The code in answers."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.exports.task_files import fenced
from slicefunc.driver.evaluation.answer_code import code_of

CODE = "def f():\n    return 1\n"


@given(st.text(st.sampled_from("ab `~\n\t'\"")))
def test_what_is_fenced_is_found_in_the_words_around_it(code: str) -> None:
    answer = f"Here it is:\n\n{fenced(code)}\nThis returns it.\n"
    assert code_of(answer) == dedent(f"{code.rstrip()}\n").strip("\n") + "\n"


@pytest.mark.parametrize("fence", ["```", "```python", "~~~", "````py", "  ```"])
def test_any_fence_is_one(fence: str) -> None:
    end = fence.rstrip("python")
    assert code_of(f"So:\n{fence}\n{CODE}{end}\nDone.") == CODE


def test_the_longest_block_is_the_code() -> None:
    assert code_of(f"Run\n```sh\npip\n```\nwith\n```\n{CODE}```\n```\n1\n```\n") == CODE


def test_an_answer_that_is_cut_off_ends_its_block() -> None:
    assert code_of(f"So:\n```python\n{CODE}") == CODE


def test_an_answer_without_a_block_is_code() -> None:
    assert code_of(f"\n{CODE}\n\n") == CODE


def test_an_indented_block_is_moved_to_the_margin() -> None:
    assert code_of("1. So:\n   ```\n   x = 1\n   if x:\n       y = 2\n   ```\n") == (
        "x = 1\nif x:\n    y = 2\n"
    )


def test_a_shorter_fence_inside_belongs_to_the_code() -> None:
    code = 'TEXT = """\n```\nx\n```\n"""\n'
    assert code_of(f"````python\n{code}````\n") == code


@given(st.text())
def test_every_answer_has_code_that_ends_in_one_line_break(answer: str) -> None:
    assert code_of(answer).endswith("\n")
    assert not code_of(answer).endswith("\n\n") or not code_of(answer).strip("\n")


def test_of_several_versions_the_last_one_is_what_is_scored() -> None:
    draft = "def f():\n    total = 1\n    return total + 1\n"
    answer = f"```python\n{draft}```\nSimpler:\n```python\n{CODE}```\n"
    name = CODE.partition("def ")[2].partition("(")[0]
    assert code_of(answer.replace("def f(", f"def {name}("), name) == CODE


def test_a_long_run_of_backticks_is_read_in_linear_time() -> None:
    assert code_of("`" * 300_000).startswith("`")
