"""What a module makes on disk while it loads: kept where the slice uses the same path."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check, programs

_BEFORE = """\
import json, os, shutil, sqlite3, tempfile
FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, 'a')
"""
MADE = programs(
    """\
# a file that is written
with open(PATH, 'w') as file:
    file.write('x')
def f(): return open(PATH).read()
# a mode by its keyword
with open(PATH, mode='a') as file:
    file.write('x')
def f(): return open(PATH).read()
# a function that writes
def init():
    if not os.path.exists(PATH):
        with open(PATH, 'w') as file:
            json.dump({'a': 1}, file)
init()
def f(): return json.load(open(PATH))
# a function that writes what it is given
def write(path, text):
    with open(path, 'w') as file:
        file.write(text)
write(PATH, 'x')
def f(): return open(PATH).read()
# a folder
os.makedirs(PATH, exist_ok=True)
def f(): return os.listdir(PATH)
# a folder around it
INNER = os.path.join(PATH, 'b')
os.makedirs(os.path.dirname(INNER))
def f(): return len(open(INNER, 'w').name) > 1
# a copy
SOURCE = os.path.join(FOLDER, 'source')
with open(SOURCE, 'w') as file:
    file.write('x')
if not os.path.exists(PATH):
    shutil.copy(SOURCE, PATH)
def f(): return open(PATH).read()
# a table of a database
def create():
    with sqlite3.connect(PATH) as connection:
        connection.execute('CREATE TABLE t (a)')
create()
def f(): return sqlite3.connect(PATH).execute('select count(*) from t').fetchone()
""",
    before=_BEFORE,
)
LEFT = programs(
    """\
# a file that is read
with open(PATH + 'x') as file:
    print(file.read())
def f(): return PATH
# another path
OTHER = 'b'
os.makedirs(OTHER)
def f(): return PATH
""",
    before=_BEFORE,
)


@pytest.mark.parametrize("program", MADE.values(), ids=MADE)
def test_it_is_there(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)


@pytest.mark.parametrize("program", LEFT.values(), ids=LEFT)
def test_what_the_slice_does_not_use_is_left_out(program: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(program)
    source = slice_function(Repository(tmp_path), "program.py::f").source
    assert "open(" not in source
    assert "makedirs" not in source
