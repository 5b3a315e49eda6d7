"""The repository around an environment, as an agent may read it."""

from __future__ import annotations

import ast
import json
from dataclasses import replace

import pytest
from slicefunc.driver.datasets.storage.columns import EnvironmentRow
from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.evaluation.agent_tools import call_tool
from slicefunc.driver.evaluation.contexts import in_file
from slicefunc.driver.evaluation.environment_tasks import stub_head
from slicefunc.driver.evaluation.repository_places import (
    RETRIEVERS,
    TOOL_SCHEMAS,
    RepositoryPlace,
    RepositoryPlaces,
)
from slicefunc.slicer.errors import OptionError

from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox
BODY = "whole = sum("
RENAMED_BODY = "gross = sum("
SEARCHES = ("get_related_snippets", "get_relevant_code")


@pytest.fixture(scope="module")
def row(ledger: StoredDataset) -> EnvironmentRow:
    return next(row for row in ledger.rows() if row.qualname == "total")


@pytest.fixture(scope="module")
def places(ledger: StoredDataset) -> RepositoryPlaces:
    return RepositoryPlaces(ledger)


def opened(places: RepositoryPlaces, row: EnvironmentRow) -> RepositoryPlace:
    text = in_file(row, json.loads(row.record))
    return places.place(row, text, stub_head(row))


@pytest.fixture(scope="module")
def place(places: RepositoryPlaces, row: EnvironmentRow) -> RepositoryPlace:
    return opened(places, row)


def called(place: RepositoryPlace, name: str, **arguments: str) -> str:
    return place.call_tool(name, json.dumps(arguments))


def test_the_target_has_a_hole(place: RepositoryPlace) -> None:
    found = called(place, "get_method_body", method_name="total")
    assert "ledger/orders.py" in found
    assert found.rstrip().endswith("...")
    assert BODY not in found


def test_a_copy_in_another_file_has_none_of_the_code(place: RepositoryPlace) -> None:
    found = called(place, "get_method_body", method_name="old_total")
    assert BODY not in found


@pytest.mark.parametrize("copy", ["old_total", "same_total", "sum_of"])
def test_a_copy_has_its_head_and_a_hole(place: RepositoryPlace, copy: str) -> None:
    found = called(place, "get_method_body", method_name=copy)
    assert f"def {copy}(" in found
    assert found.endswith("    pass")


def test_a_copy_in_comments_is_gone_and_not_what_stands_beside_it(place: RepositoryPlace) -> None:
    index = place._overlaid()
    text = index.repository.text("ledger/archive.py")
    assert "# def total" not in text
    assert "FIRST_YEAR = 1999\n\nLAST_YEAR = 2009\n" in text


def test_what_stands_beside_a_copy_is_there(place: RepositoryPlace) -> None:
    found = called(place, "get_method_body", method_name="year_of")
    assert "return int(day[:4])" in found


def test_what_the_target_needs_is_there(place: RepositoryPlace) -> None:
    found = called(place, "get_method_body", method_name="with_tax")
    assert "return net + net * RATE // 100" in found


@pytest.mark.parametrize("tool", SEARCHES)
@pytest.mark.parametrize("words", ["sum of the prices with tax less a discount", BODY])
def test_no_search_finds_the_target_or_its_copy(
    place: RepositoryPlace, tool: str, words: str
) -> None:
    found = called(place, tool, search_string=words)
    assert BODY not in found
    assert RENAMED_BODY not in found


def test_every_file_of_the_overlay_is_a_program(place: RepositoryPlace) -> None:
    index = place._overlaid()
    texts = {path: index.repository.text(path) for path in index.repository.python_files()}
    assert set(texts) == {f"ledger/{x}.py" for x in ("__init__", "archive", "orders", "rates")}
    for text in texts.values():
        ast.parse(text)
        assert BODY not in text
        assert RENAMED_BODY not in text


def test_the_repository_itself_stays_as_it_is(place: RepositoryPlace) -> None:
    place._overlaid()
    assert BODY in place.opened.repository.text("ledger/orders.py")


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_every_retriever_finds_other_files_without_the_copy(
    places: RepositoryPlaces, row: EnvironmentRow, retriever: str
) -> None:
    place = replace(opened(places, row), retriever=retriever)
    found = place.search(f"{stub_head(row)}\n    return with_tax(prices)\n", 10)
    assert "ledger/rates.py" in {each.path for each in found}
    assert "ledger/orders.py" not in {each.path for each in found}
    assert not any(body in each.text for body in (BODY, RENAMED_BODY) for each in found)


def test_a_search_finds_no_more_passages_than_wanted(place: RepositoryPlace) -> None:
    assert len(place.search("tax", 1)) == 1


def test_passages_say_where_they_stand(place: RepositoryPlace) -> None:
    for each in place.search("tax", 10):
        lines = place.opened.repository.text(each.path).splitlines()
        assert each.text.splitlines()[0] == lines[each.first - 1]


def test_the_context_of_r2e_has_the_file_of_the_target_last(
    place: RepositoryPlace, row: EnvironmentRow
) -> None:
    found = place.dependencies(row)
    assert found.index("# ledger/rates.py\n") < found.index("# ledger/orders.py\n")
    assert "RATE = 20" in found
    assert "year_of" not in found
    assert BODY not in found


def test_a_file_that_does_not_hold_the_original_is_refused(
    places: RepositoryPlaces, row: EnvironmentRow
) -> None:
    changed = replace(row, code=row.code.replace("whole", "other"))
    with pytest.raises(OptionError, match="does not hold total"):
        places.place(changed, "", "")


def test_a_repository_that_the_dataset_does_not_know_is_refused(
    places: RepositoryPlaces, row: EnvironmentRow
) -> None:
    with pytest.raises(OptionError, match="does not say where it is from"):
        places.place(replace(row, repo="no/where"), "", "")


# calls of tools


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read_file", "{}", "there is no tool read_file; there are get_"),
        ("get_method_body", '{"method_name": ', "the arguments are no JSON"),
        ("get_method_body", "[" * 100_000, "the arguments are no JSON"),
        ("get_method_body", '["total"]', "the arguments are no JSON object"),
        ("get_method_body", "", "method_name"),
        ("get_method_body", '{"method_name": 3}', "method_name"),
        ("get_method_body", '{"method_name": "total", "more": 1}', "more"),
        ("get_method_body", '{"method_name": "absent"}', "absent"),
        ("get_class_info", '{"class_name": "../../etc/passwd::x"}', "passwd"),
        ("get_imports", '{"code": "def ("}', "code"),
    ],
)
def test_what_is_wrong_with_a_call_is_its_answer(
    place: RepositoryPlace, name: str, arguments: str, said: str
) -> None:
    found = place.call_tool(name, arguments)
    assert found.startswith("error: ")
    assert said in found


def test_every_tool_that_is_offered_can_be_called(place: RepositoryPlace) -> None:
    names = [each["function"]["name"] for each in TOOL_SCHEMAS]
    index = place._overlaid()
    assert len(names) == 6
    for name in names:
        assert "there is no tool" not in call_tool(index, name, "{}")
