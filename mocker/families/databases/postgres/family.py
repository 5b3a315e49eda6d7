"""PostgreSQL: the drivers' own exceptions and rows, over a server in memory."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables, touched
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_DRIVERS = {
    "psycopg2": ("psycopg2_driver", "answer_psycopg2()"),
    "psycopg": ("psycopg_driver", "answer_psycopg()"),
    "psycopg_pool": ("psycopg_driver", "answer_psycopg()"),
    "asyncpg": ("asyncpg_driver", "answer_asyncpg()"),
}


# libraries that reach a driver on their own
_ABOVE = ("peewee.PostgresqlDatabase", "playhouse", "tortoise", "databases.Database", "pony")


def _above(border: Border) -> tuple[Contact, ...]:
    return border.named(*_ABOVE)


def applies(border: Border) -> tuple[Contact, ...]:
    """Any driver of PostgreSQL."""
    return touched(border, *_DRIVERS) or _above(border)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each database is one of SQLite; its tables are those that the slice's SQL names."""
    del contacts
    found = [name for name in _DRIVERS if border.modules(name)]
    if _above(border):
        found += ["psycopg2", "asyncpg"]
    wanted = dict.fromkeys(_DRIVERS[name] for name in found)
    return Mock(
        treated=tuple(Treated(name, "faked", "a server in memory answers it") for name in found),
        setup=expected_tables(border, reads_any=bool(_above(border)))
        + "".join(f"{call}\n" for _, call in wanted),
        pieces=tuple(piece for piece, _ in wanted),
    )


