"""What namespaces hold is remembered; what is seen of them is the same as without remembering."""

from __future__ import annotations

import enum
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.sandbox.state import observed_state
from slicefunc.verifier.sandbox.state.namespaces import Known

Namespace = dict[str, Any]
NAME = "script_of_this_test"


class Colour(enum.Flag):
    """A class of the script."""

    RED = 1
    BLUE = 2


class Table:
    """Another one."""

    rows: ClassVar[list[int]] = []
    title = "t"


def helper() -> None:
    """A function of the script."""


def made() -> Namespace:
    """Globals of a script; its classes are the same each time."""
    Colour.__module__ = Table.__module__ = NAME
    Table.__qualname__ = "Table"
    Table.rows, Table.title = [1], "t"
    helper.__module__, helper.__qualname__ = NAME, "helper"
    return {
        "N": 1, "TEXT": "a", "ROWS": [1, [2]], "TREE": {"a": {"b": 1}}, "Colour": Colour,
        "Table": Table, "ONE": Table(), "f": len, "m": ModuleType("m"), "_effects": [],
        "HOOKS": [[helper]], "helper": helper,
    }  # fmt: skip


CHANGES: dict[str, Callable[[Namespace], object]] = {
    "a number": lambda n: n.update(N=2),
    "the same number again": lambda n: n.update(N=1),
    "a text": lambda n: n.update(TEXT="b"),
    "a list inside": lambda n: n["ROWS"][1].append(3),
    "a dictionary inside": lambda n: n["TREE"]["a"].update(c=2),
    "a new name": lambda n: n.update(NEW=[1]),
    "a name less": lambda n: n.pop("TEXT", None),
    "an equal list": lambda n: n.update(ROWS=[1, [2]]),
    "a list of a class": lambda _: Table.rows.append(2),
    "a text of a class": lambda _: setattr(Table, "title", "u"),
    "a name of a class": lambda _: setattr(Table, "more", [1]),
    "an attribute": lambda n: setattr(n["ONE"], "x", 1),
    "another class": lambda n: n.update(Table=type("Table", (), {"__module__": NAME})),
    "a function with another name": lambda _: setattr(helper, "__qualname__", "helped"),
    "a name that leads elsewhere": lambda n: n.update(helper=len),
    "a class with another name": lambda _: setattr(Table, "__qualname__", "Tables"),
    "another function": lambda n: n.update(f=max),
    "a module": lambda n: n.update(m=ModuleType("k")),
    "a module in the place of data": lambda n: n.update(N=ModuleType("k")),
    "flags are combined": lambda n: n.update(N=Colour.RED | Colour.BLUE),
    "nothing": lambda _: None,
}


def seen(changes: list[list[str]], known: Known | None) -> list[list[str]]:
    """Names that differ after each round of changes."""
    namespace = made()
    vars(Table).get("more") and delattr(Table, "more")
    found: list[list[str]] = []
    for names in changes:
        watch = observed_state.Globals(namespace, {NAME}, known=known)
        before = watch.snapshot()
        for name in names:
            CHANGES[name](namespace)
        found.append([name for name, _ in observed_state.changed(before, watch.snapshot())])
    return found


@given(st.lists(st.lists(st.sampled_from(sorted(CHANGES)), max_size=3), max_size=4))
def test_what_is_remembered_hides_nothing_and_adds_nothing(changes: list[list[str]]) -> None:
    assert seen(changes, Known()) == seen(changes, None)


def test_each_change_is_seen_under_its_name() -> None:
    told = {name: seen([[], [name]], Known())[1] for name in sorted(CHANGES)}
    assert told["a list inside"] == ["<script>.ROWS"]
    assert told["a text of a class"] == ["<script>.Table.title"]
    assert told["a list of a class"] == ["<script>.Table.rows"]
    assert told["an attribute"] == ["<script>.ONE"]
    assert told["a new name"] == ["<script>.NEW"]
    quiet = {"the same number again", "an equal list", "a module", "nothing"}
    assert {name for name, names in told.items() if not names} == quiet
    assert told["flags are combined"] == ["<script>.N"], "not the tables of the class as well"


def test_what_is_built_when_it_is_first_asked_for_is_no_change() -> None:
    lazy = type("TypeAdapter", (), {"__module__": "pydantic.type_adapter"})()
    namespace = {"ADAPTER": lazy, "ROWS": [1]}
    watched = observed_state.Globals(namespace, {NAME})
    before = watched.snapshot()
    lazy.validator = [1]
    namespace["ROWS"].append(2)
    assert [name for name, _ in observed_state.changed(before, watched.snapshot())] == [
        "<script>.ROWS"
    ]


def test_how_a_class_of_a_library_works_is_no_state_of_it() -> None:
    options = type("Options", (), {"__module__": "django.db.models.options"})()
    reader = {"__module__": "django.db.models.query_utils", "__get__": lambda *_: 1}
    field = type("DeferredAttribute", (), reader)()
    own = type("Own", (), {"__module__": NAME, "__get__": lambda *_: 1})()
    attributes = {"_meta": options, "names": ["a"], "born": field, "own": own}
    model = type("Pet", (), {"__module__": NAME, **attributes})
    namespace = {"Pet": model}
    watched = observed_state.Globals(namespace, {NAME})
    before = watched.snapshot()
    options.fields = field.seen = [1]
    assert not observed_state.changed(before, watched.snapshot())
    model.names.append("b")
    changed = observed_state.changed(before, watched.snapshot())
    assert [name for name, _ in changed] == ["<script>.Pet.names"]
    own.seen = 1
    changed = observed_state.changed(before, watched.snapshot())
    assert [name for name, _ in changed] == ["<script>.Pet.names", "<script>.Pet.own"]
