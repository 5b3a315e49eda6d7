"""Functions are listed, edges ranked by their kinds, and what is not sliced has its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.common.report import ROOT
from benchmarks.slices.hubs import hubs
from benchmarks.slices.hubs.hub_worker import rows_of

USES = {
    "by": "pkg/a.py::f",
    "kept": "pkg/b.py::C.run",
    "falls": 40,
    "reason": "pkg/a.py::f uses .run (pkg/a.py:3)",
    "asker_kind": "function",
    "kept_kind": "method",
}
CHANGES = {
    "by": "pkg/a.py::TABLE",
    "kept": "what changes pkg/a.py::TABLE",
    "falls": 70,
    "reason": "",
    "asker_kind": "variable",
    "kept_kind": "changes of an object",
}


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("pkg/a.py::f uses .run (pkg/a.py:3)", "function: uses .NAME: method"),
        ("pkg/a.py::f uses .__add__ (pkg/a.py:3)", "function: uses .__OPERATOR__: method"),
        ("pkg/a.py::f uses run (pkg/a.py:3)", "function: uses NAME: method"),
        ("pkg/a.py::f may hold a Thing (pkg/a.py:3)", "function: may hold an instance: method"),
        (
            "pkg/b.py::<line 9> changes TABLE when pkg.b is imported (pkg/b.py:9)",
            "function: changes NAME when a module is imported: method",
        ),
        ("", "function: method"),
    ],
)
def test_a_kind_holds_no_names(reason: str, kind: str) -> None:
    assert hubs.kind_of({**USES, "reason": reason}) == kind


def test_kinds_are_ranked_by_what_hangs_on_them() -> None:
    small = {**USES, "falls": 2}
    rows = [{"hubs": [USES, CHANGES]}, {"hubs": [USES]}, {"hubs": [CHANGES]}, {"hubs": [small]}]
    uses, changes = hubs.ranked({"one": rows})
    assert (uses["kind"], uses["slices"], uses["falls"]) == ("function: uses .NAME: method", 2, 80)
    assert changes["kind"] == "variable: changes of an object"
    assert list(changes["edges"]) == ["one: pkg/a.py::TABLE → what changes pkg/a.py::TABLE"]


def test_what_is_not_sliced_is_told_and_does_not_count() -> None:
    sliced = [
        {"target": str(n), "lines": n, "definitions": 1, "seconds": 0.5} for n in (10, 20, 90)
    ]
    summary = hubs.summarised([*sliced, {"target": "slow", "why_not": "not done after 1 s of CPU"}])
    assert (summary["functions"], summary["sliced"]) == (4, 3)
    assert (summary["lines"], summary["lines_p90"]) == (20, 90)
    assert summary["why_not"] == {"slow": "not done after 1 s of CPU"}


def test_forty_functions_of_each_package_are_listed() -> None:
    listed = hubs.listed_functions(hubs.LISTED.read_text(encoding="utf-8"))
    assert list(listed) == list(hubs.PACKAGES)
    assert {len(set(targets)) for targets in listed.values()} == {hubs.DRAWN}


def test_targets_are_sliced_by_the_code_of_a_checkout(tmp_path: Path) -> None:
    lines = ["TABLE = {}", "def f():", "    return TABLE", "def note(g):"]
    lines += ["    TABLE[g.__name__] = g", "    return g"]
    for name in "abc":
        lines += ["@note", f"def {name}():", "    return 1"]
    (tmp_path / "m.py").write_text("\n".join(lines) + "\n")
    made, missing = rows_of(ROOT, tmp_path, ["m.py::f", "m.py::none"], 60.0)
    assert made["lines"] > len(lines)
    falls = {hub["kept"]: hub["falls"] for hub in made["hubs"]}
    assert falls["what changes m.py::TABLE"] == 4  # a, b, c and what notes them
    assert missing["why_not"].startswith("TargetError: m.py: no function or class none")


def test_what_takes_too_long_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f():\n    return 1\n")
    late, also_late = rows_of(ROOT, tmp_path, ["m.py::f", "m.py::f"], 0.0)
    assert late == also_late == {"why_not": "not done after 0 s of CPU"}
