"""The README and the manual show what the commands print, and what the code says.

`python -m docs.generate` writes the parts that are made from the code anew. What a block of a page
may be, and how it is run, is said in `page_blocks.py`.
"""

from __future__ import annotations

import ast
import html
import re
from importlib import import_module
from pathlib import Path

import pytest
from slicefunc.driver.record.reason_codes import ADVICE

from docs.generate import generated
from docs.picture import PICTURE, transcript
from tests.driver.page_blocks import ROOT, blocks, pages, run_page
from tests.driver.record.test_environment import needs_sandbox
from tests.nightly import all_but

NOT_RUN = {
    "a model": 5,
    "Docker": 3,
    "network": 8,
    "a running service": 5,
    "a trainer": 9,
    "a consumer": 1,
}
"""Why blocks cannot be run here, and how many: a block more must be counted here."""
AT_NIGHT = {
    f"docs/tutorials/{name}.md"
    for name in ("one-function", "whole-repository", "reward-in-training", "evaluate-a-model")
} | {f"docs/how-to/{name}.md" for name in ("audit-environments", "make-training-data")}
"""Lessons that build several environments, with whole searches, as the README and two guides do."""


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _has_blocks(page: Path) -> bool:
    return any(each.language in {"sh", "console"} or each.title for each in blocks(page))


WITH_BLOCKS = [pytest.param(page, id=_name(page)) for page in pages() if _has_blocks(page)]


@needs_sandbox
@pytest.mark.parametrize("page", all_but(AT_NIGHT, WITH_BLOCKS))
def test_the_commands_of_a_page_do_what_it_shows(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def test_few_blocks_are_not_run() -> None:
    reasons = [each.not_run for page in pages() for each in blocks(page) if each.not_run]
    assert {reason: reasons.count(reason) for reason in set(reasons)} == NOT_RUN


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_what_is_made_from_the_code_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert generated(text) == text, "python -m docs.generate writes it anew"


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_examples_in_python_parse_and_import_what_is_there(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python":
            for node in ast.walk(ast.parse(block.text)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("slicefunc"):
                    home = import_module(node.module or "")
                    assert all(hasattr(home, name.name) for name in node.names), ast.unparse(node)


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_commands_are_run_or_marked(page: Path) -> None:
    """A block without a language, or in another one for shells, would never be run."""
    written = "".join(each.text for each in blocks(page) if each.language == "text")
    commands = re.findall(r"^ *(?:\$ )?slice-func .*", written, re.MULTILINE)
    assert all("[options]" in command for command in commands)
    fences = re.findall(r"^ *```([^\n]*)\n.*?^ *```$", page.read_text(), re.DOTALL | re.MULTILINE)
    assert not {"", "bash", "shell", "shell-session"} & {fence.split(" ")[0] for fence in fences}


def test_the_readme_is_short_and_no_cell_of_it_holds_a_paragraph() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    cells = [cell for line in lines if line.startswith("|") for cell in line.split("|")]
    assert max(map(len, cells)) <= 100


def test_the_picture_shows_the_lesson() -> None:
    drawn = html.unescape(re.sub(r"<[^>]+>", "", PICTURE.read_text(encoding="utf-8")))
    assert len(transcript()) > 10
    for line in transcript():
        assert "".join(line.split()) in "".join(drawn.split()), (
            "python -m docs.picture draws it anew"
        )


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_what_a_page_links_to_is_there(page: str) -> None:
    """Pages of the manual are looked at by `mkdocs build --strict`."""
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / page).read_text(encoding="utf-8"))
    assert [each for each in targets if "://" not in each and not (ROOT / each).exists()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_files_that_contributors_are_sent_to_are_there(page: str) -> None:
    folders = "slicer|mocker|verifier|llm|driver|tests|docs|benchmarks|fixtures"
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(rf"(?<![\w/])(?:{folders})/[\w./-]*\b", text)
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_kind_of_gap_is_explained() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "slicer").rglob("*.py"))
    kinds = set(re.findall(r"\bGap(?:Use)?\(\s*\"([\w-]+)\"", code))
    assert kinds
    assert kinds == _first_cells("docs/reference/gaps.md")


def test_every_reason_code_is_explained() -> None:
    page = (ROOT / "docs/reference/reason-codes.md").read_text(encoding="utf-8")
    explained = page[: page.index("## What to do about each")]
    assert set(re.findall(r"`([a-z_]+)`", explained)) >= set(ADVICE)


def _first_cells(page: str) -> set[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE))


def test_diagrams_are_drawn_without_a_network() -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    scripts = re.findall(r"^extra_javascript: \[(.*)\]", settings, re.MULTILINE)
    texts = [(ROOT / "docs" / path).read_text(encoding="utf-8") for path in scripts]
    assert any('globalThis["mermaid"] =' in text for text in texts), "else the theme asks unpkg.com"
