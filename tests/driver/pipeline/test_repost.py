"""The published pipeline, with a service on loopback that says what a model would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.model.model_session import opened
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.repost.repost_pipeline import compile_repost
from slicefunc.driver.repost.repost_place import RepostPlace
from slicefunc.llm.client.model_settings import read_settings
from slicefunc.slicer import Repository
from slicefunc.verifier.execution.executors.choose_executor import (
    Choice,
    choose,
    with_warm_executors,
)

from tests.driver.conftest import Finished, run
from tests.driver.record.test_environment import needs_sandbox
from tests.llm.service import Service, completion, failing, saying, serving

pytestmark = needs_sandbox
SHOP = '''\
"""A shop."""
RATE = 20


def taxed(net):
    return net + net * RATE // 100


def price(net, country="XX"):
    """What is paid."""
    if country == "XX":
        return net
    if net < 0:
        raise ValueError("less than nothing")
    return taxed(net)
'''
SCRIPT = SHOP
TEST = """

def test_price():
    assert price(100) == price_new_implementation(100)
    assert price(250, "YY") == price_new_implementation(250, "YY")
    assert price(0, "YY") == price_new_implementation(0, "YY")
"""
MORE = """\
    for version in (price, price_new_implementation):
        try:
            version(-1, "YY")
        except ValueError:
            continue
        assert False
"""
MAIN = """

if __name__ == "__main__":
    test_price()
