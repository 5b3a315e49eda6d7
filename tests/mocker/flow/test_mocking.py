"""Mocks in a script: where they stand, what they leave alone, and what the user decides."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.cli.command import main
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker import mock_slice, read_settings
from slicefunc.mocker.flow.follow_values import FlowQuery, Uses
from slicefunc.slicer import OptionError, Repository, slice_function
from slicefunc.slicer.model import Slice

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


def script(*lines: str, imports: str = "requests") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"import {imports}\n\n\ndef run(url='https://api.example/level'):\n{body}"


GET = "requests.*().json()"
SHELL = "subprocess.check_output()"
FAKED = {
    "json": (script("return requests.get(url).json()['level'] + 1"), GET, {"level": 41}, "42"),
    "handed on": (script("return requests.get(url).json()"), GET, {"level": 41}, "{'level': 41}"),
    "any page": (
        script("return httpx.get(url).text.upper()", imports="httpx"), "httpx.*().text", "p", "P",
    ),
    "nothing": (script("return requests.get(url).text"), "requests.*().text", "", ""),
    "bytes": (
        script("return json.loads(requests.get(url).content)", imports="json, requests"),
        "requests.*().content", b'{"level": 41}', "{'level': 41}",
    ),
    "command": (
        script("return subprocess.check_output(['git'], text=True).strip()", imports="subprocess"),
        SHELL, "clean\n", "clean",
    ),
    "bytes of a command": (
        script("return subprocess.check_output(['git'])", imports="subprocess"),
        SHELL, b"clean", "b'clean'",
    ),
    "parsed": (
        script("return json.loads(subprocess.getoutput('p'))['pods']", imports="json, subprocess"),
        "subprocess.getoutput()", {"pods": [1, 2]}, "[1, 2]",
    ),
    "model": (
        script(
            "asked = openai.OpenAI(api_key='k').chat.completions.create(model='m', messages=[])",
            "return asked.choices[0].message.content", imports="openai",
        ),
        "openai.OpenAI().chat.completions.create().choices[].message.content", b"four", "four",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAKED)
def test_answers_of_services_can_be_written(tmp_path: Path, name: str):
    source, place, value, result = FAKED[name]
    repo = repository(tmp_path, a=source)
    made = compile_slice(repo, ["a.py::run"], Options(variants=((place, repr(value)),)))
    assert place in dict(made.manifest.mocks[0].answers)
    (tmp_path / "script.py").write_text(made.source)
    service = place.partition(".")[0]
    pytest.importorskip(service)
    choice = f"slice_func_mocks.choose({service}='given 1')"
    assert said(tmp_path, f"import script, slice_func_mocks; {choice}; print(script.run())") == (
        f"{result}\n"
    )
    (tmp_path / "script.py").write_text(with_table(repo, place, value).source)
    assert said(tmp_path, "import script; print(script.run())") == f"{result}\n"


def with_table(repo: Repository, place: str, value: object) -> Slice:
    settings = replace(read_settings(repo), answers=((place, repr(value)),))
    made = mock_slice(repo, slice_function(repo, "a.py::run"), settings)
    (mock,) = made.manifest.mocks
    assert place in dict(mock.answers)
    return made


def test_what_is_read_at_several_places_is_one_answer(tmp_path: Path):
    source = script(
        "first = requests.get(url).json()['n']",
        "return first, requests.Session().get(url).json()['m'].upper()",
    )
    repo = repository(tmp_path, a=source)
    (tmp_path / "script.py").write_text(with_table(repo, GET, {"n": 41}).source)
    assert said(tmp_path, "import script; print(script.run())").startswith("(41, '")


@pytest.mark.parametrize("value", ["{'level': {1}}", "{'level': 1e999}", "b'level'"])
def test_what_no_service_answers_is_not_given(tmp_path: Path, value: str):
    repo = repository(tmp_path, a=FAKED["json"][0])
    plain = compile_slice(repo, ["a.py::run"])
    made = compile_slice(repo, ["a.py::run"], Options(variants=((GET, value),)))
    assert made.source == plain.source


def test_what_is_no_literal_is_told(tmp_path: Path):
    repo = repository(tmp_path, a=FAKED["json"][0])
    with pytest.raises(OptionError, match="open sesame"):
        compile_slice(repo, ["a.py::run"], Options(variants=((GET, "open sesame"),)))


def test_an_answer_without_a_place_is_told(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.slice-func.answers]\n'requests.get().json()' = 1\n'nowhere.f()' = 2\n"
    )
    made = compile_slice(repository(tmp_path, a=FAKED["json"][0]), ["a.py::run"])
    assert made.manifest.warnings == (
        "pyproject.toml: tool.slice-func.answers: requests.get().json() is not read here, "
        "but requests.*().json()",
    )


def test_places_are_listed_with_what_they_give(tmp_path: Path):
    source = script("return subprocess.check_output(['git']).strip()", imports="subprocess")
    made = compile_slice(repository(tmp_path, a=source), ["a.py::run"])
    assert made.manifest.mocks[0].answers == ((SHELL, r"'done\n'"),)


def test_a_peer_does_not_send_what_a_file_holds(tmp_path: Path):
    source = script(
        "host = json.load(open('c.json'))['host']",
        "return socket.create_connection((host, 80)).recv(10)",
        imports="json, socket",
    )
    made = compile_slice(repository(tmp_path, a=source), ["a.py::run"])
    (tmp_path / "script.py").write_text(made.source)
    assert said(tmp_path, "import script; print(script.run())") == r"b'OK\r\n'" + "\n"


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
        ('stub = ["our-yaml"]\ndistributions = {yaml = "our-yaml", "requests.x" = "r"}', ()),
        ('distributions = {"yml.nodes" = "our-yaml"}', (
            "pyproject.toml: tool.slice-func.distributions: nothing in the repository imports "
            "yml.nodes",)),
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


BESIDE = """\
import json
import os
from pathlib import Path

