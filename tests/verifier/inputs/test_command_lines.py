"""What a program with commands may be started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import argparse

def main(argv=None):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command")
    add = commands.add_parser("add")
    add.add_argument("number", type=int)
    add.add_argument("--base", type=int)
    show = commands.add_parser("show")
    show.add_argument("--name", required=True)
    show.add_argument("--all", action="store_true")
    args = parser.parse_args(argv)
    return args.command
"""


def test_each_command_is_given_and_each_of_its_options(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PROGRAM)
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::main"))
    assert found is not None
    assert set(found.pools[0].texts) >= {
        "['add', '1']",
        "['add', '--base', '1', '1']",
        "['show', '--name', 'text']",
        "['show', '--name', 'text', '--all']",
    }
