"""Functions on real files and on the mock do the same, and nothing outside is touched."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

from tests.nightly import one_in

CHILD = """
import json, os, runpy, sys
names = runpy.run_path(sys.argv[1])
try:
    gives = repr(eval(sys.argv[2], names))
except Exception as error:
    gives = type(error).__name__ + str(getattr(error, "filename", ""))
files = {}
for folder, _, found in os.walk("."):
    for name in found:
        path = os.path.join(folder, name)
        files[path] = open(path, "rb").read().decode("latin-1")
effects = [effect[:2] for effect in names.get("_effects", ())]
print(json.dumps([gives, files, effects]))
"""


def sliced(folder: Path, source: str, target: str, mock: str = "auto", **files: str) -> str:
    repository = folder / f"repository_{mock}"
    repository.mkdir()
    (repository / "example.py").write_text(source)
    for name, text in files.items():
        (repository / name).write_text(text)
    options = Options(mock=mock)
    return compile_slice(Repository(repository), [f"example.py::{target}"], options).source


def run(folder: Path, script: str, call: str, **files: str) -> list:
    inside = folder / "inside"
    inside.mkdir(parents=True)
    (folder / "script.py").write_text(script)
    for name, text in files.items():
        (inside / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder / "script.py"), call],
        cwd=inside, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


KEEPER = """
import json, os, shutil, glob, csv, sqlite3
from pathlib import Path

SETTINGS = json.load(open("settings.json"))


def work(names):
    os.makedirs("out/deep", exist_ok=True)
    with open("out/names.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([[n, len(n)] for n in names])
    with open("settings.json", "a") as stream:
        stream.write("\\n")
    Path("out/deep/a.txt").write_text("a")
    shutil.copy("out/deep/a.txt", "out/b.txt")
    os.rename("out/b.txt", "out/c.txt")
    os.remove("out/deep/a.txt")
    found = sorted(glob.glob("out/**/*", recursive=True))
    with open("settings.json") as stream:
        again = json.load(stream)
    try:
        open(names[0] + "/x.txt")
    except FileNotFoundError as error:
        missing = error.filename
    return found, SETTINGS == again, missing, os.path.getsize("out/names.csv"), Path("out").is_dir()
"""


def test_relative_files_are_as_they_are_without_mocks(tmp_path: Path):
    settings = '{"a": 1}'
    mocked = sliced(tmp_path, KEEPER, "work", **{"settings.json": settings})
    plain = sliced(tmp_path, KEEPER, "work", "none", **{"settings.json": settings})
    assert "offer_files" in mocked
    call = "work(['x', 'yy'])"
    real = run(tmp_path / "real", plain, call, **{"settings.json": settings})
    offered = run(tmp_path / "offered", mocked, call)
    assert offered == real
    assert offered[1]["./settings.json"] == settings + "\n"


OUTSIDE = """
import os, shutil, tempfile
from pathlib import Path

BASE = "{base}"


def work():
    with open(BASE + "/kept.txt", "a") as stream:
        stream.write("more")
    os.makedirs(BASE + "/new/deep")
    Path(BASE + "/new/deep/x.txt").write_text("x")
    shutil.copytree(BASE + "/new", BASE + "/copy")
    os.replace(BASE + "/copy/deep/x.txt", BASE + "/y.txt")
    os.remove(BASE + "/gone.txt")
    shutil.rmtree(BASE + "/tree")
    found = []
    for folder, folders, files in os.walk(BASE):
        folders.sort()
        found.append((os.path.relpath(folder, BASE), sorted(folders), sorted(files)))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "t").write_text("t")
        temporary = os.listdir(folder)
    try:
        os.remove(BASE + "/gone.txt")
    except FileNotFoundError as error:
        again = "not there"
    return (
        found, Path(BASE + "/kept.txt").read_text(), os.path.exists(BASE + "/gone.txt"),
        os.path.isdir(BASE + "/tree"),
        sorted(p.name for p in Path(BASE).iterdir()), temporary, again,
    )
"""


def outside(folder: Path) -> Path:
    base = folder / "outside"
    (base / "tree").mkdir(parents=True)
    (base / "tree" / "leaf.txt").write_text("leaf")
    (base / "kept.txt").write_text("kept ")
    (base / "gone.txt").write_text("gone")
    return base


def test_outside_files_change_for_the_slice_alone(tmp_path: Path):
    base = outside(tmp_path / "a")
    source = OUTSIDE.replace("{base}", str(base))
    mocked = run(tmp_path / "mocked", sliced(tmp_path, source, "work"), "work()")
    assert sorted(p.name for p in base.rglob("*")) == ["gone.txt", "kept.txt", "leaf.txt", "tree"]
    assert (base / "kept.txt").read_text() == "kept "
    real = run(tmp_path / "real", sliced(tmp_path, source, "work", "none"), "work()")
    assert not (base / "gone.txt").exists()
    assert mocked[0] == real[0]
    assert mocked[1] == {}
    assert ["remove", f"{base}/gone.txt"] in mocked[2]
    assert ["write", f"{base}/kept.txt"] in mocked[2]


EXCLUSIVE = """
import os


