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
from slicefunc.mocker.model import Example
from slicefunc.slicer import Repository

CHILD = Path(__file__).with_name("ways_to_load.py")
EXAMPLES = [
    pytest.param(example, id=f"{family.name}: {example.title}")
    for family in families()
    for example in family.examples
]
FIRST = [
    pytest.param(family.examples[0], id=family.name) for family in families() if family.examples
]
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


def run(example: Example, folder: Path, *ways: str) -> list[dict[str, object]]:
    """What comes out in each way of loading; of several, with the libraries loaded before."""
    for module in example.needs:
        if not is_installed(module):
            pytest.skip(f"{module} is not installed")
    script = folder / "script.py"
    made = sliced(example, folder)
    script.write_text(made.source)
    modules = [each.module for each in made.manifest.externals if each.treatment != "stubbed"]
    inside = folder / "inside"
    inside.mkdir()
    done = subprocess.run(
        [sys.executable, str(CHILD), ",".join(ways), str(script), example.call,
         *(modules if len(ways) > 1 else ())],
        cwd=inside, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"gives": ')]
    return [{**json.loads(line), "stderr": done.stderr} for line in lines]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_gives_what_it_says(example: Example, tmp_path: Path):
    (found,) = run(example, tmp_path, "other")
    assert found["gives"] == example.gives, found["stderr"]
    assert found["effects"] == list(example.effects)
    assert found["connections"] == []


@pytest.mark.parametrize("example", FIRST)
def test_the_first_example_gives_it_in_the_other_ways_of_loading(example: Example, tmp_path: Path):
    found = run(example, tmp_path, *FURTHER_WAYS)
    assert len(found) == len(FURTHER_WAYS)
    for each in found:
        assert each["gives"] == example.gives, each["stderr"]
        assert each["effects"] == list(example.effects)
        assert each["connections"] == []


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
