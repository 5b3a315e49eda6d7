"""Which tests passed, by what a runner of tests prints.

A test is named as its runner names it. What a runner does not report has not run.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from typing import Literal

Result = Literal["passed", "failed", "skipped"]
Results = dict[str, Result]

_PYTEST = re.compile(
    r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S[^\[]*?::[^\[]*?(?:\[.*?\])?)(?: - .*)?$"
)
_PYTEST_RESULTS: Mapping[str, Result] = {
    "PASSED": "passed", "XPASS": "passed", "FAILED": "failed", "ERROR": "failed",
    "SKIPPED": "skipped", "XFAIL": "skipped",
}  # fmt: skip
_CARGO_BINARY = re.compile(r"^\s*(?:Running|Doc-tests) (?:unittests )?(\S+)")
_CARGO_TEST = re.compile(r"^test (.+?) \.\.\. (ok|FAILED|ignored)")
_CARGO_RESULTS: Mapping[str, Result] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_TAP = re.compile(r"^( *)(not ok|ok) \d+(?: - )?(.*?)(?: # (SKIP|TODO).*)?$")
_TAP_NAME = re.compile(r"^( *)# Subtest: (.*)$")
_JUNIT_CASE = re.compile(r'<testcase\b((?:[^>"]|"[^"]*")*?)(/>|>(.*?)</testcase>)', re.S)
_ATTRIBUTE = re.compile(r'\b(name|classname)="([^"]*)"')
_GO_RESULTS: Mapping[str, Result] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


def pytest_results(output: str) -> Results:
    """Return the results in the summary of `pytest -rA`."""
    found: Results = {}
    for line in output.splitlines():
        match = _PYTEST.match(line)
        if match and "::" in match[2]:
            found[match[2]] = _PYTEST_RESULTS[match[1]]
    return found


def go_results(output: str) -> Results:
    """Return the results in the events of `go test -json`."""
    found: Results = {}
    for line in output.splitlines():
        try:
            event: object = json.loads(line)
        except ValueError:
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
    for line in output.splitlines():
        match = _CARGO_BINARY.match(line)
        if match:
            binary = match[1]
        match = _CARGO_TEST.match(line)
        if match:
            found[f"{binary}::{match[1]}"] = _CARGO_RESULTS[match[2]]
    return found


def tap_results(output: str) -> Results:
    """Return the results of TAP, as `node --test --test-reporter=tap` prints it.

    A test is named by the subtests around it; one with subtests is no test of its own.
    """
    found: Results = {}
    names: list[str] = []
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
            if any(each.startswith(f"{name} > ") for each in found):
                continue
            passed: Result = "passed" if match[2] == "ok" else "failed"
            found[name] = "skipped" if match[4] else passed
    return found


def junit_results(output: str) -> Results:
    """Return the results in reports of JUnit's XML, wherever they stand in an output."""
    found: Results = {}
    for match in _JUNIT_CASE.finditer(output):
        about = dict(_ATTRIBUTE.findall(match[1]))
        inner = match[3] or ""
        result: Result = "passed"
        if "<failure" in inner or "<error" in inner:
            result = "failed"
        elif "<skipped" in inner:
            result = "skipped"
        name = f"{about.get('classname', '')}::{about.get('name', '')}"
        found[html.unescape(name)] = result
    return found


REPORTS: dict[str, Callable[[str], Results]] = {
    "pytest": pytest_results,
    "go": go_results,
    "cargo": cargo_results,
    "tap": tap_results,
    "junit-xml": junit_results,
}
"""How the output of each runner is read."""
