"""Databases beside the examples: variants that a case chooses, and what a script leaves behind."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.mocker.families import FAMILIES
from slicefunc.mocker.world.sql.sql_text import Named, tables_of
from slicefunc.mocker.world.sql.sql_translation import translated
from slicefunc.slicer import Repository

from tests.mocker.families.family_examples import examples_of
from tests.mocker.families.test_examples import made

DATABASES = ("sqlite", "sqlalchemy", "postgres", "mysql", "mongo", "redis")
SQLITE = """\
import sqlite3


class Users:
    def __init__(self):
        self.db = sqlite3.connect("users.db")

    def name(self, number):
        row = self.db.execute("SELECT name FROM users WHERE id = ?", (number,)).fetchone()
        return row and row[0]
"""
MODELS = """\
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


def names():
    with Session(create_engine("postgresql://h/d")) as session:
        return session.scalars(select(User.name)).all()
"""
DOCUMENTS = """\
import pymongo


def price(name):
    found = pymongo.MongoClient()["shop"]["items"].find_one({"name": name, "age": {"$gt": 3}})
    return None if found is None else (found["name"], found["age"])
"""
CACHED = """\
import redis


def cached(key):
    return redis.Redis(decode_responses=True).get(key)
"""
PROGRAM = """\
import importlib.util, json, sys

