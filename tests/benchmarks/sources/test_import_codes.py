"""Scripts are imported with code that was compiled before, and nothing else is different."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from benchmarks.sources import import_codes

FILES = {
    "pkg/__init__.py": "",
    "pkg/a.py": "from __future__ import annotations\nfrom . import b\n\n\n"
    "def first(x: nowhere):\n    return b.second(x)\n",
    "pkg/b.py": "from . import a\n\nHERE = __file__\n\n\ndef second(x):\n    return x, HERE, a\n",
    "pkg/warns.py": "from . import a\n\n\ndef odd(x):\n    return '\\d', a\n\n\nTEXT = '\\d'\n",
}
TARGETS = ("pkg/a.py::first", "pkg/b.py::second", "pkg/warns.py::odd")


@pytest.fixture
def scripts(tmp_path: Path) -> list[Path]:
    """Scripts that carry the same modules."""
    made: list[Path] = []
    for path, text in FILES.items():
        (tmp_path / "repo" / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "repo" / path).write_text(text)
    repository = Repository(tmp_path / "repo")
    for target in TARGETS:
        made.append(tmp_path / f"{target.rpartition(':')[2]}.py")
        made[-1].write_text(slice_function(repository, target, emit="modules").source)
    return made


@pytest.fixture(autouse=True)
def _own_compile() -> Iterator[None]:
    before = builtins.compile
    yield
    builtins.compile = before


def test_what_two_scripts_carry_is_compiled_once(scripts: list[Path]) -> None:
    codes: import_codes.Codes = {}
    import_codes.prepare(codes, str(scripts[0]))
    first = dict(codes)
    import_codes.prepare(codes, str(scripts[1]))
    assert first
    assert all(codes[key] is code for key, code in first.items())


def test_compile_answers_with_the_held_code(scripts: list[Path]) -> None:
    codes: import_codes.Codes = {}
    import_codes.prepare(codes, str(scripts[1]))
    (text, file), code = next(iter(codes.items()))
    import_codes.serve(codes)
    assert compile(text, file, "exec", dont_inherit=True) is code
    assert compile(text, file, "exec") is not code
    assert compile(text, "elsewhere.py", "exec", dont_inherit=True).co_filename == "elsewhere.py"
    inherited = compile("def f(x: nowhere): pass", "here.py", "exec")
    assert inherited.co_flags & 0x1000000  # this file says `from __future__ import annotations`


def test_text_that_warns_is_left_to_the_script(scripts: list[Path]) -> None:
    codes: import_codes.Codes = {}
    import_codes.prepare(codes, str(scripts[2]))
    assert not any(file.endswith("warns.py") for _, file in codes)
    assert any(file.endswith("a.py") for _, file in codes)
