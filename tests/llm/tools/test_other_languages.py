"""The repository tools on Java, JavaScript, Go and Rust, which they know by their syntax."""

from __future__ import annotations

from typing import Any

import pytest
from slicefunc.llm.retrieval.languages import LANGUAGES
from slicefunc.llm.tools import REPOSITORY_TOOLS, CodeIndex, ToolInputError
from slicefunc.llm.tools.code_index import index_of
from slicefunc.llm.tools.syntax_members import base_names
from slicefunc.llm.tools.syntax_records import syntax_record
from slicefunc.slicer import Repository

FILES = {
    "src/shop/Shape.java": """\
package shop;

/** Anything with an area. */
public abstract class Shape {
    protected final String unit = "cm";

    /** The area in square units. */
    public abstract double area();

    public String describe(String prefix) {
        return prefix + area() + unit;
    }
}
""",
    "src/shop/Square.java": """\
package shop;

import java.util.List;

public class Square extends Shape implements Comparable<Square> {
    private final double side;

    public Square(double side) { this.side = side; }

    @Override
    @SuppressWarnings({"all", "unused"})
    public double area() { return side * side; }

    public Square scaled(double factor) { return new Square(side * factor); }
    public Square scaled(int factor, String why) { return new Square(side * factor); }
}
""",
    "web/cart.js": """\
import { tax } from "./tax.js";

// Sum of all prices.
export function total(prices) {
  return prices.reduce((a, b) => a + b, 0);
}

export class Cart extends Map {
  owner = "nobody";
  add(item) { this.set(item.name, item); }
}
""",
    "store/store.go": """\
package store

import "errors"

// Store keeps values.
type Store struct {
	Name string
}

func Open(name string) (*Store, error) {
	return nil, errors.New(name)
}
""",
    "store/get.go": """\
package store

// Get returns a value.
func (s *Store) Get(key string) string {
	return key
}
""",
    "src/other/User.java": """\
package other;

import shop.Square;

class User { Square square; }
""",
    "src/lib.rs": """\
use std::fmt::Debug;

/// A pair of things.
pub struct Pair<T> {
    pub left: T,
}
""",
    "src/pairs.rs": """\
impl<T> Pair<T> {
    /// The left one.
    pub fn left(&self) -> &T {
        &self.left
    }
}
""",
    "main.py": "class Order:\n    pass\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CodeIndex:
    folder = tmp_path_factory.mktemp("languages")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return index_of(Repository(folder))


def ask(index: CodeIndex, tool: str, **given: Any) -> str:
    return next(each for each in REPOSITORY_TOOLS if each.name == tool).call(index, given)


def test_a_class_in_java_has_its_members_and_inherited_ones(index: CodeIndex) -> None:
    said = ask(index, "get_class_info", class_name="Square")
    assert said.startswith("# src/shop/Square.java:5-16\npublic class Square extends Shape")
    assert "private final double side" in said
    assert "public String describe(String prefix)  # inherited from Shape" in said
    assert 'protected final String unit = "cm"  # inherited from Shape' in said
    assert "inherits from src/shop/Shape.java::Shape" in said
    assert "from outside the repository: Comparable" in said


def test_an_overridden_method_is_listed_once(index: CodeIndex) -> None:
    said = ask(index, "get_class_info", class_name="shop.Square")
    assert said.count("double area()") == 1
    assert "@Override" in said


def test_a_method_of_several_forms_has_all_their_heads(index: CodeIndex) -> None:
    said = ask(index, "get_signature", class_name="Square", method_name="scaled")
    assert "scaled(double factor)" in said
    assert "scaled(int factor, String why)" in said


def test_an_inherited_method_has_its_code_and_comment(index: CodeIndex) -> None:
    body = ask(index, "get_method_body", class_name="Square", method_name="describe")
    assert "# src/shop/Shape.java:10-12" in body
    assert "return prefix + area() + unit;" in body
    said = ask(index, "get_signature", class_name="Shape", method_name="area")
    assert "The area in square units." in said


def test_a_package_is_found_by_its_dotted_name(index: CodeIndex) -> None:
    said = ask(index, "get_imports", code="class A { Square s; List<String> l; Nothing n; }")
    assert "import shop.Square;  // defined in src/shop/Square.java:5" in said
    assert "import java.util.List;  // as in 1 file" in said
    assert "Nothing" not in said


def test_a_file_of_the_same_package_needs_no_import(index: CodeIndex) -> None:
    code = "package shop;\nclass A { Square s; List<String> l; }"
    said = ask(index, "get_imports", code=code, path="src/shop/Shape.java")
    assert "Square" not in said
    assert "java.util.List" in said


def test_a_missing_file_of_another_language_is_answered_with_advice(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match="no such file") as caught:
        ask(index, "get_imports", code="class A {}", path="src/Nowhere.java")
    assert caught.value.advice == "leave path out for a new file"


def test_functions_and_fields_of_javascript(index: CodeIndex) -> None:
    assert "Sum of all prices." in ask(index, "get_signature", method_name="total")
    said = ask(index, "get_class_info", class_name="Cart")
    assert 'owner = "nobody"' in said
    assert "add(item)" in said
    imports = ask(index, "get_imports", code="total([])", path="web/cart.js")
    assert "total" not in imports


def test_methods_of_go_stand_in_other_files(index: CodeIndex) -> None:
    said = ask(index, "get_class_info", class_name="Store")
    assert "type Store struct" in said
    assert "Name string" in said
    assert said.endswith("func (s *Store) Get(key string) string  # Get returns a value.")
    body = ask(index, "get_method_body", class_name="Store", method_name="Get")
    assert "# store/get.go:4-6" in body


def test_methods_of_rust_stand_in_impl_blocks(index: CodeIndex) -> None:
    said = ask(index, "get_class_info", class_name="Pair")
    assert "pub left: T" in said
    assert "pub fn left(&self) -> &T  # The left one." in said


def test_outlines_and_snippets_are_code_of_the_language(index: CodeIndex) -> None:
    outline = ask(index, "get_relevant_code", search_string="anything with an area")
    assert "# src/shop/Shape.java:4-13\npublic abstract class Shape {" in outline
    assert "return prefix" not in outline
    snippets = ask(index, "get_related_snippets", search_string="prices reduce")
    assert "prices.reduce((a, b) => a + b, 0)" in snippets


def test_python_has_its_own_records(index: CodeIndex) -> None:
    assert ask(index, "get_class_info", class_name="Order").endswith("class Order:")
    assert "from main import Order" in ask(index, "get_imports", code="Order()")


def test_an_unknown_class_is_answered_with_advice(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError) as caught:
        ask(index, "get_class_info", class_name="Squar")
    assert "src/shop/Square.java::Square" in caught.value.advice


@pytest.mark.parametrize(
    ("signature", "bases"),
    [
        ("class A", []),
        ("class A extends B", ["B"]),
        ("class A<T extends C> extends a.b.B<T, List<D>> implements E, f.G", ["B", "E", "G"]),
        ("interface A extends B, C permits D", ["B", "C", "D"]),
    ],
)
def test_bases_are_the_names_of_a_head(signature: str, bases: list[str]) -> None:
    assert base_names(signature) == bases


@pytest.mark.parametrize("language", LANGUAGES[1:], ids=lambda each: each.name)
@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe{", b"class {", b"func (", b"impl {}", b"{" * 999]
)
def test_what_does_not_parse_is_no_error(language: Any, content: bytes) -> None:
    record = syntax_record("a/b", content, language)
    assert all(each.first <= each.last for each in (*record.definitions, *record.snippets))
