"""Reference sets in the forms in which they are published."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from slicefunc.driver.datasets.deduplication.function import Reference
from slicefunc.driver.datasets.deduplication.references import (
    ReferenceSetError,
    patched_code,
    read_references,
)

HUMAN_EVAL = {
    "task_id": "HumanEval/53",
    "prompt": 'def add(x: int, y: int):\n    """Add two numbers."""\n',
    "canonical_solution": "    return x + y\n",
    "test": "def check(candidate):\n    assert candidate(0, 1) == 1\n",
}
MBPP = {"task_id": 7, "text": "Write a function.", "code": "def f(a):\r\n  return a\r\ndef g(): 1"}
REPO_EVAL = {
    "prompt": "import os\n\ndef here():\n",
    "metadata": {"task_id": "project/3", "ground_truth": "    return os.getcwd()\n"},
}
PATCH = """\
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1 +1 @@
-old
+new
diff --git a/pkg/a.py b/pkg/a.py
--- a/pkg/a.py
+++ b/pkg/a.py
@@ -10,3 +10,3 @@ def f(x):
     if x:
-        return 1
+        return 2
     return 3
@@ -30,0 +31,2 @@
+def g():
+    return 4
"""
SWE_BENCH = {"instance_id": "owner__name-1", "repo": "owner/name", "patch": PATCH}


def _lines(file: Path, *records: dict[str, Any]) -> Path:
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return file


def test_human_eval(tmp_path: Path) -> None:
    found = list(read_references([_lines(tmp_path / "h.jsonl", HUMAN_EVAL)]))
    code = HUMAN_EVAL["prompt"] + HUMAN_EVAL["canonical_solution"].rstrip()
    assert found == [Reference("h.jsonl:HumanEval/53::add", code, "add")]


def test_mbpp_with_two_functions(tmp_path: Path) -> None:
    found = list(read_references([_lines(tmp_path / "m.jsonl", MBPP)]))
    assert [(each.id, each.code) for each in found] == [
        ("m.jsonl:7::f", "def f(a):\n  return a"),
        ("m.jsonl:7::g", "def g(): 1"),
    ]


def test_repo_eval(tmp_path: Path) -> None:
    (found,) = read_references([_lines(tmp_path / "r.jsonl", REPO_EVAL)])
    code = "def here():\n    return os.getcwd()"
    assert found == Reference("r.jsonl:project/3::here", code, "here")


def test_swe_bench_gives_python_hunks_as_they_are_afterwards(tmp_path: Path) -> None:
    part, whole = read_references([_lines(tmp_path / "s.jsonl", SWE_BENCH)])
    code = "    if x:\n        return 2\n    return 3\n"
    assert part == Reference("s.jsonl:owner__name-1:pkg/a.py:10", code, None, "owner/name")
    assert whole.id == "s.jsonl:owner__name-1:pkg/a.py:31::g"


def test_a_deleted_file_has_no_code() -> None:
    patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    assert list(patched_code(patch)) == []


@pytest.mark.parametrize("name", ["m.json", "m.jsonl.gz", "m.parquet"])
def test_other_kinds_of_files_hold_the_same(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    if name == "m.json":
        file.write_text(json.dumps([MBPP]))
    elif name == "m.jsonl.gz":
        file.write_bytes(gzip.compress(json.dumps(MBPP).encode()))
    else:
        pq.write_table(pa.Table.from_pylist([MBPP]), file)
    assert [each.id for each in read_references([file])] == [f"{name}:7::f", f"{name}:7::g"]


def test_a_folder_of_python_files(tmp_path: Path) -> None:
    (tmp_path / "set" / "sub").mkdir(parents=True)
    (tmp_path / "set" / "sub" / "a.py").write_text(
        "class A:\n    @property\n    def b(self):\n        return 1\n"
    )
    (found,) = read_references([tmp_path / "set"])
    assert found.id == "set/sub/a.py::A.b"
    assert found.code == "    @property\n    def b(self):\n        return 1"


def test_code_that_cannot_be_parsed_is_a_fragment(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(x):\n    print x\n")
    (found,) = read_references([tmp_path / "a.py"])
    assert found.qualname is None


def test_fields_may_have_other_names(tmp_path: Path) -> None:
    record = {"id": "a", "head": "def f():\n", "body": "    return 1"}
    file = _lines(tmp_path / "o.jsonl", record)
    (found,) = read_references([file], ["head", "body"])
    assert found == Reference("o.jsonl:a::f", "def f():\n    return 1", "f")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.jsonl", '{"question": "?"}', "no code found"),
        ("a.jsonl", '{"code": "x"}\n{', "a.jsonl:2: no JSON"),
        ("a.jsonl", "[]", "a.jsonl:1: no JSON object"),
        ("a.json", "{", "no JSON"),
        ("a.jsonl.gz", "{}", "ot a gzip"),
        ("a.parquet", "{}", "no parquet"),
        ("a.txt", "x", "unknown kind"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ReferenceSetError, match=problem):
        list(read_references([tmp_path / name]))


def test_an_empty_folder_is_no_reference_set(tmp_path: Path) -> None:
    with pytest.raises(ReferenceSetError, match=r"no \.py"):
        list(read_references([tmp_path]))
