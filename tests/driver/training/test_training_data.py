"""What becomes of functions and samples: rejection sampling, pairs, questions, and counts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from slicefunc.driver.datasets.deduplication.function import Reference
from slicefunc.driver.evaluation.runs import RunTable
from slicefunc.driver.training.contamination import definitions_in
from slicefunc.driver.training.examples import Demonstration, Preference, Prompt
from slicefunc.driver.training.functions import held_back_of
from slicefunc.driver.training.options import Recipe, TrainingOptions
from slicefunc.driver.training.preferences import WrongAnswer
from slicefunc.driver.training.samples import Sample, sampled
from slicefunc.driver.training.training_data import TrainingData, training_data
from slicefunc.slicer.errors import OptionError

from .made_up_data import MadeUp, answer, function_row, repaired, written_run

ORIGINAL = "def f(value):\n    return value + 1\n"
RENAMED = "def f(number):\n    return number + 1\n"
OTHER = "def f(value):\n    return 1 + value\n"
THIRD = "def f(value):\n    return sum((value, 1))\n"
WRONG = "def f(value):\n    return value\n"
DATASET = MadeUp([function_row("f", code=ORIGINAL)])


def made(
    recipe: Recipe, runs: Sequence[RunTable] = (), dataset: MadeUp = DATASET, **options: object
) -> TrainingData:
    return training_data(
        dataset, runs, (), TrainingOptions(recipe, **options), lambda _: ()  # type: ignore[arg-type]
    )  # fmt: skip


def answers(data: TrainingData) -> list[tuple[str, str]]:
    """Source and code of each example."""
    return [
        (each.source, each.answer.removeprefix("```python\n").removesuffix("```\n"))
        for some in data.examples.values()
        for each in some
        if isinstance(each, Demonstration)
    ]


def test_the_original_is_always_in_and_what_failed_is_not(tmp_path: Path) -> None:
    run = written_run(tmp_path, [answer("f", OTHER), answer("f", WRONG, "failed")])
    assert answers(made("rft", [run])) == [("gold", ORIGINAL), ("distill", OTHER)]


def test_answers_with_the_tree_of_another_or_of_the_original_are_left_out(tmp_path: Path) -> None:
    again = OTHER.replace("value", "amount")
    run = written_run(tmp_path, [answer("f", each) for each in (OTHER, again, OTHER, RENAMED)])
    data = made("rft", [run])
    assert answers(data) == [("gold", ORIGINAL), ("distill", again)]
    assert data.report["candidates"]["left_out"] == {
        "same as another": 2,
        "same as the original": 1,
    }


def test_sources_are_the_model_that_is_trained_others_and_repairs(tmp_path: Path) -> None:
    own = written_run(tmp_path / "own", [answer("f", OTHER)], "student")
    others = written_run(tmp_path / "other", [repaired("f", THIRD), answer("f", OTHER)])
    data = made("rft", [others, own], model="student")
    assert answers(data) == [("gold", ORIGINAL), ("self", OTHER), ("debug", THIRD)]
    assert data.report["examples"]["sources"] == [
        {"source": source, "of": of, "what": f"{source} {of}".strip(), "rows": 1, "functions": 1}
        for source, of in (("debug", "teacher"), ("gold", ""), ("self", "student"))
    ]


def test_an_answer_that_passes_once_and_fails_once_is_neither_right_nor_wrong(
    tmp_path: Path,
) -> None:
    run = written_run(tmp_path, [answer("f", OTHER), answer("f", OTHER, "failed")])
    assert answers(made("rft", [run])) == [("gold", ORIGINAL)]
    assert not made("dpo", [run]).examples


def test_the_seed_decides_which_answers_stay_above_the_limit(tmp_path: Path) -> None:
    many = [f"def f(value):\n    return value + 1 + {n} - {n}\n" for n in range(40)]
    run = written_run(tmp_path, [answer("f", each) for each in many])
    first, again, other = (
        answers(made("rft", [run], per_function=3, seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(first) == len(other) == 1 + 3


def test_pairs_begin_with_wrong_answers_that_only_hidden_cases_tell(tmp_path: Path) -> None:
    run = written_run(
        tmp_path,
        [
            answer("f", WRONG, "failed"),
            answer("f", "def f(value):\n    return value + 2\n", "failed", cases_passed=5),
            answer("f", OTHER),
        ],
    )
    (pairs,) = made("dpo", [run]).examples.values()
    found = [each for each in pairs if isinstance(each, Preference)]
    assert [each.rejected_source for each in found] == ["hidden failure", "failure"]
    assert [each.source for each in found] == ["distill", "gold"]
    assert "value + 2" in found[0].rejected


def test_questions_have_the_share_of_samples_that_pass(tmp_path: Path) -> None:
    dataset = MadeUp([function_row("f"), function_row("g"), function_row("h")])
    samples = [answer("f", OTHER), answer("f", WRONG, "failed"), answer("g", OTHER)]
    run = written_run(tmp_path, samples)
    prompts = [each for some in made("grpo", [run], dataset).examples.values() for each in some]
    assert [each.pass_rate for each in prompts if isinstance(each, Prompt)] == [0.5, 1.0, None]
    mixed = made("grpo", [run], dataset, mixed_only=True)
    assert [each.id for each in mixed.examples] == ["f"]


def test_the_evaluation_split_is_not_in_it_nor_what_resembles_it() -> None:
    body = "    found = {}\n" + "".join(f"    found[{n}] = value * {n}\n" for n in range(30))
    long = f"def f(value):\n{body}    return found\n"
    dataset = MadeUp(
        [
            function_row("f", code=long, split="eval"),
            function_row("g", "shop/two", code=long.replace("def f", "def g")),
            function_row("h", "shop/three"),
        ]
    )
    data = made("sft", (), dataset)
    assert [each.id for each in data.examples] == ["h"]
    assert data.report["functions"]["left_out"] == {"contaminated or duplicate": 1}


def test_a_question_that_shows_a_function_of_a_reference_set_is_left_out() -> None:
    body = "".join(f"    total += value * {n}\n" for n in range(30))
    known = f"def benchmark(value):\n    total = 0\n{body}    return total\n"
    prompt = f"{known}\n\ndef f(value):\n    ...\n"
    dataset = MadeUp([function_row("f", prompt=prompt), function_row("g", "shop/two")])
    data = training_data(
        dataset, (), [Reference("set/1", known, "benchmark")], TrainingOptions("sft"), lambda _: ()
    )
    assert [each.id for each in data.examples] == ["g"]
    assert data.report["contamination"]["shown_code"] == {"reference": 1}


def test_what_is_longer_than_the_context_is_left_out(tmp_path: Path) -> None:
    long = OTHER + "".join(f"    # line {n}\n" for n in range(400))
    run = written_run(tmp_path, [answer("f", long)])
    data = made("rft", [run], most_tokens=500)
    assert answers(data) == [("gold", ORIGINAL)]
    assert data.report["candidates"]["left_out"] == {"too long": 1}


CODES = st.sampled_from([ORIGINAL, RENAMED, OTHER, THIRD, WRONG, "def f(:", ""])
SAMPLES = st.lists(st.tuples(st.sampled_from("fgx"), CODES, st.sampled_from(["passed", "failed"])))


@settings(max_examples=40, deadline=None)
@given(samples=SAMPLES, most=st.integers(1, 3))
def test_each_sample_that_passes_is_kept_or_left_out_for_one_reason(
    tmp_path_factory: pytest.TempPathFactory, samples: list[tuple[str, str, str]], most: int
) -> None:
    dataset = MadeUp([function_row("f"), function_row("g", "shop/two")])
    assume(not samples or any(each[0] != "x" for each in samples))
    run = written_run(tmp_path_factory.mktemp("run"), [answer(*each) for each in samples])
    runs = [run] if samples else []
    data = made("rft", runs, dataset, per_function=most)
    counts = data.report["candidates"]
    passed = [each for each in samples if each[2] == "passed" and each[0] != "x"]
    assert counts["passed"] == len(passed)
    assert counts["kept"] + sum(counts["left_out"].values()) == len(passed)
    assert counts["of_other_environments"] == sum(each[0] == "x" for each in samples)
    failing = {(name, code) for name, code, verdict in samples if verdict == "failed"}
    for function, some in data.examples.items():
        own = [each for each in some if isinstance(each, Demonstration) and each.source != "gold"]
        assert len(own) <= most
        texts = {code for name, code in failing if name == function.id}
        assert not texts & {each.answer.split("\n", 1)[1].removesuffix("```\n") for each in own}


@given(
    repos=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30),
    seed=st.integers(0, 5),
    by=st.sampled_from(["example", "repository"]),
)
def test_a_smaller_sample_is_part_of_each_larger_one(repos: list[str], seed: int, by: str) -> None:
    dataset = MadeUp([function_row(f"f{n}", repo) for n, repo in enumerate(repos)])
    functions = list(made("sft", (), dataset, similarity=1.0).examples)
    last: set[str] = set()
    for size in range(1, len(functions) + 1):
        found = sampled(functions, Sample(size, seed, by))  # type: ignore[arg-type]
        names = {each.id for each in found}
        assert len(names) == size
        assert last < names
        last = names


def test_by_repository_takes_whole_repositories() -> None:
    rows = [function_row(f"f{n}", f"shop/{n % 5}") for n in range(50)]
    functions = list(made("sft", (), MadeUp(rows), similarity=1.0).examples)
    by_repository = sampled(functions, Sample(20, 0, "repository"))
    by_example = sampled(functions, Sample(20, 0, "example"))
    assert len(by_repository) == len(by_example) == 20
    assert len({each.repo for each in by_repository}) == 2
    assert len({each.repo for each in by_example}) == 5


def test_each_sample_has_all_functions_for_validation() -> None:
    rows = [function_row(f"f{n}", f"shop/{n % 20}") for n in range(100)]
    functions = list(made("sft", (), MadeUp(rows), similarity=1.0, validation=30).examples)
    held_back = {each.id for each in functions if each.split == "validation"}
    for size in (1, 10):
        found = sampled(functions, Sample(size, 0, "example"))
        assert len(found) == size + len(held_back)
        assert {each.id for each in found if each.split == "validation"} == held_back


def test_a_repository_is_in_one_split_whatever_the_recipe() -> None:
    rows = [function_row(f"f{n}", f"shop/{n % 40}") for n in range(200)]
    splits: dict[str, set[str]] = {}
    for recipe in ("sft", "grpo"):
        for each in made(recipe, (), MadeUp(rows), similarity=1.0, validation=30).examples:
            splits.setdefault(each.repo, set()).add(each.split)
    assert all(len(each) == 1 for each in splits.values())
    held_back = sum(each == {"validation"} for each in splits.values())
    assert held_back == 12


@given(repos=st.sets(st.text(), min_size=1), less=st.integers(1, 99), more=st.integers(1, 99))
def test_what_is_held_back_stays_so_where_more_is(repos: set[str], less: int, more: int) -> None:
    less, more = sorted((less, more))
    few, many = held_back_of(repos, less), held_back_of(repos, more)
    assert few <= many < repos
    assert bool(few) == (len(repos) > 1)


def test_one_repository_alone_is_not_held_back() -> None:
    with pytest.raises(OptionError, match="one repository"):
        made("sft", validation=10)


def test_the_share_that_passes_is_that_of_first_tries(tmp_path: Path) -> None:
    run = written_run(tmp_path, [repaired("f", OTHER), answer("f", THIRD)])
    (prompts,) = made("grpo", [run]).examples.values()
    assert [each.pass_rate for each in prompts if isinstance(each, Prompt)] == [0.5]


def test_a_first_try_that_was_repaired_is_a_wrong_answer(tmp_path: Path) -> None:
    verdict = {"verdict": "failed", "cases_passed": 5, "cases": 5}
    talk = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": f"```python\n{WRONG}```", "verdict": verdict},
        {"role": "user", "content": "?"},
        {
            "role": "assistant",
            "content": f"```python\n{OTHER}```",
            "verdict": {"verdict": "passed"},
        },
    ]
    sample = replace(repaired("f", OTHER), messages=json.dumps([talk]))
    run = written_run(tmp_path, [sample])
    (pairs,) = made("dpo", [run]).examples.values()
    (pair,) = [each for each in pairs if isinstance(each, Preference)]
    assert (pair.source, pair.rejected_source) == ("debug", "hidden failure")
    assert WRONG in pair.rejected


def test_a_mutant_stands_against_the_original(tmp_path: Path) -> None:
    run = written_run(tmp_path, [answer("f", OTHER)])
    data = training_data(
        DATASET, [run], (), TrainingOptions("dpo"), lambda _: [WrongAnswer(WRONG, "mutant")]
    )
    (pairs,) = data.examples.values()
    assert [each.source for each in pairs if isinstance(each, Preference)] == ["gold"]


def test_a_context_is_cut_so_that_the_example_fits() -> None:
    shown = "".join(f"NUMBER_{n} = {n}\n" for n in range(2000))
    dataset = MadeUp([function_row("f", prompt=f"{shown}def f(value):\n    ...\n")])
    data = made("sft", (), dataset, most_tokens=1000)
    (function,) = data.examples
    assert data.report["functions"]["with_cut_context"] == 1
    assert function.tokens_with(function.code) <= 1000
    assert "def f(value):" in function.question


def test_runs_of_another_dataset_are_refused(tmp_path: Path) -> None:
    run = written_run(tmp_path, [answer("x", OTHER)])
    with pytest.raises(OptionError, match="no sample"):
        made("rft", [run])


def test_what_took_too_long_or_has_no_verdict_is_no_wrong_answer(tmp_path: Path) -> None:
    samples = [answer("f", WRONG, "timeout"), answer("f", OTHER, "infrastructure")]
    run = written_run(tmp_path, [*samples, answer("f", THIRD)])
    data = made("dpo", [run])
    assert not data.examples
    assert data.report["candidates"]["without_verdict"] == 1


def test_a_tree_that_passes_is_never_a_wrong_answer(tmp_path: Path) -> None:
    texts = [OTHER, THIRD, "def f(value):\n    return value - -1\n"]
    again = [answer("f", each.replace("value", "number"), "failed") for each in texts]
    run = written_run(tmp_path, [*(answer("f", each) for each in texts), *again])
    assert not made("dpo", [run], per_function=1).examples
    assert answers(made("rft", [run])) == [("gold", ORIGINAL)]


def test_a_table_beside_the_function_makes_another_answer(tmp_path: Path) -> None:
    with_table = "TABLE = {}\n\n\n" + OTHER
    run = written_run(tmp_path, [answer("f", OTHER), answer("f", with_table)])
    assert len(answers(made("rft", [run]))) == 3


def test_an_answer_with_a_token_of_chat_templates_is_left_out(tmp_path: Path) -> None:
    run = written_run(tmp_path, [answer("f", OTHER + "    # <|im_end|>\n")])
    data = made("rft", [run])
    assert answers(data) == [("gold", ORIGINAL)]
    assert data.report["candidates"]["left_out"] == {"has a control token": 1}


def test_functions_in_blocks_and_functions_of_a_question_are_found() -> None:
    text = (
        "# \x0c\nif True:\n    def outer():\n        return 1\n"
        "class A:\n    def inner():\n        return 2\n"
        "def hole():\n    ...\n"
    )
    found = [each.strip().splitlines()[0] for each in definitions_in(text)]
    assert sorted(found) == ["def inner():", "def outer():"]
