from __future__ import annotations

import pytest
from slicefunc.driver.cli.commands import command_named
from slicefunc.driver.cli.grammar import parse_slice
from slicefunc.driver.cli.parser import UsageError


def test_options_may_stand_between_the_words() -> None:
    given = parse_slice(["repo", "--emit", "flat", "a.py::f", "-o", "x.py", "b.py::g"])
    assert (given.repo, given.targets) == ("repo", ["a.py::f", "b.py::g"])
    assert (given.emit, given.output) == ("flat", "x.py")


def test_repeatable_options_add_up() -> None:
    given = parse_slice(
        ["r", "a.py::f", "--with", "b.py::C", "--root", "src", "--with", "b.py::D", "--root", "lib"]
    )
    assert given.keep == ["b.py::C", "b.py::D"]
    assert given.roots == ["src", "lib"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: REPO"),
        (["repo"], "no target"),
        (["repo", "a.py::f", "--all"], "--all takes every function, but 'a.py::f' is given"),
        (["repo", "--all", "--explain"], "--explain is for named targets"),
        (["repo", "--all", "--resume"], "--resume goes on in the folder of a run"),
        (["repo", "--all", "--jobs", "0"], "'0' is not a whole number above 0"),
        (["repo", "--all", "--limit", "-3"], "--limit"),
        (["repo", "a.py::f", "--jobs", "2"], "--jobs is for many functions"),
        (["repo", "a.py::f", "--limit", "2"], "--limit is for many functions"),
        (["repo", "a.py::f", "--resume"], "--resume is for many functions"),
        (["repo", "a.py::f", "--exclude", "b.py"], "--exclude is for many functions"),
        (["repo", "--all", "--include", ""], "'' is no pattern of paths"),
        (["repo", "a.py::f", "--emit", "tree"], "invalid choice: 'tree'"),
        (["repo", "a.py::f", "--emit", "package"], "--emit package writes a folder"),
        (["repo", "a.py::f", "--expl"], "unknown argument --expl"),
    ],
)
def test_words_that_do_not_fit_are_one_line(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        parse_slice(words)
    assert "\n" not in str(caught.value)


REPOST = ["repo", "a.py::f", "--pipeline", "repost", "--llm"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (REPOST[:-1], "--pipeline repost asks a model"),
        (["repo", "--all", "--pipeline", "repost", "--llm"], "--pipeline repost takes one target"),
        ([*REPOST, "b.py::g"], "--pipeline repost takes one target"),
        ([*REPOST, "--env", "e"], "--env is for --pipeline slice"),
        ([*REPOST, "--with", "b.py::C"], "--with is for --pipeline slice"),
        ([*REPOST, "--llm-stage", "tests"], "--llm-stage is for --pipeline slice"),
        ([*REPOST, "--emit", "flat"], "--emit is for --pipeline slice"),
    ],
)
def test_the_published_pipeline_has_few_options(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_slice(words)
    assert parse_slice([*REPOST, "--min-branches", "100", "--json"]).pipeline == "repost"


ENV = ["repo", "a.py::f", "--test", "--env", "e"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["repo", "a.py::f", "--llm"], "--llm is for the search for cases"),
        (["repo", "--all", "--llm"], "--llm is for the search for cases"),
        ([*ENV, "--llm-model", "m"], "--llm-model is for --llm"),
        ([*ENV, "--llm-stage", "tests"], "--llm-stage is for --llm"),
        ([*ENV, "--no-llm", "--llm-budget", "1"], "--llm-budget is for --llm"),
        ([*ENV, "--no-llm", "--llm-replay"], "exclude each other"),
        ([*ENV, "--llm", "--llm-budget", "-1"], "no amount of money"),
        ([*ENV, "--llm", "--llm-budget", "nan"], "no amount of money"),
    ],
)
def test_what_a_model_is_for_is_said(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_slice(words)


def test_no_model_is_asked_unless_one_is_wanted() -> None:
    assert not parse_slice(ENV).llm
    assert not parse_slice([*ENV, "--no-llm"]).llm
    given = parse_slice([*ENV, "--llm", "--llm-budget", "0.5"])
    assert (given.llm, given.llm_budget, given.llm_replay) == (True, 0.5, False)


def test_graph_takes_a_target_or_none() -> None:
    assert command_named("graph").parser().read(["repo"]).target is None
    given = command_named("graph").parser().read(["repo", "--format", "dot", "a.py::f"])
    assert (given.target, given.format) == ("a.py::f", "dot")


def test_score_takes_an_environment_and_candidates() -> None:
    given = command_named("score").parser().read(["env", "a.py", "--json", "b.py", "--jobs", "2"])
    assert (given.environment, given.candidates) == ("env", ["a.py", "b.py"])
    assert (given.json, given.jobs, given.compare) == (True, 2, None)
    assert given.candidate_seconds is None
    assert (
        command_named("score")
        .parser()
        .read(["env", "a.py", "--candidate-seconds", "30"])
        .candidate_seconds
        == 30
    )
    with pytest.raises(UsageError, match="'0' is not a whole number above 0"):
        command_named("score").parser().read(["env", "a.py", "--candidate-seconds", "0"])
    with pytest.raises(UsageError, match="CANDIDATE"):
        command_named("score").parser().read(["env"])
