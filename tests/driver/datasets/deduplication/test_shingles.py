"""Tokens and shingles of functions."""

from __future__ import annotations

import subprocess
import sys

import pytest
from slicefunc.driver.datasets.deduplication.shingles import shingles_of, tokens_of


def test_comments_and_docstrings_are_no_tokens() -> None:
    code = "def f(x):  # adds\n    '''Add\n    one.'''\n    return x + 1  # '''\n"
    assert tokens_of(code) == "def f ( x ) : return x + 1".split()


def test_a_text_that_is_an_argument_is_a_token() -> None:
    code = 'run(\n    """select *\n    from t"""\n)'
    assert tokens_of(code) == ["run", "(", '"""select *\n    from t"""', ")"]


def test_a_number_sign_in_a_text_begins_no_comment() -> None:
    assert tokens_of("x = '#' + y") == ["x", "=", '"#"', "+", "y"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f('a')", 'f("a")'),
        ("f(rb'a')", 'f(rb"a")'),
        ("f('''a''')", 'f("""a""")'),
        ("[1, 2,]", "[1, 2]"),
        ("f(a,  # first\n)", "f(a)"),
        ("f('')", 'f("")'),
    ],
)
def test_what_a_formatter_changes_makes_no_difference(one: str, other: str) -> None:
    assert tokens_of(one) == tokens_of(other)


def test_a_text_with_both_kinds_of_quotes_stays_as_it_is() -> None:
    assert tokens_of("""f('a"b')""") == ["f", "(", """'a"b'""", ")"]


def test_layout_makes_no_difference() -> None:
    spread = "def f(\n        x,\n):\n    return (  g(x) )"
    assert list(shingles_of(spread)) == list(shingles_of("def f(x,): return (g(x))"))


@pytest.mark.parametrize(("tokens", "shingles"), [(0, 1), (3, 1), (5, 1), (6, 2), (12, 8)])
def test_a_shingle_has_five_tokens(tokens: int, shingles: int) -> None:
    assert len(shingles_of(" ".join(f"t{number}" for number in range(tokens)))) == shingles


def test_numbers_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from slicefunc.driver.datasets.deduplication.shingles import shingles_of\n"
        "print(shingles_of('def f(x): return x + 1').tolist())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {f"{shingles_of('def f(x): return x + 1').tolist()}\n".encode()}
