"""The answers that are inferred for a place are answers that the program can use."""

from __future__ import annotations

import asyncio
import codecs
import inspect
import re
import sys
import types
from pathlib import Path

import pytest
from slicefunc.mocker.core.border import find_border
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.shapes.answer_shape import Variant, variants_at
from slicefunc.mocker.shapes.sample_texts import text
from slicefunc.slicer import Repository, slice_function

from tests.mocker.shape_programs import PROGRAMS, Program

_STEP = re.compile(r"\.(\w+|\*)|\(\)")


class Giver:
    """Whatever is asked for: at the end of the place, the answer."""

    def __init__(self, steps, answer):
        self.steps = steps
        self.answer = answer

    def _next(self, step):
        if self.steps and self.steps[0] in (step, ".*"):
            rest = self.steps[1:]
            return self.answer if not rest else Giver(rest, self.answer)
        return Giver((), None)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._next(f".{name}")

    def __call__(self, *_args, **_named):
        return self._next("()")

    def __await__(self):
        yield from ()
        return self

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        return None


class Awaited(dict):
    """A plain answer that may be awaited, too."""

    def __await__(self):
        yield from ()
        return self


def outside_module(place: str, answer: object) -> types.ModuleType:
    module = types.ModuleType("outside")
    steps = tuple(found[0] for found in _STEP.finditer(place, len("outside")))
    if isinstance(answer, dict):
        answer = Awaited(answer)
    if steps[:2] == (".Base", "()"):
        name = steps[2][1:]
        module.Base = type("Base", (), {name: lambda _self, *_args: answer})
    else:
        first = steps[0][1:]
        setattr(module, first, Giver(steps[1:], answer))
        module.__getattr__ = lambda _name: Giver((), None)
    return module


def variants(program: Program, folder: Path) -> tuple[Variant, ...]:
    (folder / "program.py").write_text(program.source)
    repository = Repository(folder)
    called = re.findall(r"(\w+)\((?:\)\.(\w+)\()?", program.call)
    name, method = next(
        (n, m) for n, m in called if f"class {n}" in program.source or f"def {n}(" in program.source
    )
    target = f"{name}.{method}" if f"class {name}" in program.source else name
    sliced = slice_function(repository, f"program.py::{target}")
    border = find_border(repository, sliced, Settings())
    return variants_at(border, program.place, kind=program.kind)


def result(program: Program, answer: object) -> str:
    before = sys.modules.get("outside")
    sys.modules["outside"] = outside_module(program.place, answer)
    try:
        module = sys.modules["program"] = types.ModuleType("program")
        exec(program.source, vars(module))
        value = eval(program.call, vars(module))
        if inspect.iscoroutine(value):
            value = asyncio.run(value)
        return repr(value)
    except Exception as error:  # noqa: BLE001 - whatever a program raises is its result
        return type(error).__name__
    finally:
        del sys.modules["outside"], sys.modules["program"]
        if before is not None:
            sys.modules["outside"] = before


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.title)
def test_the_default_answer_lets_the_program_go_on(program: Program, tmp_path: Path):
    default, *_ = variants(program, tmp_path)
    assert default.name == "default"
    assert result(program, default.value) == program.gives, default.value


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.others], ids=lambda p: p.title)
def test_other_answers_reach_other_branches(program: Program, tmp_path: Path):
    _, *others = variants(program, tmp_path)
    reached = {result(program, variant.value): variant.name for variant in others}
    assert reached.keys() >= set(program.others), [(v.name, v.value) for v in others]
    assert len(others) <= 5
    assert len({variant.name for variant in others}) == len(others)


def border_of(source: str, target: str, folder: Path):
    (folder / "program.py").write_text(source)
    repository = Repository(folder)
    return find_border(repository, slice_function(repository, f"program.py::{target}"), Settings())


SETTINGS = """\
import os

NAME = "PORT"

def settings():
    return {
        "port": int(os.getenv(NAME, "80")),
        "debug": os.environ["DEBUG"] == "yes",
        "hosts": os.environ.get("HOSTS", "").split(","),
    }
"""


def test_a_place_may_name_the_key_or_the_first_argument(tmp_path: Path):
    border = border_of(SETTINGS, "settings", tmp_path)
    port = variants_at(border, "os.getenv('PORT')", kind="text")
    debug = variants_at(border, "os.environ['DEBUG']", kind="text")
    hosts = variants_at(border, "os.environ.get('HOSTS')", kind="text")
    assert int(port[0].value) > 0
    assert debug[0].value == "yes"
    assert len(hosts[0].value.split(",")) == 2
    assert variants_at(border, "os.getenv('HOME')", kind="text") == (Variant("default", ""),)


def test_several_places_are_one_answer(tmp_path: Path):
    source = (
        "import outside\n\ndef both():\n"
        "    return outside.first()['a'] + 1, outside.second()['b'].strip()\n"
    )
    border = border_of(source, "both", tmp_path)
    default, *_ = variants_at(border, "outside.first()", "outside.second()", kind="json")
    assert default.value == {"a": 1, "b": "b-1"}
    assert variants_at(border, "outside.*()", kind="json")[0] == default


def test_an_open_file_is_the_text_that_is_read_from_it(tmp_path: Path):
    source = (
        "import json\n\ndef load(path):\n    with open(path) as file:\n"
        "        return json.load(file)['hosts'][0]\n"
    )
    border = border_of(source, "load", tmp_path)
    assert variants_at(border, "builtins.open()", kind="text")[0].value == (
        '{"hosts": ["host-1", "host-2"]}'
    )


def test_what_nobody_uses_is_empty(tmp_path: Path):
    border = border_of("import outside\n\ndef call():\n    outside.go()\n", "call", tmp_path)
    assert variants_at(border, "outside.go()", kind="json") == (Variant("default", {}),)
    assert variants_at(border, "outside.other()", kind="number") == (Variant("default", 0),)


def test_what_several_read_in_formats_of_their_own_is_one_of_each(tmp_path: Path):
    source = (
        "import json\nimport outside\nfrom bs4 import BeautifulSoup\n\n"
        "def fetched(url):\n    return outside.get(url)\n\n"
        "def names():\n    return json.loads(fetched('a'))['name']\n\n"
        "def links():\n"
        "    page = BeautifulSoup(fetched('b'), 'html.parser')\n"
        "    return [each.get('href') for each in page.find('ul').find_all('a')]\n\n"
        "def both():\n    return names(), links(), int(fetched('c'))\n"
    )
    border = border_of(source, "both", tmp_path)
    found = {each.name: each.value for each in variants_at(border, "outside.get()")}
    assert found["default"] == '{"name": "name-1"}'
    assert "<ul><a href=" in str(found["as_html"])
    assert not any(name.startswith("as_int") for name in found)


@pytest.mark.parametrize("hint", ["encoding", "file_encoding", "encodings"])
def test_what_is_called_an_encoding_is_one_that_python_knows(hint: str) -> None:
    for number in range(1, 8):
        assert codecs.lookup(text(hint, number))
