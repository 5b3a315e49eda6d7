"""Which tests passed, by what real runners print."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.execution.commands.test_reports import (
    REPORTS,
    Results,
    cargo_results,
    go_results,
    junit_results,
    pytest_results,
    tap_results,
)


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program}")


def printed(folder: Path, files: dict[str, str], *words: str, **variables: str) -> str:
    """What a command prints in a folder with some files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return done.stdout


# pytest

PYTEST = """\
import pytest


def test_good():
    print("FAILED test_all.py::test_good - by its own words")


def test_bad():
    assert 1 == 2


@pytest.fixture
def broken():
    raise ValueError


def test_error(broken):
    pass


@pytest.mark.skip
def test_skipped():
    pass


@pytest.mark.xfail
def test_expected():
    assert 0


@pytest.mark.xfail
def test_unexpected():
    pass


@pytest.mark.parametrize("word", ["a", "b c"])
def test_each(word):
    pass


class TestMore:
    def test_method(self):
        pass
"""


def _by_pytest(folder: Path, text: str, *words: str) -> Results:
    command = (
        sys.executable, "-m", "pytest", "-rA", "-q", "--tb=short", "-p", "no:cacheprovider",
        "-o", "addopts=", "--continue-on-collection-errors", *words,
    )  # fmt: skip
    files = {"test_all.py": text, "pytest.ini": ""}
    return pytest_results(printed(folder, files, *command, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"))


def test_results_of_pytest(tmp_path: Path) -> None:
    assert _by_pytest(tmp_path, PYTEST) == {
        "test_all.py::test_good": "passed",
        "test_all.py::test_bad": "failed",
        "test_all.py::test_error": "failed",
        "test_all.py::test_expected": "skipped",
        "test_all.py::test_unexpected": "passed",
        "test_all.py::test_each[a]": "passed",
        "test_all.py::test_each[b c]": "passed",
        "test_all.py::TestMore::test_method": "passed",
    }


def test_a_file_that_pytest_cannot_read_has_no_results(tmp_path: Path) -> None:
    assert _by_pytest(tmp_path, "import absent\n\n\ndef test_it():\n    pass\n") == {}


def test_a_parameter_with_a_hyphen_between_blanks_is_part_of_the_name(tmp_path: Path) -> None:
    parameters = '["1 - 2", "1 - 3"]'
    text = f'import pytest\n\n\n@pytest.mark.parametrize("x", {parameters})\ndef test_it(x):\n    assert x == "1 - 2"\n'  # noqa: E501
    assert _by_pytest(tmp_path, text) == {
        "test_all.py::test_it[1 - 2]": "passed",
        "test_all.py::test_it[1 - 3]": "failed",
    }


# Go

GO = """\
package words

import "testing"

func TestGood(t *testing.T) {}

func TestBad(t *testing.T) { t.Error("no") }

func TestSkipped(t *testing.T) { t.Skip() }

func TestParts(t *testing.T) {
	t.Run("one", func(t *testing.T) {})
	t.Run("two words", func(t *testing.T) { t.Fail() })
}
"""


@needs("go")
def test_results_of_go(tmp_path: Path) -> None:
    files = {"go.mod": "module example.org/words\n\ngo 1.18\n", "words_test.go": GO}
    variables = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GO111MODULE": "on"}
    text = printed(tmp_path, files, "go", "test", "-json", "./...", **variables)
    package = "example.org/words"
    assert go_results(text) == {
        f"{package}::TestGood": "passed",
        f"{package}::TestBad": "failed",
        f"{package}::TestSkipped": "skipped",
        f"{package}::TestParts": "failed",
        f"{package}::TestParts/one": "passed",
        f"{package}::TestParts/two_words": "failed",
    }


def test_events_of_go_that_are_no_ends_of_tests_are_no_results() -> None:
    assert (
        go_results(
            '{"Action":"run","Package":"p","Test":"T"}\n{"Action":"pass","Package":"p"}\n[]\n{'
        )
        == {}
    )


# Rust

LIBRARY = """\
/// Twice a number.
///
/// ```
/// assert_eq!(words::twice(2), 4);
/// ```
pub fn twice(n: i32) -> i32 { 2 * n }

#[cfg(test)]
mod tests {
    #[test]
    fn good() {}
    #[test]
    fn bad() { assert!(false) }
    #[test]
    #[ignore]
    fn left_out() {}
    #[test]
    #[should_panic]
    fn panics() { panic!() }
}
"""


@needs("cargo")
def test_results_of_cargo(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": LIBRARY,
        "tests/whole.rs": "#[test]\nfn good() { assert_eq!(words::twice(1), 2) }\n",
    }
    words = ("cargo", "test", "--offline", "--no-fail-fast")
    found = cargo_results(printed(tmp_path, files, *words))
    assert found == {
        "src/lib.rs::tests::good": "passed",
        "src/lib.rs::tests::bad": "failed",
        "src/lib.rs::tests::left_out": "skipped",
        "src/lib.rs::tests::panics - should panic": "passed",
        "tests/whole.rs::good": "passed",
        "words::src/lib.rs - twice (line 3)": "passed",
    }


# TAP

NODE = """\
const test = require('node:test');
const { describe, it } = test;
const assert = require('node:assert');

test('good', () => {});
test('bad # not a comment', () => { assert.equal(1, 2); });
test('skipped', { skip: true }, () => {});
test('to do', { todo: true }, () => { assert.equal(1, 2); });
describe('outer', () => {
  it('one', () => {});
  describe('inner', () => { it('two - three', () => { assert.equal(1, 2); }); });
});
test('outer two', async (t) => { await t.test('one', () => {}); });
"""


@needs("node")
def test_results_of_node(tmp_path: Path) -> None:
    text = printed(tmp_path, {"words.test.js": NODE}, "node", "--test", "--test-reporter=tap")
    if "TAP version" not in text:
        pytest.skip("this node prints no TAP")
    found = {
        name.partition("words.test.js > ")[2] or name: each
        for name, each in tap_results(text).items()
    }
    assert found.pop("good") == "passed"
    assert found.pop("skipped") == "skipped"
    assert found.pop("to do") == "skipped"
    assert found.pop("outer > one") == "passed"
    assert found.pop("outer > inner > two - three") == "failed"
    assert found.pop("outer two > one") == "passed"
    (rest,) = found.items()
    assert rest[0].startswith("bad")
    assert rest[1] == "failed"


def test_plain_tap_has_its_results() -> None:
    text = (
        "TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP why\nnot ok 4 - d # TODO\n"
    )
    assert tap_results(text) == {"a": "passed", "b": "failed", "c": "skipped", "d": "skipped"}


def test_a_subtest_with_the_name_of_another_s_beginning_is_one_of_its_own() -> None:
    text = "# Subtest: a\n    # Subtest: x\n    ok 1 - x\n    1..1\nok 1 - a\n# Subtest: a2\nok 2 - a2\n"  # noqa: E501
    assert tap_results(text) == {"a > x": "passed", "a2": "passed"}


# JUnit

JUNIT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="words" tests="4">
<properties><property name="a" value="b"/></properties>
<testcase name="good()" classname="org.Words" time="0.01"/>
<testcase classname="org.Words" name="bad()" time="0.01">
<failure message="no &lt;testcase/>" type="E"><![CDATA[at x]]></failure>
</testcase>
<testcase name="error()" classname="org.Words"><error type="E"/></testcase>
<testcase name="skipped()" classname="org.Words">
<skipped/>
</testcase>
<testcase name="each(&lt;a&gt;, &quot;b&quot;)[1]" classname="org.Words">
<system-out>said</system-out></testcase>
</testsuite>
"""


def test_results_of_junit() -> None:
    assert junit_results(f"Compiling\n{JUNIT}\ndone\n") == {
        "org.Words::good()": "passed",
        "org.Words::bad()": "failed",
        "org.Words::error()": "failed",
        "org.Words::skipped()": "skipped",
        'org.Words::each(<a>, "b")[1]': "passed",
    }


def test_several_reports_of_junit_are_read() -> None:
    assert len(junit_results(JUNIT + JUNIT.replace("org.Words", "org.Others"))) == 10


def test_pytest_writes_a_report_that_is_read_like_junit_s(tmp_path: Path) -> None:
    _by_pytest(tmp_path, PYTEST, "--junit-xml=report.xml")
    found = junit_results((tmp_path / "report.xml").read_text())
    assert found["test_all::test_good"] == "passed"
    assert found["test_all::test_bad"] == "failed"
    assert found["test_all::test_error"] == "failed"
    assert found["test_all::test_skipped"] == "skipped"


def test_a_name_with_an_arrow_is_one() -> None:
    text = '<testcase name="a->b" classname="C"><failure/></testcase>'
    assert junit_results(text) == {"C::a->b": "failed"}


@pytest.mark.parametrize("name", REPORTS)
@given(st.text())
def test_whatever_is_printed_can_be_read(name: str, output: str) -> None:
    assert set(REPORTS[name](output).values()) <= {"passed", "failed", "skipped"}


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_that_is_printed_has_no_results(name: str) -> None:
    assert REPORTS[name]("") == {}


# what is printed to be slow to read: each would take minutes if its parser were quadratic

MANY = 1 << 20


def filled(text: str, size: int = MANY) -> str:
    return text * (size // len(text))


HOSTILE = {
    "pytest colons": ("pytest", f"PASSED a{filled('::')}["),
    "pytest brackets": ("pytest", f"PASSED a::b{filled('[')}"),
    "pytest closed brackets": ("pytest", f"PASSED a::b[{filled('] -')}"),
    "pytest messages": ("pytest", f"PASSED a::b[{filled(' - ')}"),
    "go nested": ("go", filled("[")),
    "go lines": ("go", filled("{\n")),
    "cargo blanks": ("cargo", filled(" ")),
    "cargo dots": ("cargo", f"test {filled(' ...')}"),
    "cargo binary": ("cargo", f"Running {filled('a')}\n{filled('test a ... ok' + chr(10))}"),
    "tap flat": ("tap", "".join(f"ok {number} {number}\n" for number in range(70_000))),
    "tap nested": (
        "tap",
        "".join(f"{'    ' * n}# Subtest: {filled('a', 1000)}\n" for n in range(600))
        + filled(f"{'    ' * 600}ok 1 a\n"),
    ),
    "tap arrows": ("tap", f"ok 1 a{filled(' > a')}\nok 2 b\n"),
    "junit open": ("junit-xml", filled("<testcase>")),
    "junit unended": ("junit-xml", filled("<testcase ")),
    "junit far end": ("junit-xml", f"{filled('<testcase ')}>"),
    "junit quotes": ("junit-xml", filled('<testcase "')),
    "junit ends": ("junit-xml", f"{filled('<testcase>')}</testcase>{filled('<testcase>')}"),
    "junit number": ("junit-xml", f'<testcase name="&#{filled("9")};"/>'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_printed_to_be_slow_to_read_is_read(name: str) -> None:
    kind, output = HOSTILE[name]
    assert len(REPORTS[kind](output)) <= 70_000


def test_names_of_tests_take_no_more_room_than_there_is() -> None:
    found = tap_results(HOSTILE["tap nested"][1])
    assert sum(map(len, found)) < 65 << 20
    assert sum(map(len, cargo_results(HOSTILE["cargo binary"][1]))) < 65 << 20


# the same results as regular expressions and comparisons that take quadratic time

PYTEST_LINE = re.compile(
    r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S[^\[]*?::[^\[]*?(?:\[.*?\])?)(?: - .*)?$"
)
JUNIT_CASE = re.compile(r'<testcase\b((?:[^>"]|"[^"]*")*?)(/>|>(.*?)</testcase>)', re.S)


def words(*parts: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=14).map("".join)


@given(words("::", ":", "[", "]", " - ", " ", "-", "a", "b.py"))
def test_lines_of_pytest_are_read_as_by_its_regular_expression(rest: str) -> None:
    for line in (f"PASSED {rest}", f"PASSED a.py::{rest}"):
        match = PYTEST_LINE.match(line)
        assert pytest_results(line) == ({match[2]: "passed"} if match else {})


@given(
    words(
        "<testcase", "<testcases", " ", "/>", ">", "/", '"', 'name="a"', ' classname="b>"',
        "</testcase>", "<failure/>", "x", '<testcase name="y">', '<testcase name="z"/>',
    )
)  # fmt: skip
def test_cases_of_junit_are_read_as_by_their_regular_expression(output: str) -> None:
    expected: Results = {}
    for match in JUNIT_CASE.finditer(output):
        about = dict(re.findall(r'\b(name|classname)="([^"]*)"', match[1]))
        failed = "<failure" in (match[3] or "")
        name = html.unescape(f"{about.get('classname', '')}::{about.get('name', '')}")
        expected[name] = "failed" if failed else "passed"
    assert junit_results(output) == expected


NAMES = st.sampled_from(["a", "b", "ab", "a > b", "a > b > a", "b > a"])


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), NAMES), max_size=14))
def test_a_test_of_tap_has_subtests_if_an_earlier_name_begins_with_its_own(
    lines: list[tuple[int, bool, str]],
) -> None:
    printed_lines: list[str] = []
    names: list[str] = []
    expected: Results = {}
    for depth, is_head, name in lines:
        blanks = "    " * depth
        names[depth:] = [name]
        printed_lines.append(f"{blanks}# Subtest: {name}" if is_head else f"{blanks}ok 1 - {name}")
        whole = " > ".join(names[: depth + 1])
        if not is_head and not any(each.startswith(f"{whole} > ") for each in expected):
            expected[whole] = "passed"
    assert tap_results("\n".join(printed_lines)) == expected
