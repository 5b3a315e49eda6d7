"""Programs over SQLAlchemy, each with a function `main(address)`; for real it is PostgreSQL."""

PROGRAMS = {
    "core": """\
from decimal import Decimal
from datetime import date, datetime
from sqlalchemy import (
    Boolean, Column, Date, DateTime, ForeignKey, Integer, MetaData, Numeric, String, Table,
    create_engine, func, select, text, update,
)
from sqlalchemy.exc import IntegrityError, ProgrammingError

metadata = MetaData()
items = Table(
    "items", metadata, Column("id", Integer, primary_key=True), Column("name", String(20), nullable=False),
    Column("price", Numeric(8, 2)), Column("day", Date), Column("at", DateTime), Column("ok", Boolean),
)


def main(url):
    engine = create_engine(url)
    metadata.create_all(engine)
    log = []
    with engine.begin() as conn:
        done = conn.execute(items.insert().values(name="pen", price=Decimal("1.50"), ok=True))
        log += [done.inserted_primary_key[0], done.rowcount]
        rows = [{"name": "ink", "price": 2, "day": date(2026, 1, 2)}, {"name": "cap", "price": None, "day": None}]
        conn.execute(items.insert(), rows)
        conn.execute(items.insert().values(name="cup", at=datetime(2026, 1, 2, 3, 4, 5), ok=False))
    with engine.connect() as conn:
        log += [tuple(row) for row in conn.execute(select(items).order_by(items.c.id))]
        total = conn.execute(select(func.count(), func.sum(items.c.price), func.max(items.c.name))).one()
        log.append(tuple(total))
        log.append(conn.execute(update(items).where(items.c.price > 1).values(ok=False)).rowcount)
        conn.rollback()
        log.append(conn.scalar(select(func.count()).where(items.c.ok)))
        log.append(conn.execute(text("SELECT name FROM items WHERE id = :id"), {"id": 99}).first())
        log.append(conn.execute(text("SELECT name, price FROM items WHERE id = :id"), {"id": 1}).mappings().first())
        for statement in ("SELECT * FROM items WHERE wrong = 1", "SELEC 1"):
            try:
                conn.execute(text(statement))
            except ProgrammingError as error:
                log.append(type(error).__name__)
                conn.rollback()
        try:
            conn.execute(items.insert().values(name=None))
        except IntegrityError as error:
            log.append(type(error).__name__)
            conn.rollback()
        log.append(list(conn.execute(select(items.c.name).where(items.c.name.ilike("C%")).order_by("name")).scalars()))
    return log
""",
    "orm": """\
from sqlalchemy import ForeignKey, String, UniqueConstraint, create_engine, delete, func, select
from sqlalchemy.exc import IntegrityError, NoResultFound
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, sessionmaker


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "authors"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(30), unique=True)
    books: Mapped[list["Book"]] = relationship(back_populates="author", cascade="all, delete-orphan")


class Book(Base):
    __tablename__ = "books"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    year: Mapped[int | None] = mapped_column(default=2000)
    author_id: Mapped[int] = mapped_column(ForeignKey("authors.id"))
    author: Mapped[Author] = relationship(back_populates="books")


def add(session, name, *titles):
    author = Author(name=name, books=[Book(title=title) for title in titles])
    session.add(author)
    try:
        session.commit()
    except IntegrityError as error:
        session.rollback()
        return type(error.orig).__name__
    return author.name, [book.year for book in author.books]


def main(url):
    engine = create_engine(url)
    Base.metadata.create_all(engine)
    log = []
    with sessionmaker(engine)() as session:
        log += [add(session, "ann", "one", "two"), add(session, "bob"), add(session, "ann")]
        log += [add(session, "cy", "three")]
        ann = session.scalars(select(Author).where(Author.name == "ann")).one()
        ann.books[0].year = 1999
        session.flush()
        log.append(session.scalar(select(func.count()).select_from(Book).where(Book.year < 2000)))
        session.rollback()
        log += [book.year for book in ann.books]
        log.append(session.get(Author, 99))
        try:
            session.scalars(select(Author).where(Author.name == "eve")).one()
        except NoResultFound as error:
            log.append(str(error))
        query = select(Author.name, func.count(Book.id)).join(Book, isouter=True).group_by(Author.name)
        log += [tuple(row) for row in session.execute(query.order_by(Author.name))]
        session.add(Book(title="lost", author_id=77))
        try:
            session.commit()
        except IntegrityError as error:
            log.append(type(error.orig).__name__)
            session.rollback()
        session.delete(ann)
        session.commit()
        log.append(session.execute(delete(Book).where(Book.year == 2000)).rowcount)
        session.commit()
    with Session(engine) as session:
        log += [session.query(Book).count(), [a.name for a in session.query(Author).order_by(Author.id)]]
        log.append(session.query(Author).filter_by(name="nobody").first())
        log.append(session.query(Author).filter(Author.name.in_(["bob", "cy"])).order_by(Author.name.desc()).all()[0].name)
    return log
""",
    "dialect": """\
import uuid
from sqlalchemy import JSON, Column, Integer, String, Uuid, create_engine, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.orm import declarative_base, sessionmaker

Base = declarative_base()


class Page(Base):
    __tablename__ = "pages"
    path = Column(String, primary_key=True)
    hits = Column(Integer, server_default=text("0"))
    data = Column(JSONB)
    tags = Column(ARRAY(String))
    mark = Column(Uuid)


def save(session, path, hits, **rest):
    statement = insert(Page).values(path=path, hits=hits, **rest)
    statement = statement.on_conflict_do_update(
        index_elements=[Page.path], set_={"hits": Page.hits + statement.excluded.hits}
    ).returning(Page.hits)
    return session.execute(statement).scalar_one()


def main(url):
    engine = create_engine(url, pool_pre_ping=True)
    Base.metadata.create_all(bind=engine)
    log = []
    with sessionmaker(bind=engine).begin() as session:
        mark = uuid.UUID(int=5)
        log += [save(session, "/", 2, data={"a": [1, None]}, tags=["x", "y"], mark=mark), save(session, "/", 3)]
        session.add(Page(path="/b"))
        session.flush()
        page = session.get(Page, "/b")
        log += [page.hits, page.data, page.tags]
        log.append(session.execute(insert(Page).values(path="/").on_conflict_do_nothing()).rowcount)
    with engine.connect() as conn:
        row = conn.execute(select(Page.__table__).where(Page.path == "/")).one()
        log += [row.data, row.tags, row.mark, row._mapping["hits"]]
    Base.metadata.drop_all(engine)
    return log
""",
    "points": """\
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError


def main(url):
    engine = create_engine(url, echo=False)
    log = []
    with engine.begin() as conn:
        conn.execute(text("CREATE TABLE marks (id SERIAL PRIMARY KEY, name VARCHAR(9) UNIQUE, n INT NOT NULL)"))
    try:
        with engine.begin() as conn:
            conn.execute(text("INSERT INTO marks (name, n) VALUES (:name, :n)"), [{"name": "a", "n": 1}, {"name": "b", "n": 2}])
            conn.execute(text("INSERT INTO marks (name, n) VALUES ('a', 3)"))
    except IntegrityError as error:
        log.append(error.connection_invalidated)
    with engine.connect() as conn:
        log.append(conn.execute(text("SELECT count(*) FROM marks")).scalar())
        inner = conn.begin_nested()
        conn.execute(text("INSERT INTO marks (name, n) VALUES ('c', 3)"))
        inner.rollback()
        with conn.begin_nested():
            conn.execute(text("INSERT INTO marks (name, n) VALUES ('d', 4)"))
        conn.commit()
        result = conn.execute(text("SELECT name, n FROM marks ORDER BY id"))
        log += [list(result.keys()), result.fetchone(), result.fetchall(), result.fetchall()]
        log.append(conn.execute(text("UPDATE marks SET n = n + 1 RETURNING n")).fetchall())
        log.append(conn.in_transaction())
    with engine.connect() as conn:
        log.append(conn.execute(text("SELECT n FROM marks WHERE name = 'd'")).scalar_one_or_none())
        log.append(conn.execute(text("DELETE FROM marks WHERE n > 100")).rowcount)
        conn.commit()
        try:
            conn.execute(text("INSERT INTO marks (name) VALUES ('e')"))
        except DBAPIError as error:
            log.append(type(error).__name__)
    log += [inspect(engine).has_table("marks"), inspect(engine).has_table("others")]
    log.append([column["name"] for column in inspect(engine).get_columns("marks")])
    return [tuple(each) if hasattr(each, "_fields") else each for each in log]
""",
    "asynchronous": """\
from sqlalchemy import String, select, func
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Task(Base):
    __tablename__ = "tasks"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(40), unique=True)
    done: Mapped[bool] = mapped_column(default=False)


async def main(url):
    engine = create_async_engine(url.replace("+psycopg2", "+asyncpg"))
    async with engine.begin() as conn:
        await conn.run_sync(Base.metadata.create_all)
    make = async_sessionmaker(engine, expire_on_commit=False)
    log = []
    async with make() as session:
        session.add_all([Task(title="one"), Task(title="two", done=True)])
        await session.commit()
        try:
            async with session.begin():
                session.add(Task(title="three"))
                session.add(Task(title="one"))
        except IntegrityError as error:
            log.append(type(error).__name__)
        found = (await session.execute(select(Task).order_by(Task.id))).scalars().all()
        log += [(task.id, task.title, task.done) for task in found]
        log.append(await session.scalar(select(func.count()).select_from(Task)))
        log.append((await session.execute(select(Task).where(Task.title == "no"))).scalar_one_or_none())
        task = await session.get(Task, 2)
        await session.delete(task)
        await session.commit()
        log.append(len((await session.scalars(select(Task))).all()))
    await engine.dispose()
    return log
""",
}
