"""The command line, which loads nothing heavy, names what there is."""

from __future__ import annotations

from slicefunc.driver.cli.commands import eval as eval_command
from slicefunc.driver.cli.commands import eval_compare
from slicefunc.driver.evaluation.contexts import DEPENDENCIES, REGIMES, RETRIEVED
from slicefunc.driver.evaluation.metrics.summary import STRATA
from slicefunc.driver.evaluation.repository_places import RETRIEVERS
from slicefunc.llm.agents import AGENTS, READS_REPOSITORY


def test_all_agents_can_be_chosen() -> None:
    assert list(AGENTS) == list(eval_command.AGENT_NAMES)
    assert AGENTS.keys() >= READS_REPOSITORY


def test_all_contexts_can_be_chosen() -> None:
    assert {*REGIMES, DEPENDENCIES, RETRIEVED} == set(eval_command.CONTEXTS)


def test_all_retrievers_can_be_chosen() -> None:
    assert RETRIEVERS == eval_command.RETRIEVERS


def test_all_strata_can_be_shown() -> None:
    assert set(STRATA) == set(eval_compare.STRATA)
