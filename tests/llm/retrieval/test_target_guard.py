"""What gives the target away: itself, and its copies."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval.chunks import Chunk, chunks_of
from slicefunc.llm.retrieval.copy_holes import without_copies
from slicefunc.llm.retrieval.languages import language_of
from slicefunc.llm.retrieval.target_guard import HiddenTarget, hidden_target

TARGET = '''\
def total(prices, rate):
    """Add prices up, with the tax."""
    found = 0
    for price in prices:
        if price < 0:
            raise ValueError(price)
        found += price * (1 + rate)
    if found > 1000:
        found -= found // 100
    rounded = round(found, 2)
    log("total", rounded)
    return rounded
'''
GETTER = "def rate(self):\n    return self._rate\n"


def hidden(text: str, first: int = 10, name: str = "total") -> HiddenTarget:
    return hidden_target("shop/sums.py", first, first + text.count("\n") - 1, name, text)


def chunk(
    text: str, path: str = "shop/other.py", name: str = "total", kind: str = "function"
) -> Chunk:
    return Chunk(path, 1, text.count("\n"), kind, name, text)  # type: ignore[arg-type]


def cut(path: str, text: str) -> tuple[Chunk, ...]:
    language = language_of(path)
    assert language is not None
    return chunks_of(path, text.encode(), language)


@pytest.mark.parametrize(
    ("first", "last"), [(10, 21), (1, 10), (21, 30), (1, 30), (12, 13)], ids=str
)
def test_lines_of_the_target_are_hidden_whatever_they_say(first: int, last: int) -> None:
    for kind in ("function", "block"):
        assert hidden(TARGET).is_in(Chunk("shop/sums.py", first, last, kind, "", "x = 1\n"))


@pytest.mark.parametrize(("first", "last"), [(1, 9), (22, 30)], ids=str)
def test_other_lines_of_its_file_are_shown(first: int, last: int) -> None:
    assert not hidden(TARGET).is_in(Chunk("shop/sums.py", first, last, "function", "f", "x = 1\n"))


def test_the_same_lines_of_another_file_are_shown() -> None:
    assert not hidden(TARGET).is_in(Chunk("shop/other.py", 10, 21, "function", "f", "x = 1\n"))


def test_the_class_of_the_target_is_shown_without_its_body() -> None:
    text = f"class Shop:\n    limit = 3\n\n{indent(TARGET, '    ')}"
    outline, method = cut("shop/sums.py", text)
    target = hidden_target("shop/sums.py", 4, 15, "total", indent(TARGET, "    "))
    assert not target.is_in(outline)
    assert target.is_in(method)


def test_the_class_of_a_target_of_one_line_is_hidden() -> None:
    text = "class Shop:\n    def rate(self): return self._rate\n"
    target = hidden_target("shop/sums.py", 2, 2, "rate", "    def rate(self): return self._rate\n")
    assert target.is_in(cut("shop/sums.py", text)[0])


@pytest.mark.parametrize(
    "copy",
    [
        TARGET,
        indent(TARGET, "        "),
        TARGET.replace("def total", "def sum_up"),
        TARGET.replace("    ", "  "),
        TARGET.replace("found += price", "found  +=  price  # with the tax\n        # yes\n"[:30]),
        TARGET.replace("    found = 0\n", "    # begin with nothing\n    found = 0  # zero\n\n"),
        TARGET.replace('    """Add prices up, with the tax."""\n', ""),
        TARGET.replace("Add prices up, with the tax.", "Something else is written here."),
        f"@cached\n{TARGET}",
        f"import os\n\nLIMIT = 3\n\n{TARGET}\nprint(total([1], 2))\n",
    ],
    ids=[
        "the same", "indented", "renamed", "narrow", "spaces and comment", "comments",
        "no docstring", "another docstring", "decorated", "among others",
    ],
)  # fmt: skip
def test_a_copy_elsewhere_is_hidden(copy: str) -> None:
    assert hidden(TARGET).is_in(chunk(copy, name="sum_up"))


def test_a_copy_in_a_class_or_a_block_is_hidden() -> None:
    for kind in ("class", "block"):
        assert hidden(TARGET).is_in(chunk(f"class Old:\n{indent(TARGET, '    ')}", kind=kind))


@pytest.mark.parametrize("line", TARGET.splitlines()[2:])
def test_a_renamed_copy_with_one_changed_line_is_hidden(line: str) -> None:
    space = line[: len(line) - len(line.lstrip())]
    changed = f"{space}if other(1):" if line.endswith(":") else f"{space}other = 1"
    copy = TARGET.replace("def total", "def sum_up").replace(f"{line}\n", f"{changed}\n")
    assert copy.count("\n") == TARGET.count("\n")
    assert hidden(TARGET).is_in(chunk(copy, name="sum_up"))


RENAMED = (
    TARGET.replace("found", "whole").replace("price", "amount").replace("rate", "tax")
).replace("rounded", "cut")
COMMENTED_OUT = "".join(f"    # {line}\n" for line in TARGET.splitlines())


@pytest.mark.parametrize(
    "copy",
    [
        RENAMED,
        RENAMED.replace("    if whole > 1000:\n", "    if whole > 2000:\n"),
        f"def pay(x):\n    y = 1\n{COMMENTED_OUT}    return y\n",
        f"LIMIT = 3\n{COMMENTED_OUT.replace('    # ', '#')}LAST = 4\n",
        "".join(f"# {line}\n" for line in RENAMED.splitlines()),
        f"def pay(x):\n    r\"\"\"Pay.\n\n{indent(TARGET, '    >>> ')}    \"\"\"\n    return x\n",
        "".join(f"# {line}\n" for line in TARGET.splitlines()[2:8]),
    ],
    ids=[
        "renamed", "renamed and changed", "commented out", "at the margin", "both", "an example",
        "a piece in comments",
    ],
)  # fmt: skip
def test_a_copy_in_comments_or_with_other_names_is_hidden(copy: str) -> None:
    assert hidden(TARGET).is_in(chunk(copy, name="sum_up"))


def test_a_comment_about_the_same_is_shown() -> None:
    text = "# found is the sum of each price with its rate, and is rounded to 2 in the log\nX = 1\n"
    assert not hidden(TARGET).is_in(chunk(text, kind="block"))


def test_a_function_of_the_same_shape_with_other_attributes_is_shown() -> None:
    text = "def go(a, b):\n    x = a.left(b)\n    y = a.right(x)\n    return a.join(x, y, last=b)\n"
    other = (
        text.replace("left", "width").replace("right", "height").replace("join", "area")
    ).replace("last", "unit")
    assert not hidden(text).is_in(chunk(other))


JAVA = """\
public class Basket {
    private int limit = 3;

