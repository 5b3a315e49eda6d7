"""Every example of every mock family does what it says, with nothing of the outside world."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.compile import Options, compile_slice
from slicefunc.mocker.families import families
from slicefunc.mocker.model import Example, Family
from slicefunc.slicer import Repository

CHILD = Path(__file__).with_name("ways_to_load.py")
EXAMPLES = [
    pytest.param(example, id=f"{family.name}: {example.title}")
    for family in families()
    for example in family.examples
]
FAMILIES = [pytest.param(family, id=family.name) for family in families() if family.examples]
FURTHER_WAYS = ("run", "import", "runpy")


def sliced(example: Example, folder: Path, mock: str = "auto"):
    repository = folder / "repository"
    repository.mkdir()
    (repository / "example.py").write_text(example.source)
    for path, text in example.files:
        file = repository / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    options = Options(mock=mock)
    return compile_slice(Repository(repository), [f"example.py::{example.target}"], options)


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # nor is what it lies in
        return False


def script_of(example: Example, folder: Path) -> tuple[str, list[str]]:
    """The path of its mocked slice, and the modules that this imports from outside."""
    folder.mkdir()
    made = sliced(example, folder)
    script = folder / "script.py"
    script.write_text(made.source)
    return str(script), [e.module for e in made.manifest.externals if e.treatment != "stubbed"]


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


def check_alone(example: Example, folder: Path) -> None:
    """In a process that loads nothing else."""
    for module in example.needs:
        if not is_installed(module):
            pytest.skip(f"{module} is not installed")
    script, _ = script_of(example, folder / "example")
    (found,) = shown(folder, "other", script, example.call)
    check(example, found)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_example_gives_what_it_says(family: Family, tmp_path: Path):
    check_alone(family.examples[0], tmp_path)


@pytest.mark.parametrize("family", FAMILIES)
def test_all_examples_give_what_they_say_with_the_libraries_loaded(family: Family, tmp_path: Path):
    able = [each for each in family.examples if all(map(is_installed, each.needs))]
    if not able:
        pytest.skip("what they need is not installed")
    runs: list[tuple[Example, list[str]]] = []
    modules: dict[str, None] = {}
    for number, example in enumerate(able):
        script, imported = script_of(example, tmp_path / f"example-{number}")
        modules.update(dict.fromkeys(imported))
        runs.append((example, ["other", script, example.call]))
        if number == 0:
            runs += [(example, [way, script, example.call]) for way in FURTHER_WAYS]
    found = shown(tmp_path, json.dumps([words for _, words in runs]), *modules)
    assert len(found) == len(runs)
    for (example, _), each in zip(runs, found, strict=True):
        check(example, each)


@pytest.mark.parametrize("example", EXAMPLES)
def test_mocking_leaves_the_slice_itself_alone(example: Example, tmp_path: Path):
    mocked = sliced(example, tmp_path)
    (tmp_path / "repository").rename(tmp_path / "before")
    plain = sliced(example, tmp_path, "none")
    lines = mocked.source.splitlines()
    assert mocked.manifest.definitions == plain.manifest.definitions
    for run_ in mocked.manifest.lines:
        text = (tmp_path / "before" / run_.path).read_text().splitlines()
        kept = text[run_.line - 1 : run_.line - 1 + run_.count]
        script = lines[run_.script_line - 1 : run_.script_line - 1 + run_.count]
        # of a carried module, the literal around it begins and ends on its lines
        assert "\n".join(kept) in "\n".join(script)
