"""What is mistaken for an instance is tried where a target looks at classes."""

from __future__ import annotations

import ast

from slicefunc.verifier.search.variation.lookalikes import ClassTest, class_tests, lookalikes


def looked_at(text: str) -> dict[str, ClassTest]:
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    return class_tests(function)


def test_the_class_itself_is_given_where_another_class_is_refused() -> None:
    found = looked_at(
        "def put(b, n):\n    if not isinstance(b, Base):\n        raise TypeError\n"
        "    print(b.size)\n"
    )
    assert list(lookalikes((("b", "Base(3)"), ("n", "4")), found)) == [
        ("b", "type('SomeBase', (Base,), {})(3)"),
        ("b", "Base"),
        ("b", "__import__('types').SimpleNamespace(size=Base(3).size)"),
    ]


def test_the_other_side_of_an_equality_has_the_same_attributes_in_another_class() -> None:
    found = looked_at("def __eq__(self, other):\n    return self.value == other or self is other\n")
    assert list(lookalikes((("other", "Token(1)"),), found)) == [
        ("other", "__import__('types').SimpleNamespace(value=Token(1).value)")
    ]


def test_nothing_is_mistaken_where_nobody_looks_at_classes() -> None:
    found = looked_at("def size(box):\n    return box.size\n")
    assert not list(lookalikes((("box", "Box(1)"),), found))


def test_plain_values_are_mistaken_for_nothing() -> None:
    found = looked_at("def f(x):\n    if not isinstance(x, str):\n        raise ValueError\n")
    assert not list(lookalikes((("x", "'a'"), ("x", "set()")), found))


def test_whatever_has_the_attributes_is_as_good_where_an_equality_reads_them_unasked() -> None:
    found = looked_at("def __eq__(self, other):\n    return self.value == other.value\n")
    assert not list(lookalikes((("other", "Token(1)"),), found))


def test_the_class_itself_is_not_given_where_something_else_is_refused() -> None:
    found = looked_at(
        "def put(b, n):\n    if n < 0:\n        raise ValueError\n"
        "    return b.size if isinstance(b, Base) else b\n"
    )
    assert [text for _, text in lookalikes((("b", "Base(3)"),), found)] == [
        "type('SomeBase', (Base,), {})(3)",
        "__import__('types').SimpleNamespace(size=Base(3).size)",
    ]


def test_an_instance_of_a_subclass_is_one_of_the_class_too_however_that_is_called() -> None:
    found = looked_at(
        "def both(other):\n    return other.parts if isinstance(other, all_of) else (other,)\n"
    )
    assert next(lookalikes((("other", "all_of(a, b=1)"),), found)) == (
        "other",
        "type('Someall_of', (all_of,), {})(a, b=1)",
    )
    assert "Someall_of" in found["other"].lookalikes
