"""What is answered to prompts: as the code compares it, and as people may write the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.mocker.answers.process.terminal_answers import prompt_sites
from slicefunc.mocker.contacts import Border
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.source.kept_code import kept_code
from slicefunc.slicer import Repository, slice_function

SPELLED = {
    "in the call": (
        "def run():\n"
        "    while (choice := input('> ').strip().lower()) != 'q':\n"
        "        print('added' if choice == 'add' else 'what?')\n",
        (" Q ", " ADD ", " TEXT "),
    ),
    "on the variable": (
        "def run():\n    again = input('again? ')\n    return again.upper() == 'Y'\n",
        ("y", "text"),
    ),
    "not at all": (
        "def run():\n    return input('name: ') == 'Ann'\n",
        ("text", "Ann"),
    ),
    "on another variable": (
        "def run(name):\n    answer = input('> ')\n    return name.strip() + answer\n",
        ("text",),
    ),
}


@pytest.mark.parametrize(("source", "spelled"), SPELLED.values(), ids=SPELLED.keys())
def test_answers_are_spelled_as_the_code_takes_them(
    tmp_path: Path, source: str, spelled: tuple[str, ...]
) -> None:
    (tmp_path / "a.py").write_text(source)
    repository = Repository(tmp_path)
    border = Border(repository, slice_function(repository, "a.py::run"), (), Settings())
    (place,) = prompt_sites(kept_code(border))
    assert set(place.spelled) == set(spelled)
    assert len(place.spelled) == len(place.answers)


REFUSED = {
    "a number, asked again": (
        "def run():\n"
        "    while True:\n"
        "        try:\n"
        "            return int(input('n: '))\n"
        "        except ValueError:\n"
        "            print('no')\n"
        "        except KeyboardInterrupt:\n"
        "            return None\n",
        ["default", "end", "interrupt", "wrong"],
        {"default": "1", "wrong": "1", "interrupt": "None"},
    ),
    "a number that is looked at": (
        "def run():\n    text = input('n: ')\n    return int(text) if text.isdigit() else -1\n",
        ["default", "end", "wrong"],
        {"default": "1", "wrong": "-1"},
    ),
    "a number that is trusted": (
        "def run():\n    return int(input('n: '))\n",
        ["default", "end"],
        {"default": "1"},
    ),
    "a text": (
        "def run():\n"
        "    try:\n"
        "        return input('name: ')\n"
        "    except ValueError:\n"
        "        return ''\n",
        ["default", "end"],
        {"default": "'text'"},
    ),
}


@pytest.mark.parametrize(("source", "variants", "gives"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_code_refuses_is_answered_too(
    tmp_path: Path, source: str, variants: list[str], gives: dict[str, str]
) -> None:
    (tmp_path / "a.py").write_text(source)
    script = compile_slice(Repository(tmp_path), ("a.py::run",)).source
    (line,) = [line for line in script.splitlines() if line.startswith("answer_prompts(")] or [""]
    known = re.findall(r"'(\w+)': \[", line)
    assert sorted(set(known)) == variants
    for variant, value in gives.items():
        ending = f"\nimport slice_func_mocks\nslice_func_mocks.choose(stdin={variant!r})\n"
        done = subprocess.run(
            [sys.executable, "-I", "-c", f"{script}{ending}print(repr(run()))"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.splitlines()[-1].endswith(value), done.stderr
