"""The `flat` layout of several modules: where it is taken or refused, and what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import NotSupportedError, Repository, Slice, slice_function

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slicefunc.slicer import Emit

CALLER = """
import contextlib, io, json, runpy, sys
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    names = runpy.run_path(sys.argv[1])
    answers = []
    for call in json.loads(sys.argv[2]):
        try:
            answers.append(repr(eval(call, dict(names))))
        except Exception as error:
            answers.append(f"{type(error).__name__}: {error}")
print(json.dumps([answers, printed.getvalue()]))
"""


@dataclass(frozen=True)
class Merged:
    """A repository whose slice is one plain script."""

    files: Mapping[str, str]
    calls: tuple[str, ...] = ("run()",)
    target: str = "run.py::run"
    script: str = ""
    """The whole script, where the case is about its text."""
    edits: tuple[str, ...] = ()
    """Parts of what the listed edits say, in order; empty leaves that unchecked."""


@dataclass(frozen=True)
class Refused:
    """A repository whose slice needs real modules."""

    files: Mapping[str, str]
    reason: str
    """Part of the sentence that says why."""
    target: str = "run.py::run"


USE_F = "from a import f\n\ndef run():\n    return f()\n"

MERGED: dict[str, Merged] = {
    "an import of a function": Merged(
        {"a.py": "def f():\n    return 1\n", "run.py": USE_F},
        script="# a.py\ndef f():\n    return 1\n\n# run.py\ndef run():\n    return f()\n",
        edits=("import of a removed",),
    ),
    "parts in the order of loading": Merged(
        {
            "a.py": "print('a')\nONE = 1\n",
            "b.py": "from a import ONE\nTWO = ONE + len('x')\n",
            "run.py": "from b import TWO\nfrom a import ONE\n\ndef run():\n    return ONE, TWO\n",
        },
        script=(
            "# a.py\nONE = 1\n\n# b.py\nTWO = ONE + len('x')\n\n"
            "# run.py\ndef run():\n    return ONE, TWO\n"
        ),
    ),
    "a renaming import becomes an assignment": Merged(
        {
            "a.py": "def f():\n    return 1\n",
            "run.py": "from a import f as g\n\n\ndef run():\n    return g()\n",
        },
        script=(
            "# a.py\ndef f():\n    return 1\n\n# run.py\ng = f\n\n\ndef run():\n    return g()\n"
        ),
        edits=("import of a replaced by `g = f`",),
    ),
    "two modules rename the same function alike": Merged(
        {
            "a.py": "def f():\n    return 1\n",
            "b.py": "from a import f as g\n\ndef h():\n    return g()\n",
            "run.py": (
                "from a import f as g\nfrom b import h\n\ndef run():\n    return g(), h()\n"
            ),
        },
    ),
    "a renamed import is a snapshot": Merged(
        {
            "a.py": ("n = 1\n\ndef more():\n    global n\n    n += 1\n    return n\n"),
            "run.py": ("from a import more, n as first\n\ndef run():\n    return more(), first\n"),
        },
        calls=("run()", "run()"),
    ),
    "a re-export through a package": Merged(
        {
            "pkg/__init__.py": "from .inner import f\nfrom .inner import _g as g\n",
            "pkg/inner.py": "def f():\n    return 1\n\ndef _g():\n    return 2\n",
            "run.py": "from pkg import f, g\n\ndef run():\n    return f() + g()\n",
        },
    ),
    "a relative import": Merged(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "def f():\n    return 1\n",
            "pkg/sub/__init__.py": "",
            "pkg/sub/run.py": "from ..a import f\n\ndef run():\n    return f()\n",
        },
        target="pkg/sub/run.py::run",
    ),
    "a star import that supplies a builtin's name": Merged(
        {
            "a.py": "def id(x):\n    return x, 'ours'\n",
            "run.py": "from a import *\n\ndef run():\n    return id(3)\n",
        },
    ),
    "the same imports of other distributions in two modules": Merged(
        {
            "a.py": "import json\nfrom os.path import join, sep\n\ndef f():\n"
            "    return json.dumps([join('a', 'b'), sep])\n",
            "run.py": "import json\nfrom os.path import basename, join\nfrom a import f\n\n"
            "def run():\n    return json.loads(f()), join('c'), basename('d/e')\n",
        },
        script=(
            "# a.py\nimport json\nfrom os.path import join, sep\n\ndef f():\n"
            "    return json.dumps([join('a', 'b'), sep])\n\n"
            "# run.py\nfrom os.path import basename\n\n"
            "def run():\n    return json.loads(f()), join('c'), basename('d/e')\n"
        ),
        edits=("import shortened by join", "import of a removed"),
    ),
    "submodules of one package under one name": Merged(
        {
            "a.py": "import xml.dom\n\ndef f():\n    return xml.dom.EMPTY_NAMESPACE\n",
            "run.py": "import xml.sax\nfrom a import f\n\n"
            "def run():\n    return f(), xml.sax.SAXException('no').getMessage()\n",
        },
    ),
    "an external name taken from another module": Merged(
        {
            "a.py": "import math as m\n",
            "run.py": "from a import m\n\ndef run():\n    return m.floor(1.5)\n",
        },
    ),
    "the same flags": Merged(
        {
            "a.py": '"""About a."""\nfrom __future__ import annotations\n\n'
            "def f(x: Missing = 1):\n    return x\n",
            "run.py": '"""About run."""\n\nfrom __future__ import annotations\n\n'
            "from a import f\n\n\ndef run(x: Missing = 2):\n    return f() + x\n",
        },
        script=(
            "from __future__ import annotations\n\n# a.py\ndef f(x: Missing = 1):\n    return x\n"
            "\n\n# run.py\ndef run(x: Missing = 2):\n    return f() + x\n"
        ),
    ),
    "flags that make no difference to the other part": Merged(
        {
            "a.py": "from __future__ import annotations\n\ndef f(x: Missing = 1):\n    return x\n",
            "run.py": "from __future__ import print_function\n" + USE_F,
        },
    ),
    "imports for type checkers of what the script defines": Merged(
        {
            "a.py": "class C:\n    def f(self):\n        return 1\n",
            "b.py": "from typing import TYPE_CHECKING, Any\n\nif TYPE_CHECKING:\n"
            "    from a import C\n\ndef g(c: 'C', other: Any = 0):\n    return c.f()\n",
            "run.py": "from a import C\nfrom b import g\n\ndef run():\n    return g(C())\n",
        },
        script=(
            "# a.py\nclass C:\n    def f(self):\n        return 1\n\n"
            "# b.py\nfrom typing import Any\n\ndef g(c: 'C', other: Any = 0):\n    return c.f()\n"
            "\n# run.py\ndef run():\n    return g(C())\n"
        ),
    ),
    "imports for type checkers of what is not needed": Merged(
        {
            "other.py": "class Missing:\n    pass\n",
            "a.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
            "    from other import Missing\n\ndef f(x: 'Missing' = 1):\n    return x\n",
            "run.py": USE_F,
        },
    ),
    "a circle that only type checkers see": Merged(
        {
            "a.py": "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n\n"
            "if TYPE_CHECKING:\n    from run import C\n\n"
            "def f(c: C):\n    return c.x\n",
            "run.py": "from __future__ import annotations\nfrom a import f\n\n"
            "class C:\n    x = 1\n\n    def run(self):\n        return f(self)\n",
        },
        target="run.py::C.run",
        calls=("C().run()",),
    ),
    "comments stay with what they are about": Merged(
        {
            "a.py": "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# Licence.\n\n"
            "# Gives one.\ndef f():\n    return 1\n",
            "run.py": "# About the import.\nfrom a import f\n\n\n# Runs.\ndef run():\n"
            "    return f()\n",
        },
        script=(
            "# a.py\n# Gives one.\ndef f():\n    return 1\n\n\n"
            "# run.py\n# Runs.\ndef run():\n    return f()\n"
        ),
    ),
    "carriage returns": Merged(
        {
            "a.py": "def f():\r\n    return 1\r\n",
            "run.py": "from a import f as g\r\n\r\ndef run():\r\n    return g()\r\n",
        },
    ),
    "locals named as another module's globals": Merged(
        {
            "a.py": "def text():\n    return 'a'\n",
            "run.py": "from a import text as t\n\ndef run(text=1):\n    return t(), text\n",
        },
    ),
    "a late import of something harmless": Merged(
        {
            "a.py": "class Base:\n    @property\n    def x(self):\n        return 1\n\n"
            "class C(Base):\n    pass\n",
            "run.py": "print(len('before'))\nWORDS = sorted(['b', 'a'])\nfrom a import C\n\n"
            "def run():\n    return C().x, WORDS\n",
        },
    ),
    "modules loaded for what they register": Merged(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "TABLE = {}\n",
            "pkg/b.py": "from pkg.a import TABLE\nTABLE['b'] = 1\n",
            "pkg/c.py": "from pkg.a import TABLE\nTABLE['c'] = 1\n",
            "run.py": "from pkg.a import TABLE\nimport pkg.c\nfrom pkg import b\n\n"
            "def run():\n    return TABLE\n",
        },
        script=(
            "# pkg/a.py\nTABLE = {}\n\n# pkg/c.py\nTABLE['c'] = 1\n\n"
            "# pkg/b.py\nTABLE['b'] = 1\n\n# run.py\ndef run():\n    return TABLE\n"
        ),
        edits=("import of pkg.a",) * 3 + ("import of pkg.c", "import of pkg.b"),
    ),
    "a method that names its class": Merged(
        {
            "a.py": "class A:\n    def f(self):\n        return 1\n",
            "run.py": "from a import A\n\nclass B(A):\n    def run(self):\n"
            "        return __class__.__mro__.index(A), super().f()\n",
        },
        target="run.py::B.run",
        calls=("B().run()",),
    ),
    "several targets": Merged(
        {
            "a.py": "def f():\n    return 1\n",
            "run.py": "def run():\n    return 2\n",
        },
        target="run.py::run a.py::f",
        calls=("run()", "f()"),
    ),
}

REFUSED: dict[str, Refused] = {
    "a relative import of what is not there, which the script's package decides about": Refused(
        {
            "pkg/__init__.py": "",
            "pkg/run.py": (
                "try:\n    from ._version import version\nexcept ModuleNotFoundError:\n"
                "    version = '0'\n\ndef run():\n    return version\n"
            ),
        },
        "pkg/run.py:2: a relative import of what is not in the repository needs its package",
        "pkg/run.py::run",
    ),
    "a module as an object": Refused(
        {"a.py": "x = [1]\n", "run.py": "import a\n\ndef run():\n    return a.x\n"},
        "run.py:1: module a is used as an object",
    ),
    "a submodule as an object": Refused(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "x = [1]\n",
            "run.py": "from pkg import a\n\ndef run():\n    return a.x\n",
        },
        "run.py:1: module pkg.a is used as an object",
    ),
    "two modules bind one name": Refused(
        {
            "a.py": "LIMIT = 1\n\ndef f():\n    return LIMIT\n",
            "run.py": "from a import f\nLIMIT = 2\n\ndef run():\n    return f(), LIMIT\n",
        },
        "a.py and run.py both bind LIMIT",
    ),
    "one name for two things from elsewhere": Refused(
        {
            "a.py": "import datetime\n\ndef f():\n    return datetime.date(1, 1, 1)\n",
            "run.py": "from datetime import datetime\nfrom a import f\n\n"
            "def run():\n    return f(), datetime(1, 1, 1)\n",
        },
        "both bind datetime",
    ),
    "a name that another module takes from builtins": Refused(
        {
            "a.py": "def id(x):\n    return x\n\ndef f():\n    return id(1)\n",
            "run.py": "from a import f\n\ndef run():\n    return f(), id(run) > 9\n",
        },
        "run.py:4: id means something else in a.py",
    ),
    "a class body that reads a builtin before it binds the name": Refused(
        {
            "a.py": "def id(x):\n    return x\n\ndef f():\n    return id(1)\n",
            "run.py": "from a import f\n\nclass C:\n    id = id\n\n    def run(self):\n"
            "        return f(), self.id\n",
        },
        "run.py:4: id means something else in a.py",
        target="run.py::C.run",
    ),
    "an imported name that a function rebinds": Refused(
        {
            "a.py": "n = 0\n\ndef more():\n    global n\n    n += 1\n",
            "run.py": "from a import more, n\n\ndef run():\n    more()\n    return n\n",
        },
        "n may be rebound after this import",
    ),
    "an imported name that the importer rebinds": Refused(
        {
            "a.py": "n = 0\n\ndef f():\n    return n\n",
            "run.py": "from a import f, n\nn = n + 1\n\ndef run():\n    return f(), n\n",
        },
        "both bind n",
    ),
    "an import inside a function": Refused(
        {
            "a.py": "def f():\n    return 1\n",
            "b.py": "def g():\n    return 1\n",
            "run.py": "from b import g\n\ndef run():\n    from a import f\n    return f() + g()\n",
        },
        "run.py:4: imports f inside other code",
    ),
    "an import inside a function of what is loaded anyway": Refused(
        {
            "a.py": "def f():\n    return 1\n\ndef g():\n    return 1\n",
            "run.py": "from a import g\n\ndef run():\n    from a import f\n    return f() + g()\n",
        },
        "run.py:4: imports f inside other code",
    ),
    "an import inside try": Refused(
        {
            "a.py": "def f():\n    return 1\n",
            "run.py": "try:\n    from a import f\nexcept ImportError:\n    f = None\n\n"
            "def run():\n    return f()\n",
        },
        "run.py:2: imports f inside other code",
    ),
    "an import after code that the other module may see": Refused(
        {
            "a.py": "import os\nHOME = os.environ.get('NO_SUCH_HOME')\n",
            "run.py": "import os\nos.environ['NO_SUCH_HOME'] = 'here'\nfrom a import HOME\n\n"
            "def run():\n    return HOME, os.environ['NO_SUCH_HOME']\n",
        },
        "imports after code that runs (line 2)",
    ),
    "a circle": Refused(
        {
            "a.py": "import run\nfrom run import g\n\ndef f():\n    return g()\n",
            "run.py": "def g():\n    return 1\n\nfrom a import f\n\ndef run():\n    return f()\n",
        },
        "in a circle with",
    ),
    "annotations under one flag only": Refused(
        {
            "a.py": "from __future__ import annotations\n\ndef f(x: Missing = 1):\n    return x\n",
            "run.py": "from a import f\n\ndef run(x: int = 1):\n    return f(x)\n",
        },
        "run.py is not under `from __future__ import annotations`",
    ),
    "a module that hands out names by itself": Refused(
        {
            "a.py": "def __getattr__(name):\n    return name * 2\n",
            "run.py": "from a import anything\n\ndef run():\n    return anything\n",
        },
        "a.py: __getattr__ belongs to one module",
    ),
    "a module's docstring": Refused(
        {
            "a.py": '"""About a."""\n\ndef f():\n    return __doc__\n',
            "run.py": USE_F,
        },
        "a.py: __doc__ belongs to one module",
    ),
    "a module's name": Refused(
        {"a.py": "def f():\n    return __name__\n", "run.py": USE_F},
        "code can see its module through __name__",
    ),
    "a frame's globals": Refused(
        {
            "a.py": "import sys\n\ndef f():\n    return 'f' in sys._getframe(1).f_locals\n",
            "run.py": USE_F,
        },
        "code can see its module through sys._getframe",
    ),
    "a module that type checkers take from": Refused(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "class C:\n    pass\n\ndef f():\n    return C()\n",
            "pkg/run.py": "from __future__ import annotations\n"
            "from typing import TYPE_CHECKING\nfrom pkg.a import f\n\n"
            "if TYPE_CHECKING:\n    from pkg import a\n\n"
            "def run() -> a.C:\n    return f()\n",
        },
        "pkg/run.py:5: type checkers take a from another part",
        target="pkg/run.py::run",
    ),
    "a frame that reads its source": Refused(
        {
            "a.py": "import inspect\n\ndef f():\n    return inspect.getsource(f)\n",
            "run.py": USE_F,
        },
        "code can see its module through inspect.getsource",
    ),
    "a file name that would be an encoding": Refused(
        {
            "a.py": "def f():\n    return 1\n",
            "coding=x.py": USE_F,
        },
        "coding=x.py: in a comment, the name would be an encoding",
        target="coding=x.py::run",
    ),
    "a star import from elsewhere": Refused(
        {
            "a.py": "from math import *\n\ndef f():\n    return floor(1.5)\n",
            "run.py": USE_F,
        },
        "a.py:1: a star import may bind any name",
    ),
}


def write(files: Mapping[str, str], folder: Path) -> Repository:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return Repository(folder)


def outcome(made: Slice, calls: tuple[str, ...], folder: Path) -> object:
    """What the calls give in a process of their own."""
    folder.mkdir()
    script = folder / "sliced.py"
    script.write_bytes(made.files[0].content)
    command = [sys.executable, "-I", "-B", "-c", CALLER, str(script), json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, f"{made.source}\n{done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.parametrize("case", [pytest.param(c, id=name) for name, c in MERGED.items()])
def test_merging_changes_nothing(case: Merged, tmp_path: Path) -> None:
    repository = write(case.files, tmp_path / "repo")
    layouts: tuple[Emit, ...] = ("script", "modules")
    made, modules = (slice_function(repository, case.target.split(), emit=e) for e in layouts)
    assert made.manifest.layout == "flat", made.manifest.layout_reason
    if case.script:
        assert made.source == case.script
    if case.edits:
        said = [edit.what for edit in made.manifest.edits]
        assert len(said) == len(case.edits), said
        assert all(part in what for part, what in zip(case.edits, said, strict=True)), said
    flat_outcome = outcome(made, case.calls, tmp_path / "flat")
    assert flat_outcome == outcome(modules, case.calls, tmp_path / "modules")


@pytest.mark.parametrize("case", [pytest.param(c, id=name) for name, c in MERGED.items()])
def test_slicing_a_merged_script_gives_it_again(case: Merged, tmp_path: Path) -> None:
    made = slice_function(write(case.files, tmp_path / "repo"), case.target.split(), emit="flat")
    again = write({"run.py": made.source}, tmp_path / "again")
    targets = [f"run.py::{target.partition('::')[2]}" for target in case.target.split()]
    assert slice_function(again, targets, emit="flat").source == made.source


@pytest.mark.parametrize("case", [pytest.param(c, id=name) for name, c in MERGED.items()])
def test_the_manifest_maps_the_lines_of_a_merged_script(case: Merged, tmp_path: Path) -> None:
    made = slice_function(write(case.files, tmp_path / "repo"), case.target.split(), emit="flat")
    script = made.source.splitlines()
    mapped: set[int] = set()
    for run in made.manifest.lines:
        lines = case.files[run.path].splitlines()
        mapped.update(range(run.script_line, run.script_line + run.count))
        here = script[run.script_line - 1 : run.script_line - 1 + run.count]
        assert here == lines[run.line - 1 : run.line - 1 + run.count]
    others = {line for number, line in enumerate(script, 1) if number not in mapped and line}
    headers = {f"# {path}" for path in case.files}
    assert all(o in headers or " = " in o or "import" in o for o in others), others


@pytest.mark.parametrize("case", [pytest.param(c, id=name) for name, c in REFUSED.items()])
def test_modules_stay_apart(case: Refused, tmp_path: Path) -> None:
    repository = write(case.files, tmp_path)
    made = slice_function(repository, case.target)
    assert made.manifest.layout == "modules"
    assert case.reason in made.manifest.layout_reason
    with pytest.raises(NotSupportedError) as caught:
        slice_function(repository, case.target, emit="flat")
    assert case.reason in str(caught.value)


def test_a_docstring_stays_above_the_future_imports(tmp_path: Path) -> None:
    text = (
        '"""What it is."""\n\nfrom __future__ import annotations\n\n'
        "def run(x: Missing = 1):\n    return run.__doc__, x\n"
    )
    made = slice_function(write({"run.py": text}, tmp_path / "repo"), "run.py::run")
    assert made.manifest.layout == "flat"
    assert made.source == text
