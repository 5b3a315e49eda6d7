"""Which tests passed, by what a runner of tests prints.

A test is named as its runner names it. What a runner does not report has not run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Literal

Result = Literal["passed", "failed", "skipped"]
Results = dict[str, Result]

_PYTEST = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*?)(?: - .*)?$")
_PYTEST_RESULTS: Mapping[str, Result] = {
    "PASSED": "passed", "XPASS": "passed", "FAILED": "failed", "ERROR": "failed",
    "SKIPPED": "skipped", "XFAIL": "skipped",
}  # fmt: skip
_CARGO_BINARY = re.compile(r"^\s*(?:Running|Doc-tests) (?:unittests )?(\S+)")
_CARGO_TEST = re.compile(r"^test (.+?) \.\.\. (ok|FAILED|ignored)")
_CARGO_RESULTS: Mapping[str, Result] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_TAP = re.compile(r"^( *)(not ok|ok) \d+(?: - )?(.*?)(?: # (SKIP|TODO).*)?$")
_TAP_NAME = re.compile(r"^( *)# Subtest: (.*)$")
_JUNIT_TREE = re.compile(
    r"^[\s|'+`\\├└│─]*[-─] (?P<name>.+?)(?:\(\))? \[(?P<mark>OK|X|S)\]", re.UNICODE
)
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
    """Return the results in the tree that JUnit's console launcher prints."""
    found: Results = {}
    owner = ""
    for line in output.splitlines():
        match = _JUNIT_TREE.match(line)
        if match is None:
            continue
        name = match["name"]
        if "(" not in line.partition(" [")[0]:
            owner = name
            continue
        result: Result = {"OK": "passed", "X": "failed", "S": "skipped"}[match["mark"]]  # pyright: ignore[reportAssignmentType]
        found[f"{owner}::{name}"] = result
    return found


REPORTS: dict[str, Callable[[str], Results]] = {
    "pytest": pytest_results,
    "go": go_results,
    "cargo": cargo_results,
    "tap": tap_results,
    "junit": junit_results,
}
"""How the output of each runner is read."""
