"""Readable cases show what the drafts show, and no line is longer than it must be."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.script.expression_layout import WIDTH
from slicefunc.verifier.search.drafts.readable import STYLES, Style, readable, same_but_for_names

PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False),
    st.text(max_size=40), st.binary(max_size=5),
    st.builds(lambda unit, n: unit * n, st.text(min_size=1, max_size=4), st.integers(5, 40)),
).map(repr)  # fmt: skip
MADE = st.sampled_from(
    [
        '__import__("datetime").date(2024, 1, 2)',
        "__import__('decimal').Decimal('1.5')",
        '__import__("os.path", fromlist=["join"]).join("a", "b")',
        '__import__("importlib").import_module("collections.abc").Sized.__name__',
        '__import__("types").SimpleNamespace(one=1)',
        "(lambda *args, **named: __import__('datetime').timedelta(1))",
        "set()",
        "datetime",
    ]
)
NAMES = st.sampled_from(["name", "size", "items", "__len__", "__repr__", "_own", "date"])
LABELS = st.sampled_from(["Edge", "StandIn", "Decimal", "target", "list"])


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inner, max_size=4).map(lambda parts: f"[{', '.join(parts)}]")
    repeated = st.tuples(inner, st.integers(5, 9)).map(lambda p: f"[{', '.join([p[0]] * p[1])}]")
    mappings = st.dictionaries(st.text(max_size=9), inner, max_size=4).map(_mapping)
    members = st.dictionaries(NAMES, st.one_of(inner, inner.map(_method)), max_size=4)
    objects = st.tuples(LABELS, members).map(
        lambda p: f"type({p[0]!r}, (), {_mapping({**p[1], '__repr__': 'lambda self: str(1)'})})()"
    )
    return st.one_of(lists, repeated, mappings, objects)


def _mapping(entries: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key!r}: {text}" for key, text in entries.items()) + "}"


def _method(result: str) -> str:
    return f"lambda self, *args, **named: {result}"


EXPRESSIONS = st.recursive(st.one_of(PLAIN, MADE), _containers, max_leaves=5)


def _result(case: Case) -> Any:
    namespace: dict[str, Any] = {
        "__name__": "script",
        "target": lambda **given: given,
        "datetime": "the script's",
    }
    exec(compile(case.code, "case", "exec"), namespace)
    return namespace[case.name]()


def _seen(value: Any, depth: int = 0) -> object:
    """What code can see of a value, whatever its class is called."""
    cls = type(value)
    if isinstance(value, dict):
        return [(key, _seen(each, depth)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [cls.__name__, *(_seen(each, depth) for each in value)]
    if callable(value) and not isinstance(value, type):
        return ["calls", _seen(value(), depth + 1) if depth < 4 else "…"]
    if cls.__module__ in ("builtins", "datetime", "decimal"):
        return [cls.__name__, repr(value)]
    names = [name for name in dir(value) if not name.startswith("__")]
    length = _seen(cls.__len__(value), depth) if callable(getattr(cls, "__len__", None)) else None
    return [length, *((name, _seen(getattr(value, name), depth)) for name in names)]


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=40, deadline=None)
@given(expressions=st.lists(EXPRESSIONS, min_size=1, max_size=3))
def test_readable_cases_give_what_drafts_give(style: Style, expressions: list[str]) -> None:
    given_ = ", ".join(f"a{n}={text}" for n, text in enumerate(expressions))
    case = Case("case_1", f"def case_1():\n    return target({given_})\n")
    written = readable(case, style)
    assert _seen(_result(written)) == _seen(_result(case)), written.code


@settings(max_examples=25, deadline=None)
@given(EXPRESSIONS)
def test_readable_cases_are_stable(expression: str) -> None:
    case = Case("case_1", f"def case_1():\n    return target(a={expression})\n")
    once = readable(case)
    assert readable(once).code == once.code


def test_what_is_imported_stands_at_the_head() -> None:
    case = _case(
        'f(a=__import__("numpy").ones(3), b=__import__("PIL.Image", fromlist=["new"]).new(1))'
    )
    assert _lines(case) == [
        "import numpy as np",
        "from PIL.Image import new",
        "return f(a=np.ones(3), b=new(1))",
    ]


def test_a_name_that_the_script_has_stays_its_own() -> None:
    case = _case('f(a=datetime.now(), b=__import__("datetime").date(2024, 1, 1))')
    assert _lines(case) == ["return f(a=datetime.now(), b=__import__('datetime').date(2024, 1, 1))"]


def test_stand_ins_become_namespaces_and_classes() -> None:
    plain = "type('Edge', (), {'weight': 3, '__repr__': lambda self: '<Edge>'})()"
    assert _lines(_case(f"f(edge={plain})")) == [
        "from types import SimpleNamespace",
        "return f(edge=SimpleNamespace(weight=3))",
    ]
    method = "type('Edge', (), {'cost': lambda self, *args, **named: 3, 'weight': 2})()"
    assert _lines(_case(f"f(edge={method})")) == [
        "class Edge:",
        "    weight = 2",
        "",
        "    def cost(self, *args, **named):",
        "        return 3",
        "",
        "return f(edge=Edge())",
    ]


@pytest.mark.parametrize(
    "stand_in",
    [
        "type('', (), {'cost': lambda self: 3})()",
        "type('class', (), {'cost': lambda self: 3})()",
        "type('Edge', (), {'from': 3})()",
        "type('Edge', (), {'from': lambda self: 3})()",
    ],
)
def test_a_stand_in_that_cannot_be_written_as_a_class_stays_where_it_is(stand_in: str) -> None:
    assert _lines(_case(f"f(edge={stand_in})")) == [f"return f(edge={stand_in})"]


def test_an_object_that_is_made_anew_in_each_call_stays_where_it_is() -> None:
    inner = "type('Edge', (), {'items': [n], '__len__': lambda self: 1})()"
    code = readable(_case(f"f(make=lambda n: {inner})")).code
    assert "class Edge" not in code


def test_long_calls_are_written_over_several_lines() -> None:
    words = ", ".join(f"'word-{n}'" for n in range(30))
    code = readable(
        _case(f"f(words=[{words}], options={{'one': [1, 2], 'two': g(x='y' * 3)}})")
    ).code
    assert max(map(len, code.splitlines())) <= WIDTH
    assert ast.dump(ast.parse(code)) == ast.dump(
        ast.parse(_case(f"f(words=[{words}], options={{'one': [1, 2], 'two': g(x='y' * 3)}})").code)
    )


def test_what_is_repeated_is_multiplied() -> None:
    assert _lines(_case(f"f(a={'ab' * 20!r}, b={['x'] * 8!r}, c={[1, True] * 4!r})")) == [
        "return f(a='ab' * 20, b=['x'] * 8, c=[1, True, 1, True, 1, True, 1, True])"
    ]


def test_names_of_classes_of_a_case_do_not_count() -> None:
    one = '{"type":"<script>.Edge (local)"}'
    assert same_but_for_names(
        '{"type":"<script>.__case__.<locals>.case_x.<locals>.Edge (local)"}', one
    )
    assert not same_but_for_names('{"type":"<script>.Node (local)"}', one)
    assert not same_but_for_names("", "")


def test_what_is_only_told_once_does_not_count() -> None:
    one = '{"outcome":"returned","value":1,"stderr":"warning"}'
    assert same_but_for_names('{"outcome":"returned","value":1}', one)
    assert not same_but_for_names('{"outcome":"returned","value":2}', one)


def test_literals_are_not_unpacked() -> None:
    assert _lines(_case("f(*[1, 2], 3, *rest, **{'a': 4}, b=5)")) == [
        "return f(1, 2, 3, *rest, a=4, b=5)"
    ]
    for kept in ("f(**{'not a name': 1})", "f(a=1, **{'a': 2})", "f(**more)"):
        assert _lines(_case(kept)) == [f"return {kept}"]


def test_how_an_instance_is_printed_is_only_said_where_it_has_to_be() -> None:
    case = _case(
        "f(type('Edge', (), {'cut': lambda self: 1, '__repr__': lambda self: '<Edge>'})())"
    )
    assert not any("__repr__" in line for line in _lines(case))
    last = _lines(case, lambda c: readable(c, "named classes"))
    assert any("__repr__" in line for line in last)


def test_what_an_abstract_class_leaves_open_is_a_class_of_the_case() -> None:
    case = _case("type('SomeShape', (Shape,), {'area': lambda self: None, 'name': 'a'})().double()")
    assert _lines(case) == [
        "class SomeShape(Shape):",
        "    name = 'a'",
        "",
        "    def area(self):",
        "        return None",
        "",
        "return SomeShape().double()",
    ]


def _case(call: str) -> Case:
    return Case("case_1", f"def case_1():\n    return {call}\n")


def _lines(case: Case, change: Callable[[Case], Case] = readable) -> list[str]:
    return [line[4:] for line in change(case).code.splitlines()[1:]]
