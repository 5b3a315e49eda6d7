"""Every fixture under `fixtures/`: what its slices hold, what they do, and their golden text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.emission.choose_layout import layout_of, layouts
from slicefunc.slicer.errors import NotSupportedError
from slicefunc.slicer.model import Definition, Emit, Slice

from tests.fixture_format import ExpectedTarget, Fixture, all_fixtures, golden_text
from tests.observing import observed

Case = tuple[Fixture, ExpectedTarget]


def _cases() -> Iterator[object]:
    for fixture in all_fixtures():
        here = pytest.mark.skipif(not fixture.runs_here, reason="for another Python")
        for number, target in enumerate(fixture.targets):
            name = fixture.name if len(fixture.targets) == 1 else f"{fixture.name}-{number}"
            yield pytest.param((fixture, target), id=name, marks=here)


@pytest.fixture(scope="module", params=_cases())
def case(request: pytest.FixtureRequest) -> Case:
    """Each slice that a fixture asks for; all tests of one stand together, and share its slices."""
    made: Case = request.param
    return made


@pytest.fixture(scope="module")
def repository(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its repository, which tests only read."""
    fixture, _ = case
    return fixture.repository(tmp_path_factory.mktemp("repository"))


@lru_cache(maxsize=4)
def slice_of(case: Case, repository: Path, emit: Emit = "script") -> Slice:
    """The slice that a fixture asks for."""
    fixture, expected = case
    return slice_function(
        Repository(repository, roots=fixture.roots), expected.target, emit=emit, keep=expected.keep
    )


def test_slice_holds_what_it_should(case: Case, repository: Path) -> None:
    """Definitions, externals, gaps and warnings are those that `expected.toml` names."""
    _fixture, expected = case
    if expected.error:
        with pytest.raises(SliceFuncError) as caught:
            slice_of(case, repository)
        message = str(caught.value)
        assert re.search(expected.error, message), message
        assert "\n" not in message, "an error is one line"
        assert caught.value.exit_status == expected.exit_status, message
        return
    sliced = slice_of(case, repository)
    held = {name: d.reason for d in sliced.manifest.definitions for name in _names(d)}
    missing = sorted(set(expected.kept) - set(held))
    assert not missing, f"not kept: {missing}; held: {sorted(held)}"
    superfluous = {name: held[name] for name in expected.pruned if name in held}
    assert not superfluous, f"kept without need: {superfluous}"
    assert {g.kind for g in sliced.gaps} == set(expected.gaps), sliced.gaps
    if expected.externals is not None:
        assert {e.module for e in sliced.manifest.externals} == set(expected.externals)
    assert set(sliced.manifest.data_files) == set(expected.data_files)
    suggested = {f"{s.parameter} = {s.path}::{s.qualname}" for s in sliced.manifest.suggested_types}
    assert set(expected.suggested) <= suggested, f"suggested only {suggested}"
    for pattern in expected.warnings:
        found = any(re.search(pattern, w) for w in sliced.manifest.warnings)
        assert found, f"no warning {pattern!r} among {sliced.manifest.warnings}"


def test_functions_are_verbatim(case: Case, repository: Path) -> None:
    """Every kept function stands, byte for byte, in its file of the pruned tree."""
    _fixture, expected = case
    if expected.error:
        pytest.skip("no slice")
    tree = slice_of(case, repository, "package")
    files = {f.path: f.content for f in tree.files}
    for definition in tree.manifest.definitions:
        if definition.kind not in ("function", "method"):
            continue
        lines = (repository / definition.path).read_bytes().splitlines(keepends=True)
        text = b"".join(lines[definition.first_line - 1 : definition.last_line]).rstrip()
        assert text in files[definition.path], f"{definition.path}::{definition.qualname} differs"


def test_layout(case: Case, repository: Path) -> None:
    """`script` takes the expected layout, and `flat` is refused exactly where it is not safe."""
    _fixture, expected = case
    if expected.error:
        pytest.skip("no slice")
    script = slice_of(case, repository)
    if expected.layout:
        assert script.manifest.layout == expected.layout, script.manifest.layout_reason
    if script.manifest.layout == "flat":
        assert slice_of(case, repository, "flat").source == script.source
    else:
        with pytest.raises(NotSupportedError):
            slice_of(case, repository, "flat")


