"""`sqlite3` stays real; files are the script's own, and fill when tables of others are read."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables, touched
from ....contacts import Border, Contact, Example, Family, Mock, Treated

# libraries that open their files through sqlite3, and write its SQL themselves
_ABOVE = ("aiosqlite", "peewee", "playhouse", "tortoise", "databases", "dataset", "pony")
_WRITERS = frozenset(_ABOVE) - {"aiosqlite"}


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of sqlite3, and of what stands on it without more."""
    return touched(border, "sqlite3", *_ABOVE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each path is one database for the life of the script."""
    del contacts
    found = [name for name in ("sqlite3", *_ABOVE) if border.modules(name)]
    writes_itself = bool(_WRITERS & set(found))
    return Mock(
        treated=tuple(
            Treated(name, "faked", "each path is a database of the script's own") for name in found
        ),
        setup=expected_tables(border, reads_any=writes_itself, keeps_sql=True)
        + "answer_sqlite()\n",
        pieces=("sqlite_files",),
    )


EXAMPLES = (
    Example(
        title="a bot's table of users, made by the class itself",
        source="""\
import sqlite3


class Users:
    def __init__(self, file):
        self.connection = sqlite3.connect(file, check_same_thread=False)
        self.cursor = self.connection.cursor()
        self.cursor.execute(
            "CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY,"
            " user_id INTEGER UNIQUE NOT NULL, name TEXT, seen REAL DEFAULT 0)"
        )
        self.add_column("pings", "INTEGER", 0)

    def add_column(self, name, kind, default):
        known = [info[1] for info in self.cursor.execute("PRAGMA table_info(users)").fetchall()]
        if name not in known:
            self.cursor.execute(f"ALTER TABLE users ADD COLUMN {name} {kind} DEFAULT {default}")
        return self.connection.commit()

    def value(self, user_id, column):
        found = self.cursor.execute(f"SELECT {column} FROM users WHERE user_id = {user_id}")
        row = found.fetchone()
        return row[0] if row else None
""",
        target="Users.value",
        call="[Users('bot.db').value(1, 'name'), Users('bot.db').value(2, 'pings')]",
        gives="[None, None]",
        effects=(
            "query bot.db",
            "query bot.db",
            "query bot.db",
            "query bot.db",
            "query bot.db",
            "query bot.db",
            "query bot.db",
        ),
    ),
    Example(
        title="a table that the repository makes elsewhere, without a key",
        source="""\
import sqlite3


class Warnings:
    def __init__(self, file):
        self.connection = sqlite3.connect(file)

    def add(self, user, reason):
        last = self.connection.execute(
            "SELECT id FROM warnings WHERE user_id=? ORDER BY id DESC LIMIT 1", (user,)
        ).fetchone()
        number = last[0] + 1 if last else 1
        self.connection.execute(
            "INSERT INTO warnings (id, user_id, reason) VALUES (?, ?, ?)", (number, user, reason)
        )
        return number
""",
        target="Warnings.add",
        call="(lambda w: [w.add(7, 'spam'), w.add(7, 'again'), w.add(1, 'spam')])(Warnings('w.db'))",
        gives="[1, 2, 2]",
        effects=("query w.db",) * 6,
        files=(
            (
                "database/schema.sql",
                "CREATE TABLE IF NOT EXISTS `warnings` (\n  `id` int(11) NOT NULL,\n"
                "  `user_id` varchar(20) NOT NULL,\n  `reason` varchar(255) NOT NULL\n);\n",
            ),
        ),
    ),
    Example(
        title="tables that another program made",
        source="""\
import sqlite3
from contextlib import closing

FILE = "/var/lib/shop/shop.sqlite3"


def order_lines(customer):
    with closing(sqlite3.connect(FILE)) as db:
        db.row_factory = sqlite3.Row
        rows = db.execute(
            "SELECT o.id, o.created_at, p.title, p.price * o.quantity AS total"
            " FROM orders o JOIN products p ON p.id = o.product_id"
            " WHERE o.customer_id = ? ORDER BY o.created_at DESC",
            (customer,),
        ).fetchall()
        return [dict(row) for row in rows]
""",
        target="order_lines",
        call="order_lines(2)",
        gives=("[{'id': 2, 'created_at': '2026-01-02 12:00:00', 'title': 'title 2', 'total': 4}]"),
        effects=("query /var/lib/shop/shop.sqlite3",),
    ),
    Example(
        title="rows written with `with`, counted, and the moment of the default is always one",
        source="""\
import sqlite3

db = sqlite3.connect("visits.db")
db.execute(
    "CREATE TABLE IF NOT EXISTS visits (page TEXT, at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)"
)


def visit(*pages):
    with db:
        db.executemany("INSERT INTO visits (page) VALUES (?)", [(page,) for page in pages])
    return db.execute("SELECT page, count(*), max(at) FROM visits GROUP BY page").fetchall()
""",
        target="visit",
        call="visit('a', 'b', 'a')[:2]",
        gives="[('a', 2, '2026-01-31 12:00:00'), ('b', 1, '2026-01-31 12:00:00')]",
        effects=("query visits.db", "query visits.db", "query visits.db"),
    ),
    Example(
        title="a key that is there twice",
        source="""\
import sqlite3


def register(path, name):
    conn = sqlite3.connect(path)
    try:
        conn.execute("CREATE TABLE accounts (name TEXT PRIMARY KEY, coins INT)")
        for _ in range(2):
            conn.execute("INSERT INTO accounts VALUES (?, 10)", (name,))
        conn.commit()
    except sqlite3.IntegrityError as error:
        conn.rollback()
        return str(error)
    finally:
        conn.close()
    return "registered"
""",
        target="register",
        call="register('game.db', 'ann')",
        gives="'UNIQUE constraint failed: accounts.name'",
        effects=("query game.db",) * 4,
    ),
    Example(
        title="a subclass of the connection, and two of them at one file",
        source="""\
import sqlite3


class Store(sqlite3.Connection):
    def put(self, key, value):
        self.execute("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", (key, value))
        self.commit()


def remember(key, value):
    first: Store = sqlite3.connect("settings.db", factory=Store)
    first.executescript("CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT);")
    first.put(key, value)
    first.close()
    second = sqlite3.connect("file:settings.db?mode=ro", uri=True)
    found = second.execute("SELECT value FROM settings WHERE key = :key", {"key": key}).fetchone()
    return isinstance(first, sqlite3.Connection), found
""",
        target="remember",
        call="remember('colour', 'red')",
        gives="(True, ('red',))",
        effects=("query settings.db",) * 4,
    ),
    Example(
        title="peewee, with its own SQL",
        source="""\
from peewee import BooleanField, CharField, ForeignKeyField, IntegrityError, Model, SqliteDatabase

db = SqliteDatabase("people.db", pragmas={"journal_mode": "wal"})


class Base(Model):
    class Meta:
        database = db


class Person(Base):
    name = CharField(unique=True)
    active = BooleanField(default=True)


class Pet(Base):
    owner = ForeignKeyField(Person, backref="pets")
    name = CharField()


def adopt(name, pet):
    db.connect(reuse_if_open=True)
    db.create_tables([Person, Pet], safe=True)
    person, created = Person.get_or_create(name=name)
    with db.atomic():
        Pet.create(owner=person, name=pet)
    try:
        Person.create(name=name)
    except IntegrityError:
        pets = [each.name for each in person.pets.order_by(Pet.id)]
    return created, person.active, pets, Person.select().count()
""",
        target="adopt",
        call="adopt('eve', 'rex')",
        gives="(True, True, ['rex'], 1)",
        effects=("query people.db",) * 15,
    ),
    Example(
        title="aiosqlite",
        source="""\
import aiosqlite


class Warnings:
    def __init__(self, path="warnings.db"):
        self.path = path

    async def add(self, user, reason):
        async with aiosqlite.connect(self.path) as db:
            db.row_factory = aiosqlite.Row
            await db.execute(
                "INSERT INTO warnings (user_id, reason) VALUES (?, ?)", (user, reason)
            )
            await db.commit()
            async with db.execute(
                "SELECT reason FROM warnings WHERE user_id = ? ORDER BY reason", (user,)
            ) as cursor:
                return [row["reason"] async for row in cursor]
""",
        target="Warnings.add",
        call="await Warnings().add(2, 'late')",
        gives="['late', 'reason 2']",
        effects=("query warnings.db",) * 3,
    ),
)

FAMILY = Family("sqlite", applies, stub, EXAMPLES)