EXAMPLES = (
    Example(
        title="psycopg2: rows as dictionaries, an upsert, a failure that is rolled back",
        source="""\
import os

import psycopg2
from psycopg2.extras import RealDictCursor


class Stock:
    def __init__(self):
        self.conn = psycopg2.connect(
            host=os.environ.get("PGHOST", "db.internal"), dbname="shop", user="app", password="pw"
        )
        with self.conn, self.conn.cursor() as cur:
            cur.execute(
                "CREATE TABLE IF NOT EXISTS stock (id SERIAL PRIMARY KEY, sku VARCHAR(20) UNIQUE"
                " NOT NULL, amount INTEGER DEFAULT 0 CHECK (amount >= 0), price NUMERIC(10, 2),"
                " seen TIMESTAMP DEFAULT now())"
            )

    def put(self, sku, amount, price):
        with self.conn.cursor(cursor_factory=RealDictCursor) as cur:
            try:
                cur.execute(
                    "INSERT INTO stock (sku, amount, price) VALUES (%s, %s, %s) ON CONFLICT (sku)"
                    " DO UPDATE SET amount = stock.amount + EXCLUDED.amount RETURNING *",
                    (sku, amount, price),
                )
                row = cur.fetchone()
                self.conn.commit()
            except psycopg2.errors.CheckViolation as error:
                self.conn.rollback()
                return error.pgcode
            return row["amount"], row["price"], row["seen"].year, dict(row)["sku"]
""",
        target="Stock.put",
        call="(lambda s: [s.put('a', 2, '1.5'), s.put('a', 3, 1), s.put('b', -1, 1)])(Stock())",
        gives=("[(2, Decimal('1.50'), 2026, 'a'), (5, Decimal('1.50'), 2026, 'a'), '23514']"),
        effects=("query postgresql://db.internal:5432/shop",) * 8,
    ),
    Example(
        title="psycopg2: tables that somebody else made, many rows at once, names put together",
        source="""\
import psycopg2
from psycopg2 import sql
from psycopg2.extras import execute_values
from psycopg2.pool import SimpleConnectionPool

pool = SimpleConnectionPool(1, 5, "postgresql://app:secret@pg:5433/metrics")


def count(table, rows):
    conn = pool.getconn()
    try:
        with conn.cursor() as cur:
            execute_values(cur, "INSERT INTO points (name, value) VALUES %s", rows)
            cur.execute(
                sql.SQL("SELECT name, value FROM {} WHERE {} = ANY(%s) ORDER BY value").format(
                    sql.Identifier(table), sql.Identifier("name")
                ),
                ([name for name, _ in rows],),
            )
            found = cur.fetchall()
            names = [column.name for column in cur.description]
            cur.execute("SELECT count(*) FROM points WHERE name LIKE %s", ("%'%",))
            return found, names, cur.fetchone()[0]
    finally:
        conn.rollback()
        pool.putconn(conn)
""",
        target="count",
        call="count('points', [('x', 2), (\"it's\", 1)])",
        gives="([(\"it's\", 1), ('x', 2)], ['name', 'value'], 1)",
        effects=("query postgresql://pg:5433/metrics",) * 4,
    ),
    Example(
        title="psycopg: rows as dictionaries, a transaction inside a transaction",
        source="""\
import psycopg
from psycopg.rows import dict_row


def move(dsn, source, target, amount):
    with psycopg.connect(dsn, row_factory=dict_row) as conn:
        conn.execute("CREATE TABLE accounts (name text PRIMARY KEY, money int NOT NULL)")
        with conn.cursor() as cur:
            cur.executemany(
                "INSERT INTO accounts VALUES (%s, %s)", [(source, 10), (target, 0)]
            )
        try:
            with conn.transaction():
                conn.execute(
                    "UPDATE accounts SET money = money - %(a)s WHERE name = %(n)s",
                    {"a": amount, "n": source},
                )
                conn.execute("UPDATE accounts SET money = NULL WHERE name = %s", (target,))
        except psycopg.errors.NotNullViolation as error:
            failed = type(error).__name__, error.sqlstate
        rows = conn.execute("SELECT name, money FROM accounts ORDER BY name").fetchall()
    return failed, rows
""",
        target="move",
        call="move('host=localhost dbname=bank user=x password=y', 'a', 'b', 4)",
        gives=(
            "(('NotNullViolation', '23502'), [{'name': 'a', 'money': 10}, {'name': 'b', 'money': 0}])"
        ),
        effects=("query postgresql://localhost:5432/bank",) * 9,
    ),
    Example(
        title="psycopg with await",
        source="""\
import psycopg


async def latest(limit):
    async with await psycopg.AsyncConnection.connect("postgresql://u:p@h/news") as conn:
        async with conn.cursor() as cur:
            await cur.execute(
                "SELECT id, title FROM articles WHERE published_at < now() ORDER BY id DESC LIMIT %s",
                (limit,),
            )
            return [row async for row in cur]
""",
        target="latest",
        call="await latest(2)",
        gives="[(3, 'title 3'), (2, 'title 2')]",
        effects=("query postgresql://h:5432/news", "query postgresql://h:5432/news"),
    ),
    Example(
        title="asyncpg: a pool of a bot, a transaction that fails",
        source="""\
import asyncpg


class Store:
    pool: asyncpg.Pool = None

    async def connect(self, dsn):
        self.pool = await asyncpg.create_pool(dsn, min_size=1, max_size=3)
        async with self.pool.acquire() as connection:
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS users (id BIGINT PRIMARY KEY, name TEXT, vip BOOLEAN"
                " DEFAULT false)"
            )

    async def add(self, *users):
        async with self.pool.acquire() as connection:
            try:
                async with connection.transaction():
                    for user in users:
                        await connection.execute("INSERT INTO users (id, name) VALUES ($1, $2)", *user)
            except asyncpg.UniqueViolationError:
                return await self.pool.fetchval("SELECT count(*) FROM users")
            row = await connection.fetchrow("SELECT * FROM users WHERE id = $1", users[0][0])
            return dict(row), row["vip"]


async def use():
    store = Store()
    await store.connect("postgresql://bot:pw@localhost/bot")
    return [await store.add((11, "a")), await store.add((12, "b"), (11, "c"))]
""",
        target="use",
        call="await use()",
        gives="[({'id': 11, 'name': 'a', 'vip': False}, False), 4]",
        effects=("query postgresql://localhost:5432/bot",) * 10,
    ),
    Example(
        title="peewee over psycopg2",
        source="""\
from peewee import CharField, IntegerField, Model, PostgresqlDatabase

db = PostgresqlDatabase("game", user="u", password="p", host="pg")


class Player(Model):
    name = CharField()
    score = IntegerField(default=0)

    class Meta:
        database = db


def best(name, score):
    Player.create(name=name, score=score)
    found = Player.select().where(Player.score > 1).order_by(Player.score.desc())
    return [(player.name, player.score) for player in found]
""",
        target="best",
        call="best('zed', 9)",
        gives="[('zed', 9), ('name 3', 3), ('name 2', 2)]",
        effects=("query postgresql://pg:5432/game",) * 2,
    ),
)

FAMILY = Family("postgres", applies, stub, EXAMPLES)