def load(path):
    spec = importlib.util.spec_from_file_location("loaded", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
"""


def script(source: str, target: str, folder: Path) -> Path:
    repository = folder / "repository"
    repository.mkdir()
    (repository / "program.py").write_text(source)
    path = folder / "script.py"
    path.write_text(compile_slice(Repository(repository), [f"program.py::{target}"]).source)
    return path


def python(text: str, *arguments: str | Path) -> Any:
    with tempfile.TemporaryDirectory() as folder:  # what is not mocked any more leaves files
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM + text, *map(str, arguments)],
            cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("source", "target", "call", "variants"),
    [
        (SQLITE, "Users.name", "Users().name(2)", {"default": "name 2", "empty": None}),
        (MODELS, "names", "names()", {"default": ["name 1", "name 2", "name 3"], "empty": []}),
        (DOCUMENTS, "price", "price('x')", {"default": ["x", 4], "empty": None}),
        (CACHED, "cached", "cached('k')", {"default": None, "found": "1"}),
    ],
    ids=["sqlite3", "SQLAlchemy", "pymongo", "redis"],
)
def test_the_case_chooses_what_a_database_holds(
    source: str, target: str, call: str, variants: dict[str, object], tmp_path: Path
):
    path = script(source, target, tmp_path)
    for name, expected in variants.items():
        text = f"""
module = load(sys.argv[1])
import slice_func_mocks
slice_func_mocks.choose(database={name!r})
print(json.dumps(eval({call!r}, vars(module))))
"""
        assert python(text, path) == expected


WRITING = {
    "a file of sqlite3": """
import sqlite3
def f(x):
    db = sqlite3.connect("a.db")
    db.execute("CREATE TABLE IF NOT EXISTS t (x)")
    db.execute("INSERT INTO t VALUES (?)", (x,))
    db.commit()
    return db.execute("SELECT count(*) FROM t").fetchone()[0]
""",
    "a connection of the module's own": """
import sqlite3
DB = sqlite3.connect(":memory:")
DB.execute("CREATE TABLE t (x)")
DB.execute("INSERT INTO t VALUES (0)")
def f(x):
    DB.execute("INSERT INTO t VALUES (?)", (x,))
    return DB.execute("SELECT count(*) FROM t").fetchone()[0]
""",
    "a connection that is closed": """
import sqlite3
OLD = sqlite3.connect(":memory:")
OLD.close()
COUNT = sqlite3.connect("a.db")
def f(x):
    COUNT.execute("CREATE TABLE IF NOT EXISTS t (x)")
    COUNT.execute("INSERT INTO t VALUES (?)", (x,))
    COUNT.commit()
    return COUNT.execute("SELECT count(*) FROM t").fetchone()[0]
""",
    "files are mocked as well": """
import sqlite3
def f(x):
    db = sqlite3.connect("a.db")
    db.execute("CREATE TABLE IF NOT EXISTS t (x)")
    db.execute("INSERT INTO t VALUES (?)", (open("notes.txt").read(),))
    db.commit()
    return db.execute("SELECT count(*) FROM t").fetchone()[0]
""",
    "SQLAlchemy": MODELS
    + """
ENGINE = create_engine("postgresql://h/d")
def f(x):
    session = Session(ENGINE)
    made = User(name=str(x))
    session.add(made)
    session.commit()
    return made.id
""",
    "redis": """
import redis
STORE = redis.Redis()
def f(x):
    return STORE.incrby("count", x)
""",
    "pymongo": """
import pymongo
ITEMS = pymongo.MongoClient()["shop"]["items"]
def f(x):
    ITEMS.insert_one({"x": x})
    return sorted(each["x"] for each in ITEMS.find({}))
""",
}


@pytest.mark.parametrize("source", WRITING.values(), ids=WRITING)
def test_each_case_finds_the_databases_as_the_first_one_does(source: str, tmp_path: Path):
    text = """
module = load(sys.argv[1])
import slice_func_mocks
found = []
for _ in range(4):
    slice_func_mocks.restart()
    found.append(module.f(7))
print(json.dumps([found, module.f(7)]))
"""
    (first, *others), again = python(text, script(source, "f", tmp_path))
    assert others == [first] * 3
    assert again != first, "within a case, what was written is there"


def test_rows_are_what_a_script_leaves_behind(tmp_path: Path):
    source = (
        SQLITE
        + """
    def add(self, name):
        self.db.execute("INSERT INTO users (name) VALUES (?)", (name,))
        self.db.commit()
"""
    )
    text = """
module = load(sys.argv[1])
import slice_func_mocks
module.Users().add("ann")
print(json.dumps(slice_func_mocks.rows_left()))
"""
    assert python(text, script(source, "Users.add", tmp_path)) == {"users.db": {"users": [["ann"]]}}


def test_after_stop_the_process_has_its_libraries_back(tmp_path: Path):
    text = """
import sqlite3, os
before = sqlite3.connect
module = load(sys.argv[1])
module.Users().name(1)
import slice_func_mocks
files = [d.file for d in slice_func_mocks.SqlWorld.databases.values()]
there = [os.path.exists(file) for file in files]
slice_func_mocks.stop()
finders = [f for f in sys.meta_path if getattr(f, "__module__", "") == "slice_func_mocks"]
print(json.dumps([sqlite3.connect is before, there, [os.path.exists(f) for f in files], finders]))
"""
    assert python(text, script(SQLITE, "Users.name", tmp_path)) == [True, [True], [False], []]


@pytest.mark.nightly
def test_scripts_of_all_kinds_can_be_loaded_one_after_another(tmp_path: Path):
    """As pytest imports files of cases: the world belongs to the one that was loaded last."""
    paths: list[str] = []
    calls: list[list[str]] = []
    for listed in FAMILIES:
        name = listed.family().name
        if name in DATABASES:
            for number, example in enumerate(examples_of(listed)[:3]):
                folder = tmp_path / f"{name}{number}"
                folder.mkdir()
                path = folder / "script.py"
                path.write_text(made(example, folder).mocked.source)
                paths.append(str(path))
                calls.append([example.call, example.gives])
    text = """
import ast, asyncio, inspect
wrong = []
paths, calls = json.loads(sys.argv[1])
for path, (call, gives) in [*zip(paths, calls), *zip(paths, calls)]:
    module = load(path)
    code = compile(call, "<call>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(code, vars(module))
    if inspect.iscoroutine(value):
        async def run():
            return await value
        value = asyncio.run(run())
    if repr(value) != gives:
        wrong.append([path, repr(value), gives])
print(json.dumps(wrong))
"""
    assert python(text, json.dumps([paths, calls])) == []


def test_a_tool_beside_the_script_keeps_its_own_database(tmp_path: Path):
    path = script(SQLITE, "Users.name", tmp_path)
    data = tmp_path / "coverage.data"
    text = """
import coverage
measured = coverage.Coverage(data_file=sys.argv[2])
measured.start()
load(sys.argv[1]).Users().name(1)
measured.stop()
measured.save()
print(json.dumps(True))
"""
    assert python(text, path, data)
    assert data.stat().st_size > 0


def test_names_of_tables_and_columns_come_from_sql():
    found = tables_of(
        [
            "SELECT u.id, o.total AS t FROM users u JOIN orders o ON o.user_id = u.id"
            " WHERE u.age > 3",
            "INSERT INTO log VALUES (?, datetime('now'), ?)",
            "WITH recent AS (SELECT * FROM visits) SELECT count(*) FROM recent",
            "update {} set a = 1",
            "not SQL at all from nowhere",
        ]
    )
    assert {name: sorted(fact["columns"]) for name, fact in found.items()} == {
        "users": ["age", "id"],
        "orders": ["total", "user_id"],
        "log": [],
        "visits": [],
    }
    assert found["log"]["values"] == 3
    assert found["users"]["numbers"] == ["age"]
    assert [name for name, fact in found.items() if fact["read"]] == ["users", "orders", "visits"]


def test_a_table_is_created_once_more_only_where_it_says_so():
    assert Named("CREATE TABLE IF NOT EXISTS a (b INT)").created == {"a"}
    assert Named("SELECT 'from x' FROM \"order\" -- from y").reads == {"order"}


@pytest.mark.parametrize(
    ("sql", "style", "expected"),
    [
        ("SELECT %s, %(a)s, '100%%'", "format", "SELECT ?, :a, '100%'"),
        ("SELECT $1::int[], x::text FROM t", "numeric", "SELECT ?1, x FROM t"),
        ("a > now() - interval '2 days'", "", "a > datetime(now() , '-' || '2 days')"),
        ("INSERT IGNORE INTO `t` VALUES (1)", "", 'INSERT OR IGNORE INTO "t" VALUES (1)'),
        ("SELECT 1 FROM t FOR UPDATE SKIP LOCKED", "", "SELECT 1 FROM t "),
        ("CREATE EXTENSION hstore", "", "SELECT 1 WHERE 0"),
        ("SELECT '::int %s now()'", "", "SELECT '::int %s now()'"),
    ],
)
def test_servers_words_in_those_of_sqlite(sql: str, style: str, expected: str):
    assert translated(sql, style=style) == expected


def test_a_slice_without_a_database_does_not_change(tmp_path: Path):
    (tmp_path / "program.py").write_text("def double(n):\n    return 2 * n\n")
    result = compile_slice(Repository(tmp_path), ["program.py::double"])
    assert "slice_func_mocks" not in result.source
    assert importlib.util.find_spec("sqlite3")
