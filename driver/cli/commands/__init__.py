"""The commands beside the main one: a file each, named after its words, and its words in `NAMES`.

A file has `parser()`, the grammar of the words after its name, and `run(arguments)`, which returns
the exit status. Neither it nor this module imports anything heavy at its top: `--help` and
completion load all of them.
"""

from __future__ import annotations

from importlib import import_module

from ..parser import HELP_WIDTH

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Protocol

    from ..parser import Parser

    class Command(Protocol):
        """The module of a command."""

        def parser(self) -> Parser:
            """Return the grammar of the words after the command's name."""
            ...

        def run(self, arguments: argparse.Namespace) -> int:
            """Run the command; return its exit status."""
            ...


NAMES = (
    "graph",
    "score",
    "curate",
    "build",
    "dataset show",
    "dataset verify",
    "dataset merge",
    "dataset split",
    "dataset diff",
    "dataset decontaminate",
    "serve",
    "eval compare",
    "eval export",
    "eval simulate",
    "eval tasks",
    "eval",
    "train-data",
    "mcp",
    "export",
    "audit sample",
    "audit report",
    "report",
    "completion",
)
"""The words of each command."""
FIRST_WORDS = tuple(dict.fromkeys(name.split()[0] for name in NAMES))


def command_named(name: str) -> Command:
    """Return the module of one of `NAMES`."""
    command: Command = import_module(f".{name.replace(' ', '_').replace('-', '_')}", __package__)  # pyright: ignore[reportAssignmentType] - each file has both functions, which a test checks
    return command


def help_of_several(word: str, names: Sequence[str]) -> str:
    """Return the help of a word with which several commands begin: a line for each."""
    width = max(map(len, names))
    lines = (f"  {name:{width}}  {_first_clause(name, HELP_WIDTH - width - 4)}" for name in names)
    return "\n".join(
        (
            f"usage: slice-func {word} COMMAND …",
            "",
            *lines,
            "",
            f"slice-func {names[0]} --help says what that command takes; so do the others.",
            "",
        )
    )


def _first_clause(name: str, width: int) -> str:
    """Return what a command does, on one line of that width."""
    from textwrap import shorten

    words = " ".join((command_named(name).parser().description or "").split())
    for end in (". ", ": ", "; "):
        words = words.partition(end)[0]
    return shorten(words.removesuffix("."), width, placeholder=" …")


def find_command(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the command that the first words name, and the words after it; `None` for none."""
    for name in NAMES:
        own = name.split()
        if list(words[: len(own)]) == own:
            return name, list(words[len(own) :])
    return None
