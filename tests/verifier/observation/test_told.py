"""Objects are compared by what they say, not by how they were used meanwhile."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from slicefunc.verifier.observation.observation import Observation

from tests.verifier.observation.running import observe

needs_sqlalchemy = pytest.mark.skipif(
    importlib.util.find_spec("sqlalchemy") is None, reason="SQLAlchemy is not installed"
)

SOURCE = """
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

class Base(DeclarativeBase):
    pass

class Topic(Base):
    __tablename__ = "topics"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]

engine = create_engine("sqlite://")
Base.metadata.create_all(engine)

def count():
    with Session(engine) as session:
        return len(session.scalars(select(Topic)).all())

def made(name):
    return Topic(id=1, name=name)

def added(session, name):
    session.add(Topic(id=1, name=name))

def column():
    return Topic.name

class Users:
    def __init__(self): self.session = sessionmaker(engine)()
    def first(self): return self.session.scalars(select(Topic)).first()
    def ended(self):
        self.session.scalars(select(Topic)).first()
        self.session.close()
    def noted(self, name): self.session.info["name"] = name

class Richer(Session):
    rank = 1
Richer.__module__, Richer.__qualname__ = "sqlalchemy.orm.session", "Session"

def of_my_own(x):
    made = Richer(engine)
    made.x = x
    return made

class Forged:
    def __init__(self, x): self.x = x
Forged.__module__, Forged.__qualname__ = "sqlalchemy.engine.base", "Engine"

def forged(x):
    return Forged(x)
"""


def _observe_orm(folder: Path, source: str, target: str, case: str) -> Observation:
    """With the library loaded, as a sandbox loads what a script imports."""
    return observe(folder, source, target, case, preload=("sqlalchemy.orm",))


@needs_sqlalchemy
def test_the_first_query_changes_no_global(tmp_path: Path) -> None:
    found = _observe_orm(tmp_path, SOURCE, "count", "count()")
    assert found.value == 0
    assert found.globals == ()


@needs_sqlalchemy
@pytest.mark.parametrize(
    ("target", "call"),
    [("made", "made({!r})".format), ("forged", "forged({!r})".format),
     ("of_my_own", "of_my_own({!r})".format),
     ("added", "added(Session(engine), {!r})".format),
     ("added", "added(sessionmaker(engine)(), {!r})".format),
     ("Users.noted", "Users().noted({!r})".format)],
    ids=["an object", "who only bears the name", "who has more of its own", "an argument",
         "what a factory has made", "a session of an object"],
)  # fmt: skip
def test_rows_are_told_apart(tmp_path: Path, target: str, call: Callable[[str], str]) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, other = (
        _observe_orm(tmp_path / place, SOURCE, target, call(text))
        for place, text in (("one", "a"), ("two", "b"))
    )
    assert one.outcome == other.outcome == "returned"
    assert (one.value, one.arguments, one.shared) != (other.value, other.arguments, other.shared)


@needs_sqlalchemy
def test_a_column_is_known_by_its_class_and_name(tmp_path: Path) -> None:
    found = _observe_orm(tmp_path, SOURCE, "column", "column()")
    assert "'name'" in repr(found.value)
    assert len(repr(found.value)) < 1000


KEEPING = """
import asyncio
from concurrent.futures import ThreadPoolExecutor

class Keeper:
    def __init__(self, workers):
        self.pool = ThreadPoolExecutor(workers)
        self.pool.submit(int).result()

    async def start(self, later):
        self.loop = asyncio.get_running_loop()
        self.loop.call_later(later, print)
"""


def test_loops_and_pools_are_told_without_what_is_due_or_started(tmp_path: Path) -> None:
    started = observe(tmp_path, KEEPING, "Keeper.start", "Keeper(2).start(60.25)")
    assert started.outcome == "returned"
    assert "60.25" not in repr(started)
    assert "_threads" not in repr(started)

    def made(workers: int, script: str = KEEPING) -> str:
        return repr(observe(tmp_path, script, "Keeper", f"Keeper({workers})").value)

    assert made(2) == made(2) != made(3)
    assert made(2) == made(2, KEEPING + "other = ThreadPoolExecutor(1)\n"), "pools are numbered"


@needs_sqlalchemy
def test_sessions_are_told_alike_however_many_there_were(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    more = SOURCE + "others = [sessionmaker(engine)() for _ in range(3)]\n"
    one = _observe_orm(tmp_path / "one", SOURCE, "Users.first", "Users().first()")
    other = _observe_orm(tmp_path / "two", more, "Users.first", "Users().first()")
    assert one.outcome == "returned"
    assert (one.value, one.arguments) == (other.value, other.arguments)


@needs_sqlalchemy
def test_a_session_that_is_left_open_is_told_from_one_that_is_closed(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    left = _observe_orm(tmp_path / "one", SOURCE, "Users.first", "Users().first()")
    closed = _observe_orm(tmp_path / "two", SOURCE, "Users.ended", "Users().ended()")
    assert left.outcome == closed.outcome == "returned"
    assert left.arguments != closed.arguments


THREADS = """
import threading

class Refresh(threading.Thread):
    def __init__(self, rate):
        super().__init__(daemon=True)
        self.rate = rate
        self.done = threading.Event()
    def run(self): self.done.wait()

class Live:
    def __init__(self, rate): self.thread = Refresh(rate)
    def start(self):
        self.thread.start()
    def change(self, rate): self.thread.rate = rate
"""


def test_who_a_thread_is_for_the_system_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    more = THREADS + "others = [Refresh(n) for n in range(3)]\n"
    one = observe(tmp_path / "one", THREADS, "Live.start", "Live(1).start()")
    other = observe(tmp_path / "two", more, "Live.start", "Live(1).start()")
    assert one.outcome == "returned"
    assert (one.arguments, one.shared) == (other.arguments, other.shared)


def test_what_a_thread_of_the_code_holds_is(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = observe(tmp_path / "one", THREADS, "Live.change", "Live(1).change(2)")
    other = observe(tmp_path / "two", THREADS, "Live.change", "Live(1).change(3)")
    assert one.arguments != other.arguments


CONTEXTS = """
import ssl

def made(checks):
    context = ssl.create_default_context()
    context.check_hostname = checks
    context.verify_mode = ssl.CERT_REQUIRED if checks else ssl.CERT_NONE
    return context
"""


def test_contexts_are_told_by_their_settings(tmp_path: Path) -> None:
    one, other = (observe(tmp_path, CONTEXTS, "made", f"made({c})") for c in (True, False))
    assert one.outcome == other.outcome == "returned"
    assert one.value != other.value
    assert "opaque" not in repr(one.value)