def read(path):
    with open(path) as stream:
        return stream.read()


def named():
    return read(os.environ["PLACE"] + os.environ["NAME"])


def write(path, text):
    tries = 0
    while True:
        beside = f"{os.path.dirname(path)}/.beside{tries}"
        try:
            descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            break
        except FileExistsError:
            tries += 1
            if tries > 5:
                raise
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    os.replace(beside, path)


def work(folder):
    if not folder:
        return named()
    write(folder + "/whole.txt", "whole")
    with open(folder + "/new.txt", "x") as stream:
        stream.write("new")
    refused = []
    for make in (lambda path: open(path, "x"), lambda path: os.open(path, os.O_CREAT | os.O_EXCL)):
        for name in ("kept.txt", "whole.txt", "new.txt"):
            try:
                make(f"{folder}/{name}")
            except FileExistsError as error:
                refused.append(os.path.basename(error.filename))
    return refused, read(folder + "/whole.txt"), read(folder + "/new.txt")
"""


def test_what_is_merely_offered_is_not_in_the_way_of_what_must_be_new(tmp_path: Path):
    base = outside(tmp_path / "a")
    script = sliced(tmp_path, EXCLUSIVE, "work")
    assert "'*'" in script
    gives = run(tmp_path / "mocked", script, f"work({str(base)!r})")[0]
    names = ["kept.txt", "whole.txt", "new.txt"]
    assert gives == repr(([*names, *names], "whole", "new"))
    assert sorted(p.name for p in base.iterdir()) == ["gone.txt", "kept.txt", "tree"]


HANDED_IN = """
import os


def read(path):
    with open(path) as stream:
        return stream.read()


class Report:
    def __init__(self, path=None):
        self.path = path or os.environ["PLACE"] + os.environ["NAME"]

    def text(self):
        return read(self.path)

    def keep(self, name):
        with open(name, "w") as stream:
            stream.write(self.text())
        return os.path.exists(name)
"""


def test_files_that_are_handed_in_are_the_real_ones(tmp_path: Path):
    base = outside(tmp_path / "a")
    script = sliced(tmp_path, HANDED_IN, "Report")
    assert "'*'" in script
    calls = (
        "Report().text() != ''", f"Report({str(base / 'kept.txt')!r}).text()",
        f"os.chdir({str(base)!r})", "Report('gone.txt').text()", "Report('gone.txt').keep('new')",
    )  # fmt: skip
    gives, _, effects = run(tmp_path / "run", script, f"[{', '.join(calls)}]")
    assert gives == "[True, 'kept ', None, 'gone', True]"
    assert effects == []
    assert (base / "new").read_text() == "gone"


READERS = {
    "data.json": ("json.load(open('{}'))", "import json"),
    "rows.csv": ("list(csv.DictReader(open('{}')))", "import csv"),
    "table.csv": ("pd.read_csv('{}').shape[0]", "import pandas as pd"),
    "conf.yaml": ("yaml.safe_load(open('{}'))", "import yaml"),
    "conf.toml": ("tomllib.load(open('{}', 'rb'))", "import tomllib"),
    "model.pkl": ("pickle.load(open('{}', 'rb'))", "import pickle"),
    "a.npy": ("np.load('{}').sum()", "import numpy as np"),
    "numbers.txt": ("np.loadtxt('{}').shape", "import numpy as np"),
    "p.png": ("Image.open('{}').size", "from PIL import Image"),
    "p.jpg": ("Image.open('{}').format", "from PIL import Image"),
    "x.xml": ("ET.parse('{}').getroot().tag", "import xml.etree.ElementTree as ET"),
    "a.zip": ("zipfile.ZipFile('{}').namelist()", "import zipfile"),
    "a.tar.gz": ("tarfile.open('{}').getnames()", "import tarfile"),
    "s.wav": ("wave.open('{}').getframerate()", "import wave"),
    "t.txt.gz": ("gzip.open('{}', 'rt').read()", "import gzip"),
    "b.xlsx": ("[c.value for c in openpyxl.load_workbook('{}').active[1]]", "import openpyxl"),
    "s.xlsx": ("list(pd.read_excel('{}').columns)", "import pandas as pd"),
    "plain.txt": ("Path('{}').read_text().splitlines()", "from pathlib import Path"),
}
FOLDERS = ("", "/srv/data/", "C:\\\\Users\\\\me\\\\", "assets/")


@pytest.mark.parametrize("name", one_in(2, READERS))
def test_what_a_reader_reads_has_its_format(name: str, tmp_path: Path):
    expression, importing = READERS[name]
    needed = importing.split()[1].partition(".")[0]
    if needed in ("openpyxl", "yaml", "pandas", "PIL") or "excel" in expression:
        pytest.importorskip("openpyxl" if "excel" in expression else needed)
    for number, folder in enumerate(FOLDERS):
        where = tmp_path / str(number)
        where.mkdir()
        source = f"{importing}\n\n\ndef read():\n    return {expression.format(folder + name)}\n"
        script = sliced(where, source, "read")
        gives, files, effects = run(where / "run", script, "read()")
        assert not gives.endswith("Error"), (folder, gives)
        assert not gives.startswith("FileNotFoundError"), (folder, gives)
        assert files == {}
        assert effects == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(path):\n    with open(path) as s:\n        return s.read()\n",
        "def f(text):\n    with open('out.txt', 'w') as s:\n        s.write(text)\n",
        "import os\n\n\ndef f(path):\n    os.remove(path)\n",
        "import os\n\n\ndef f(a, b):\n    return os.path.join(a, b), os.path.exists(a)\n",
        "from pathlib import Path\n\n\ndef f(a):\n    return Path(a).read_text(), Path(a).name\n",
        "import json\n\n\ndef f(text):\n    return json.loads(text)\n",
        "import pandas as pd\n\n\ndef f(rows):\n    return pd.DataFrame(rows).to_csv()\n",
    ],
)
def test_a_slice_that_needs_no_file_is_left_alone(source: str, tmp_path: Path):
    assert sliced(tmp_path, source, "f") == sliced(tmp_path, source, "f", "none")


def test_a_case_can_choose_that_a_file_is_missing(tmp_path: Path):
    source = "import json\n\n\ndef f():\n    return json.load(open('a.json'))\n"
    script = sliced(tmp_path, source, "f")
    call = "__import__('slice_func_mocks').choose(files='missing') or f()"
    assert run(tmp_path / "run", script, call)[0] == "FileNotFoundErrora.json"


WRITER = """
import logging
from pathlib import Path

