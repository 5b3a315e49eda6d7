"""Mocks in a script: where they stand, what they leave alone, and what the user decides."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.cli import main
from slicefunc.driver.compile import Options, compile_slice
from slicefunc.mocker import read_settings
from slicefunc.slicer import OptionError, Repository, slice_function

FETCH = '''\
"""Fetching."""
from __future__ import annotations
import requests


def fetch(address):
    return requests.get(address).status_code
'''


def repository(folder: Path, **files: str) -> Repository:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Repository(folder)


def test_a_slice_without_outside_contact_is_the_same_with_and_without_mocks(tmp_path: Path):
    repo = repository(tmp_path, a="import math\n\ndef area(r):\n    return math.pi * r * r\n")
    auto = compile_slice(repo, ["a.py::area"], Options(mock="auto"))
    none = compile_slice(repo, ["a.py::area"], Options(mock="none"))
    assert auto.files == none.files
    assert auto.manifest.externals == none.manifest.externals


def test_mocks_stand_below_future_imports_and_above_the_code(tmp_path: Path):
    made = compile_slice(repository(tmp_path, a=FETCH), ["a.py::fetch"])
    assert made.source.index("__future__") < made.source.index("# >>> slice-func mocks")
    assert made.source.index("# <<< slice-func") < made.source.index("import requests\n\n\ndef")
    assert any(need.startswith("responses>=") for need in made.manifest.requirements)


def test_the_line_map_points_at_the_repositorys_lines(tmp_path: Path):
    made = compile_slice(repository(tmp_path, a=FETCH), ["a.py::fetch"])
    lines = made.source.splitlines()
    kept = FETCH.splitlines()
    for run in made.manifest.lines:
        for step in range(run.count):
            assert lines[run.script_line - 1 + step] == kept[run.line - 1 + step]


def test_a_script_with_mocks_that_is_sliced_again_stays_the_same(tmp_path: Path):
    first = compile_slice(repository(tmp_path / "one", a=FETCH), ["a.py::fetch"])
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "a.py").write_text(first.source)
    second = compile_slice(Repository(tmp_path / "two"), ["a.py::fetch"])
    assert second.source == first.source


def test_a_tree_of_files_has_its_mocks_beside_it(tmp_path: Path):
    repo = repository(tmp_path / "r", pkg____init__="", pkg__a=FETCH)
    out = tmp_path / "out"
    status = main([str(repo.path), "pkg/a.py::fetch", "--emit", "package", "-o", str(out)])
    assert status == 0
    code = "import slice_func_mocks, pkg.a; print(pkg.a.fetch('http://x.example'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=out, capture_output=True, text=True, check=False
    )
    assert done.stdout == "200\n", done.stderr


def test_mock_none_gives_the_slice_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    repo = repository(tmp_path, a=FETCH)
    assert main([str(repo.path), "a.py::fetch", "--mock", "none"]) == 0
    assert capsys.readouterr().out == slice_function(repo, "a.py::fetch").source


def test_a_module_that_nobody_has_is_a_gap_without_mocks(tmp_path: Path):
    (tmp_path / "tokens_of_mine.py.example").write_text("A = 1\n")
    (tmp_path / "requirements.txt").write_text("settings\n")
    source = (
        "import config\nimport settings\nimport tokens_of_mine\n\n\n"
        "def f():\n    return config.A, settings.A, tokens_of_mine.A\n"
    )
    made = compile_slice(repository(tmp_path, a=source), ["a.py::f"], Options(mock="none"))
    assert [(gap.kind, gap.detail, gap.line) for gap in made.manifest.gaps] == [
        ("missing-module", "no module config in the repository", 1),
        ("missing-module", "no module tokens_of_mine in the repository", 3),
    ]
    treated = {e.module: (e.distribution, e.treatment) for e in made.manifest.externals}
    assert treated == {
        "config": (None, "gap"), "settings": ("settings", "real"), "tokens_of_mine": (None, "gap"),
    }  # fmt: skip
    assert made.source == slice_function(Repository(tmp_path), "a.py::f").source


def test_the_repository_can_say_that_nothing_is_mocked(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.slice-func]\nmock = "none"\n')
    repo = repository(tmp_path, a=FETCH)
    assert "slice-func mocks" not in compile_slice(repo, ["a.py::fetch"]).source
    asked = compile_slice(repo, ["a.py::fetch"], Options(mock="auto"))
    assert "slice-func mocks" in asked.source


@pytest.mark.parametrize(
    "text",
    [
        'mock = "yes"', "stub = 3", "real = [1]", 'stubs = ["torch"]',
        'stub = ["PyYAML"]\nreal = ["pyyaml"]', "answers = 1", "answers = {a = 2020-01-01}",
    ],
)  # fmt: skip
def test_a_wrong_value_in_the_table_is_named(tmp_path: Path, text: str):
    (tmp_path / "pyproject.toml").write_text(f"[tool.slice-func]\n{text}\n")
    with pytest.raises(OptionError, match=r"pyproject\.toml: tool\.slice-func"):
        read_settings(Repository(tmp_path))


@pytest.mark.parametrize("text", ["[tool.slice-func\n", "[tool]\nslice-func = 3\n"])
def test_a_table_that_is_none_is_told(tmp_path: Path, text: str):
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(OptionError, match=r"pyproject\.toml"):
        read_settings(Repository(tmp_path))


CONFIGURED = """\
import settings


def level():
    return settings.LEVEL + settings.TABLE["first"], settings.OTHER
