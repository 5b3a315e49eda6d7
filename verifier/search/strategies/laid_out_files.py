"""Files and folders that a case creates before its call, at the paths that it passes.

A target lists a folder if it calls `listdir`, `walk` or `glob`, or `isfile` or `exists` beside
`join`. Patterns, suffixes and file names among the code's texts say what it looks for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ...inputs.argument_pools import Inputs
from ...inputs.statements import Statement
from ...mutation.mutated_block import Block
from ..drafts.drafts import Draft, first_draft
from ..drafts.fixture_files import content_of, may_be_path, text_file
from ..variation.literal_variation import words_in

_LISTING = frozenset("listdir scandir walk fwalk iterdir glob iglob rglob".split())
_JOINING = frozenset("join joinpath".split())
_ASKING = frozenset("isfile is_file exists open read_text read_bytes".split())
_MOST_FILES = 8
_MOST_PATHS = 3
_FOLDER = "folder-1"
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}(?:\.[A-Za-z0-9]{1,4})?\Z")
_NAME = re.compile(r"[\w-]+\.[A-Za-z]\w{0,7}\Z", re.ASCII)
_HIDDEN = re.compile(r"\.[A-Za-z][\w.-]{2,30}\Z", re.ASCII)
_SIGNS = re.compile(r"\*\*/|\*+|\?|\[!?([^\]])[^\]]*\]")
_OTHER_FILES = ("file-1.txt", "folder-1/file-2.txt")
"""Further files, which a target that looks for others must skip."""


def file_drafts(inputs: Inputs) -> Iterator[Draft]:
    """Yield the likeliest call with a file at each of its paths, for each known content."""
    first = first_draft(inputs)
    paths = _paths(first) if inputs.files else []
    for content in inputs.files:
        for path in paths:
            yield replace(first, before=(text_file(path, content),))
    if len(paths) > 1:
        yield replace(first, before=tuple(text_file(path, inputs.files[0]) for path in paths))


def folder_drafts(inputs: Inputs, block: Block, words: Sequence[str]) -> Iterator[Draft]:
    """Yield the likeliest call with folders at its paths, where the target lists one.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        words: texts of the code, those of the target first.
    """
    if not any(_lists(function) for function in block.functions):
        return
    first = _with_paths(first_draft(inputs))
    paths = _paths(first)
    made = [
        folder_statement(path, [*(f"{other}.txt" for other in paths if other != path), *words])
        for path in paths
    ]
    for statement in made:
        yield replace(first, before=(statement,))
    if len(made) > 1:
        yield replace(first, before=tuple(made))


def folder_statement(path: str, words: Sequence[str]) -> Statement:
    """Return a statement that creates a folder, with files named as the code expects."""
    files = {name: content_of(name, words) for name in _names(words)}
    return Statement("\n".join((
        f"for name, text in {files!r}.items():",
        f"    file = __import__('pathlib').Path({path!r}, name)",
        "    file.parent.mkdir(parents=True, exist_ok=True)",
        "    file.write_text(text)",
    )))  # fmt: skip


def _with_paths(draft: Draft) -> Draft:
    """Return the draft with a folder in place of each empty text, where no file can be created."""
    empty = [(name, repr(_FOLDER)) for name, text in draft.arguments if text == "''"]
    return draft.with_arguments(empty) if empty else draft


def _paths(draft: Draft) -> list[str]:
    return [text for text in words_in(draft)[0] if may_be_path(text)][:_MOST_PATHS]


def _lists(function: ast.AST) -> bool:
    """Whether a function lists a folder, or looks for a file in one."""
    nodes = list(ast.walk(function))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return bool(names & _LISTING or (names & _JOINING and names & _ASKING))


def _names(words: Sequence[str]) -> list[str]:
    """Return a few file names, two for each pattern or suffix."""
    made = dict.fromkeys(name for word in words for name in _fitting(word))
    return list(dict.fromkeys((*islice(made, _MOST_FILES), *_OTHER_FILES)))


def _fitting(word: str) -> Iterator[str]:
    """Yield names that fit a text of the code, if it is a file pattern or suffix."""
    if not may_be_path(word) or " " in word:
        return
    if any(sign in word for sign in "*?"):
        first = _example(word, 1)
        if may_be_path(first) and ".." not in first:
            is_open = "." not in first.rpartition("/")[2]
            # in-memory file systems list the newest file first
            yield from (f"{first}/file-1.txt" if is_open else first, _example(word, 2))
    elif _ENDING.match(word):
        yield from (f"item-1{word}", f"item-2{word}")
    elif _HIDDEN.match(word) or _NAME.match(word):
        yield word


def _example(pattern: str, number: int) -> str:
    """Return a path that matches a pattern."""

    def instead(sign: re.Match[str]) -> str:
        match sign[0]:
            case "**/":
                return ""
            case "?":
                return str(number)
            case text:
                return f"item-{number}" if text.startswith("*") else sign[1]

    return _SIGNS.sub(instead, pattern).strip("/")
