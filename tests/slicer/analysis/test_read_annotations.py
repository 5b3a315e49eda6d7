"""Classes that annotations name, where a distribution makes something of the function."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

_CLASS = (
    "from typing import Annotated, NamedTuple, Optional\nfrom discord.ext import commands\n"
    "class Flake:\n    @classmethod\n    async def convert(cls, ctx, text): return int(text)\n"
    "    def other(self): pass\n"
)
COMMANDS = {
    "plain": "@commands.command()\ndef f(ctx, x: Flake): pass\n",
    "annotated": "@commands.command()\ndef f(ctx, x: Annotated[Optional[int], Flake]): pass\n",
    "a text": "@commands.command()\ndef f(ctx, x: 'Flake | None'): pass\n",
    "by an object of the decorator's": "@commands.group()\ndef all(ctx): pass\n"
    "@all.command()\ndef f(ctx, x: Flake): pass\n",
    "a field": "class Flags(commands.FlagConverter):\n    after: Flake = None\n"
    "@commands.command()\ndef f(ctx, x: Flags): pass\n",
}


@pytest.mark.parametrize("title", COMMANDS)
def test_what_a_class_can_be_asked_for_without_an_instance_is_kept(
    title: str, tmp_path: Path
) -> None:
    assert _kept(tmp_path, COMMANDS[title]) == {"Flake", "Flake.convert"}


def test_a_decorator_of_the_standard_library_asks_for_nothing(tmp_path: Path) -> None:
    text = "import functools\n@functools.lru_cache\ndef f(x: Flake): pass\n"
    assert _kept(tmp_path, text) <= {"Flake"}


def _kept(folder: Path, text: str) -> set[str]:
    (folder / "m.py").write_text(_CLASS + text)
    made = slice_function(Repository(folder), "m.py::f").manifest
    return {d.qualname for d in made.definitions if d.qualname.startswith("Flake")}