"""


def test_the_repository_can_say_what_stands_in(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.slice-func.answers]\n"settings.LEVEL" = 7\n"settings.TABLE" = {first = 2}\n'
    )
    repo = repository(tmp_path, a=CONFIGURED)
    made = compile_slice(repo, ["a.py::level"])
    assert "LEVEL = 7\n" in made.source
    assert "TABLE = {'first': 2}\n" in made.source
    (mock,) = made.manifest.mocks
    assert dict(mock.answers)["settings.LEVEL"] == "7"
    more = Options(variants=(("settings.OTHER", "'x'"),))
    assert "'x'" in compile_slice(repo, ["a.py::level"], more).source


FAKED = {
    "json": (
        "import requests\n\n\ndef run():\n"
        "    return requests.get('https://api.example/level').json()['level'] + 1\n",
        "requests.*().json()", "{'level': 41}", "requests", "42",
    ),
    "any page": (
        "import httpx\n\n\ndef run():\n    return httpx.get('https://api.example').text.upper()\n",
        "httpx.*().text", "'page'", "httpx", "PAGE",
    ),
    "command": (
        "import subprocess\n\n\ndef run():\n"
        "    return subprocess.check_output(['git', 'status'], text=True).strip()\n",
        "subprocess.check_output()", "'clean\\n'", "subprocess", "clean",
    ),
    "parsed": (
        "import json, subprocess\n\n\ndef run():\n"
        "    return json.loads(subprocess.getoutput('pods'))['pods']\n",
        "subprocess.getoutput()", "{'pods': [1, 2]}", "subprocess", "[1, 2]",
    ),
    "no JSON": (
        "import requests\n\n\ndef run():\n"
        "    return requests.get('https://api.example/level').json()['level'] == {1}\n",
        "requests.*().json()", "{'level': {1}}", "", "False",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAKED)
def test_answers_of_services_can_be_written(tmp_path: Path, name: str):
    source, place, value, chosen, result = FAKED[name]
    repo = repository(tmp_path, a=source)
    made = compile_slice(repo, ["a.py::run"], Options(variants=((place, value),)))
    assert place in dict(made.manifest.mocks[0].answers)
    choice = f"slice_func_mocks.choose({chosen}='given 1'); " if chosen else ""
    (tmp_path / "script.py").write_text(made.source)
    code = f"import script, slice_func_mocks; {choice}print(script.run())"
    assert said(tmp_path, code) == f"{result}\n"
    written = f"[tool.slice-func.answers]\n{place!r} = {value.replace(': ', ' = ')}\n"
    if chosen:
        (tmp_path / "pyproject.toml").write_text(written.replace("'clean\\n'", '"clean"'))
        table = compile_slice(Repository(tmp_path), ["a.py::run"])
        (tmp_path / "script.py").write_text(table.source)
        assert said(tmp_path, "import script; print(script.run())") == f"{result}\n"


def said(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return done.stdout


LOOKED_UP = """\
import requests


def send(name, address):
    reply = requests.post(address)
    if "errors" in reply.json():
        raise ValueError(reply.json()["errors"])
    if name not in reply.allowed or name in reply.denied:
        raise PermissionError(name)
    reply.kept[name] = 1
    return name in reply.kept, address in reply.kept
"""


def test_a_stub_holds_what_the_slice_needs_there_and_what_was_put_in(tmp_path: Path):
    repo = repository(tmp_path, a=LOOKED_UP)
    made = compile_slice(repo, ["a.py::send"], Options(stubs=("requests",)))
    (tmp_path / "script.py").write_text(made.source)
    code = "import script; print(script.send('Ann', 'there'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "(True, False)\n", done.stderr


def test_what_was_to_be_stubbed_and_is_not_is_told(tmp_path: Path):
    repo = repository(tmp_path, a=FETCH)
    missed = compile_slice(repo, ["a.py::fetch"], Options(stubs=("requets", "requests")))
    assert missed.manifest.warnings == ("requets is not stubbed: the slice does not import it",)
    off = compile_slice(repo, ["a.py::fetch"], Options(mock="none", stubs=("requests",)))
    assert off.manifest.warnings == ("requests is not stubbed: nothing is mocked",)


@pytest.mark.parametrize(
    ("table", "warnings"),
    [
        ('stub = ["reqests"]\nreal = ["numpy", "pyyaml", "requests"]', (
            "pyproject.toml: tool.slice-func.stub: nothing in the repository imports reqests",
            "pyproject.toml: tool.slice-func.real: nothing in the repository imports numpy",
        )),
        ('mock = "none"\nstub = ["requests"]', (
            "pyproject.toml: tool.slice-func.stub does nothing: mock is none",)),
        ('mock = "none"\nreal = ["requests"]', ()),
        ('stub = ["yaml"]', ()),
    ],
)  # fmt: skip
def test_what_the_table_says_in_vain_is_told(tmp_path: Path, table: str, warnings: tuple[str, ...]):
    (tmp_path / "pyproject.toml").write_text(f"[tool.slice-func]\n{table}\n")
    repo = repository(tmp_path, a=FETCH, pkg__b="def f():\n    import os, yaml.nodes as n\n")
    assert compile_slice(repo, ["a.py::fetch"]).manifest.warnings == warnings


def test_the_command_line_goes_before_the_table(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.slice-func]\nreal = ["requests"]\n')
    made = compile_slice(
        repository(tmp_path, a=FETCH), ["a.py::fetch"], Options(stubs=("requests",))
    )
    assert [e.treatment for e in made.manifest.externals if e.module == "requests"] == ["stubbed"]
