"""The generator itself: every repository that it draws must run, and always do the same."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.property.generator import INGREDIENTS, Ingredient, packages
from tests.property.runner import Runner, module_name, original_job, write_package

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.property.model import Package


@pytest.fixture(scope="module")
def runners() -> Iterator[tuple[Runner, Runner]]:
    """Two zygotes that differ in their hash seed."""
    both = Runner("1"), Runner("2")
    yield both
    for runner in both:
        runner.close()


def check_runs(package: Package, runners: tuple[Runner, Runner]) -> None:
    """The original loads, and does the same under two hash seeds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = original_job(package, write_package(package, folder / "repo"), folder)
        one, two = (runner.run([job])[0] for runner in runners)
    assert one.failed is None, one.trace
    assert one.behaviour(classes=True) == two.behaviour(classes=True)
    for call in one.calls:
        kind = call["error"] and call["error"][0]
        assert kind not in {"NameError", "ImportError", "AttributeError", "TypeError",
                            "UnboundLocalError", "ModuleNotFoundError"}, call  # fmt: skip


@given(package=packages())
def test_generated_packages_run_and_are_deterministic(
    runners: tuple[Runner, Runner], package: Package
) -> None:
    check_runs(package, runners)


@given(package=packages())
def test_every_module_of_a_generated_package_can_be_imported(
    runners: tuple[Runner, Runner], package: Package
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = original_job(package, write_package(package, folder / "repo"), folder)
        paths = [path for path, _ in package.files if path.endswith(".py")]
        ordinary = [path for path in paths if "vendored" not in path]  # those need a path entry
        asked = [module_name(package, path) for path in ordinary]
        jobs = [{**job, "module": m, "name": "__name__", "call": "None"} for m in asked]
        for module, outcome in zip(asked, runners[0].run(jobs), strict=True):
            assert outcome.failed is None, (module, outcome.trace)


@pytest.mark.parametrize("ingredient", INGREDIENTS, ids=lambda i: i.__name__)
def test_each_ingredient_alone_runs(runners: tuple[Runner, Runner], ingredient: Ingredient) -> None:
    @settings(max_examples=5)
    @given(package=packages((ingredient,), most=2))
    def check(package: Package) -> None:
        check_runs(package, runners)

    check()
