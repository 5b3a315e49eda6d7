"""The JSON Schema of the environment record."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from subprocess import check_output
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from slicefunc.driver import environment_schema
from slicefunc.driver.record.environment_files import SCHEMA
from slicefunc.driver.record.reason_codes import ADVICE, Reason
from slicefunc.driver.record.writer_prompt import Prompt
from slicefunc.llm.client.questions import Usage
from slicefunc.slicer.emission.choose_layout import layouts
from slicefunc.slicer.model import External, Gap, Mocked, Target, Treatment
from slicefunc.verifier.execution.environments import Addition
from slicefunc.verifier.execution.environments.install_reasons import ReasonCode
from slicefunc.verifier.execution.executors.interface import Case, Determinism
from slicefunc.verifier.observation.compare_observations import Mode
from slicefunc.verifier.scoring.candidates.offered_names import OfferedName
from slicefunc.verifier.scoring.oracle.oracle import Code

from tests.driver.conftest import run
from tests.driver.record.test_environment import TARGET, needs_sandbox

WHOLE = environment_schema()
FORM = Draft202012Validator(WHOLE)
RECORD = WHOLE["properties"]
WRONG = [[]]
"""What no field of the record may be."""


def _forms(form: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A form and all that it is made of."""
    yield form
    for inner in (*form.get("properties", {}).values(), *form.get("$defs", {}).values()):
        yield from _forms(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(form.get(key), dict):
            yield from _forms(form[key])


def _spoilt(value: object) -> Iterator[object]:
    """A value with something else in one place, for each place."""
    yield WRONG
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: other} for other in _spoilt(inner))
    if isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in _spoilt(inner))


def test_the_schema_is_one_and_says_which_version_it_is_of() -> None:
    Draft202012Validator.check_schema(WHOLE)
    assert RECORD["schema"]["const"] == SCHEMA


def test_every_field_is_described_and_every_object_closed() -> None:
    for form in _forms(WHOLE):
        for name, field in form.get("properties", {}).items():
            assert field.get("description") or "$ref" in field, name
        if "properties" in form:
            assert form["additionalProperties"] is False, form


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        (RECORD["target"], Target),
        (RECORD["cases"]["items"], Case),
        (RECORD["imports"]["items"], OfferedName),
        (RECORD["run"]["properties"]["determinism"], Determinism),
        (RECORD["externals"]["items"], External),
        (RECORD["gaps"]["items"], Gap),
        (RECORD["mocks"]["items"], Mocked),
        (RECORD["added"]["items"], Addition),
        (RECORD["reasons"]["items"], Reason),
        (WHOLE["$defs"]["usage"], Usage),
    ],
)
def test_the_fields_are_those_of_what_is_written(form: Mapping[str, Any], kind: type) -> None:
    # what is only kept beside a value is no part of it, and is not written
    written = {field.name for field in fields(kind) if field.compare}
    assert set(form["properties"]) == set(form["required"]) == written


def test_only_what_a_model_adds_may_be_left_away() -> None:
    left = {
        name
        for form in _forms(WHOLE)
        for name in set(form.get("properties", ())) - set(form.get("required", ()))
    }
    assert left == {"generated_docstring", "seconds", "gaps", "failure", "rivals"}
    assert set(RECORD["prompt"]["required"]) == {field.name for field in fields(Prompt)}


def test_the_words_are_those_that_are_written() -> None:
    treatment = RECORD["externals"]["items"]["properties"]["treatment"]["enum"]
    assert treatment == list(get_args(Treatment))
    assert RECORD["layout"]["enum"] == [each.name for each in layouts() if not each.is_tree]
    assert set(RECORD["compares"]["enum"]) == set(get_args(Mode))
    codes = (*ADVICE, *get_args(Code), *(code.replace("-", "_") for code in get_args(ReasonCode)))
    code = Draft202012Validator(RECORD["reasons"]["items"]["properties"]["code"])
    assert all(map(code.is_valid, codes))


@needs_sandbox
def test_a_record_has_each_field_in_the_form_that_is_described(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/orders.py").write_text(
        "import no_such_module, os\nfrom .tax import add_tax\n\nclass Order:\n"
        "    def __init__(self, net):\n        self.net = net\n"
        "    def total(self):\n        open('prices.txt')\n        return add_tax(self.net)\n"
    )
    assert run(repo, TARGET, "--test", "--no-install", "--env", tmp_path / "env").status in {0, 1}
    record = json.loads((tmp_path / "env/environment.json").read_bytes())
    FORM.validate(record)
    assert record.keys() == RECORD.keys()
    assert [each for each in _spoilt(record) if FORM.is_valid(each)] == []
    for name in record:
        assert not FORM.is_valid({key: value for key, value in record.items() if key != name})
    assert not FORM.is_valid({**record, "unknown": 1})


CALLS = {"calls": 1, "input_tokens": 10, "output_tokens": 5, "cost": 0.0}


@pytest.mark.parametrize(
    ("calls", "is_valid"),
    [
        (CALLS, True),
        ({**CALLS, "seconds": 0.1, "gaps": {"inputs of f": {**CALLS, "seconds": 0.1}}}, True),
        ({**CALLS, "seconds": 0.1, "gaps": {}, "failure": "refused"}, True),
        ({**CALLS, "seconds": 0.1}, False),
        ({**CALLS, "failure": "refused"}, False),
        ({**CALLS, "seconds": 0.1, "gaps": {"inputs of f": CALLS}}, False),
        ({**CALLS, "calls": 1.5}, False),
    ],
)
def test_calls_of_a_model_are_told_whole(calls: dict[str, Any], *, is_valid: bool) -> None:
    form = {**RECORD["model_calls"], "$defs": WHOLE["$defs"]}
    assert Draft202012Validator(form).is_valid(calls) is is_valid


def test_each_caller_has_a_schema_of_its_own() -> None:
    environment_schema()["properties"].clear()
    assert environment_schema() == WHOLE


def test_the_schema_is_not_read_before_somebody_asks() -> None:
    module = "slicefunc.driver.record.record_schema"
    code = f"import sys, slicefunc.driver; print({module!r} in sys.modules)"
    assert check_output([sys.executable, "-c", code], text=True) == "False\n"