HERE = Path(__file__).parent
logging.basicConfig(filename="logs/all.log")


def write(path):
    (HERE / "results" / "latest.txt").write_text("a")
    with open(path, "w") as stream:
        stream.write("b")


def name(number):
    logging.warning("named")
    with open(f"tables/{number}/x.csv", "w") as stream:
        stream.write("b")
"""


def test_folders_that_the_code_counts_on_are_there_to_be_written_into(tmp_path: Path):
    script = sliced(tmp_path, WRITER, "name")
    gives, files, _ = run(tmp_path / "run", script, "name(1)")
    assert (gives, files["./tables/1/x.csv"]) == ("None", "b")
    assert files["./logs/all.log"] == "WARNING:root:named\n"
    call = "__import__('slice_func_mocks').choose(files='missing') or name(1)"
    assert run(tmp_path / "missing", script, call)[0] == "FileNotFoundErrortables/1/x.csv"


def test_folders_that_the_caller_names_are_the_callers(tmp_path: Path):
    script = sliced(tmp_path, WRITER, "write")
    assert run(tmp_path / "run", script, "write('there.txt')")[0] == "None"
    gives, _, _ = run(tmp_path / "missing", script, "write('nowhere/there.txt')")
    assert gives == "FileNotFoundErrornowhere/there.txt"


def test_stopping_gives_the_files_back(tmp_path: Path):
    script = sliced(
        tmp_path, "import os\n\n\ndef f():\n    return open('/etc/x.conf').read()\n", "f"
    )
    call = "[f(), __import__('slice_func_mocks').stop(), open is __import__('io').open, open]"
    gives = run(tmp_path / "run", script, call)[0]
    assert gives.endswith("None, True, <built-in function open>]")


UNKNOWN = """
import argparse
import fcntl
import json
import os
import os


def load(name):
    return json.load(open(os.environ["PLACE"] + "/" + name))


def work(out):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fast", action="store_true")
    folder = os.environ.get("OUT") or "elsewhere"
    if not os.path.exists(folder):
        os.makedirs(folder)
    with open(os.path.join(folder, "made.txt"), "w") as stream:
        stream.write("made")
    return load("a"), os.path.exists("nothing.json"), parser.parse_args([]).fast, os.listdir(folder)
