"""Every example of every mock family does what it says, with nothing of the outside world."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.families import FAMILIES, FamilyEntry
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Slice

from tests.mocker.families.family_examples import Example, examples_of
from tests.nightly import all_but

CHILD = Path(__file__).parents[1] / "ways_to_load.py"
LISTED = [pytest.param(listed, id=listed.family().name) for listed in FAMILIES]
FURTHER_WAYS = ("run", "import", "runpy")
AT_NIGHT = {
    "anthropic", "google models", "other models", "litellm", "langchain", "azure", "firestore",
    "bigquery", "bots", "migrations",
}  # fmt: skip
"""Families of which others have the same kind of fake, below libraries that load for long: by day
their examples are sliced, and run at night."""
FIRST_ALONE = AT_NIGHT | {"data sets", "aws"}
"""Families with libraries that load for long: by day the first example is enough."""
ALL_TOGETHER = AT_NIGHT | {
    "openai", "model hubs", "cuda", "google cloud", "django", "django views", "mongo", "plots",
    "selenium", "asgi", "servers", "websockets", "httpcore", "remote tables", "task queues",
    "pages",
}  # fmt: skip
"""Families of which others have the same kind of fake, below libraries that load sooner: by day
their examples run with the libraries loaded only."""


@dataclass(frozen=True)
class Made:
    """An example's repository, its mocked slice there, and that as a file."""

    example: Example
    repository: Repository
    mocked: Slice
    script: Path

    @property
    def imported(self) -> list[str]:
        """The modules that the script imports from outside."""
        return [e.module for e in self.mocked.manifest.externals if e.treatment != "stubbed"]


@pytest.fixture(scope="module")
def family(request: pytest.FixtureRequest) -> FamilyEntry:
    """All tests of a family stand together, and share the slices of its examples."""
    given: FamilyEntry = request.param
    return given


def of_families(later: Collection[str] = ()) -> pytest.MarkDecorator:
    """A test for each family; of some it waits for the night."""
    return pytest.mark.parametrize("family", all_but(later, LISTED), indirect=True, scope="module")


@pytest.fixture(scope="module")
def every(family: FamilyEntry, tmp_path_factory: pytest.TempPathFactory) -> list[Made]:
    """All examples of a family."""
    return [made(example, tmp_path_factory.mktemp("example")) for example in examples_of(family)]


def made(example: Example, folder: Path) -> Made:
    place = folder / "repository"
    place.mkdir()
    example.write(place)
    repository = Repository(place)
    mocked = sliced(repository, example)
    script = folder / "script.py"
    script.write_text(mocked.source)
    return Made(example, repository, mocked, script)


def sliced(repository: Repository, example: Example, mock: str = "auto") -> Slice:
    return compile_slice(repository, [f"example.py::{example.target}"], Options(mock=mock))


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # nor is what it lies in
        return False


def shown(folder: Path, *words: str) -> list[dict[str, object]]:
    """What the child says that loads scripts."""
    inside = folder / "inside"
    inside.mkdir()
    done = subprocess.run(
        [sys.executable, str(CHILD), *words],
        cwd=inside, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"gives": ')]
    return [{**json.loads(line), "stderr": done.stderr} for line in lines]


def check(example: Example, found: dict[str, object]) -> None:
    assert found["gives"] == example.gives, (example.title, found["stderr"])
    effects = [each for each in found["effects"] if each != "sleep "]  # type: ignore[attr-defined]
    assert effects == list(example.effects), example.title
    assert found["connections"] == [], example.title


def check_alone(one: Made, folder: Path) -> None:
    """In a process that loads nothing else."""
    for module in one.example.needs:
        if not is_installed(module):
            pytest.skip(f"{module} is not installed")
    (found,) = shown(folder, "other", str(one.script), one.example.call)
    check(one.example, found)


@of_families(ALL_TOGETHER)
def test_the_first_example_gives_what_it_says(every: list[Made], tmp_path: Path):
    check_alone(every[0], tmp_path)


@of_families(FIRST_ALONE)
def test_all_examples_give_what_they_say_with_the_libraries_loaded(
    every: list[Made], tmp_path: Path
):
    able = [each for each in every if all(map(is_installed, each.example.needs))]
    if not able:
        pytest.skip("what they need is not installed")
    runs: list[tuple[Example, list[str]]] = []
    modules: dict[str, None] = {}
    for number, each in enumerate(able):
        modules.update(dict.fromkeys(each.imported))
        ways = ("other", *(FURTHER_WAYS if number == 0 else ()))
        runs += [(each.example, [way, str(each.script), each.example.call]) for way in ways]
    found = shown(tmp_path, json.dumps([words for _, words in runs]), *modules)
    assert len(found) == len(runs)
    for (example, _), each in zip(runs, found, strict=True):
        check(example, each)


@of_families()
def test_mocking_leaves_the_slices_themselves_alone(every: list[Made]):
    for each in every:
        plain = sliced(each.repository, each.example, "none")
        lines = each.mocked.source.splitlines()
        title = each.example.title
        assert each.mocked.manifest.definitions == plain.manifest.definitions, title
        for run_ in each.mocked.manifest.lines:
            text = (each.script.parent / "repository" / run_.path).read_text().splitlines()
            kept = text[run_.line - 1 : run_.line - 1 + run_.count]
            script = lines[run_.script_line - 1 : run_.script_line - 1 + run_.count]
            # of a carried module, the literal around it begins and ends on its lines
            assert "\n".join(kept) in "\n".join(script), title
