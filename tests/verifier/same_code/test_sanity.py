"""Each check of an eval script passes on a good one, and fails alone on what it is there for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.same_code.sanity_checks import (
    CheckName,
    Evaluated,
    count_tokens,
    sanity_checks,
)

TARGET = """\
def area(shape, scale=1):
    total = 0
    for a, b in zip(shape, shape[1:] + shape[:1]):
        total += cross(a, b) * scale * scale
    return abs(total) / 2
"""
DEPENDENCY = """\
def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]
"""
TESTS = """

def area_new_implementation(shape, scale=1):
    return area(shape, scale)


def test_area():
    square = [(0, 0), (0, 1), (1, 1), (1, 0)]
    assert area(square) == area_new_implementation(square)
    assert area(square, 2) == area_new_implementation(square, 2)
    assert area([]) == area_new_implementation([])


if __name__ == "__main__":
    test_area()
"""
SCRIPT = f"{DEPENDENCY}\n\n{TARGET}"
GOOD = Evaluated("area", TARGET, (DEPENDENCY,), SCRIPT, SCRIPT + TESTS)


def failed(evaluated: Evaluated) -> list[CheckName]:
    return [check.name for check in sanity_checks(evaluated) if not check.is_passed]


def test_a_good_script_passes_all_checks() -> None:
    assert failed(GOOD) == []
    assert [check.name for check in sanity_checks(GOOD)] == [
        "target-present",
        "target-tokens",
        "dependency-tokens",
        "test-tokens",
        "test-present",
        "test-calls-both",
        "test-assertions",
        "main-calls-test",
    ]


def test_without_tests_only_the_script_is_checked() -> None:
    names = [check.name for check in sanity_checks(replace(GOOD, tested=None))]
    assert names == ["target-present", "target-tokens", "dependency-tokens"]


def test_a_script_without_the_target_fails() -> None:
    missing = replace(GOOD, script=SCRIPT.replace("def area(", "def surface("), tested=None)
    assert failed(missing) == ["target-present", "target-tokens"]


@pytest.mark.parametrize(("lost", "expected"), [(20, []), (21, ["target-tokens"])])
def test_the_target_may_lose_twenty_tokens(lost: int, expected: list[CheckName]) -> None:
    original = f"{TARGET}    {'-' * (lost - 1)}x\n"
    assert count_tokens(original) - count_tokens(TARGET) == lost
    assert failed(replace(GOOD, original=original, tested=None)) == expected


@pytest.mark.parametrize(("more", "expected"), [(50, []), (51, ["dependency-tokens"])])
def test_the_script_may_have_fifty_tokens_fewer_than_its_dependencies(
    more: int, expected: list[CheckName]
) -> None:
    total = count_tokens(SCRIPT)
    dependencies = ("x = 1\n", "-" * (total + more - 4) + "z\n")
    assert sum(map(count_tokens, dependencies)) == total + more
    assert failed(replace(GOOD, dependencies=dependencies, tested=None)) == expected


def test_tests_must_not_replace_the_script() -> None:
    assert "test-tokens" in failed(replace(GOOD, script=SCRIPT * 10))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def test_area", "def check_area", ["test-present", "test-calls-both", "test-assertions"]),
        ("    assert area([]) == area_new_implementation([])\n", "", ["test-assertions"]),
        ("    test_area()", "    pass", ["main-calls-test"]),
        (
            "    test_area()",
            "    try:\n        test_area()\n    except AssertionError:\n        pass",
            ["main-calls-test"],
        ),
        ("    test_area()", "    try:\n        test_area()\n    finally:\n        print()", []),
        ("    test_area()", "    with open('x'):\n        print(test_area())", []),
        ("test_area()\n", "print(test_area)\n", ["main-calls-test"]),
    ],
)
def test_what_is_wrong_with_the_tests_is_named(
    old: str, new: str, expected: list[CheckName]
) -> None:
    assert old in TESTS
    assert failed(replace(GOOD, tested=SCRIPT + TESTS.replace(old, new))) == expected


def test_one_version_compared_with_itself_is_no_test() -> None:
    head, tail = TESTS.split("def test_area")
    same = tail.replace("area_new_implementation", "area")
    checks = sanity_checks(replace(GOOD, tested=f"{SCRIPT}{head}def test_area{same}"))
    (found,) = [check for check in checks if not check.is_passed]
    assert found.name == "test-calls-both"
    assert found.detail == "test_area never calls area_new_implementation"


def test_a_method_is_called_on_its_object_and_a_property_by_reading() -> None:
    script = "class C:\n    @property\n    def f(self):\n        return 1\n"
    tests = """
def test_f():
    for _ in range(3):
        assert C().f == C().f_new_implementation
    np.testing.assert_allclose(C().f, 1)
    self.assertEqual(C().f, 1)

if __name__ == "__main__":
    test_f()
"""
    assert failed(Evaluated("C.f", script[9:], (), script, script + tests)) == []


def test_the_target_may_stand_in_a_carried_module(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"from b import cross\n\n\n{TARGET}", encoding="utf-8")
    (tmp_path / "b.py").write_text(f"import a\n\n\n{DEPENDENCY}", encoding="utf-8")
    sliced = slice_function(Repository(tmp_path), "a.py::area", emit="modules")
    assert failed(Evaluated("area", TARGET, (DEPENDENCY,), sliced.source)) == []
    assert failed(Evaluated("cross", DEPENDENCY, (), sliced.source)) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x = 1  # comment\n\n\n", 3),
        ("if x:\n    y\n", 4),
        ("    indented = 1\n", 3),
        ('"""one\nstring"""\n', 1),
        ("a\r\nb\r", 2),
        ("", 0),
    ],
)
def test_comments_and_layout_are_no_tokens(text: str, count: int) -> None:
    assert count_tokens(text) == count


def test_text_that_is_no_python_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        count_tokens("x = (1\n")
