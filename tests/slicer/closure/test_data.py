"""Data files beside the code: which ones a slice carries, and that it finds them there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Emit, Slice

DATA = {
    "top.yaml": "top",
    "README.md": "read me",
    "pkg/a.json": "[1]",
    "pkg/mod.txt": "mod",
    "pkg/data/b.txt": "b",
    "pkg/data/c.txt": "c",
    "pkg/data/sub/d.csv": "d",
    "pkg/templates/t.html": "t",
    "pkg/lists/__init__.py": "",
    "pkg/lists/one.txt": "one",
}
BELOW_DATA = ["pkg/data/b.txt", "pkg/data/c.txt", "pkg/data/sub/d.csv"]


def repository(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A repository with these files and the data above."""
    for path, content in {**DATA, "pkg/__init__.py": "", **files}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def sliced(folder: Path, text: str, emit: Emit = "script", **files: str | bytes) -> Slice:
    """The slice of `target` in a module of that text."""
    others = {path.replace("__", "/") + ".py": content for path, content in files.items()}
    repository(folder, {"pkg/mod.py": text, **others})
    return slice_function(Repository(folder), "pkg/mod.py::target", emit=emit)


def carried(folder: Path, text: str, **files: str | bytes) -> list[str]:
    """The data files of that slice."""
    return list(sliced(folder, text, **files).manifest.data_files)


READS_ANY = (
    "import os\ndef target(n):\n    return open(os.path.join(os.path.dirname(__file__), '{}', n))\n"
)

IMPORTS = """\
import glob, importlib.resources, inspect, os, pkgutil
import os.path as osp
from importlib import resources
from importlib.resources import as_file, files
from os.path import dirname, join
from pathlib import Path
"""

EXPRESSIONS = [
    ("Path(__file__).parent / 'a.json'", ["pkg/a.json"]),
    ("Path(__file__).resolve().parent.joinpath('data', 'b.txt')", ["pkg/data/b.txt"]),
    ("Path(__file__).absolute().parents[1] / 'top.yaml'", ["top.yaml"]),
    ("Path(__file__).with_name('a.json')", ["pkg/a.json"]),
    ("Path(__file__).with_suffix('.txt')", ["pkg/mod.txt"]),
    ("Path(os.path.dirname(__file__), 'data') / 'c.txt'", ["pkg/data/c.txt"]),
    ("os.path.join(os.path.dirname(os.path.abspath(__file__)), 'a.json')", ["pkg/a.json"]),
    ("os.path.normpath(join(dirname(osp.realpath(__file__)), '..', 'top.yaml'))", ["top.yaml"]),
    ("os.path.dirname(__file__) + '/a.json'", ["pkg/a.json"]),
    ("f'{os.path.dirname(__file__)}/data/b.txt'", ["pkg/data/b.txt"]),
    ("'%s/%s' % (dirname(__file__), 'a.json')", ["pkg/a.json"]),
    ("'{}/a.json'.format(str(Path(__file__).parent))", ["pkg/a.json"]),
    ("os.path.splitext(__file__)[0] + '.txt'", ["pkg/mod.txt"]),
    ("os.path.split(__file__)[0] + '/a.json'", ["pkg/a.json"]),
    ("__file__.replace('.py', '.txt')", ["pkg/mod.txt"]),
    ("__file__[:-3] + '.txt'", ["pkg/mod.txt"]),
    ("Path(inspect.getsourcefile(target)).parent / 'a.json'", ["pkg/a.json"]),
    ("Path(inspect.getfile(inspect.currentframe())).parent / 'a.json'", ["pkg/a.json"]),
    ("files('pkg') / 'a.json'", ["pkg/a.json"]),
    ("files('pkg.lists').joinpath('one.txt').read_text()", ["pkg/lists/one.txt"]),
    ("files(__package__).joinpath('data', 'b.txt')", ["pkg/data/b.txt"]),
    ("resources.files(__name__.split('.')[0]) / 'a.json'", ["pkg/a.json"]),
    ("importlib.resources.read_text('pkg', 'a.json')", ["pkg/a.json"]),
    ("resources.open_binary('pkg.lists', 'one.txt')", ["pkg/lists/one.txt"]),
    ("as_file(files('pkg') / 'a.json')", ["pkg/a.json"]),
    ("pkgutil.get_data('pkg', 'data/b.txt')", ["pkg/data/b.txt"]),
    ("pkgutil.get_data(__name__, 'a.json')", ["pkg/a.json"]),
    ("(Path(__file__).parent / 'data' / unknown)", BELOW_DATA),
    ("os.path.join(dirname(__file__), 'data', f'{unknown}.txt')", BELOW_DATA),
    ("f'{dirname(__file__)}/data/b{unknown}'", ["pkg/data/b.txt"]),
    ("(Path(__file__).parent / 'data').glob('*.txt')", BELOW_DATA),
    ("glob.glob(join(dirname(__file__), 'data', '*.txt'))", BELOW_DATA[:2] + BELOW_DATA[2:]),
    ("[Path(__file__).parent / 'data' / n for n in ('b.txt', 'c.txt')]", BELOW_DATA[:2]),
    ("[join(dirname(__file__), 'data', n) for n in unknown]", BELOW_DATA),
    ("os.listdir(files('pkg') / 'data')", BELOW_DATA),
    ("(lambda: Path(__file__).parent / 'a.json')()", ["pkg/a.json"]),
    ("os.path.basename(os.path.dirname(__file__))", []),
    ("Path(__file__).stem + Path(__file__).parent.name", []),
    ("os.path.join(os.path.dirname(__file__), 'no such file')", []),
    ("Path(__file__).parent.parent.parent / 'outside.txt'", []),
    ("os.path.relpath('x', dirname(__file__))", []),
    ("os.path.join(unknown, 'a.json')", []),
]


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS)
def test_expressions_that_name_files(tmp_path: Path, expression: str, expected: list[str]) -> None:
    text = f"{IMPORTS}\ndef target(unknown):\n    return list({expression})\n"
    assert carried(tmp_path, text) == expected