import requests

TEXT = (Path(__file__).parent / "beside.txt").read_text()
with open(os.path.join(os.path.dirname(__file__), os.pardir, "above.json")) as stream:
    ABOVE = json.load(stream)


def both(key):
    return ABOVE[key] + TEXT + requests.__name__
"""


def test_files_above_the_module_are_there_also_where_others_are_carried(tmp_path: Path):
    pytest.importorskip("requests")
    repo = repository(tmp_path / "repo", bot__main=BESIDE)
    (tmp_path / "repo/above.json").write_text('{"a": "above "}')
    (tmp_path / "repo/bot/beside.txt").write_text("beside ")
    made = compile_slice(repo, ["bot/main.py::both"])
    assert "bot/beside.txt" in made.manifest.data_files
    (tmp_path / "script.py").write_text(made.source)
    assert said(tmp_path, "import script; print(script.both('a'))") == "above beside requests\n"


FEEDING_BACK = """
import json

def ask(name, default, texts=None, before=""):
    pass

def render(place, raw, known):
    if raw is None or isinstance(raw, bool):
        return raw
    if isinstance(raw, dict):
        return {render(place, k, known): render(place, v, known) for k, v in raw.items()}
    if isinstance(raw, list):
        return [render(place, v, known) for v in raw]

def answers(context, quiet=False):
    for key, raw in context["cutter"].items():
        try:
            if isinstance(raw, dict):
                val = render(1, raw, context)
                if not quiet and (not key.startswith("__")):
                    val = ask(key, val, None, "")
        except KeyError as error:
            raise ValueError(f"not {key}", error, context) from error

def read(path="context.json"):
    context = {}
    with open(path, encoding="utf-8") as file:
        found = json.load(file, object_pairs_hook=dict)
    context[path] = found
    return context

def target(quiet=False):
    context = read()
    asking = context
    if asking["cutter"]:
        return answers(asking, quiet)
"""


def test_values_that_feed_back_into_themselves_are_worked_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    worked_out = FlowQuery._found  # pyright: ignore[reportPrivateUsage]

    def counted(self: FlowQuery, start: frozenset[int]) -> Uses:
        asked.append(start)
        assert len(asked) < 100
        return worked_out(self, start)

    monkeypatch.setattr(FlowQuery, "_found", counted)
    repo = repository(tmp_path, m=FEEDING_BACK)
    mock_slice(repo, slice_function(repo, "m.py::target"))
    assert asked


def test_mocks_that_need_the_targets_own_distribution_are_not_used(tmp_path: Path):
    repo = repository(tmp_path, a=FETCH)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "Responses"\nversion = "1"\n')
    made = compile_slice(repo, ["a.py::fetch"])
    assert "slice-func mocks" not in made.source
    assert not any(need.startswith("responses") for need in made.manifest.requirements)
    (external,) = (each for each in made.manifest.externals if each.module == "requests")
    assert external.treatment == "real"
    assert made.manifest.mocks == ()
    told = (
        "requests is real, without a network: its mock needs responses, which the target is part of"
    )
    assert told in made.manifest.warnings
