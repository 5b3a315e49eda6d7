"""What the README and the docs show is what the command prints.

`python -m tests.driver.test_docs` writes the present text into the files.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from .test_environment import needs_sandbox

ROOT = Path(__file__).parent.parent.parent
PAGES = ("README.md", "docs/command-line.md")
SHOWN = re.compile(r"(<!-- (?:help|shows): ([^\n]+) -->\n```\w+\n)(.*?)(```\n)", re.DOTALL)
"""A block that shows the output of the command in the comment above it."""


def _blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(block[2], block[3]) for block in SHOWN.finditer(text)]


def _output(command: str) -> str:
    name, *words = shlex.split(command)
    assert name == "slice-func"
    done = subprocess.run(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *words],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("page", "command", "shown"),
    [(page, *block) for page in PAGES for block in _blocks(page)],
    ids=lambda value: value if str(value).startswith("slice-func") else "",
)
def test_the_page_shows_what_the_command_prints(page: str, command: str, shown: str) -> None:
    assert shown == _output(command), f"{page} is out of date: python -m tests.driver.test_docs"


def test_each_page_shows_something() -> None:
    assert all(_blocks(page) for page in PAGES)


def test_the_readme_slices_what_it_installs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    install = re.search(r"<!-- install -->\n```sh\n(.*?)```", readme, re.DOTALL)
    assert install
    commands = [part.strip() for part in install[1].replace("\\\n", " ").split("&&")]
    assert commands[-1].startswith(".venv/bin/slice-func ")
    assert commands[-1].removeprefix(".venv/bin/") in [
        command for command, _ in _blocks("README.md")
    ]


def test_every_kind_of_gap_is_explained() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "slicer").rglob("*.py"))
    rules = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    kinds = set(re.findall(r"\bGap(?:Use)?\(\s*\"([\w-]+)\"", code))
    table = rules[rules.index("| gap | meaning |") :]
    assert kinds
    assert kinds == set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))


@needs_sandbox
def test_the_example_of_the_library_writes_an_environment(repo: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    (example,) = [b for b in re.findall(r"```python\n(.*?)```", page, re.S) if '"env"' in b]
    text = example.replace("path/to/repo", str(repo)).replace("pkg/", "shop/")
    command = [sys.executable, "-c", text]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL, timeout=120)
    assert (tmp_path / "env/environment.json").is_file()
    assert (tmp_path / "env/script.py").is_file()


def _write() -> None:
    for page in PAGES:
        place = ROOT / page
        text = place.read_text(encoding="utf-8")
        place.write_text(
            SHOWN.sub(lambda block: block[1] + _output(block[2]) + block[4], text), encoding="utf-8"
        )


if __name__ == "__main__":
    _write()
