"""Stub packages from declared interfaces: they hold, unless the slice does otherwise."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.stubs.interfaces import stub_sources
from slicefunc.slicer import Repository, Slice

from tests.mocker.interface_programs import PROGRAMS, Program

CHILD = Path(__file__).parents[1] / "ways_to_load.py"
WAYS = ("other", "run", "import", "runpy")

Made = Callable[..., Slice]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Slices a program, with these files as all that is installed."""

    def make(source: str, target: str, files: dict[str, str], *stubs: str) -> Slice:
        site = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
        repository = tmp_path / f"{site.name}-repository"
        for folder, texts in ((site, files), (repository, {"example.py": source})):
            for path, text in texts.items():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        monkeypatch.setattr(stub_sources, "site_folders", lambda: (str(site),))
        return compile_slice(
            Repository(repository), [f"example.py::{target}"], Options(stubs=stubs)
        )

    return make


@contextmanager
def loaded(sliced: Slice) -> Iterator[dict[str, Any]]:
    """The names of a script, in this process; the outside world is given back at the end."""
    names: dict[str, Any] = {"__name__": "sliced_here"}
    exec(compile(sliced.source, "<script>", "exec", dont_inherit=True), names)
    mocks = sys.modules["slice_func_mocks"]
    try:
        yield names
    finally:
        mocks.stop()
        sys.modules.pop("slice_func_mocks", None)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_a_program_gives_what_its_types_say_in_every_way_of_loading(
    program: Program, made: Made, tmp_path: Path
):
    sliced = made(program.source, program.target, dict(program.declared), *program.stubs)
    script = tmp_path / "script.py"
    script.write_text(sliced.source)
    inside = tmp_path / "inside"
    inside.mkdir()
    done = subprocess.run(
        [sys.executable, str(CHILD), json.dumps([[w, str(script), program.call] for w in WAYS])],
        cwd=inside, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"gives": ')]
    assert len(lines) == len(WAYS), done.stderr
    for line in lines:
        found = json.loads(line)
        assert found["gives"] == program.gives, done.stderr
        assert found["effects"] == list(program.effects)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_the_manifest_says_what_a_stub_is_written_from(program: Program, made: Made):
    sliced = made(program.source, program.target, dict(program.declared), *program.stubs)
    stubbed = [e for e in sliced.manifest.externals if e.treatment == "stubbed"]
    assert stubbed
    for each in stubbed:
        assert each.reason.endswith(f"written from {program.source_name}")
    assert any(program.source_name.removeprefix("installed ") in i for i in sliced.manifest.inputs)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_without_declarations_the_stub_is_written_from_usage(program: Program, made: Made):
    sliced = made(program.source, program.target, {}, *program.stubs)
    stubbed = [e for e in sliced.manifest.externals if e.treatment == "stubbed"]
    assert {e.reason.rpartition("; ")[2] for e in stubbed} == {"written from usage"}
    assert not [i for i in sliced.manifest.inputs if "installed metadata" not in i]


LIB = """\
from typing import Any, Literal, NewType, TypedDict, TypeVar
import enum
Id = NewType("Id", int)
T = TypeVar("T", bound="Thing")
class Row(TypedDict):
    name: str
    size: int
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
class Thing:
    ident: Id
    @staticmethod
    def plain(a: int) -> str: ...
    @classmethod
    def made(cls: type[T], a: int) -> T: ...
    def same(self: T) -> T: ...
    def level(self) -> Level: ...
    def row(self) -> Row: ...
    def mode(self) -> Literal["fast", "slow"]: ...
    def maybe(self) -> None | float: ...
    def pairs(self) -> dict[str, "Thing"]: ...
def one(a: int, /, b: str = "x", *, c: bool = False) -> Thing: ...
def nothing() -> None: ...
"""


def values(made: Made, expression: str, before: str = "") -> Any:
    source = f"import lib\n\n{before}\ndef use():\n    return {expression}\n"
    with loaded(made(source, "use", {"lib/__init__.pyi": LIB}, "lib")) as names:
        return names["use"]()


def test_answers_are_of_the_declared_types(made: Made):
    found = values(
        made,
        "(lib.one(1).ident, lib.one(1).row(), lib.one(1).mode(), lib.one(1).maybe(),"
        " lib.one(1).level().name, lib.Thing.plain(3), type(lib.Thing.made(1)).__name__,"
        " list(lib.one(1).pairs().values())[0].same().ident, lib.nothing())",
    )
    assert found == (
        1,
        {"name": "name-1", "size": 1},
        "fast",
        1.5,
        "LOW",
        "plain-1",
        "Thing",
        1,
        None,
    )


def test_uses_refine_what_is_declared(made: Made):
    assert values(made, "lib.one(1).ident == 17, lib.one(1).mode() == 'slow'") == (True, True)


@pytest.mark.parametrize(
    "call",
    ["lib.one()", "lib.one(a=1)", "lib.one(1, 'b', True)", "lib.one(1, d=2)", "lib.Thing.plain()"],
)
def test_a_call_of_the_slice_that_is_against_the_declaration_goes_through(made: Made, call: str):
    assert values(made, f"{call} is not None")


def test_an_answer_that_is_used_against_its_declaration_can_be_used_so(made: Made):
    assert values(made, "bool(lib.nothing().status.code)")
    assert values(made, "lib.one(1).maybe().other.name is not None")


def test_a_coroutine_that_is_not_awaited_is_none(made: Made):
    source = "import lib\n\ndef use():\n    return lib.fetch().status\n"
    text = "class R:\n    status: int\nasync def fetch() -> R: ...\n"
    with loaded(made(source, "use", {"lib.pyi": text}, "lib")) as names:
        names["use"]()


def test_names_that_are_not_declared_are_written_from_usage(made: Made):
    assert values(made, "lib.newer(1, 2).works, lib.one(1).newer(3)")[0] is not None


def test_an_enumeration_without_a_used_member_is_none(made: Made):
    assert values(made, "lib.Level.MIDDLE is not None, lib.Level.LOW is not None") == (True, True)


def test_only_what_is_reached_is_written(made: Made):
    source = "import lib\n\ndef use():\n    return lib.one(1).mode()\n"
    sliced = made(source, "use", {"lib/__init__.pyi": LIB}, "lib")
    assert "def mode" in sliced.source
    for name in ("def row", "def nothing", "class Level", "TypedDict"):
        assert name not in sliced.source


def test_a_stub_package_goes_before_what_is_installed_and_that_before_typeshed(made: Made):
    source = "import lib\n\ndef use():\n    return lib.f()\n"
    files = {
        "jedi/third_party/typeshed/stubs/lib/lib/__init__.pyi": "def f() -> bytes: ...\n",
        "lib/__init__.py": "def f(): ...\n",
    }
    seen: list[object] = []
    for more in ({}, {"lib/py.typed": "", "lib/__init__.py": "def f() -> int: ...\n"},
                 {"lib-stubs/__init__.pyi": "def f() -> str: ...\n"}):  # fmt: skip
        files |= more
        with loaded(made(source, "use", files, "lib")) as names:
            seen.append(type(names["use"]()))
    assert seen == [bytes, int, str]


def test_the_same_inputs_give_the_same_bytes(made: Made):
    program = PROGRAMS[0]
    first, second = (
        made(program.source, program.target, dict(program.declared), *program.stubs).source
        for _ in range(2)
    )
    assert first == second


HOSTILE = {
    "cyclic classes": "class A(B): ...\nclass B(A): ...\ndef f() -> A: ...\n",
    "an impossible order": "class A: ...\nclass B(A): ...\nclass C(A, B): ...\ndef f() -> C: ...\n",
    "the same base twice": "class A: ...\nclass C(A, A): ...\ndef f() -> C: ...\n",
    "itself": "from lib import *\nfrom lib import f\nf = f\n",
    "an endless alias": "X = Y\nY = X\ndef f() -> X: ...\n",
    "deep": f"def f() -> {'list[' * 90}int{']' * 90}: ...\n",
    "no Python": "def f(:\n",
    "a null byte": "\0",
    "names of the stub's own": "class Given: ...\nclass StubClass: ...\n"
    "def declared() -> Given: ...\ndef f() -> StubClass: ...\n",
    "a name that only parses": "def f(__debug__) -> int: ...\n",
    "a huge default": f"def f(a={'9' * 3000}) -> int: ...\n",
    "a long line of classes": "class C0: ...\n"
    + "".join(f"class C{n + 1}(C{n}): ...\n" for n in range(2000))
    + "def f() -> C2000: ...\n",
    "an exception that is none": "class f(Exception, KeyboardInterrupt, UnicodeDecodeError): ...\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_installed_may_be_anything(made: Made, text: str):
    source = "import lib\n\ndef use():\n    return lib.f()\n"
    with loaded(made(source, "use", {"lib.pyi": text}, "lib")) as names:
        names["use"]()


# ------------------------------------------------------------------- random interfaces

_TYPES = {"int": int, "str": str, "list[int]": list, "tuple[int, str]": tuple, "Thing": None}


@st.composite
def _parameters(draw: st.DrawFn) -> str:
    """Parameters as source."""
    counts = [draw(st.integers(0, 2)) for _ in range(3)]
    names = iter("abcdefgh")
    parts: list[str] = []
    defaults = False
    for kind, count in zip(("positional", "plain"), counts, strict=False):
        for _ in range(count):
            defaults = defaults or draw(st.booleans())
            parts.append(f"{next(names)}: int{' = ...' * defaults}")
        if kind == "positional" and count:
            parts.append("/")
    rest = draw(st.sampled_from(["", "*args: int"]))
    only = [f"{next(names)}: int{' = 0' * draw(st.booleans())}" for _ in range(counts[2])]
    parts += [rest] if rest else ["*"] if only else []
    parts += only
    parts += ["**more: int"] if draw(st.booleans()) else []
    return ", ".join(parts)


_ARGUMENTS = st.tuples(
    st.lists(st.integers(0, 3), max_size=5),
    st.dictionaries(st.sampled_from("abcdefz"), st.integers(0, 3), max_size=3),
)


@given(
    st.lists(st.tuples(_parameters(), st.sampled_from([*_TYPES])), min_size=1, max_size=3),
    st.lists(_ARGUMENTS, min_size=1, max_size=6),
    st.booleans(),
)
@settings(
    max_examples=40, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
def test_random_interfaces_take_what_they_declare_and_nothing_else(
    made: Made,
    functions: list[tuple[str, str]],
    calls: list[tuple[list[int], dict[str, int]]],
    is_class: bool,
):
    """Of calls that the slice does not write itself, those fail that fail in reality."""
    real: dict[str, Any] = {}
    text = "class Thing:\n    x: int\n"
    text += "class Holder:\n    y: int\n" if is_class else ""
    for number, (parameters, returns) in enumerate(functions):
        name = f"f{number}"
        exec(f"def {name}({parameters}): ...", real)
        own = "self, /" if parameters.startswith("*") or not parameters else "self"
        if "/" in parameters:
            own = "self"
        line = f"def {name}({parameters}) -> {returns}: ...\n"
        if is_class:
            inside = f"{own}, {parameters}" if parameters else own
            line = f"    def {name}({inside}) -> {returns}: ...\n"
        text += line
    holder = "lib.Holder()" if is_class else "lib"
    taken = ", ".join(f"{holder}.f{number}" for number in range(len(functions)))
    source = f"import lib\n\ndef use():\n    return [{taken}], lib.Thing\n"
    with loaded(made(source, "use", {"lib.pyi": text}, "lib")) as names:
        stubs, thing = names["use"]()
        for number, (_, returns) in enumerate(functions):
            for args, kwargs in calls:
                try:
                    inspect.signature(real[f"f{number}"]).bind(*args, **kwargs)
                except TypeError:
                    with pytest.raises(TypeError):
                        stubs[number](*args, **kwargs)
                else:
                    answer = stubs[number](*args, **kwargs)
                    assert isinstance(answer, _TYPES[returns] or thing)
