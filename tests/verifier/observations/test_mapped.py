"""Mapped objects are compared by their rows, not by how SQLAlchemy has set itself up meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verifier.observations.running import observe

pytest.importorskip("sqlalchemy")

SOURCE = """
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

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

class Forged:
    def __init__(self, x): self.x = x
Forged.__module__, Forged.__qualname__ = "sqlalchemy.engine.base", "Engine"

def forged(x):
    return Forged(x)
"""


def test_the_first_query_changes_no_global(tmp_path: Path) -> None:
    found = observe(tmp_path, SOURCE, "count", "count()")
    assert found.value == 0
    assert found.globals == ()


@pytest.mark.parametrize(
    ("target", "call"),
    [("made", "made({!r})".format), ("forged", "forged({!r})".format),
     ("added", "added(Session(engine), {!r})".format)],
    ids=["an object", "who only bears the name", "an argument"],
)  # fmt: skip
def test_rows_are_told_apart(tmp_path: Path, target: str, call: Callable[[str], str]) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, other = (
        observe(tmp_path / place, SOURCE, target, call(text))
        for place, text in (("one", "a"), ("two", "b"))
    )
    assert one.outcome == other.outcome == "returned"
    assert (one.value, one.arguments, one.shared) != (other.value, other.arguments, other.shared)


def test_a_column_is_known_by_its_class_and_name(tmp_path: Path) -> None:
    found = observe(tmp_path, SOURCE, "column", "column()")
    assert "'name'" in repr(found.value)
    assert len(repr(found.value)) < 1000
