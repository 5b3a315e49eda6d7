"""The loader of a script: every combination of its parts is whole, and holds nothing needless."""

from __future__ import annotations

import ast
import builtins
import subprocess
import symtable
import sys
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.emission.layouts.modules.carried_importer import Part, loader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPTIONAL: tuple[Part, ...] = ("body", "first", "data", "listed", "resources")
COMBINATIONS = [
    frozenset[Part]({"body"}),
    *(
        frozenset[Part]({"modules", *chosen})
        for count in range(len(OPTIONAL) + 1)
        for chosen in combinations(OPTIONAL, count)
    ),
]
ARGUMENTS: dict[Part, set[str]] = {
    "body": {"name", "package"},
    "modules": {"identity", "sources"},
    "first": {"first"},
    "data": {"data"},
    "listed": set(),
    "resources": set(),
}


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from scopes(child)


@pytest.mark.parametrize("parts", COMBINATIONS, ids=lambda parts: "+".join(sorted(parts)))
def test_every_name_of_the_loader_is_bound_and_every_import_and_argument_used(
    parts: frozenset[Part],
) -> None:
    text = loader(parts)
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    arguments = {argument.arg for argument in function.args.args}
    assert arguments == {name for part in parts for name in ARGUMENTS[part]}
    inside = [*scopes(symtable.symtable(text, "loader", "exec"))][1:]
    outside = {s.get_name() for scope in inside for s in scope.get_symbols() if s.is_global()}
    assert outside <= set(dir(builtins)), outside
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    imports = [node for node in function.body if isinstance(node, ast.Import)]
    imported = {alias.name.split(".")[0] for node in imports for alias in node.names}
    assert imported | arguments <= used
    assert max(map(len, text.splitlines())) <= 100


def test_a_script_without_data_carries_no_code_for_it(tmp_path: Path) -> None:
    files = {
        "plain.py": "import config\n\ndef run():\n    return config.SIZE\n",
        "reading.py": (
            "import config\nfrom pathlib import Path\n\nHERE = Path(__file__).parent\n\n"
            "def run():\n    return (HERE / 'words.txt').read_text(), config.SIZE\n"
        ),
        "config.py": "SIZE = 1\n",
        "words.txt": "one two\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    repository = Repository(tmp_path)
    plain = slice_function(repository, "plain.py::run", emit="modules").source
    reading = slice_function(repository, "reading.py::run", emit="modules").source
    for word in ("tempfile", "get_resource_reader"):
        assert word not in plain
        assert word in reading


@pytest.mark.parametrize("inside", [True, False], ids=["in the function", "on top"])
@pytest.mark.parametrize("name", ["script", "other"])
def test_a_script_may_have_the_name_of_a_package_that_it_carries(
    name: str, inside: bool, tmp_path: Path
) -> None:
    repo, apart = tmp_path / "repo", tmp_path / "apart"
    statement = "from script.run import main\n"
    text = f"def f():\n    {statement}" if inside else f"{statement}def f():\n"
    for path, content in {
        "script/__init__.py": "",
        "script/run.py": "def main():\n    return __name__\n",
        "tests/test_run.py": f"{text}    return main()\n",
    }.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(content)
    apart.mkdir()
    made = slice_function(Repository(repo), "tests/test_run.py::f", emit="modules")
    (apart / f"{name}.py").write_text(made.source)
    program = f"import sys; sys.path.insert(0, '.'); import {name}; print({name}.f())"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=apart, capture_output=True, text=True, check=True
    )
    assert done.stdout == "script.run\n"


def test_who_reads_its_spec_finds_it_in_a_script_that_is_run(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    text = "def where():\n    return __spec__ and __spec__.parent\n"
    (tmp_path / "package" / "a.py").write_text(text)
    sliced = slice_function(Repository(tmp_path), "package/a.py::where")
    script = tmp_path / "script.py"
    script.write_text(sliced.source + "\nprint(where())\n")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "package\n"


@pytest.mark.parametrize("words", [["script.py"], ["-c", "import script"]], ids=["run", "imported"])
def test_the_loader_of_a_script_answers_for_its_name(tmp_path: Path, words: list[str]) -> None:
    text = "def place():\n    return __loader__.get_filename(__name__)\n"
    (tmp_path / "shop.py").write_text(text)
    sliced = slice_function(Repository(tmp_path), "shop.py::place")
    (tmp_path / "script.py").write_text(f"{sliced.source}\nprint(place())\n")
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip().endswith("script.py")
