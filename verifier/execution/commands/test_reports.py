"""Which tests passed, by what a runner of tests prints.

A test is named as its runner names it. What a runner does not report has not run.
The output is that of code which nobody trusts: its parsers take linear time and memory.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Literal

Result = Literal["passed", "failed", "skipped"]
Results = dict[str, Result]

_PYTEST_RESULTS: Mapping[str, Result] = {
    "PASSED": "passed", "XPASS": "passed", "FAILED": "failed", "ERROR": "failed",
    "SKIPPED": "skipped", "XFAIL": "skipped",
}  # fmt: skip
_CARGO_BINARY = re.compile(r"^\s*(?:Running|Doc-tests) (?:unittests )?(\S+)")
_CARGO_TEST = re.compile(r"^test (.+?) \.\.\. (ok|FAILED|ignored)")
_CARGO_RESULTS: Mapping[str, Result] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_TAP = re.compile(r"^( *)(not ok|ok) \d+(?: - )?(.*?)(?: # (SKIP|TODO).*)?$")
_TAP_NAME = re.compile(r"^( *)# Subtest: (.*)$")
_JUNIT_START = re.compile(r"<testcase\b")
_JUNIT_TAG = re.compile(r'(?:[^>"]++|"[^"]*+")*+>')
_JUNIT_END = "</testcase>"
_ATTRIBUTE = re.compile(r'\b(name|classname)="([^"]*)"')
_GO_RESULTS: Mapping[str, Result] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_MOST_CHARACTERS = 64 << 20
"""Characters of all names of a report; what encloses tests counts in the name of each of them."""


def pytest_results(output: str) -> Results:
    """Return the results in the summary of `pytest -rA`."""
    found: Results = {}
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        name = _pytest_name(rest) if word in _PYTEST_RESULTS else None
        if name is not None:
            found[name] = _PYTEST_RESULTS[word]
    return found


def _pytest_name(text: str) -> str | None:
    """Return the test with which a text begins, before ` - ` and a message, if there is one.

    Parameters, which are in brackets, may contain ` - ` and brackets too.
    """
    colons = text.find("::", 1)
    if colons < 0 or text[0].isspace() or text.find("[", 1, colons) >= 0:
        return None
    bracket = text.find("[", colons)
    message = text.find(" - ", colons + 2, len(text) if bracket < 0 else bracket)
    if message >= 0:
        return text[:message]
    if bracket < 0:
        return text
    closing = text.find("] - ", bracket)
    if closing >= 0:
        return text[: closing + 1]
    return text if text.endswith("]") else None


def go_results(output: str) -> Results:
    """Return the results in the events of `go test -json`."""
    found: Results = {}
    for line in output.splitlines():
        try:
            event: object = json.loads(line)
        except (ValueError, RecursionError):
            continue
        match event:
            case {"Action": str(action), "Package": str(package), "Test": str(test)} if (
                action in _GO_RESULTS
            ):
                found[f"{package}::{test}"] = _GO_RESULTS[action]
            case _:
                continue
    return found


def cargo_results(output: str) -> Results:
    """Return the results that `cargo test` prints; each is named with its binary's source."""
    found: Results = {}
    binary = ""
    room = _MOST_CHARACTERS
    for line in output.splitlines():
        match = _CARGO_BINARY.match(line)
        if match:
            binary = match[1]
        match = _CARGO_TEST.match(line)
        if match:
            name = f"{binary}::{match[1]}"
            room -= len(name)
            if room < 0:
                break
            found[name] = _CARGO_RESULTS[match[2]]
    return found


def tap_results(output: str) -> Results:
    """Return the results of TAP, as `node --test --test-reporter=tap` prints it.

    A test is named by the subtests around it; one with subtests is no test of its own.
    """
    found: Results = {}
    names: list[str] = []
    subtests = _Subtests()
    room = _MOST_CHARACTERS
    for line in output.splitlines():
        match = _TAP_NAME.match(line)
        if match:
            depth = len(match[1]) // 4
            names[depth:] = [match[2]]
            continue
        match = _TAP.match(line)
        if match:
            depth = len(match[1]) // 4
            names[depth:] = [match[3]]
            name = " > ".join(names[: depth + 1])
            room -= len(name)
            if room < 0:
                break
            if not subtests.add(name):
                continue
            passed: Result = "passed" if match[2] == "ok" else "failed"
            found[name] = "skipped" if match[4] else passed
    return found


class _Subtests:
    """A tree of the tests so far, by the parts of their names."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[int, str], int] = {}
        """By the parent's number and the part: the node's number."""
        self._parents: set[int] = set()

    def add(self, name: str) -> bool:
        """Add a test; return false for one that has subtests, which is not added."""
        node = 0
        path: list[int] = [node]
        for part in name.split(" > "):
            node = self._nodes.setdefault((node, part), len(self._nodes) + 1)
            path.append(node)
        if node in self._parents:
            return False
        self._parents.update(path[:-1])
        return True


def junit_results(output: str) -> Results:
    """Return the results in reports of JUnit's XML, wherever they stand in an output."""
    found: Results = {}
    for attributes, inner in _junit_cases(output):
        about = dict(_ATTRIBUTE.findall(attributes))
        result: Result = "passed"
        if "<failure" in inner or "<error" in inner:
            result = "failed"
        elif "<skipped" in inner:
            result = "skipped"
        name = f"{about.get('classname', '')}::{about.get('name', '')}"
        with suppress(ValueError):  # the number of a character has thousands of digits
            name = html.unescape(name)
        found[name] = result
    return found


def _junit_cases(output: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes and the content of each element `testcase`.

    No part is read more than a few times, whatever is left open: the end of a tag is the same for
    all tags before it that have the same parity of quotes before them.
    """
    ends = [-1, -1]
    quotes = counted = past = 0
    last = output.rfind(_JUNIT_END)
    for start in _JUNIT_START.finditer(output):
        after = start.end()
        quotes += output.count('"', counted, after)
        counted = after
        if start.start() < past:
            continue
        parity = quotes % 2
        if ends[parity] < after:
            tag = _JUNIT_TAG.match(output, after)
            ends[parity] = tag.end() if tag else len(output) + 1
        end = ends[parity]
        if end > len(output):
            continue
        if output[end - 2] == "/":
            yield output[after : end - 2], ""
            past = end
        elif end <= last:
            past = output.index(_JUNIT_END, end)
            yield output[after : end - 1], output[end:past]


REPORTS: dict[str, Callable[[str], Results]] = {
    "pytest": pytest_results,
    "go": go_results,
    "cargo": cargo_results,
    "tap": tap_results,
    "junit-xml": junit_results,
}
"""How the output of each runner is read."""
