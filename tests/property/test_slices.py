"""For every generated repository, the promises of a slice."""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from slicefunc.slicer import NotSupportedError, Repository, Slice, slice_function

from tests.property.generator import packages
from tests.property.runner import (
    WAYS,
    Outcome,
    Runner,
    original_job,
    script_job,
    write_file,
    write_package,
)
from tests.property.slice_server import digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slicefunc.slicer import Definition, Emit

    from tests.property.model import Package

LAYOUTS: tuple[Emit, ...] = ("flat", "modules", "package")


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """One zygote for all examples."""
    one = Runner()
    yield one
    one.close()


class SliceServer:
    """A slicer in another process, with its own hash seed."""

    def __init__(self, hash_seed: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("slice_server.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd="/",
            text=True,
        )

    def digest(self, repository: Path, target: str, emit: Emit) -> str:
        """Digest of a slice as that process makes it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {"repository": str(repository), "target": target, "emit": emit}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server() -> Iterator[SliceServer]:
    """A slicer with hash seed 12345."""
    one = SliceServer("12345")
    yield one
    one.close()


@contextmanager
def on_disk(package: Package) -> Iterator[tuple[Path, Path]]:
    """A scratch folder, and the repository in a sub-folder of it."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        yield scratch, write_package(package, scratch / "the repo")


def target_of(package: Package) -> str:
    """The target as the command takes it."""
    return f"{package.target_path}::{package.qualname}"


def all_slices(package: Package, repository: Path) -> dict[Emit, Slice]:
    """The slice in every layout that is offered for it."""
    found: dict[Emit, Slice] = {}
    opened = Repository(repository)
    for emit in LAYOUTS:
        try:
            found[emit] = slice_function(opened, target_of(package), emit=emit)
        except NotSupportedError:
            assert emit == "flat"
    return found


def slice_jobs(
    package: Package, scratch: Path, slices: dict[Emit, Slice]
) -> dict[tuple[Emit, str], dict[str, object]]:
    """One job for each layout and each way to load it; the repository is not used any more."""
    cwd = scratch / "elsewhere"
    cwd.mkdir()
    jobs: dict[tuple[Emit, str], dict[str, object]] = {}
    for emit, made in slices.items():
        folder = scratch / f"slice_{emit}"
        if emit == "package":
            for file in made.files:
                write_file(folder, file.path, file.content)
            jobs[emit, "original"] = original_job(package, folder, cwd)
            continue
        (file,) = made.files
        script = write_file(folder, "sliced.py", file.content)
        for way in WAYS:
            jobs[emit, way] = script_job(package, script, way, cwd)
    return jobs


def check_same(package: Package, kind: tuple[Emit, str], expected: Outcome, got: Outcome) -> None:
    """The slice loads, prints nothing new while it loads, and does what the original does."""
    assert got.failed is None, (kind, got.trace)
    assert is_subsequence(got.import_printed, expected.import_printed), kind
    classes = kind[0] != "flat"
    wanted = expected.behaviour(classes=classes)
    assert got.behaviour(classes=classes, alias=package.target_module) == wanted, kind


def is_subsequence(part: str, whole: str) -> bool:
    """Whether the lines of `part` are among those of `whole`, in order."""
    lines = iter(whole.splitlines())
    return all(any(line == other for other in lines) for line in part.splitlines())


@given(package=packages())
def test_slice_does_what_the_original_does(runner: Runner, package: Package) -> None:
    with on_disk(package) as (scratch, repository):
        (expected,) = runner.run([original_job(package, repository, scratch)])
        assert expected.failed is None, expected.trace
        slices = all_slices(package, repository)
        shutil.rmtree(repository)
        jobs = slice_jobs(package, scratch, slices)
        for kind, outcome in zip(jobs, runner.run(list(jobs.values())), strict=True):
            check_same(package, kind, expected, outcome)


@given(package=packages())
def test_default_layout_is_flat_where_it_is_offered(package: Package) -> None:
    with on_disk(package) as (_, repository):
        slices = all_slices(package, repository)
        chosen = slice_function(Repository(repository), target_of(package))
    expected = slices.get("flat", slices["modules"])
    assert chosen.files == expected.files
    assert chosen.manifest.layout == expected.manifest.layout
    assert chosen.manifest.layout_reason


@given(package=packages())
def test_target_and_kept_definitions_are_the_repository_s_text(
    runner: Runner, package: Package
) -> None:
    with on_disk(package) as (scratch, repository):
        slices = all_slices(package, repository)
        jobs = slice_jobs(package, scratch, slices)
        outcomes = dict(zip(jobs, runner.run(list(jobs.values())), strict=True))
    originals = {path: lines_of(content) for path, content in package.files}
    for emit, made in slices.items():
        kept = kept_lines(package, emit, made, outcomes)
        target = [d for d in made.manifest.definitions if holds_target(package, d)]
        assert target, emit
        for definition in made.manifest.definitions:
            path, first, last = definition.path, definition.first_line, definition.last_line
            edited = {edit.line for edit in made.manifest.edits if edit.path == path}
            assert definition not in target or not edited & set(range(first, last + 1))
            for line in range(first, last + 1):
                wanted, got = originals[path][line - 1], kept.get((path, line), "")
                pruned = definition.kind in {"class", "import", "statement"} and not got.strip()
                assert line in edited or pruned or got == wanted, (emit, definition, line, got)


def holds_target(package: Package, definition: Definition) -> bool:
    """Whether a kept definition is the target, or a class that it is nested in."""
    inside = f"{package.qualname}.".startswith(f"{definition.qualname}.")
    return definition.path == package.target_path and inside


def lines_of(content: bytes) -> list[str]:
    """Lines of a source file, without their ends."""
    if re.match(rb"# -\*- coding: latin-1", content):
        text = content.decode("latin-1")
    else:
        text = content.decode("utf-8-sig")
    return [line.rstrip("\r") for line in text.split("\n")]


def kept_lines(
    package: Package, emit: Emit, made: Slice, outcomes: dict[tuple[Emit, str], Outcome]
) -> dict[tuple[str, int], str]:
    """What stands in the slice for each line of the repository.

    Lines of the script are found through the manifest; of a carried module, through `linecache`,
    as a traceback would; of a pruned tree, in order of their appearance.
    """
    kept: dict[tuple[str, int], str] = {}
    if emit == "package":
        originals = dict(package.files)
        for file in made.files:
            if file.path.endswith(".py"):
                kept.update(
                    placed(file.path, lines_of(originals[file.path]), lines_of(file.content))
                )
        return kept
    carried = (outcomes[emit, "imported"].carried or {}) if emit == "modules" else {}
    visible = made.source.replace("\r\n", "\n")
    inside = {path for path, text in carried.items() if text not in {"", visible}}
    for path, text in carried.items():
        kept.update(((path, i), line.rstrip("\r")) for i, line in enumerate(text.split("\n"), 1))
    script = made.source.split("\n")
    for run in made.manifest.lines:
        if run.path in inside:
            continue
        for i in range(run.count):
            kept[run.path, run.line + i] = script[run.script_line - 1 + i].rstrip("\r")
    return kept


def placed(path: str, original: list[str], pruned: list[str]) -> dict[tuple[str, int], str]:
    """Where the lines of a pruned file stand in the original one."""
    matcher = difflib.SequenceMatcher(None, original, pruned, autojunk=False)
    return {
        (path, block.a + i + 1): original[block.a + i]
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    }


@given(package=packages())
def test_bytes_depend_on_nothing_else(server: SliceServer, package: Package) -> None:
    target = target_of(package)
    with on_disk(package) as (scratch, repository):
        other = write_package(package, scratch / "copy", backwards=True)
        write_file(other, *package.unrelated)
        for emit in LAYOUTS:
            here = digest(str(repository), target, emit)
            assert server.digest(repository, target, emit) == here, "hash seed"
            moved = server.digest(other, target, emit)
            assert moved.replace(str(other), str(repository)) == here, "unrelated file"


def alone(package: Package, made: Slice) -> str:
    """Where a script stands when it is sliced again: it keeps the name of a single module."""
    single = {d.path for d in made.manifest.definitions} <= {package.target_path}
    if single or made.manifest.layout == "flat":
        return package.target_path.removeprefix(f"{package.root}/" if package.root else "")
    return "script.py"


@given(package=packages())
def test_slicing_the_slice_gives_the_slice(package: Package) -> None:
    with on_disk(package) as (scratch, repository):
        for emit, made in all_slices(package, repository).items():
            again = scratch / f"again_{emit}"
            path = package.target_path if emit == "package" else alone(package, made)
            for file in made.files:
                write_file(again, file.path if emit == "package" else path, file.content)
            second = slice_function(Repository(again), f"{path}::{package.qualname}", emit=emit)
            assert [f.content for f in second.files] == [f.content for f in made.files], emit


@given(package=packages())
def test_every_function_of_the_repository_slices_and_loads(
    runner: Runner, package: Package
) -> None:
    with on_disk(package) as (scratch, repository):
        opened = Repository(repository)
        jobs: list[dict[str, object]] = []
        for number, target in enumerate(opened.targets()):
            made = slice_function(opened, str(target))
            script = write_file(scratch, f"scripts/sliced{number}.py", made.files[0].content)
            wanted = dataclasses.replace(package, qualname=target.qualname, call="None")
            jobs.append(script_job(wanted, script, "imported", scratch))
        shutil.rmtree(repository)
        for job, outcome in zip(jobs, runner.run(jobs), strict=True):
            assert outcome.failed is None, (job["name"], outcome.trace)


@given(package=packages(), data=st.data())
def test_several_targets_share_one_script(
    runner: Runner, package: Package, data: st.DataObject
) -> None:
    with on_disk(package) as (scratch, repository):
        opened = Repository(repository)
        others = [t for t in opened.targets() if t.qualname.split(".")[0] != package.top_name]
        assume(others)
        other = data.draw(st.sampled_from(others))
        made = slice_function(opened, [target_of(package), str(other)])
        (expected,) = runner.run([original_job(package, repository, scratch)])
        shutil.rmtree(repository)
        script = write_file(scratch, "sliced.py", made.files[0].content)
        wanted = dataclasses.replace(package, qualname=other.qualname, call="None")
        jobs = [script_job(p, script, "imported", scratch) for p in (package, wanted)]
        first, second = runner.run(jobs)
        assert second.failed is None, second.trace
        assert first.failed is None, first.trace
        assert first.behaviour() == expected.behaviour()


@given(package=packages(), data=st.data())
def test_keeping_more_changes_no_behaviour(
    runner: Runner, package: Package, data: st.DataObject
) -> None:
    with on_disk(package) as (scratch, repository):
        opened = Repository(repository)
        extra = data.draw(st.sampled_from(sorted(opened.targets())))
        made = slice_function(opened, target_of(package), keep=(str(extra),))
        kept = {(d.path, d.qualname) for d in made.manifest.definitions}
        assert (extra.path, extra.qualname) in kept
        (expected,) = runner.run([original_job(package, repository, scratch)])
        shutil.rmtree(repository)
        script = write_file(scratch, "sliced.py", made.files[0].content)
        (got,) = runner.run([script_job(package, script, "imported", scratch)])
        assert got.failed is None, got.trace
        assert got.behaviour() == expected.behaviour()