"""
SOUND = {
    "target_returns_or_changes_something": True,
    "only_values_and_states_are_checked": True,
    "passes_if_and_only_if_it_behaves_the_same": True,
    "assertions_fit_the_function": True,
    "tests_are_not_trivial": True,
    "why": "",
}


def draft(script: str, *packages: str) -> dict[str, Any]:
    return {"script": script, "packages": list(packages)}


PLAIN = draft(SCRIPT)
TESTED = draft(SCRIPT + TEST + MAIN)
WHOLE = draft(SCRIPT + TEST + MORE + MAIN)


class Shop:
    def __init__(self, folder: Path, service: Service, choice: Choice) -> None:
        self.choice = choice
        self.told: list[str] = []
        self.repository = folder / "repo"
        self.repository.mkdir()
        (self.repository / "shop.py").write_text(SHOP)
        self.folder = folder
        self.service = service

    def says(self, *answers: dict[str, Any]) -> None:
        self.service.will(*map(saying, answers))

    def made(self, *, is_replay: bool = False) -> dict[str, Any]:
        """What the library gives; the script is written, and what was told is kept."""
        repository = Repository(self.repository)
        sliced = compile_slice(repository, ["shop.py::price"], Options(mock="none"))
        options = {"model": "m", "base_url": self.service.url, "is_replay": is_replay}
        settings = read_settings(self.repository, {**options, "cache": self.folder / "answers"})
        report = self.told.append
        place = RepostPlace(repository, sliced, self.choice, installs=False, report=report)
        with closing(opened(settings)) as client, place:
            found = compile_repost(repository, sliced, client=client, place=place)
        self.told += found.lines()
        (self.folder / "eval.py").write_text(found.script or "")
        return found.to_json()

    def commanded(self) -> tuple[Finished, dict[str, Any]]:
        """The same by the command."""
        script = self.folder / "eval.py"
        done = run(
            self.repository, "shop.py::price", "--pipeline", "repost", "--llm", "--no-install",
            "--llm-model", "m", "--llm-base-url", self.service.url, "--json", "-o", script,
            "--llm-cache", self.folder / "answers",
        )  # fmt: skip
        return done, json.loads(done.out)

    @property
    def script(self) -> str:
        return (self.folder / "eval.py").read_text()

    def asked(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.service.asked]


@pytest.fixture(scope="module")
def warm() -> Iterator[Choice]:
    with with_warm_executors(choose()) as choice:
        yield choice


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm: Choice) -> Iterator[Shop]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    with serving(saying(PLAIN)) as service:
        yield Shop(tmp_path, service, warm)


def stages(found: dict[str, Any]) -> dict[str, bool]:
    return {each["name"]: each["passed"] for each in found["stages"]}


def test_from_a_function_to_an_eval_script(shop: Shop) -> None:
    shop.says(PLAIN, WHOLE, SOUND)
    done, found = shop.commanded()
    assert done.status == 0, done.err
    assert all(stages(found).values())
    assert list(stages(found)) == [
        "aggregate", "tests", "execute", "coverage", "function", "judgement of the tests",
    ]  # fmt: skip
    assert shop.script == WHOLE["script"]
    assert found["metrics"]["branch_coverage"] == 1
    assert found["metrics"]["kill_rate"] > 0.5
    assert found["passed_80"]
    assert found["passed_100"]
    assert found["model_calls"]["calls"] == 3
    assert set(found["model_calls"]["gaps"]) == {
        "aggregation of price", "tests of price", "tests judged of price",
    }  # fmt: skip
    assert "is data" in shop.service.asked[0]["messages"][0]["content"]


def test_calls_are_added_for_what_is_missing_and_worse_ones_are_not_taken(shop: Shop) -> None:
    worse = draft(SCRIPT + TEST.replace(', "YY"', "") + MAIN)
    shop.says(PLAIN, TESTED, worse, WHOLE, SOUND)
    found = shop.made()
    assert found["passed_80"], shop.told
    assert shop.script == WHOLE["script"]
    assert found["metrics"]["branch_coverage"] == 1
    assert "Not reached" in shop.asked()[2]


def test_a_script_that_fails_is_mended_with_its_error_shown(shop: Shop) -> None:
    broken = draft(WHOLE["script"].replace("price(100) ==", "price(unknown) =="))
    shop.says(PLAIN, broken, WHOLE, SOUND)
    found = shop.made()
    assert found["passed_80"], shop.told
    assert found["stages"][2]["rounds"] == 2
    assert "NameError: name 'unknown' is not defined" in shop.asked()[2]


def test_one_that_is_never_mended_ends_the_pipeline(shop: Shop) -> None:
    broken = draft(WHOLE["script"].replace("price(100) ==", "price(unknown) =="))
    shop.says(PLAIN, broken)
    found = shop.made()
    assert not found["passed_80"]
    assert found["stages"][-1]["name"] == "execute"
    assert not found["passed_80"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (draft("print('PASSED')\n"), "target-present"),
        (draft("def price(:\n"), "it is no Python"),
        (draft(WHOLE["script"] + "\n\ndef price_new_implementation(net, country='XX'):\n    ...\n"),
         "price_new_implementation is defined in the script"),
        (draft(SCRIPT + "\n\ndef test_price():\n    print('PASSED')\n" + MAIN), "test-assertions"),
        (draft(WHOLE["script"].replace(MAIN, "\n")), "main-calls-test"),
    ],
)  # fmt: skip
def test_a_draft_that_fails_a_sanity_check_is_asked_for_again(
    shop: Shop, bad: dict[str, Any], why: str
) -> None:
    shop.says(PLAIN, bad, WHOLE, SOUND)
    found = shop.made()
    assert found["passed_80"], shop.told
    assert shop.script == WHOLE["script"]
    assert found["stages"][1]["rounds"] == 2
    assert why in shop.asked()[2]


def test_bad_drafts_alone_make_no_script_that_passes(shop: Shop) -> None:
    shop.says(PLAIN, draft("print('PASSED')\n"))
    found = shop.made()
    assert not found["passed_80"]
    assert stages(found) == {"aggregate": True, "tests": False}
    assert "target-present" in found["stages"][1]["detail"]
    assert not found["passed_80"]


ALTERED = WHOLE["script"].replace("net + net * RATE // 100", "net * 120 // 100")
EDITED = WHOLE["script"].replace("        return net\n", "        return net + 0\n")


def test_an_altered_dependency_is_found_by_name(shop: Shop) -> None:
    shop.says(PLAIN, draft(ALTERED.replace("RATE = 20\n", "")), SOUND)
    found = shop.made()
    assert [(each["qualname"], each["kind"]) for each in found["different"]] == [
        ("RATE", "missing"), ("taxed", "altered"),
    ]  # fmt: skip
    assert any("taxed" in line for line in shop.told)
    assert stages(found)["function"], "the function itself is as it was"


@pytest.mark.parametrize(("verdict", "passed"), [("yes", True), ("no", False)])
def test_an_altered_function_is_left_to_the_models_judgement(
    shop: Shop, verdict: str, passed: bool
) -> None:
    shop.says(PLAIN, draft(EDITED), {"verdict": verdict, "why": "so"}, SOUND)
    found = shop.made()
    assert stages(found)["function"] == passed
    assert found["passed_80"] == passed
    assert "return net + 0" in shop.asked()[2]


def test_doubts_about_the_test_are_told(shop: Shop) -> None:
    shop.says(PLAIN, WHOLE, {**SOUND, "tests_are_not_trivial": False, "why": "it is"})
    found = shop.made()
    assert not found["passed_80"]
    assert found["stages"][-1]["detail"] == "not so: tests are not trivial"


def test_odd_packages_are_not_installed(shop: Shop) -> None:
    shop.says(PLAIN, draft(WHOLE["script"], "evil-package", "requests"), SOUND)
    shop.made()
    assert "not installed, as no import leads to it: evil-package, requests" in shop.told


def test_what_a_script_runs_stays_in_the_sandbox(shop: Shop, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    bad = WHOLE["script"].replace(MAIN, f'\nopen({str(mark)!r}, "w").write("x")\n{MAIN}')
    shop.says(PLAIN, draft(bad), WHOLE, SOUND)
    shop.made()
    assert not mark.exists()


def test_a_rerun_from_the_cache_asks_nobody(shop: Shop) -> None:
    shop.says(PLAIN, TESTED, WHOLE, SOUND)
    first = shop.made()
    script, asked = shop.script, len(shop.service.asked)
    again = shop.made(is_replay=True)
    assert (again, shop.script, len(shop.service.asked)) == (first, script, asked)


def test_what_was_made_is_told_where_the_service_fails_half_way(shop: Shop) -> None:
    shop.service.will(saying(PLAIN), failing(401))
    done, found = shop.commanded()
    assert done.status == 4
    assert stages(found) == {"aggregate": True, "what it needs to run": False}
    assert shop.script == PLAIN["script"]
    assert done.error.startswith("the model service: ")


def test_a_refusal_leaves_no_script(shop: Shop) -> None:
    shop.service.will(completion(None, refusal="no"))
    found = shop.made()
    assert not found["passed_80"]
    assert stages(found) == {"aggregate": False}
    assert not shop.script
