"""SQLAlchemy, SQLModel and Flask-SQLAlchemy stay real: engines of any address are SQLite ones."""

from __future__ import annotations

import ast

from ....answers.services.sql_facts import expected_tables, touched, trees
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = ("sqlalchemy", "sqlmodel", "flask_sqlalchemy", "sqlalchemy_utils")
_READERS = frozenset(
    "query select scalars scalar exec execute filter filter_by first all one fetchall fetchone where"
    " read_sql read_sql_query read_sql_table get_or_404 first_or_404 paginate delete merge".split()
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of SQLAlchemy and what stands on it."""
    return touched(border, *_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Every engine is one of SQLite; its tables are those of the slice's own metadata."""
    del contacts
    names = _names(border)
    reads = names.called & _READERS or names.gets
    tables = expected_tables(border, reads_any=bool(reads))
    requirements = ("aiosqlite>=0.20", "greenlet>=3") if names.is_async else ()
    imported = [top for top in _MODULES if border.modules(top)]
    return Mock(
        treated=tuple(
            Treated(top, "faked", "its engines are SQLite ones, with the slice's own tables")
            for top in imported
        ),
        setup=f"{tables}answer_sqlalchemy({names.columns!r})\n",
        pieces=("sqlalchemy_engines",),
        requirements=requirements,
    )


class _Names(ast.NodeVisitor):
    """What the slice calls, and what it takes from columns."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self.columns: list[str] = []
        self.gets = False
        self.is_async = False

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                self.called.add(name)
                first = node.args[0] if node.args else None
                if name in ("get", "refresh"):
                    self.gets |= isinstance(first, ast.Name) and first.id[:1].isupper()
            case _:
                pass
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("c", "columns"):
            self.columns.append(node.attr)
        self.called.update({node.attr} & {"query"})
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="c" | "columns"), slice=ast.Constant(value=str() as name)
            ):
                self.columns.append(name)
            case _:
                pass
        self.generic_visit(node)


def _names(border: Border) -> _Names:
    names = _Names()
    for tree in trees(border):
        names.visit(tree)
    names.columns = sorted(set(names.columns) - {"keys", "values", "items", "get", "tolist"})
    modules = border.modules("sqlalchemy.ext.asyncio", "sqlmodel.ext.asyncio")
    names.is_async = bool(modules)
    return names


EXAMPLES = (
    Example(
        title="a session for a server, made by a function",
        source="""\
from datetime import datetime

from sqlalchemy import Column, DateTime, Integer, String, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, sessionmaker


class Base(DeclarativeBase):
    pass


class UserRow(Base):
    __tablename__ = "users"

    id = Column(Integer, autoincrement=True, primary_key=True)
    username = Column(String(50), unique=True, nullable=False)
    created = Column(DateTime, default=datetime.now)


def get_session():
    engine = create_engine("mysql+mysqlconnector://root:secret@db.internal/notes", pool_size=5)
    return sessionmaker(bind=engine)()


class Users:
    def __init__(self):
        self.session = get_session()

    def rename(self, user_id, name):
        try:
            user = self.session.query(UserRow).filter(UserRow.id == user_id).first()
            if user is None:
                return False
            before, user.username = user.username, name
            self.session.commit()
            self.session.refresh(user)
            return before, user.username, user.created.year
        except SQLAlchemyError as error:
            self.session.rollback()
            raise SQLAlchemyError(f"cannot rename: {error}") from error
        finally:
            self.session.close()
""",
        target="Users.rename",
        call="[Users().rename(2, 'ann'), Users().rename(9, 'bob')]",
        gives="[('username 2', 'ann', 2026), False]",
        effects=("query mysql+mysqlconnector://root:***@db.internal/notes",) * 5,
    ),
    Example(
        title="types and clauses of PostgreSQL",
        source="""\
import enum
import uuid

from sqlalchemy import BigInteger, Enum, ForeignKey, String, create_engine, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID, insert
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

engine = create_engine("postgresql+psycopg2://app:pw@pg/app", pool_pre_ping=True, echo=False)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Base(DeclarativeBase):
    pass


class Owner(Base):
    __tablename__ = "owners"
    __table_args__ = {"schema": "shop"}
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str] = mapped_column(String(20))
    things: Mapped[list["Thing"]] = relationship(back_populates="owner")


class Thing(Base):
    __tablename__ = "things"
    __table_args__ = {"schema": "shop"}
    id: Mapped[uuid.UUID] = mapped_column(UUID(as_uuid=True), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("shop.owners.id"))
    tags: Mapped[list[str]] = mapped_column(ARRAY(String))
    extra: Mapped[dict] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    colour: Mapped[Colour] = mapped_column(Enum(Colour, name="colour"))
    owner: Mapped[Owner] = relationship(back_populates="things")


