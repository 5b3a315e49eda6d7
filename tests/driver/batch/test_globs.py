"""`--include` and `--exclude`: which functions a run over a repository takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.driver.batch.target_globs import Globs, matches
from slicefunc.slicer.errors import OptionError
from slicefunc.slicer.model import Target

from tests.driver.conftest import run

METHOD = Target("src/shop/orders.py", "Order.total")


@pytest.mark.parametrize(
    "pattern",
    [
        "orders.py",
        "shop",
        "shop/",
        "src",
        "/src",
        "./src/shop",
        "src/*/orders.py",
        "src/**",
        "**/orders.py",
        "src/**/orders.py",
        "**/shop/*",
        "o*.py",
        "::Order.total",
        "::Order",
        "::*.total",
        "orders.py::Order.*",
        "src/shop::Order.to?al",
    ],
)
def test_a_pattern_matches(pattern: str) -> None:
    assert matches(pattern, METHOD)


@pytest.mark.parametrize(
    "pattern",
    [
        "order",
        "/orders.py",
        "shop/orders.py",  # a pattern with a slash begins at the top
        "src/*.py",  # a star stops at a slash
        "src/shop/orders.py/**",
        "SHOP",
        "::total",
        "::Ord",
        "tests::Order.total",
        "src/**/shop/*/orders.py",
    ],
)
def test_a_pattern_does_not_match(pattern: str) -> None:
    assert not matches(pattern, METHOD)


def test_exclude_goes_before_include() -> None:
    helper = Target("src/shop/orders.py", "helper")
    globs = Globs(include=("src",), exclude=("::Order",))
    assert globs.selected((METHOD, helper)) == (helper,)


def test_nothing_left_is_an_error_that_names_the_idle_pattern() -> None:
    with pytest.raises(OptionError, match="--include lib matches no function"):
        Globs(include=("lib",)).selected((METHOD,))
    assert Globs(include=("lib",)).selected(()) == ()


@pytest.fixture
def tested(repo: Path) -> Path:
    (repo / "tests").mkdir()
    (repo / "tests/test_tax.py").write_text("def test_tax():\n    assert True\n")
    return repo


def test_a_run_says_how_many_it_leaves_out(tested: Path) -> None:
    done = run(tested, "--all", "--exclude", "tests", "--exclude", "orders.py", "--exclude", "docs")
    lines = done.out.decode().splitlines()
    assert lines[:2] == ["      1 functions", "      4 others left out by --include and --exclude"]
    assert done.err.count("matches no function") == 1
    assert "--exclude docs matches no function" in done.err
    report = json.loads(run(tested, "--all", "--json", "--include", "shop").out)
    assert (report["functions"], report["excluded"]) == (4, 1)
    assert "excluded" not in json.loads(run(tested, "--all", "--json").out)


def test_a_run_without_functions_is_status_2(tested: Path, tmp_path: Path) -> None:
    done = run(tested, "--all", "--include", "lib", "-o", tmp_path / "run")
    assert done.status == 2
    assert "leave none of 5 functions; --include lib matches no function" in done.error
    assert not (tmp_path / "run").exists()


def test_other_patterns_go_on_with_a_run(tested: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(tested, "--all", "--include", "tests", "-o", out)
    words = ("--all", "--json", "--exclude", "tests", "-o", out, "--resume")
    report = json.loads(run(tested, *words).out)
    assert [entry["path"] for entry in report["entries"]] == ["shop/orders.py"] * 3 + [
        "shop/tax.py"
    ]
    rows = (out / "results.jsonl").read_text().splitlines()
    assert len(rows) == 1 + 5
    run(tested, "--all", "-o", out, "--resume")  # all of them are done
    assert (out / "results.jsonl").read_text().splitlines() == rows
