"""What is read of Java's source: tests' calls, references, skeletons, and packages."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.repository_tasks.class_facts import ClassFacts
from slicefunc.driver.evaluation.repository_tasks.java import run as java_run
from slicefunc.driver.evaluation.repository_tasks.java.classes import JavaClasses
from slicefunc.driver.evaluation.repository_tasks.java.index import JavaIndex
from slicefunc.driver.evaluation.repository_tasks.java.references import used_by_methods
from slicefunc.driver.evaluation.repository_tasks.java.removal import in_package, without_java_class
from slicefunc.driver.evaluation.repository_tasks.java.skeletons import java_skeleton
from slicefunc.driver.evaluation.repository_tasks.java.source import java_file
from slicefunc.driver.evaluation.repository_tasks.java.test_calls import methods_called
from slicefunc.driver.evaluation.repository_tasks.test_paths import is_test_file

from tests.driver.evaluation.repository_tasks.java_clone import (
    FILES,
    HEADS,
    HEADS_TEST,
    MAIN,
    write,
)

# classes and their tests


def found(folder: Path) -> dict[str, ClassFacts]:
    return {each.name: each for each in JavaClasses(folder).classes()}


def test_classes_are_found_and_enums_and_interfaces_are_not(tmp_path: Path) -> None:
    assert set(found(write(tmp_path))) == {"Heads", "Keyed", "Words"}


def test_a_class_has_the_tests_that_name_it_and_the_methods_that_they_call(tmp_path: Path) -> None:
    heads = found(write(tmp_path))["Heads"]
    assert heads.tests == (HEADS_TEST,)
    assert heads.tested == ("Heads", "most", "of", "often", "size")
    assert heads.referring == ("Heads", "most", "of", "often")


def test_a_test_of_a_class_of_that_name_elsewhere_does_not_name_it(tmp_path: Path) -> None:
    other = f"{MAIN}text/Heads.java"
    folder = write(tmp_path, **{other: "package lingua.text;\n\nclass Heads {}\n"})
    tests = {each.path: each.tests for each in JavaClasses(folder).classes()}
    assert tests[HEADS] == (HEADS_TEST,)
    assert tests[other] == ()


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("src/test/java/a/Helper.java", True),
        ("core/src/test/java/a/B.java", True),
        ("a/BTest.java", True),
        ("a/TestB.java", True),
        ("a/BTests.java", True),
        ("core/src/it/java/a/B.java", True),
        ("src/it/company/B.java", False),
        ("a/Tester.java", False),
        ("a/Contest.java", False),
        ("src/main/java/a/test/B.java", False),
        ("src/main/java/a/B.java", False),
        ("tests/test_a.py", True),
        ("a.py", False),
    ],
)
def test_files_of_tests_are_told_by_folder_and_name(path: str, is_one: bool) -> None:
    assert is_test_file(path) is is_one


OWNER = """\
package a;