def tag(number, tags):
    key = uuid.UUID(int=number)
    row = {"id": key, "owner_id": 2, "tags": tags, "colour": Colour.BLUE}
    with Session(engine) as session, session.begin():
        for _ in range(2):
            statement = insert(Thing).values(**row)
            session.execute(
                statement.on_conflict_do_update(
                    index_elements=[Thing.id], set_={"tags": statement.excluded.tags}
                )
            )
    with Session(engine) as session:
        thing = session.get(Thing, key)
        count = session.scalar(select(func.count()).select_from(Thing))
        return thing.tags, thing.extra, thing.colour, thing.owner.name, count
""",
        target="tag",
        call="tag(7, ['a', 'b'])",
        gives="(['a', 'b'], {}, <Colour.BLUE: 'blue'>, 'name 2', 4)",
        effects=("query postgresql+psycopg2://app:***@pg/app",) * 6,
    ),
    Example(
        title="SQL as text, rows as dictionaries",
        source="""\
import os

from sqlalchemy import create_engine, text

engine = create_engine(os.getenv("SLICE_FUNC_NO_SUCH_URL"), echo=False)


def run_query(query, args={}):
    with engine.connect() as conn:
        result = conn.execute(text(query), args)
        if query.strip().split()[0].lower() in ("delete", "insert", "update"):
            conn.commit()
            return result.rowcount
        return [dict(row._mapping) for row in result]


def rooms(city):
    run_query("INSERT INTO rooms (city, price, active) VALUES (:c, 10, TRUE)", {"c": city})
    return run_query(
        "SELECT id, city, price FROM rooms WHERE city ILIKE :city AND active ORDER BY id DESC",
        {"city": "%" + city.upper()},
    )
""",
        target="rooms",
        call="rooms('rome')",
        gives="[{'id': 4, 'city': 'rome', 'price': 10}]",
        effects=("query postgresql://user:***@localhost:5432/database",) * 3,
    ),
    Example(
        title="SQLModel with await",
        source="""\
from typing import Optional

from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import Field, SQLModel, select
from sqlmodel.ext.asyncio.session import AsyncSession


class Chapter(SQLModel, table=True):
    url: str = Field(primary_key=True)
    file_id: Optional[str]


class Store:
    def __init__(self, address="sqlite+aiosqlite:///test.db"):
        self.engine = create_async_engine(address)

    async def connect(self):
        async with self.engine.begin() as conn:
            await conn.run_sync(SQLModel.metadata.create_all, checkfirst=True)

    async def add(self, other):
        async with AsyncSession(self.engine) as session:
            async with session.begin():
                session.add(other)

    async def files(self):
        await self.connect()
        await self.add(Chapter(url="http://a", file_id="f"))
        async with AsyncSession(self.engine) as session:
            found = await session.exec(select(Chapter).order_by(Chapter.url))
            return [chapter.file_id for chapter in found]
""",
        target="Store.files",
        call="await Store('postgresql+asyncpg://bot:pw@db/manga').files()",
        gives="['f', 'file_id 1', 'file_id 2', 'file_id 3']",
        effects=("query postgresql+asyncpg://bot:***@db/manga",) * 4,
    ),
    Example(
        title="a model of a Flask application",
        source="""\
from flask import Flask
from flask_sqlalchemy import SQLAlchemy

app = Flask(__name__)
app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite:///site.db"
db = SQLAlchemy(app)


class Post(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    title = db.Column(db.String(80), nullable=False)
    likes = db.Column(db.Integer, default=0)


def like(post_id):
    post = Post.query.get_or_404(post_id)
    post.likes += 1
    db.session.commit()
    return post.title, post.likes, Post.query.filter_by(likes=0).count()
""",
        target="like",
        call="like(3)",
        gives="('title 3', 1, 2)",
        effects=("query sqlite:///site.db",) * 5,
    ),
    Example(
        title="tables that are reflected, and Core",
        source="""\
from sqlalchemy import MetaData, Table, create_engine, select

engine = create_engine("postgresql://u:p@h/warehouse", connect_args={"sslmode": "require"})
metadata = MetaData()


def stock(sku):
    items = Table("items", metadata, autoload_with=engine)
    with engine.begin() as connection:
        connection.execute(items.insert(), [{"sku": sku, "amount": 3}, {"sku": sku, "amount": 4}])
        rows = connection.execute(select(items.c.amount).where(items.c.sku == sku))
        return sorted(rows.scalars())
""",
        target="stock",
        call="stock('x1')",
        gives="[3, 4]",
        effects=("query postgresql://u:***@h/warehouse",) * 3,
    ),
)

FAMILY = Family("sqlalchemy", applies, stub, EXAMPLES)
