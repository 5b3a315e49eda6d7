"""What is said of the data that a slice reads: who carries, who invents, and who drops them."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository

from benchmarks.mocks.read_data import data_kept
from benchmarks.repost.data.examples import Example

TEXT = "Be brief, {name}.\nNo jokes.\n"
SOURCE = '''\
"""Prompts."""
PATH = "prompts/system.txt"


def prompt(name):
    with open(PATH) as stream:
        return stream.read().format(name=name)
'''
TESTS = "def test_prompt():\n    assert prompt('anybody at all') == prompt_new('anybody at all')\n"


def example(script: str) -> Example:
    return Example("1", "a/b", "c", "bot.py", "prompt", "", "", script + "\n\n" + TESTS)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (f"SYSTEM = {TEXT.strip()!r}\n", "carried"),
        ("SYSTEM = 'You are a helpful assistant, {name}.'\n", "invented"),
        ("def prompt(name):\n    return ''\n", "dropped"),
    ],
)
def test_the_data_of_a_recorded_script(script: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system.txt").write_text(TEXT)
    (tmp_path / "bot.py").write_text(SOURCE)
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, ("bot.py::prompt",))
    found = data_kept(example(script), repository, sliced)
    assert found == {"files": ["prompts/system.txt"], "ours": "carried", "recorded": said}


def test_a_slice_that_reads_no_data(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def prompt(name):\n    return name\n")
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, ("bot.py::prompt",))
    assert data_kept(example(""), repository, sliced) == {}
