from __future__ import annotations

import ast
from pathlib import Path

import pytest
from slicefunc.driver.datasets.curation.functions.trivial import why_trivial

from .clones import ADD, curated, names, write

TRIVIAL = {
    "pass": "its body is empty",
    "...": "its body is empty",
    "'''Only a docstring.'''": "its body is empty",
    "return": "its body is empty",
    "return None": "it returns a constant",
    "return -1": "it returns a constant",
    "return [1, 'a']": "it returns a constant",
    "return {'a': ()}": "it returns a constant",
    "return self": "it returns a name",
    "return self._config.name": "it returns an attribute",
    "'''Set.'''; self.name = name": "it sets an attribute",
    "raise NotImplementedError": "it is not implemented",
    "raise NotImplementedError('later')": "it is not implemented",
}
NOT_TRIVIAL = (
    "return a + 1",
    "return [a]",
    "return {**a}",
    "return self.f()",
    "return self.f().name",
    "self.name = name.strip()",
    "self.a = a; self.b = b",
    "raise ValueError('no')",
    "del a",
)


def _function(body: str) -> ast.FunctionDef:
    (node,) = ast.parse(f"def f(self, a, b, name): {body}").body
    assert isinstance(node, ast.FunctionDef)
    return node


@pytest.mark.parametrize("body", TRIVIAL)
def test_trivial(body: str) -> None:
    assert why_trivial(_function(body)) == TRIVIAL[body]


@pytest.mark.parametrize("body", NOT_TRIVIAL)
def test_not_trivial(body: str) -> None:
    assert why_trivial(_function(body)) is None


def test_trivial_ones_are_capped(tmp_path: Path) -> None:
    text = "".join(f"def f{n}():\n    return {n}\n" for n in range(5))
    folder = write(tmp_path / "it", {"a.py": ADD + text})
    assert names(curated(folder)) == ["add"]
    found = names(curated(folder, max_trivial=2))
    assert len(found) == 3
    assert names(curated(folder, max_trivial=2)) == found


def test_those_with_docstrings_come_first(tmp_path: Path) -> None:
    plain = "".join(f"def plain{n}(a):\n    return a + {n}\n" for n in range(9))
    told = "".join(f"def told{n}(a):\n    'Add.'\n    return a + {n}\n" for n in range(3))
    folder = write(tmp_path / "it", {"a.py": plain + told})
    assert sorted(names(curated(folder, max_functions=3))) == ["told0", "told1", "told2"]
    assert len(names(curated(folder, max_functions=4))) == 4


def test_each_function_that_is_left_out_has_a_reason(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "it",
        {
            "a.py": ADD,
            "b_pb2.py": ADD,
            "conftest.py": ADD,
            "pkg/_vendor/c.py": ADD,
            "tests/helper.py": ADD,
            "versioneer.py": ADD,
        },
    )
    result = curated(folder, max_functions=1, keep=frozenset({"generated", "vendored"}))
    assert len(names(result)) == 1
    result = curated(folder, max_size_mb=0)
    assert names(result) == ["add"]
    assert [(each.path, each.rule) for each in result.kept[0].left_out] == [
        ("b_pb2.py", "generated"),
        ("conftest.py", "tests"),
        ("pkg/_vendor/c.py", "vendored"),
        ("tests/helper.py", "tests"),
        ("versioneer.py", "vendored"),
    ]
    every = curated(folder, keep=frozenset({"generated", "vendored", "tests"}))
    assert len(names(every)) == 6


CLOUD = """
import boto3

def client(name):
    return boto3.client(name)

def upload(name):
    return client("x").put(name)

def label(s3):
    return s3 + 1

def add(a, b):
    return a + b
"""


def test_gpu_and_cloud_by_words_takes_a_variable_for_the_cloud(tmp_path: Path) -> None:
    folder = write(tmp_path / "it", {"a.py": CLOUD})
    result = curated(folder, without_gpu_cloud="words")
    assert names(result) == ["upload", "add"]
    reasons = [each.reason for each in result.kept[0].left_out]
    assert reasons == ["its text has the word boto3", "its text has the word s3"]


def test_gpu_and_cloud_by_imports_follows_calls(tmp_path: Path) -> None:
    folder = write(tmp_path / "it", {"a.py": CLOUD})
    result = curated(folder, without_gpu_cloud="imports")
    assert names(result) == ["label", "add"]
    reasons = [each.reason for each in result.kept[0].left_out]
    assert reasons == ["its slice imports boto3", "its slice imports boto3"]
