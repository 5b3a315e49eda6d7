"""What a target reads of an instance that it is given is set on that instance, before the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.statements import texts_of
from slicefunc.verifier.search.corpus.seed_drafts import first_drafts
from slicefunc.verifier.search.drafts.drafts import case_of

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
import dataclasses

class Rule:
    severity: str = ""

    @property
    def label(self):
        return self.severity

class Holder:
    def __init__(self):
        self.rule = Rule()

    def level(self):
        return 1 if self.rule.severity == "HIGH" else 0

@dataclasses.dataclass(frozen=True)
class Fixed:
    severity: str

def level(rule: Rule):
    return 2 if rule.severity in ("HIGH", "LOW") else len(rule.label)

def fixed(rule: Fixed):
    return rule.severity == "HIGH"

class Place:
    def __init__(self, name: str = "", size: int = 0):
        self.name, self.size = name, size

class Holding:
    def __init__(self, place: Place):
        self.place: Place = place or Place()

def scheme(holding: Holding):
    return {"a": 1}[holding.place.name]

def named(level: Rule, list: Rule):
    return level.severity == "HIGH" or list.severity
"""


PATTERNS = """
import re

class Line:
    form = re.compile(r"(?P<name>\\w+)=")
    given = re.compile("=")

    def __init__(self, text: str, given: str):
        self.text = text
        self.given = re.compile(given)

    def name(self):
        found = self.form.match(self.text) and self.given.search(self.text)
        return found and found.group()
"""


def inputs(folder: Path, target: str) -> Inputs:
    return inputs_in(folder, RULES, target)


def inputs_in(folder: Path, text: str, target: str) -> Inputs:
    (folder / "a.py").write_text(text)
    repository = Repository(folder)
    found = inputs_of(repository, slice_function(repository, f"a.py::{target}"))
    assert found is not None
    return found


def cases(found: Inputs, start: str) -> list[str]:
    drafts = [d for d in first_drafts(found) if d.before and d.before[0].text.startswith(start)]
    return [case_of(found, draft, "case").code for draft in drafts]


def test_an_attribute_of_an_argument_is_set(tmp_path: Path) -> None:
    found = inputs(tmp_path, "level")
    assert "{rule}.severity = 'HIGH'" in texts_of(found.receivers.states)
    assert not any("label" in each for each in texts_of(found.receivers.states))
    assert found.kinds == (("{rule}.severity", frozenset({"str"})),)
    assert cases(found, "{rule}.severity = 'HIGH'") == [
        "def case():\n    rule = Rule()\n    rule.severity = 'HIGH'\n    return level(rule=rule)\n"
    ]


def test_what_the_receiver_holds_is_set_too(tmp_path: Path) -> None:
    made = cases(inputs(tmp_path, "Holder.level"), "{it}.rule.severity = 'HIGH'")
    assert made
    assert "    holder.rule.severity = 'HIGH'\n" in made[0]


def test_attributes_that_a_property_reads_keep_their_declared_kind(tmp_path: Path) -> None:
    text = (
        "class Move:\n    ids: tuple[str, ...]\n\n    def __init__(self, ids):\n"
        "        self.ids = tuple(ids)\n\n    @property\n    def sources(self):\n"
        "        return self.ids\n\n    def first(self):\n        return [*self.sources]\n"
    )
    found = inputs_in(tmp_path, text, "Move.first")
    assert any(each.startswith("{it}.ids = ") for each in texts_of(found.receivers.states))
    assert dict(found.kinds)["{it}.ids"] == {"tuple"}


def test_a_pattern_that_is_written_in_the_class_is_no_state(tmp_path: Path) -> None:
    states = texts_of(inputs_in(tmp_path, PATTERNS, "Line.name").receivers.states)
    assert any(each.startswith("{it}.given = ") for each in states)
    assert not any(each.startswith("{it}.form = ") for each in states)


def test_what_cannot_be_set_is_given_to_the_constructor(tmp_path: Path) -> None:
    assert not texts_of(inputs(tmp_path, "fixed").receivers.states)


def test_an_instance_that_needs_nothing_is_given_something(tmp_path: Path) -> None:
    states = texts_of(inputs(tmp_path, "scheme").receivers.states)
    assert "{holding}.place = Place()" in states
    assert any(each.startswith("{holding}.place = Place(name=") for each in states)


def test_names_that_mean_something_else_are_free(tmp_path: Path) -> None:
    made = "".join(cases(inputs(tmp_path, "named"), "{"))
    assert "    list_1 = Rule()\n" in made
    assert "list=list_1" in made
    assert "    list = " not in made


HANDED_ON = """
class State:
    def __init__(self):
        self.env = {"links": {}}

    def size(self):
        return len(self.env)

class Renderer:
    def __call__(self, words: str, state: State):
        return words + "".join(self.links(state))

    def links(self, state: State):
        for key in state.env["links"]:
            yield state.env["links"][key]["url"] + str(state.size())
"""


def test_what_is_read_where_an_argument_is_handed_on_to_is_set(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HANDED_ON)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::Renderer.__call__"))
    assert found is not None
    states = [
        each for each in texts_of(found.receivers.states) if each.startswith("{state}.env = ")
    ]
    assert any("'url'" in each for each in states)
    assert not any(each.startswith("{state}.size") for each in texts_of(found.receivers.states))