    public int total(int[] prices, int rate) {
        int found = 0; // nothing
        for (int price : prices) {
            if (price < 0) throw new IllegalStateException("price " + price);
            found += price * (1 + rate) - this.limit;
        }
        return Math.max(found, limit * 100);
    }
}
"""


@pytest.mark.parametrize(
    "copy",
    [
        JAVA,
        JAVA.replace("Basket", "Crate").replace(" // nothing", " /* none */"),
        JAVA.replace("found", "sum").replace("price ", "each ").replace("price)", "each)"),
        "class A {\n" + "".join(f"    // {line}\n" for line in JAVA.splitlines()) + "}\n",
        "class A {\n/*\n" + JAVA.replace(" // nothing", "") + "*/\n}\n",
    ],
    ids=["the same", "another name", "renamed", "commented out", "in one comment"],
)
def test_a_copy_of_a_class_of_another_language_is_hidden(copy: str) -> None:
    target = hidden_target("Basket.java", 0, -1, "Basket", JAVA)
    assert any(target.is_in(each) for each in cut("other/Crate.java", copy))


def test_a_class_with_the_same_interface_is_shown() -> None:
    text = "class A:\n    size: int = 3\n\n    def get(self, key):\n        return self.x[key]\n\n"
    long = indent(TARGET.replace("(prices", "(self, prices"), "    ")
    target = hidden_target("a.py", 0, -1, "A", text + long)
    sibling = f"{text.replace('A', 'B')}    def total(self, prices, rate):\n        return rate\n"
    assert not any(target.is_in(each) for each in cut("b.py", sibling))
    assert without_copies("b.py", sibling, target) == sibling


def test_a_copy_of_a_class_keeps_its_heads() -> None:
    text = (
        'class A:\n    def get(self, key):\n        """Get it."""\n        return self.x[key]\n\n'
    )
    long = indent(TARGET.replace("(prices", "(self, prices"), "    ")
    target = hidden_target("a.py", 0, -1, "A", text + long)
    made = without_copies("b.py", f"X = 1\n{text.replace('A', 'B')}{long}Y = 2\n", target)
    head = long.splitlines(keepends=True)[0]
    kept = f"class B:\n    def get(self, key):\n        pass\n\n{head}        pass\n"
    assert made == f"X = 1\n{kept}Y = 2\n"


def test_a_different_function_is_shown() -> None:
    other = (
        "def average(values):\n    count = len(values)\n    if not count:\n"
        "        return None\n    return sum(values) / count\n"
    )
    assert not hidden(TARGET).is_in(chunk(other, name="average"))


def test_a_function_with_some_of_its_lines_is_shown() -> None:
    other = (
        "def total(prices):\n    found = 0\n    for price in prices:\n"
        "        found = max(found, price)\n    return found\n"
    )
    assert not hidden(TARGET).is_in(chunk(other))


def test_a_function_of_its_name_with_another_body_is_shown() -> None:
    assert not hidden(TARGET).is_in(chunk("def total(self):\n    return self._total\n"))


def test_a_caller_is_shown() -> None:
    assert not hidden(TARGET).is_in(chunk("def pay(x):\n    return total(x, 0.2)\n", name="pay"))


@pytest.mark.parametrize("name", ["rate", "Shop.rate"])
def test_a_short_body_under_its_name_is_hidden(name: str) -> None:
    assert hidden(GETTER, name="rate").is_in(chunk(GETTER, name=name))


def test_a_short_body_under_another_name_is_shown() -> None:
    other = GETTER.replace("def rate", "def other_rate")
    assert not hidden(GETTER, name="rate").is_in(chunk(other, name="other_rate"))


def test_a_short_body_is_not_found_inside_longer_words() -> None:
    longer = "def rate(self):\n    return self._rate_of_today\n"
    assert not hidden(GETTER, name="rate").is_in(chunk(longer, name="rate"))


@pytest.mark.parametrize("body", ["pass", "...", '"""Only a docstring."""'])
def test_an_empty_body_hides_nothing_of_another_name(body: str) -> None:
    target = hidden(f"def total():\n    {body}\n")
    assert not target.is_in(chunk(TARGET, name="sum_up"))


def test_a_target_that_is_no_python_is_hidden() -> None:
    text = "def total(prices):\n    print prices\n    return sum(prices) / len(prices) * 2\n"
    assert hidden(text).is_in(chunk(text))


COMMENTED = """\
def pick(shapes):
    if shapes:
        # the first one is taken since all others have been sorted behind it by what calls this
        return first(shapes, 1)
    else:
        # there is nothing to take, so the caller has to look for it in the places that it knows
        return other(shapes)
