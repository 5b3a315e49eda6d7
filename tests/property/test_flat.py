"""One plain script for several modules does what the modules do."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from slicefunc.slicer import NotSupportedError, Repository, slice_function

from tests.property import classes, functions, library, special, state
from tests.property.generator import packages
from tests.property.runner import WAYS, Runner, script_job, write_file
from tests.property.test_slices import on_disk, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.property.model import Package

MERGEABLE = (
    functions.plain_call,
    functions.call_chain,
    functions.computed_default,
    functions.wrapping_decorator,
    functions.type_checking_import,
    functions.evaluated_annotations,
    functions.mutual_recursion,
    state.module_variable,
    state.imported_variable,
    state.computed_constant,
    state.counter,
    state.decorator_registry,
    state.plugin_registry,
    state.through_alias,
    state.two_meanings,
    classes.inherited_super,
    library.data_class,
    classes.busy_class_body,
    special.private_names,
)
"""Ingredients that seldom stand in the way of merging by themselves."""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """One zygote for all examples."""
    one = Runner()
    yield one
    one.close()


@given(package=packages(MERGEABLE, most=3))
def test_flat_does_what_modules_do(runner: Runner, package: Package) -> None:
    with on_disk(package) as (scratch, repository):
        opened = Repository(repository)
        try:
            flat = slice_function(opened, target_of(package), emit="flat")
        except NotSupportedError:
            flat = None
        assume(flat is not None and len({line.path for line in flat.manifest.lines}) > 1)
        modules = slice_function(opened, target_of(package), emit="modules")
        shutil.rmtree(repository)
        jobs: list[dict[str, object]] = []
        for made, name in ((flat, "flat"), (modules, "modules")):
            script = write_file(scratch, f"{name}/sliced.py", made.files[0].content)
            jobs += [script_job(package, script, way, scratch) for way in WAYS]
        outcomes = runner.run(jobs)
    for way, got, expected in zip(WAYS, outcomes[: len(WAYS)], outcomes[len(WAYS) :], strict=True):
        assert got.failed is None, (way, flat.source, got.trace)
        assert got.behaviour() == expected.behaviour(), (way, flat.source)
        assert got.import_printed == expected.import_printed, (way, flat.source)
