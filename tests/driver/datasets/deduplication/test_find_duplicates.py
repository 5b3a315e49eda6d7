"""Which functions stay and which fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.deduplication.find_duplicates import find_duplicates
from slicefunc.driver.datasets.deduplication.function import (
    Fallen,
    Function,
    Options,
    Reference,
    Verdicts,
)

MEAN = """
def mean(values):
    if not values:
        raise ValueError("nothing to take the mean of")
    total = 0
    for value in values:
        total += value
    if total < LEAST or total > MOST:
        log.warning("a total of %s is out of range", total)
    return round(total / len(values), 2)
"""
RENAMED = MEAN.replace("values", "xs").replace("value", "x").replace("def mean", "def average")
LONGER = MEAN.replace("    return", "    print(total)\n    return")
OTHER = """
def words(text):
    return sorted({word.lower() for line in text.splitlines() for word in line.split()})
"""


def _function(name: str, code: str, created: str | None = None, split: str = "train") -> Function:
    return Function(name, f"owner/{name}", "a.py", "f", code, created, split)


def _fallen(verdicts: Verdicts) -> dict[str, tuple[str, str, str]]:
    return {each.id: (each.resembles, each.rule, each.between) for each in verdicts.fallen}


def test_renamed_copy_falls_as_exact() -> None:
    found = find_duplicates([_function("a", MEAN), _function("b", RENAMED)])
    assert found.kept == (("a", "train"),)
    assert found.fallen == (Fallen("b", "train", "a", 1.0, "exact", "train"),)


def test_changed_copy_falls_with_its_similarity() -> None:
    (fallen,) = find_duplicates([_function("a", MEAN), _function("b", LONGER)]).fallen
    assert fallen.rule == "near"
    assert 0.7 <= fallen.similarity < 1


def test_changed_copy_with_other_names_falls_as_renamed() -> None:
    disguised = RENAMED.replace("    return", "    print(MOST)\n    return").replace("total", "t")
    (fallen,) = find_duplicates([_function("a", MEAN), _function("b", disguised)]).fallen
    assert fallen.rule == "renamed"
    assert 0.8 <= fallen.similarity < 1


def test_small_functions_are_alike_by_chance() -> None:
    code = "@property\ndef {0}(self):\n    return self._{0}.value\n"
    functions = [_function(name, code.format(name)) for name in ("size", "weight")]
    assert not find_duplicates(functions).fallen


def test_no_near_duplicates_with_similarity_one() -> None:
    options = Options(similarity=1.0)
    assert not find_duplicates([_function("a", MEAN), _function("b", LONGER)], options).fallen


def test_other_functions_stay() -> None:
    assert not find_duplicates([_function("a", MEAN), _function("b", OTHER)]).fallen


def test_earliest_created_stays_then_the_smallest_id() -> None:
    dated = _function("c", MEAN, "2020-01-01")
    others = [_function("a", MEAN), _function("b", MEAN, "2021-01-01")]
    assert find_duplicates([*others, dated]).kept == (("c", "train"),)
    assert find_duplicates([_function("b", MEAN), _function("a", MEAN)]).kept == (("a", "train"),)


def test_training_falls_before_evaluation_however_old() -> None:
    old = _function("a", MEAN, "2010-01-01")
    new = _function("b", LONGER, "2026-01-01", "eval")
    assert _fallen(find_duplicates([old, new])) == {"a": ("b", "near", "train-eval")}


def test_functions_created_since_a_date_evaluate() -> None:
    options = Options(eval_since="2025-01-01")
    functions = [
        _function("a", MEAN, "2024-12-31", "eval"),
        _function("b", LONGER, "2025-01-01"),
        _function("c", OTHER, None, "eval"),
    ]
    found = find_duplicates(functions, options)
    assert found.kept == (("b", "eval"), ("c", "eval"))
    assert _fallen(found) == {"a": ("b", "near", "train-eval")}


def test_nothing_falls_for_something_that_has_fallen() -> None:
    further = LONGER.replace("if not", "if len(values) == 0 and not")
    names = "abc"
    functions = list(map(_function, names, (MEAN, LONGER, further)))
    found = find_duplicates(functions)
    assert _fallen(found) == {"b": ("a", "near", "train")}
    assert not find_duplicates([functions[0], functions[2]]).fallen
    assert find_duplicates(functions[1:]).fallen


def test_code_that_cannot_be_parsed_is_compared_by_tokens() -> None:
    old = "def f(x):\n    print x\n"
    found = find_duplicates([_function("a", old), _function("b", old + "# the same\n")])
    assert _fallen(found) == {"b": ("a", "exact", "train")}


def test_one_id_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="one id"):
        find_duplicates([_function("a", MEAN), _function("a", OTHER)])


def test_a_dataset_may_be_empty() -> None:
    assert find_duplicates([]) == Verdicts((), ())


def test_reference_stays_whatever_the_split() -> None:
    references = [Reference("HumanEval/1", RENAMED, "average")]
    functions = [_function("a", MEAN, "2001-01-01"), _function("b", LONGER, None, "eval")]
    assert _fallen(find_duplicates(functions, references=references)) == {
        "a": ("HumanEval/1", "exact", "reference"),
        "b": ("HumanEval/1", "renamed", "reference"),
    }


def test_part_of_a_reference_falls() -> None:
    fragment = Reference("patch", MEAN.partition("total")[2])
    found = find_duplicates([_function("a", MEAN), _function("b", OTHER)], references=[fragment])
    assert _fallen(found) == {"a": ("patch", "part", "reference")}


def test_repository_of_a_reference_falls_if_asked() -> None:
    references = [Reference("task", OTHER, "words", "Owner/A")]
    functions = [_function("a", MEAN)]
    assert not find_duplicates(functions, references=references).fallen
    options = Options(is_same_repository_out=True)
    assert _fallen(find_duplicates(functions, options, references)) == {
        "a": ("task", "repository", "reference")
    }


FUNCTIONS = [
    _function("a", MEAN, "2022-01-01"),
    _function("b", RENAMED, "2021-01-01"),
    _function("c", LONGER, "2020-01-01"),
    _function("d", LONGER.replace("print", "log"), None, "eval"),
    _function("e", OTHER, "2020-01-01"),
    _function("f", OTHER.replace("sorted", "list"), "2020-01-01"),
]


@given(st.permutations(FUNCTIONS))
def test_the_order_makes_no_difference(functions: list[Function]) -> None:
    assert find_duplicates(functions) == find_duplicates(FUNCTIONS)