"""


@pytest.mark.parametrize("text", [COMMENTED, COMMENTED.replace("    # ", "    # or else: ")])
def test_a_copy_of_a_target_with_comments_in_its_branches_is_hidden(text: str) -> None:
    assert hidden(text).is_in(chunk(text))


def test_a_copy_of_a_target_with_semicolons_is_hidden() -> None:
    text = "def total(a, b):\n    x = a; y = b; return x * y\n"
    assert hidden(text).is_in(chunk(text))


def test_a_commented_copy_of_a_target_with_a_continued_line_is_hidden() -> None:
    text = "def total(a, b):\n    return a * \\\n        b + 1\n"
    assert hidden(text).is_in(chunk(f"# a copy\n{text}"))


def test_a_copy_without_the_docstring_is_hidden_where_that_stands_at_the_margin() -> None:
    head, body = "    def total(self, a):\n", "        return self.go(a, 3, 4)\n"
    doc = '        """Go there,\nwith three and four, and with whatever else there is.\n"""\n'
    assert hidden(head + doc + body).is_in(chunk(head + body))


LINES = st.sampled_from(
    [
        "x = a + 1",
        "total += x * rate",
        "log('done', x)",
        "# a comment",
        "values = [each for each in a if each]",
        "if a > b: raise ValueError(a)",
        "text = '# no comment'",
        "a, b = b, a % b",
        "with open(path) as file:\n    x = file.read()",
        "for each in a:\n    b.append(each)\n    log(each)",
        "try:\n    x = int(a)\nexcept ValueError:\n    x = 0",
        'text = """several\n  lines"""',
        "return f(x)[0]",
    ]
)
BODIES = (
    st.lists(LINES, min_size=2, max_size=8)
    .filter(lambda lines: set(lines) != {"# a comment"})
    .map(lambda lines: indent("\n".join(lines), "    "))
)
AROUND = st.lists(LINES, max_size=4).map("\n".join)


@given(BODIES, AROUND, AROUND, st.sampled_from(["", '    """Doc."""\n']))
def test_any_text_with_the_body_of_the_target_is_hidden(
    body: str, before: str, after: str, doc: str
) -> None:
    target = hidden(f"def total(a, b):\n{doc}{body}\n")
    text = f"{before}\ndef total(a, b):\n{body}\n{after}\n"
    assert target.is_in(chunk(text, kind="block"))


@given(BODIES, st.sampled_from(["", "\n", "  \n", "    # more to say\n"]))
def test_blank_lines_and_comments_between_lines_hide_nothing_less(body: str, between: str) -> None:
    target = hidden(f"def total(a, b):\n{body}\n")
    lines = [f"{between}{line}\n" for line in body.splitlines() if '"""' not in body]
    copy = "".join(lines) or f"{body}\n"
    assert target.is_in(chunk(f"def total(a, b):\n{copy}"))
