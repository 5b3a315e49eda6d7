"""SWE-bench: instances whose patch fills a hole, and a program that scores predictions.

At the base commit the function is there. An instance begins with `file_with_hole` in place of the
file at `path`, which may lack comments that tell of the function; the gold `patch` fills the hole.
"""

from __future__ import annotations

import ast
import difflib
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from ......slicer.model import EmittedFile
from ...exporter import Consumer, Exporter, Pair
from ...reward_files import HIDDEN, REWARD, reward_text, scoring_files
from ...task_files import instruction, json_lines, task_name

_SPLITS = {"train": "train", "eval": "test"}


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for pair in pairs:
        row, _ = pair
        instance = _instance(pair)
        if instance is not None:
            rows.setdefault(_SPLITS[row.split], []).append(instance)
            yield from scoring_files(pair)
    for split, some in sorted(rows.items()):
        yield json_lines(f"{split}.jsonl", some)
    yield EmittedFile(REWARD, reward_text(__name__, "score.py.txt").encode())


def _instance(pair: Pair) -> dict[str, Any] | None:
    """Return an instance; `None` where the hole cannot be filled line by line."""
    row, environment = pair
    with_hole: str = environment.record["prompt"]["file_with_hole"]
    whole = _filled(with_hole, row.qualname, row.code)
    if whole is None:
        return None
    cases = [f"case_{number}" for number in range(1, row.cases + 1)]
    return {
        "instance_id": task_name(row),
        "repo": row.repo,
        "base_commit": row.commit or "",
        "environment_setup_commit": row.commit or "",
        "problem_statement": instruction(row, environment),
        "hints_text": "",
        "created_at": row.created or "",
        "version": "",
        "patch": _diff(with_hole, whole, row.path),
        "path": row.path,
        "file_with_hole": with_hole,
        "test_patch": "",
        "test_cmd": f"python {REWARD} PREDICTIONS.jsonl",
        "FAIL_TO_PASS": json.dumps(cases),
        "PASS_TO_PASS": "[]",
        "environment": row.id,
    }


def _filled(text: str, qualname: str, code: str) -> str | None:
    """Return a file with the original in place of its hole."""
    body: list[ast.stmt] = ast.parse(text).body
    *classes, name = qualname.split(".")
    for each in classes:
        body = [inner for node in _definitions(body, each) for inner in node.body]
    found = _definitions(body, name)
    if len(found) != 1:
        return None
    (node,) = found
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    lines = _lines(text)
    return "".join([*lines[: first - 1], code, *lines[node.end_lineno or first :]])


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(body: list[ast.stmt], name: str) -> list[_Definition]:
    return [node for node in body if isinstance(node, _Definition) and node.name == name]


def _diff(before: str, after: str, path: str) -> str:
    """Return a patch as `git diff` writes it."""
    old, new = _lines(before), _lines(after)
    lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return f"diff --git a/{path} b/{path}\n{''.join(ended)}"


def _lines(text: str) -> list[str]:
    """Return the lines as git counts them, with their ends."""
    return io.StringIO(text, newline="\n").readlines()


EXPORTER = Exporter(
    gives="instances whose patch fills a hole, and a program that scores predictions",
    consumers=(Consumer("swebench", "5.0.2", "3.12"),),
    files=_files,
    hidden=(*HIDDEN, "*.jsonl"),
)
