"""The fenced blocks of a Markdown page, and how they are run.

A block is run by its language, in the order of the page and in one folder:

- `sh`: bash runs it, and it must end with status 0;
- `console`: each line that begins with `$ ` is a command, and the lines below it are what it
  prints, on both streams; `...` stands for any text;
- any language with a `title`: the text is written to the file of that name.

A comment line right above a block says what is different: `<!-- status: 1 -->` for the status
that its last command ends with, `<!-- prints: COMMAND -->` for what a command prints on both
streams, `<!-- with: REPO=fixtures/shop/repo; … -->` for what is put in the place of words,
`<!-- not run: why -->` for a block that cannot be run here.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]+?) -->\n)?"
    r"^(?P<indent> *)```(?P<language>\w+)(?P<options>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
_RUN_BY_CI = {"install", "test"}
"""Blocks of the README that `.ci/run` runs before all else."""
_PROGRESS = re.compile(
    r"^slice-func: (?:[^\n]* \.\.\.|\d+ of \d+ functions, [^\n]*)\n", re.MULTILINE
)
"""What is said after each five seconds of silence; a fast machine says nothing."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    language: str
    title: str | None
    """The file that it is to be written to."""
    note: str
    """The comment above it."""
    text: str
    line: int
    """Of the page, from 1."""

    @property
    def not_run(self) -> str | None:
        """Why it cannot be run here."""
        return self.note.removeprefix("not run: ") if self.note.startswith("not run: ") else None

    @property
    def commands(self) -> str:
        """Its text, with what is put in the place of words."""
        text = self.text
        if self.note.startswith("with: "):
            for pair in self.note.removeprefix("with: ").split("; "):
                text = text.replace(*pair.split("=", 1))
        return text

    @property
    def status(self) -> int:
        """The exit status of its last command."""
        return int(self.note.removeprefix("status: ")) if self.note.startswith("status: ") else 0


def pages() -> tuple[Path, ...]:
    """The README and all pages of the manual."""
    return (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        title = re.search(r'title="([^"]+)"', found["options"])
        body = re.sub(f"^{found['indent']}", "", found["text"], flags=re.MULTILINE)
        yield Block(
            found["language"], title and title[1], found["note"] or "", body,
            text.count("\n", 0, found.start()) + 1,
        )  # fmt: skip


def run_page(page: Path, folder: Path, also: Collection[str] = ()) -> None:
    """Run all blocks of a page in a folder, where what it names of the clone is laid out.

    Args:
        page: the page.
        folder: an empty folder.
        also: reasons why blocks are not run elsewhere, for which they are run here.

    Raises:
        AssertionError: a command ends otherwise, or prints something else, than the page says.
    """
    text = page.read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"\b(?:fixtures/\w+|recipes)(?=/)", text))):
        shutil.copytree(ROOT / name, folder / name)
    for block in blocks(page):
        is_left = block.not_run is not None and block.not_run not in also
        if is_left or block.note in _RUN_BY_CI:
            continue
        place = f"{page.relative_to(ROOT)}:{block.line}"
        if block.note.startswith("prints: "):
            command = block.note.removeprefix("prints: ")
            _compare(block.text, _shell(command, folder, 0, place), place)
        elif block.title is not None:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            _shell(block.commands, folder, block.status, place)
        elif block.language == "console":
            transcript = _transcript(block.text)
            for number, (command, shown) in enumerate(transcript, 1):
                status = block.status if number == len(transcript) else 0
                _compare(shown, _shell(command, folder, status, place), place)


def _transcript(text: str) -> list[tuple[str, str]]:
    """Commands, each with what is shown below it."""
    parts = re.split(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n", text, flags=re.MULTILINE)
    assert not parts[0].strip(), "a transcript begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def _shell(command: str, folder: Path, status: int, place: str) -> str:
    """What a command prints."""
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": paths},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == status, f"{place}: status {done.returncode}:\n{done.stdout}"
    return _PROGRESS.sub("", done.stdout)


def _compare(shown: str, printed: str, place: str) -> None:
    checker = doctest.OutputChecker()
    example = doctest.Example("", shown)
    if not checker.check_output(shown, printed, doctest.ELLIPSIS):
        difference = checker.output_difference(example, printed, doctest.REPORT_NDIFF)
        raise AssertionError(f"{place}: {difference}")