"""


def test_a_path_that_nobody_knows_is_made_up_when_it_is_opened_and_not_before(tmp_path: Path):
    gives, files, _ = run(tmp_path / "run", sliced(tmp_path, UNKNOWN, "work"), "work('x')")
    assert gives == "({}, False, False, ['made.txt'])"
    assert list(files.values()) == ["made"]


@pytest.mark.parametrize("path", ["scripts", "."])
def test_what_should_lie_beside_the_script_is_offered_wherever_that_is(tmp_path: Path, path: str):
    source = (
        "from pathlib import Path\n\n\n"
        'def f():\n    return open(f"{Path(__file__).parent}/notes.txt").read() != ""\n'
    )
    (tmp_path / "a.py").write_text(source)
    made = compile_slice(Repository(tmp_path), ["a.py::f"])
    for folder in ("elsewhere", "scripts"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scripts" / "script.py").write_text(made.source)
    program = "import sys; sys.path.insert(0, sys.argv[1]); import script; print(script.f())"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "scripts")],
        cwd=tmp_path / "elsewhere", env={"PYTHONPATH": str(tmp_path / path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "True\n", done.stderr


def test_a_tree_of_files_is_offered_files_too(tmp_path: Path):
    (tmp_path / "repo" / "app").mkdir(parents=True)
    (tmp_path / "repo" / "app" / "a.py").write_text(
        'def f():\n    return open("settings.json").read() != ""\n'
    )
    made = compile_slice(Repository(tmp_path / "repo"), ["app/a.py::f"], Options(emit="package"))
    for file in made.files:
        place = tmp_path / "tree" / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.content)
    program = (
        "import sys; sys.path.insert(0, 'tree'); import slice_func_mocks, app.a; print(app.a.f())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "True\n", done.stderr


EDITOR = """
import os, subprocess, tempfile

def edit(text, ends=False):
    path = tempfile.mktemp(suffix=".txt")
    with open(path, "w") as stream:
        stream.write(text)
    subprocess.run(["vi", path], env={"SHOWN": path})
    if ends:
        os._exit(0)
    return path
"""


def edited(folder: Path, script: str, top: Path, call: str) -> list:
    inside = folder / "inside"
    inside.mkdir(parents=True)
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-c", CHILD.replace("effect[:2] for effect in ", "*"),
         str(folder / "script.py"), call],
        cwd=inside, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "TMPDIR": str(top)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout else []


def test_effects_do_not_tell_where_the_temporary_folder_of_the_process_lies(tmp_path: Path):
    script = sliced(tmp_path, EDITOR, "edit")
    top = tmp_path / "top"
    (top / "slice-func-0").mkdir(parents=True)
    held = os.open(top / "slice-func-0", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)  # as another process does
        gives, _, effects = edited(tmp_path / "one", script, top, "edit('a')")
    finally:
        os.close(held)
    assert gives.startswith(repr(f"{top}/slice-func-1/")[:-1])
    assert "slice-func" not in json.dumps(effects)
    assert [effect[:2] for effect in effects] == [["command", f"vi {top}/tmp00000001.txt"]]


def test_the_folder_that_a_killed_process_has_left_is_taken_over(tmp_path: Path):
    script = sliced(tmp_path, EDITOR, "edit")
    top = tmp_path / "top"
    top.mkdir()
    edited(tmp_path / "one", script, top, "edit('a', True)")
    assert [path.name for path in top.iterdir()] == ["slice-func-0"]
    gives, _, _ = edited(tmp_path / "two", script, top, "edit('a')")
    assert gives.startswith(repr(f"{top}/slice-func-0/")[:-1])
    assert list(top.iterdir()) == []


SERVER_FILES = """
import os


def first_files(folder):
    os.makedirs(folder + "/kept", exist_ok=True)
    for name in ("log", "old"):
        with open(folder + "/kept/" + name, "w") as stream:
            stream.write("first\\n")
    return folder


FOLDER = first_files("/srv-of-slice")


def keep(name):
    os.makedirs(FOLDER + "/made", exist_ok=True)
    os.remove(FOLDER + "/kept/old")
    with open(FOLDER + "/kept/log", "a+") as stream:
        stream.write(name)
        stream.seek(0)
        return stream.read(), sorted(os.listdir(FOLDER)), os.listdir(FOLDER + "/kept")
"""
ANEW = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("sliced", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
import slice_func_mocks
found = []
for _ in range(3):
    slice_func_mocks.restart()
    slice_func_mocks.effects.clear()
    found.append([module.keep("x"), list(slice_func_mocks.effects)])
print(json.dumps(found))
"""


def test_each_case_finds_the_files_as_the_first_one_does(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(sliced(tmp_path, SERVER_FILES, "keep"))
    done = subprocess.run(
        [sys.executable, "-c", ANEW, str(script)],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, *others = json.loads(done.stdout)
    assert first[0] == ["first\nx", ["kept", "made"], ["log"]]
    assert ["write", "/srv-of-slice/made", "mkdir"] in first[1]
    assert others == [first] * 2
