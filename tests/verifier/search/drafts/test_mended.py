"""Drafts after an error: what an instance lacks is given to it."""

from __future__ import annotations

import pytest
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.strategies.error_repair import repair_draft

# what fails, what its error says, and what is tried instead
RECEIVERS = [
    (
        "App(name='a')",
        "'App' object has no attribute 'config'",
        "type('SomeApp', (App,), {'config': 7})(name='a')",
    ),
    (
        "type('SomeApp', (App,), {'config': 7})()",
        "'SomeApp' object has no attribute 'root'",
        "type('SomeApp', (App,), {'config': 7, 'root': 7})()",
    ),
    (
        "App()",
        "type object 'App' has no attribute 'config'",
        "type('SomeApp', (App,), {'config': 7})()",
    ),
    (
        "object.__new__(App)",
        "'App' object has no attribute 'config'",
        "object.__new__(type('SomeApp', (App,), {'config': 7}))",
    ),
    (
        "object.__new__(type('SomeApp', (App,), {'config': 7}))",
        "'SomeApp' object has no attribute 'root'",
        "object.__new__(type('SomeApp', (App,), {'config': 7, 'root': 7}))",
    ),
    (
        "App(1)",
        "Base.__init__() missing 2 required positional arguments: 'size' and 'name'",
        "App(1, size=7, name=7)",
    ),
    ("App(1, b=2)", "App() takes no arguments", "App()"),
    ("App(1, b=2)", "App.__init__() got an unexpected keyword argument 'b'", "App(1)"),
    (
        "object.__new__(App)",
        "object.__new__(App) is not safe, use Exception.__new__()",
        "App.__new__(App)",
    ),
]


@pytest.mark.parametrize(("text", "message", "expected"), RECEIVERS)
def test_a_receiver_is_made_as_the_error_asks(text: str, message: str, expected: str) -> None:
    found = list(repair_draft(Draft(text), message, lambda _: "7"))
    assert [draft.receiver for draft in found] == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "'Other' object has no attribute 'config'",
        "Other() takes no arguments",
        "App.__init__() got an unexpected keyword argument 'c'",
        "nothing that is known",
    ],
)
def test_what_the_error_does_not_speak_of_stays(message: str) -> None:
    assert not list(repair_draft(Draft("App(1, b=2)"), message, lambda _: "7"))


def test_arguments_and_statements_are_changed_one_at_a_time() -> None:
    draft = Draft("App(Box())", (("box", "Box()"),), (Statement("{it}.box = Box()"),))
    changed = list(
        repair_draft(draft, "Box.__init__() missing 1 required positional argument: 'n'", str)
    )
    assert [d.texts for d in changed] == [
        ("App(Box(), n=n)", "Box()", "{it}.box = Box()"),
        ("App(Box(n=n))", "Box()", "{it}.box = Box()"),
        ("App(Box())", "Box(n=n)", "{it}.box = Box()"),
        ("App(Box())", "Box()", "{it}.box = Box(n=n)"),
    ]


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("unsupported operand type(s) for ** or pow(): 'str' and 'int'", "1"),
        ("'<' not supported between instances of 'str' and 'float'", "1.5"),
        ('can only concatenate str (not "list") to str', "['item-1', 'item-2']"),
        ("'str' object cannot be interpreted as an integer", "1"),
    ],
)
def test_what_an_operation_refuses_is_tried_as_another_kind(message: str, first: str) -> None:
    draft = Draft("", (("name", "'a'"), ("size", "2")))
    found = [each.arguments for each in repair_draft(draft, message, lambda _: "7")]
    assert found[0] == (("name", first), ("size", "2"))
    assert {dict(each)["size"] for each in found[:3]} == {"2"}


# what is given, what the error says of it, and what is tried instead
VALUES = [
    ("'a'", "'str' object has no attribute 'items'", "{'key-1': 'value-1'}"),
    (
        "1",
        "'int' object has no attribute 'db'",
        "type('Given', (), {'db': 7, '__repr__': lambda self: '<Given>'})()",
    ),
    (
        "type('Box', (), {'state': 'a', '__repr__': lambda self: '<Box>'})()",
        "'str' object has no attribute 'db'",
        "type('Box', (), {'state': type('State', (), {'db': 7, '__repr__': lambda self:"
        " '<State>'})(), '__repr__': lambda self: '<Box>'})()",
    ),
    (
        "type('Box', (), {'parse': 'a', '__repr__': lambda self: '<Box>'})()",
        "'str' object is not callable",
        "type('Box', (), {'parse': lambda self, *args, **named: 'a', '__repr__': lambda self:"
        " '<Box>'})()",
    ),
    (
        "type('Box', (), {'find': lambda self: None})()",
        "'NoneType' object has no attribute 'db'",
        "type('Box', (), {'find': lambda self: type('Find', (), {'db': 7, '__repr__': lambda self:"
        " '<Find>'})()})()",
    ),
    ("{'a': 1}", "'str' object has no attribute 'db'", None),
]


@pytest.mark.parametrize(("text", "message", "expected"), VALUES)
def test_what_a_value_lacks_is_had_by_another(text: str, message: str, expected: str) -> None:
    draft = Draft("", (("given", text),))
    found = [dict(each.arguments)["given"] for each in repair_draft(draft, message, lambda _: "7")]
    assert found[:1] == ([expected] if expected else [])


def test_a_dictionary_that_is_made_of_a_text_is_made_of_another() -> None:
    message = "dictionary update sequence element #0 has length 1; 2 is required"
    found = list(repair_draft(Draft("", (("given", "'a'"),)), message, lambda _: "7"))
    assert found[0].arguments == (("given", "{'key-1': 'value-1'}"),)


def test_what_was_added_for_an_error_is_looked_at_first() -> None:
    given = "type('Box', (), {'name': 'a', 'state': 'b', 'owner': 'c'})()"
    before = ("'Box' object has no attribute 'state'",)
    said = "'str' object has no attribute 'db'"
    found = next(repair_draft(Draft("", (("given", given),)), said, lambda _: "7", before))
    assert "'state': type('State'" in dict(found.arguments)["given"]


def test_what_may_be_none_is() -> None:
    draft = Draft("", (("kind", "int"), ("trace", "3")))
    found = [d.arguments for d in repair_draft(draft, "trace must be a Trace or None", str)]
    assert (("kind", "int"), ("trace", "None")) in found


def test_keywords_that_are_handed_on_hold_what_is_missing_behind_them() -> None:
    said = "Base.__init__() missing 1 required positional argument: 'size'"
    draft = Draft("", (("rest", "{'name': 1}"),))
    first, *_ = repair_draft(draft, said, lambda _: "7", (), "rest")
    assert first.arguments == (("rest", "{'name': 1, 'size': 7}"),)
    first, *_ = repair_draft(Draft(), said, lambda _: "7", (), "rest")
    assert first.arguments == (("rest", "{'size': 7}"),)
    assert not list(repair_draft(Draft(), said, lambda _: "7"))