public class C {
    public C() {}
    public C m() { return this; }
    public static C make() { return new C(); }
    public int n() { return 0; }
}
"""


def calls(body: str, imports: str = "", members: str = "") -> set[str]:
    """The methods of `C` that a test with such code calls."""
    index = JavaIndex([java_file("src/main/java/a/C.java", OWNER)])
    text = f"package a;\n{imports}\nclass CTest {{\n{members}\nvoid t() {{ {body} }}\n}}\n"
    return methods_called(index, index.types["a.C"], java_file("CTest.java", text))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("C c = null; c.n();", {"n"}),
        ("final C c = null; c.n();", {"n"}),
        ("new C().n();", {"C", "n"}),
        ("var c = new C(); c.n();", {"C", "n"}),
        ("C.make().m().n();", {"make", "m", "n"}),
        ("a.C.make();", {"make"}),
        ("((C) o).n();", {"n"}),
        ("for (C c : all) c.n();", {"n"}),
        ("try (C c = open()) { c.n(); }", {"n"}),
        ("run(C::make);", {"make"}),
        ("C c = null; run(c::n);", {"n"}),
        ("C c = null; run(() -> c.n());", {"n"}),
        ("Other c = null; c.n();", set()),
        ("List<C> c = null; c.n();", set()),
        ("C[] c = null; c.n();", set()),
        ("n();", set()),
        ("// C c; c.n();", set()),
        ('String s = "C.make()";', set()),
        ("C c = null; c.toString();", set()),
    ],
)
def test_calls_count_by_their_receiver(body: str, expected: set[str]) -> None:
    assert calls(body) == expected


def test_calls_count_on_fields_and_on_what_the_test_itself_makes() -> None:
    assert calls("this.c.n();", members="private C c;") == {"n"}
    assert calls("made().n();", members="C made() { return null; }") == {"n"}


def test_static_imports_count() -> None:
    assert calls("make().n();", imports="import static a.C.make;") == {"make", "n"}
    assert calls("make();", imports="import static a.C.*;") == {"make"}
    assert calls("make();", imports="import static b.C.make;") == set()


# references

OTHERS = (
    java_file("a/N.java", "package a; class N { static int k; }"),
    java_file("b/I.java", "package b; public class I { public static int f() { return 1; } }"),
    java_file("b/W.java", "package b; public class W {}"),
    java_file("b/S.java", "package b; public class S extends R { }"),
    java_file("b/R.java", "package b; public class R { protected int up() { return 1; } }"),
)


def needs(body: str, imports: str = "", rest: str = "", head: str = "class C") -> tuple[str, ...]:
    """What a method with such a body needs."""
    text = f"package a;\n{imports}\n{head} {{ void m() {{ {body} }} {rest} }}\n"
    index = JavaIndex([java_file("a/C.java", text), *OTHERS])
    return used_by_methods(index, index.types["a.C"], ["m"])["m"]


@pytest.mark.parametrize(
    ("body", "imports", "expected"),
    [
        ("N.k = 1;", "", ("a/N.java::N",)),
        ("Object o = new I();", "import b.I;", ("b/I.java::I",)),
        ("W w = null;", "import b.*;", ("b/W.java::W",)),
        ("f();", "import static b.I.f;", ("b/I.java::I",)),
        ("f();", "import static b.I.*;", ("b/I.java::I",)),
        ("b.W w = null;", "", ("b/W.java::W",)),
        ("b.I.f();", "", ("b/I.java::I",)),
        ("W w = null;", "", ()),
        ("N n = null;", "import elsewhere.N;", ()),
        ("C c = this;", "", ()),
        ('String s = "N"; // N', "", ()),
        ("f();", "", ()),
    ],
)
def test_names_are_resolved_by_package_and_imports(
    body: str, imports: str, expected: tuple[str, ...]
) -> None:
    assert needs(body, imports) == expected


def test_what_own_members_need_counts_too() -> None:
    assert needs("go();", rest="void go() { N.k = 1; }") == ("a/N.java::N",)
    assert needs("int i = x.hashCode();", rest="private N x;") == ("a/N.java::N",)
    assert needs("int i = 0;", rest="void other() { N.k = 1; }") == ()
    assert needs("N n = null;", rest="static class N { }") == ()


def test_methods_of_supertypes_count() -> None:
    head = "class C extends S"
    assert needs("up();", "import b.S;", head=head) == ("b/R.java::R.up",)
    assert needs("super.up();", "import b.S;", head=head) == ("b/R.java::R.up",)
    assert needs("other.up();", "import b.S;", head=head) == ()


# the description, the start, and answers


def test_a_skeleton_has_heads_and_comments_without_code() -> None:
    text = java_skeleton(java_file(HEADS, FILES[HEADS]))
    assert text.splitlines()[:4] == [
        f"`{HEADS}` is of the package `lingua.counts`.",
        "- `public class Heads extends Keyed`: First words, and how often each came.",
        "  - `public static final int NONE`: Words that no line has.",
        "  - `public Heads(String... lines)`: Count the first words. @param lines texts",
    ]
    assert "  - `static Heads of(Lines lines)`\n" in text
    assert not [word for word in ("counts =", "merge", "private", "return ") if word in text]


def test_a_skeleton_has_nested_types_records_and_default_packages() -> None:
    text = "public record P(int a, N... b) { enum E { X } interface I { void m(); } }"
    assert java_skeleton(java_file("P.java", text)) == (
        "- `public record P(int a, N... b)`\n"
        "  - `enum E`\n    - `X`\n  - `interface I`\n    - `void m()`\n"
    )


@pytest.mark.parametrize("package", ["", "a", "a.b"])
def test_the_start_has_the_package_and_a_comment(package: str) -> None:
    file = java_file("N.java", without_java_class(package, "N"))
    assert file.package == package
    assert file.types == ()
    assert file.text.endswith("// the class N belongs here\n")


PACKAGES = st.lists(st.text("abc", min_size=1, max_size=3), max_size=3).map(".".join)
NOTES = st.sampled_from(["", "/* package x; */\n", "// as package y;\n", "\n\n"])


@given(PACKAGES, PACKAGES, NOTES)
def test_an_answer_is_in_the_package_of_its_place(place: str, own: str, note: str) -> None:
    line = f"package {own};\n" if own else ""
    body = "import x.Y;\n\npublic class N {}\n"
    text = in_package(note + line + body, without_java_class(place, "N"))
    assert java_file("N.java", text).package == place
    assert text.endswith(body)
    assert in_package(text, text) == text


# libraries


def test_a_build_of_the_repository_itself_is_no_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, entry in (("commons-own-1.jar", "lingua/text/Old"), ("commons-x-1.jar", "x/Y")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(f"{entry}.class", b"")
    monkeypatch.setattr(java_run, "_JARS", tmp_path)
    script = java_run.java_run(write(tmp_path / "repository")).words[-1]
    assert "commons-x-1.jar" in script
    assert "commons-own-1.jar" not in script