def test_calls_give_the_same(case: Case, repository: Path, tmp_path: Path) -> None:
    """Calls return, raise and print the same in the original and in every layout of the slice."""
    _fixture, expected = case
    if expected.error:
        pytest.skip("no slice")
    original = observe_original(case, repository, tmp_path)
    assert isinstance(original, list), f"the original does not import: {original}"
    returned = [o["call"] for o in original if "value" in o]
    assert returned == list(expected.calls), f"the fixture itself is wrong: {original}"
    differing = {
        emit: found
        for emit in ("script", *(each.name for each in layouts() if not each.may_refuse))
        if (found := observe_slice(case, repository, tmp_path / "slices", emit)) != original
    }
    assert not differing, "\n".join([f"original: {original}", *_readable(differing)])


def test_golden(case: Case, repository: Path) -> None:
    """The script is the golden one; `python -m tests.regenerate_goldens NAME` accepts a change."""
    fixture, expected = case
    if expected.error:
        pytest.skip("no slice")
    sliced = slice_of(case, repository)
    golden = fixture.folder / "expected" / expected.file_name
    assert golden.exists(), "no golden yet: make it, and read it before committing it"
    assert golden_text(sliced.source) == golden.read_bytes().decode("utf-8")


def test_expected_names_exist(case: Case, repository: Path) -> None:
    """A misspelt name in `pruned` would always be absent; so each name is in its file."""
    _fixture, expected = case
    for wanted in (*expected.kept, *expected.pruned, *expected.keep):
        path, qualname = wanted.split("::")
        name = qualname.rpartition(".")[2].encode()
        text = (repository / path).read_bytes()
        assert re.search(rb"\b" + re.escape(name) + rb"\b", text), wanted


def test_no_golden_is_left_over() -> None:
    """Each golden slice belongs to a target."""
    for fixture in all_fixtures():
        wanted = {t.file_name for t in fixture.targets if not t.error}
        found = {p.name for p in (fixture.folder / "expected").glob("*")}
        assert found <= wanted, f"{fixture.name}: {sorted(found - wanted)}"


def observe_original(case: Case, repository: Path, scratch: Path) -> object:
    """What the calls do in the repository."""
    fixture, _ = case
    roots = [str(repository / root) for root in fixture.import_roots]
    return _observe(case, "import", roots, scratch)


def observe_slice(case: Case, repository: Path, folder: Path, emit: Emit) -> object:
    """What the calls do in a slice that has been written to `folder`."""
    fixture, expected = case
    sliced = slice_of(case, repository, emit)
    place = folder / emit
    place.mkdir(parents=True)
    if layout_of(sliced.manifest).is_tree:
        for file in sliced.files:
            (place / file.path).parent.mkdir(parents=True, exist_ok=True)
            (place / file.path).write_bytes(file.content)
        roots = [str(place / root) for root in fixture.import_roots]
        return _observe(case, "import", roots, folder)
    script = place / f"a slice of {expected.file_name}"
    script.write_bytes(sliced.source.encode())
    return _observe(case, "runpy" if emit == "script" else "spec", [str(script)], folder)


def _names(definition: Definition) -> Iterator[str]:
    """`path::qualname` of each name that a definition binds; a statement may bind several."""
    first, *others = definition.qualname.split(", ")
    scope = first[: first.rfind(".") + 1]
    for qualname in (first, *(scope + name for name in others)):
        yield f"{definition.path}::{qualname}"


def _observe(case: Case, load: str, path: list[str], scratch: Path) -> object:
    fixture, expected = case
    names: dict[str, str] = {}
    for wanted in (*expected.target, *expected.keep):
        file, qualname = wanted.split("::")
        names[qualname.split(".")[0]] = fixture.module_of(file)
    calls = [*expected.calls, *expected.raises]
    request = {"names": names, "load": load, "path": path, "calls": calls}
    return observed(request, scratch)


def _readable(differing: dict[Emit, object]) -> Iterator[str]:
    for emit, found in differing.items():
        if isinstance(found, dict):
            yield f"{emit}: " + "\n".join(str(v) for v in found.values())
        else:
            yield f"{emit}: {found}"