MODULES = {
    "constants_of_os": (
        "import os\nfrom os import sep\n"
        "ABOVE = os.path.join(os.path.dirname(__file__), os.pardir)\n"
        "def target():\n    return open(os.path.join(ABOVE, 'top.yaml')), "
        "open(os.path.dirname(__file__) + os.sep + 'a.json'), "
        "open(f'{os.path.dirname(__file__)}{sep}data{sep}b.txt')\n",
        ["pkg/a.json", "pkg/data/b.txt", "top.yaml"],
    ),
    "names_of_the_module": (
        "from pathlib import Path\nHERE = Path(__file__).parent\nFOLDER = HERE / 'data'\n"
        "def target():\n    return open(FOLDER / 'b.txt')\n",
        ["pkg/data/b.txt"],
    ),
    "several_names_in_one_statement": (
        "import os\nA, B = os.path.dirname(__file__), 'data'\n"
        "def target():\n    return open(os.path.join(A, B, 'b.txt'))\n",
        ["pkg/data/b.txt"],
    ),
    "local_names": (
        "import os\ndef target():\n    here = os.path.dirname(__file__)\n    name = 'a.json'\n"
        "    path = os.path.join(here, name)\n    with open(path) as f:\n        return f.read()\n",
        ["pkg/a.json"],
    ),
    "alternatives": (
        "from pathlib import Path\ndef target(x):\n    name = 'b.txt' if x else 'c.txt'\n"
        "    return open(Path(__file__).parent / 'data' / name)\n",
        ["pkg/data/b.txt", "pkg/data/c.txt"],
    ),
    "default_argument": (
        "from pathlib import Path\ndef target(here=Path(__file__).parent):\n"
        "    return open(here / 'a.json')\n",
        ["pkg/a.json"],
    ),
    "attribute_of_self": (
        "from pathlib import Path\nclass Reader:\n    def __init__(self):\n"
        "        self.root = Path(__file__).parent / 'data'\n"
        "    def read(self):\n        return open(self.root / 'b.txt')\n"
        "def target():\n    return Reader().read()\n",
        ["pkg/data/b.txt"],
    ),
    "attribute_of_the_class": (
        "from pathlib import Path\nclass Reader:\n    ROOT = Path(__file__).parent\n"
        "    def read(self):\n        return open(self.ROOT / 'a.json')\n"
        "def target(reader: Reader):\n    return reader.read()\n",
        ["pkg/a.json"],
    ),
    "property": (
        "from pathlib import Path\nclass Reader:\n    @property\n    def root(self):\n"
        "        return Path(__file__).parent / 'data'\n"
        "    def read(self):\n        return open(self.root / 'b.txt')\n"
        "def target(reader: Reader):\n    return reader.read()\n",
        BELOW_DATA,
    ),
    "function_that_gives_the_folder": (
        "from pathlib import Path\ndef root():\n    return Path(__file__).parent\n"
        "def target():\n    return open(root() / 'a.json')\n",
        ["pkg/a.json"],
    ),
    "function_that_joins": (
        "import os\ndef at(name):\n"
        "    return os.path.join(os.path.dirname(__file__), 'data', name)\n"
        "def target():\n    return open(at('b.txt')), open(at(name='c.txt'))\n",
        ["pkg/data/b.txt", "pkg/data/c.txt"],
    ),
    "function_that_is_handed_on": (
        "import os\ndef at(name):\n"
        "    return os.path.join(os.path.dirname(__file__), 'data', name)\n"
        "def target(names):\n    return [open(p) for p in map(at, names)]\n",
        BELOW_DATA,
    ),
    "name_bound_again": (
        "import os\nHERE = os.path.dirname(__file__)\nPATH = HERE\n"
        "PATH = os.path.join(PATH, 'a.json')\n"
        "def target():\n    return open(PATH)\n",
        ["pkg/a.json"],
    ),
    "local_name_bound_again": (
        "import os\ndef target(n):\n    path = os.path.abspath(__file__)\n"
        "    path = os.path.dirname(path)\n"
        "    a = open(os.path.join(path, 'a.json'))\n    path = os.path.join(path, 'data')\n"
        "    path += '/sub'\n    return a, open(os.path.join(path, n))\n",
        ["pkg/a.json", "pkg/data/sub/d.csv"],
    ),
    "name_bound_again_in_a_loop": (
        "import os\ndef target():\n    path = os.path.dirname(__file__)\n    found = []\n"
        "    for name in ('b.txt', 'c.txt'):\n        found.append(open(path + '/a.json'))\n"
        "        path = os.path.join(os.path.dirname(__file__), 'data')\n"
        "        found.append(open(os.path.join(path, name)))\n    return found\n",
        ["pkg/a.json", "pkg/data/b.txt", "pkg/data/c.txt"],
    ),
    "search_path": (
        "import os, sys\nsys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\n"
        "import math\ndef target():\n    return math.pi\n",
        [],
    ),
    "output_folder": (
        "import os\nOUT = os.path.join(os.path.dirname(__file__), 'data')\n"
        "def target():\n    os.makedirs(OUT, exist_ok=True)\n",
        [],
    ),
    "template_loader": (
        "from jinja2 import Environment, PackageLoader\n"
        "def target():\n    return Environment(loader=PackageLoader('pkg'))\n",
        ["pkg/templates/t.html"],
    ),
    "unused_neighbour": (
        "from pathlib import Path\nOTHER = (Path(__file__).parent / 'a.json').read_text()\n"
        "def target():\n    return 1\n",
        [],
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_names_that_hold_paths(tmp_path: Path, name: str) -> None:
    text, expected = MODULES[name]
    assert carried(tmp_path, text) == expected


def test_names_of_other_modules(tmp_path: Path) -> None:
    paths = "import os\nfrom pathlib import Path\nROOT = Path(__file__).parent.parent\n"
    text = (
        "from .paths import ROOT\nfrom . import paths\nfrom .paths import *\n"
        "def target():\n    return open(ROOT / 'top.yaml'), open(paths.ROOT / 'pkg' / 'a.json')\n"
    )
    assert carried(tmp_path, text, pkg__paths=paths) == ["pkg/a.json", "top.yaml"]


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    folder = tmp_path / "repo"
    repository(folder, {})
    (folder / "pkg/data/link.txt").symlink_to(secret)
    text = READS_ANY.format("data")
    assert carried(folder, text) == BELOW_DATA


def test_the_place_of_a_pipe_is_not_read(tmp_path: Path) -> None:
    repository(tmp_path, {})
    os.mkfifo(tmp_path / "pkg/data/pipe")
    text = READS_ANY.format("data")
    assert carried(tmp_path, text) == BELOW_DATA


# ------------------------------------------------------------------------ bounds


READS_LARGE = (
    "from pathlib import Path\nHERE = Path(__file__).parent\n"
    "def target():\n    return (HERE / 'large.bin').read_bytes(), (HERE / 'a.json').read_text()\n"
)


def test_a_large_file_is_a_gap_of_a_script(tmp_path: Path) -> None:
    repository(tmp_path, {"pkg/large.bin": bytes((1 << 20) + 1)})
    found = sliced(tmp_path, READS_LARGE)
    assert found.manifest.data_files == ("pkg/a.json",)
    [gap] = [gap for gap in found.gaps if gap.kind == "data-file"]
    assert (gap.path, gap.line) == ("pkg/mod.py", 4)
    assert "pkg/large.bin (1048577 bytes)" in gap.detail


def test_a_large_file_is_copied_with_a_tree(tmp_path: Path) -> None:
    repository(tmp_path, {"pkg/large.bin": bytes((1 << 20) + 1)})
    found = sliced(tmp_path, READS_LARGE, emit="package")
    assert found.manifest.data_files == ("pkg/a.json", "pkg/large.bin")
    assert not found.gaps
    assert len({f.path: f.content for f in found.files}["pkg/large.bin"]) == (1 << 20) + 1


def test_many_files_are_embedded_up_to_a_total(tmp_path: Path) -> None:
    repository(tmp_path, {f"pkg/many/{i}.bin": bytes(1 << 20) for i in range(5)})
    text = READS_ANY.format("many")
    found = sliced(tmp_path, text)
    assert len(found.manifest.data_files) == 4
    assert ["pkg/many/4.bin" in gap.detail for gap in found.gaps] == [True]


def test_a_full_folder_is_a_gap(tmp_path: Path) -> None:
    repository(tmp_path, {f"pkg/many/{i}.txt": "x" for i in range(201)})
    text = READS_ANY.format("many")
    found = sliced(tmp_path, text)
    assert not found.manifest.data_files
    assert ["pkg/many/" in gap.detail for gap in found.gaps] == [True]


# ------------------------------------------------------------------------ running


READER = """\
import os
import pkgutil
from importlib import resources
from importlib.resources import as_file, files, open_text
from pathlib import Path

from .paths import HERE

AT_IMPORT = (HERE / "a.json").read_text()


def target():
    with as_file(files("pkg") / "data" / "b.txt") as path, open_text("pkg.lists", "one.txt") as one:
        return [
            AT_IMPORT,
            (Path(__file__).parent / "data/c.txt").read_text(),
            Path(__file__).name,
            path.read_text(),
            one.read(),
            files("pkg").joinpath("a.json").read_text(),
            files("pkg.data").joinpath("sub").joinpath("d.csv").read_text(),
            files("plain").joinpath("p.txt").read_text(),
            resources.read_binary("pkg", "mod.txt").decode(),
            pkgutil.get_data("pkg", "data/b.txt").decode(),
            pkgutil.get_data(__name__, "a.json").decode(),
            sorted(p.name for p in files("pkg.lists").iterdir() if p.name.endswith(".txt")),
            sorted(os.listdir(HERE / "data")),
            sorted(p.name for p in HERE.glob("*.json")),
        ]
"""
ANSWER = [
    "[1]", "c", "mod.py", "b", "one", "[1]", "d", "p", "mod", "b", "[1]", ["one.txt"],
    ["b.txt", "c.txt", "sub"], ["a.json"],
]  # fmt: skip
LOADERS = {
    "script": "exec(open(path).read() + '\\nprint(json.dumps(target()))', "
    "dict(__name__='__main__', __file__=path, json=json))",
    "import": "sys.path.insert(0, os.path.dirname(path)); import slice; "
    "print(json.dumps(slice.target()))",
    "runpy": "print(json.dumps(runpy.run_path(path)['target']()))",
    "runpy as main": "print(json.dumps(runpy.run_path(path, run_name='__main__')['target']()))",
    "spec": "spec = importlib.util.spec_from_file_location('other', path); "
    "m = importlib.util.module_from_spec(spec); sys.modules['other'] = m; "
    "spec.loader.exec_module(m); print(json.dumps(m.target()))",
    "package": "sys.path.insert(0, os.path.dirname(path)); from pkg.mod import target; "
    "print(json.dumps(target()))",
}
PYTHONS = [sys.executable, *(f"python3.{minor}" for minor in (11, 12, 13, 14))]


def run(python: str, loader: str, path: Path) -> object:
    """What the target of a slice returns."""
    head = "import importlib.util, json, os, runpy, sys\npath = sys.argv[1]\n"
    done = subprocess.run(
        [python, "-W", "ignore", "-I", "-B", "-c", head + LOADERS[loader], str(path)],
        capture_output=True, text=True, check=False, timeout=60, cwd=path.parent,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def _runs(python: str) -> bool:
    if shutil.which(python) is None:
        return False
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("python", PYTHONS, ids=["this", *PYTHONS[1:]])
def test_carried_files_are_found(tmp_path: Path, python: str) -> None:
    """However it is loaded, `importlib.resources`, `pkgutil` and `__file__` lead to its data."""
    if not _runs(python):
        pytest.skip(f"no {python} here")
    repo = repository(tmp_path / "repo", {"plain/p.txt": "p"})
    paths = "from pathlib import Path\nHERE = Path(__file__).parent\n"
    script = sliced(repo, READER, pkg__paths=paths)
    place = tmp_path / "out" / "slice.py"
    place.parent.mkdir()
    place.write_text(script.source)
    tree = sliced(repo, READER, "package", pkg__paths=paths)
    for file in tree.files:
        target = tmp_path / "tree" / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    original = run(python, "package", repo / "x")
    shutil.rmtree(repo)
    answers = {loader: run(python, loader, place) for loader in LOADERS if loader != "package"}
    answers["package"] = run(python, "package", tmp_path / "tree" / "x")
    assert original == ANSWER
    assert {loader: answer for loader, answer in answers.items() if answer != ANSWER} == {}


def test_a_script_leaves_no_files_behind(tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\nHERE = Path(__file__).parent\n"
        "def target():\n    return open(HERE / 'a.json').read()\n"
    )
    place = tmp_path / "slice.py"
    place.write_text(sliced(tmp_path / "repo", text).source)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    code = (
        "import os, runpy, sys\ntarget = runpy.run_path(sys.argv[1])['target']\n"
        "child = os.fork()\nif not child:\n    sys.exit(0)\n"
        "os.waitpid(child, 0)\nprint(target())\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(place)], capture_output=True, text=True,
        check=False, timeout=60, env={**os.environ, "TMPDIR": str(scratch)},
    )  # fmt: skip
    assert done.stdout == "[1]\n", done.stderr
    assert not list(scratch.iterdir())


# ------------------------------------------------------------------------ the file's own name


def test_a_search_path_hack_leaves_the_module_visible(tmp_path: Path) -> None:
    text = (
        "import os, sys, logging\nsys.path.append(os.path.dirname(__file__))\n"
        "log = logging.getLogger(__name__)\n"
        "def target():\n    log.info('x')\n    return sys.path\n"
    )
    found = sliced(tmp_path, text, emit="modules")
    assert "\ndef target():" in found.source


def test_a_search_path_hack_needs_no_modules(tmp_path: Path) -> None:
    text = (
        "import os, sys\n"
        "def target():\n    sys.path.append(os.path.dirname(__file__))\n    return sys.path\n"
    )
    assert sliced(tmp_path, text).manifest.layout == "flat"


def test_the_same_code_with_other_data_is_another_slice(tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\n"
        "def target():\n    return (Path(__file__).parent / 'own.txt').read_text()\n"
    )
    places: list[str] = []
    for content in ("one", "two"):
        repository(tmp_path / content, {"pkg/own.txt": content})
        place = tmp_path / f"{content}.py"
        place.write_text(sliced(tmp_path / content, text).source)
        places.append(str(place))
    code = (
        "import runpy, sys\nprint(runpy.run_path(sys.argv[1])['target']())\n"
        "try:\n    print(runpy.run_path(sys.argv[2])['target']())\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, *places], capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    first, second = done.stdout.splitlines()
    assert first == "one", done.stderr
    assert "another slice" in second


def test_a_module_that_shows_its_file_keeps_its_own(tmp_path: Path) -> None:
    text = "import os\ndef target():\n    return os.path.basename(__file__)\n"
    place = tmp_path / "slice.py"
    place.write_text(sliced(tmp_path / "repo", text).source)
    assert run(sys.executable, "import", place) == "mod.py"


MANY = """\
import os
def load(name):
    return open(os.path.join(os.path.dirname(__file__), "many", name + ".txt")).read()
class Icon:
    def __init__(self, name): self.text = load(name)
def target(): return Icon("f7").text, Icon('g.1').text
"""


def test_of_a_full_folder_the_files_that_the_slice_names_are_carried(tmp_path: Path) -> None:
    files = {f"pkg/many/f{n}.txt": "x" for n in range(300)}
    for path, content in {**files, "pkg/many/g.1.txt": "y"}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    made = sliced(tmp_path, MANY)
    assert made.manifest.data_files == ("pkg/many/f7.txt", "pkg/many/g.1.txt")
    (gap,) = made.manifest.gaps
    assert gap.detail.endswith("pkg/many/ may be read; the 2 that the slice names are carried")


def test_of_a_full_folder_of_which_the_slice_names_nothing_no_file_is_carried(
    tmp_path: Path,
) -> None:
    files = {f"pkg__many__f{n}": "" for n in range(3)}
    for n in range(300):
        (tmp_path / "pkg" / "many").mkdir(parents=True, exist_ok=True)
        (tmp_path / "pkg" / "many" / f"h{n}.txt").write_text("")
    made = sliced(tmp_path, MANY, **files)
    assert made.manifest.data_files == ()
    assert [gap.detail.endswith("; none is carried") for gap in made.manifest.gaps] == [True]


@pytest.mark.parametrize("place", ["__file__", "rel_to=__file__", "HERE", "base=HERE"])
def test_a_file_is_carried_that_a_call_names_beside_where_it_lies(
    place: str, tmp_path: Path
) -> None:
    text = (
        "import os\nfrom pkg.loader import load\nHERE = os.path.dirname(__file__)\n"
        f"def f(): return load('data/b.txt', {place})\n"
    )
    loader = (
        "import os\n"
        "def load(name, rel_to=None, base=None):\n"
        "    rel_to = rel_to or base\n"
        "    folder = rel_to if os.path.isdir(rel_to) else os.path.dirname(rel_to)\n"
        "    with open(os.path.join(folder, name)) as file:\n"
        "        return file.read()\n"
    )
    repository(tmp_path, {"pkg/m.py": text, "pkg/loader.py": loader})
    found = slice_function(Repository(tmp_path), "pkg/m.py::f").manifest
    assert "pkg/data/b.txt" in found.data_files


@pytest.mark.parametrize(
    "names", ["NAMES", "sorted(NAMES)", "[n for _, n in enumerate(NAMES)]", "reversed(NAMES)"]
)
def test_files_are_carried_that_a_loop_names(names: str, tmp_path: Path) -> None:
    text = (
        "import os\nHERE = os.path.dirname(__file__)\nNAMES = ['data/b.txt', 'mod.txt']\n"
        f"def f(): return [open(os.path.join(HERE, name)).read() for name in {names}]\n"
    )
    if "enumerate" in names:
        text = text.replace(f"for name in {names}", "for _, name in enumerate(NAMES)")
    repository(tmp_path, {"pkg/m.py": text})
    found = slice_function(Repository(tmp_path), "pkg/m.py::f").manifest
    assert list(found.data_files) == ["pkg/data/b.txt", "pkg/mod.txt"]


def test_of_a_path_with_unpacked_parts_the_beginning_counts(tmp_path: Path) -> None:
    text = (
        "import os\nHERE = os.path.dirname(__file__)\n"
        "def f(name): return open(os.path.join(HERE, *['data', name])).read()\n"
    )
    repository(tmp_path, {"pkg/m.py": text})
    found = slice_function(Repository(tmp_path), "pkg/m.py::f").manifest
    assert list(found.data_files) == BELOW_DATA


@pytest.mark.parametrize(
    "opened",
    ["open(__file__)", "Path(__file__).read_text()", "os.stat(__file__)",
     "open(os.path.join(os.path.dirname(__file__), 'm.py'))"],
)  # fmt: skip
def test_a_file_that_opens_itself_is_a_gap(opened: str, tmp_path: Path) -> None:
    text = f"import os\nfrom pathlib import Path\ndef f(): return {opened}\n"
    repository(tmp_path, {"pkg/m.py": text})
    gaps = slice_function(Repository(tmp_path), "pkg/m.py::f").manifest.gaps
    assert [(gap.kind, gap.line) for gap in gaps] == [("data-file", 3)]


def test_a_constructor_may_be_told_the_package(tmp_path: Path) -> None:
    text = (
        "import os, pkgutil\n"
        "class Loader:\n"
        "    def __init__(self, package, paths=('',)):\n"
        "        self.package = package\n"
        "        self.paths = paths\n"
        "    def __call__(self, name):\n"
        "        for path in self.paths:\n"
        "            return pkgutil.get_data(self.package, os.path.join(path, name)).decode()\n"
        "standard = Loader('pkg', ['data'])\n"
        "def f(): return standard('b.txt')\n"
    )
    repository(tmp_path, {"pkg/m.py": text})
    found = slice_function(Repository(tmp_path), "pkg/m.py::f").manifest
    assert "pkg/data/b.txt" in found.data_files
    assert found.gaps == ()
