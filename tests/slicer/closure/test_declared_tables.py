"""Tables that hang on a base, a database or a `MetaData` are kept where all are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

BASES = {
    "a declarative base": (
        "from sqlalchemy.orm import declarative_base\nBase = declarative_base()\n"
    ),
    "a class that derives from one": (
        "from sqlalchemy.orm import DeclarativeBase\nclass Base(DeclarativeBase):\n    pass\n"
    ),
    "SQLModel": "from sqlmodel import SQLModel as Base\n",
}
MODELS = """
from shop.orm import Base
class Mixin(Base):
    __abstract__ = True
class Order(Mixin):
    __tablename__ = "orders"
class Customer(Base, table=True):
    __tablename__ = "customers"
class Report:
    pass
"""


def kept(folder: Path, target: str, **files: str) -> set[str]:
    """Names of the definitions that a slice of `shop/setup.py::TARGET` keeps."""
    for name, text in {"__init__": "", **files}.items():
        place = folder / "shop" / f"{name}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
    found = slice_function(Repository(folder), f"shop/setup.py::{target}")
    return {d.qualname for d in found.manifest.definitions if d.kind != "import"}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES.keys())
@pytest.mark.parametrize(
    "body",
    [
        "def make(engine):\n    Base.metadata.create_all(engine)\n",
        "async def make(c):\n    await c.run_sync(Base.metadata.drop_all)\n",
        "def make(_):\n    return [table.name for table in Base.metadata.sorted_tables]\n",
    ],
    ids=["called", "handed on", "listed"],
)
def test_all_classes_of_loaded_modules_are_kept(tmp_path: Path, base: str, body: str) -> None:
    setup = f"from shop.orm import Base\nfrom shop import models\n{body}"
    found = kept(tmp_path, "make", orm=base, models=MODELS, setup=setup)
    assert found >= {"Mixin", "Order", "Customer", "make"}
    assert "Report" not in found


def test_classes_of_modules_that_nobody_loads_are_not(tmp_path: Path) -> None:
    setup = "from shop.orm import Base\ndef make(e):\n    Base.metadata.create_all(e)\n"
    orm = BASES["a declarative base"]
    assert kept(tmp_path, "make", orm=orm, models=MODELS, setup=setup) == {"Base", "make"}


def test_a_database_of_flask_knows_its_models(tmp_path: Path) -> None:
    orm = "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\nother = 1\n"
    models = "from shop.orm import db\nclass Order(db.Model):\n    id = db.Column(db.Integer)\n"
    setup = "import shop.models\nfrom shop.orm import db\ndef make():\n    db.create_all()\n"
    found = kept(tmp_path, "make", orm=orm, models=models, setup=setup)
    assert found == {"db", "Order", "Order.id", "make"}


def test_tables_that_calls_make_are_kept(tmp_path: Path) -> None:
    orm = "from sqlalchemy import MetaData, Table\nmetadata = MetaData()\nother = MetaData()\n"
    models = (
        "from shop.orm import metadata, Table\n"
        "orders = Table('orders', metadata)\nnames = list('ab')\n"
    )
    setup = (
        "import shop.models\nfrom shop.orm import metadata\n"
        "def make(e):\n    metadata.create_all(e)\n"
    )
    found = kept(tmp_path, "make", orm=orm, models=models, setup=setup)
    assert found == {"metadata", "orders", "make"}


def test_who_only_asks_for_one_class_keeps_one(tmp_path: Path) -> None:
    setup = "from shop.models import Order\ndef make():\n    return Order()\n"
    orm = BASES["a class that derives from one"]
    found = kept(tmp_path, "make", orm=orm, models=MODELS, setup=setup)
    assert "Customer" not in found


def test_a_class_that_a_relation_names_is_kept_where_its_own_module_has_it(tmp_path: Path) -> None:
    setup = (
        "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n"
        "class User(db.Model):\n"
        "    comments = db.relationship('Comment', backref='author')\n"
        "    def name(self): return 'user'\n"
        "class Comment(db.Model):\n    author_id = db.Column(db.Integer)\n"
        "class Other(db.Model):\n    pass\n"
    )
    found = kept(tmp_path, "User.name", setup=setup)
    assert {"User", "Comment"} <= found
    assert "Other" not in found


def test_a_class_that_a_text_names_is_that_of_the_file_as_it_is_imported(tmp_path: Path) -> None:
    models = """\
from sqlalchemy import Column, ForeignKey
from sqlalchemy.orm import declarative_base, relationship
Base = declarative_base()
class Company(Base):
    __tablename__ = "company"
class Trade(Base):
    __tablename__ = "trade"
    company_id = Column(ForeignKey("company.id"))
    company = relationship("Company")
"""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "data.py").write_text(models)
    (tmp_path / "m.py").write_text("from data.data import Trade\ndef f(): return Trade()\n")
    manifest = slice_function(Repository(tmp_path), "m.py::f").manifest
    classes = [d.qualname for d in manifest.definitions if d.kind == "class"]
    assert sorted(classes) == ["Company", "Trade"]


def test_a_class_named_by_a_relation_is_found_among_hundreds_of_files(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for number in range(310):
        text = "class_of_order = 'Order'\n" if number < 40 else ""
        (tmp_path / f"more/m{number}.py").write_text(text)
    files = {
        "orm": "from sqlalchemy.orm import declarative_base\nBase = declarative_base()\n",
        "models": MODELS,
        "setup": "from sqlalchemy.orm import relationship\nfrom shop.orm import Base\n"
        "class Shop(Base):\n    orders = relationship('Order')\n"
        "def target(): return Shop()\n",
    }
    assert "Order" in kept(tmp_path, "target", **files)
