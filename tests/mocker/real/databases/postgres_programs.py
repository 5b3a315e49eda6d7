"""Programs for PostgreSQL, each with a function `main(folder of the socket, database)`."""

PROGRAMS = {
    "types": """\
import datetime
import decimal
import psycopg2
from psycopg2.extras import Json


def main(host, database):
    conn = psycopg2.connect(host=host, dbname=database, user="app")
    cur = conn.cursor()
    cur.execute(
        "CREATE TABLE things (id SERIAL PRIMARY KEY, name VARCHAR(30) NOT NULL, price NUMERIC(8, 2),"
        " ok BOOLEAN DEFAULT TRUE, day DATE, at TIMESTAMP, data JSONB, tags TEXT[], ratio DOUBLE PRECISION)"
    )
    cur.execute(
        "INSERT INTO things (name, price, day, at, data, tags, ratio)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        ("it's", decimal.Decimal("2.5"), datetime.date(2026, 1, 2),
         datetime.datetime(2026, 1, 2, 3, 4, 5), Json({"a": [1, None]}), ["x", "y"], 0.25),
    )
    cur.execute("INSERT INTO things (name, ok) VALUES (%(name)s, %(ok)s)", {"name": "b", "ok": False})
    cur.execute("SELECT * FROM things ORDER BY id")
    rows = cur.fetchall()
    cur.execute("SELECT id, name AS title, ok FROM things WHERE price IS NULL")
    found = cur.fetchone(), cur.fetchone(), [column[0] for column in cur.description], cur.rowcount
    conn.commit()
    conn.close()
    return rows, found
""",
    "goes_back": """\
import psycopg2


def main(host, database):
    conn = psycopg2.connect(host=host, dbname=database, user="app")
    with conn:
        with conn.cursor() as cur:
            cur.execute("CREATE TABLE accounts (name TEXT PRIMARY KEY, money INT NOT NULL)")
            cur.executemany("INSERT INTO accounts VALUES (%s, %s)", [("a", 10), ("b", 5)])
    log = []
    for name, money in (("c", 1), ("a", 1), ("d", None)):
        try:
            with conn:
                with conn.cursor() as cur:
                    cur.execute("UPDATE accounts SET money = money + 100")
                    log.append(cur.rowcount)
                    cur.execute("INSERT INTO accounts VALUES (%s, %s)", (name, money))
        except psycopg2.IntegrityError as error:
            log.append((type(error).__name__, error.pgcode))
    with conn.cursor() as cur:
        cur.execute("SELECT name, money FROM accounts ORDER BY name")
        log.append(cur.fetchall())
        cur.execute("DELETE FROM accounts WHERE money > %s RETURNING name", (106,))
        log.append(sorted(cur.fetchall()))
    conn.rollback()
    with conn.cursor() as cur:
        cur.execute("SELECT count(*) FROM accounts")
        log.append(cur.fetchone())
    return log
""",
    "upsert": """\
import psycopg2
from psycopg2.extras import RealDictCursor


def main(host, database):
    conn = psycopg2.connect(host=host, dbname=database, user="app")
    conn.autocommit = True
    with conn.cursor(cursor_factory=RealDictCursor) as cur:
        cur.execute("CREATE TABLE hits (page TEXT, lang TEXT, n INT DEFAULT 1, UNIQUE (page, lang))")
        for page, lang in (("a", "de"), ("a", "en"), ("a", "de")):
            cur.execute(
                "INSERT INTO hits (page, lang) VALUES (%s, %s) ON CONFLICT (page, lang)"
                " DO UPDATE SET n = hits.n + EXCLUDED.n RETURNING n",
                (page, lang),
            )
            last = cur.fetchone()
        cur.execute("INSERT INTO hits VALUES ('a', 'de', 9) ON CONFLICT DO NOTHING")
        count = cur.rowcount
        cur.execute("SELECT page, SUM(n) AS total, COUNT(*), MAX(lang) FROM hits GROUP BY page")
        rows = cur.fetchall()
    return dict(last), count, [dict(row) for row in rows]
""",
    "spoilt": """\
import psycopg2
from psycopg2 import errors


def attempt(cur, sql, values=None):
    try:
        cur.execute(sql, values)
        return cur.fetchall() if cur.description else cur.rowcount
    except psycopg2.Error as error:
        return type(error).__name__, error.pgcode


def main(host, database):
    conn = psycopg2.connect(host=host, dbname=database, user="app")
    cur = conn.cursor()
    log = [attempt(cur, "CREATE TABLE t (id INT PRIMARY KEY, n INT CHECK (n > 0))")]
    conn.commit()
    log.append(attempt(cur, "INSERT INTO t VALUES (1, 1)"))
    log.append(attempt(cur, "INSERT INTO t VALUES (2, 0)"))
    log.append(attempt(cur, "SELECT 1"))
    conn.rollback()
    log.append(attempt(cur, "SELECT absent FROM t"))
    conn.rollback()
    log.append(attempt(cur, "SELEC 1"))
    conn.rollback()
    log.append(attempt(cur, "INSERT INTO t VALUES (%s, %s)", (3, 4)))
    log.append(attempt(cur, "SAVEPOINT one"))
    log.append(attempt(cur, "INSERT INTO t VALUES (%s, %s)", (3, 5)))
    log.append(attempt(cur, "ROLLBACK TO SAVEPOINT one"))
    log.append(attempt(cur, "SELECT * FROM t"))
    conn.commit()
    try:
        cur.execute("UPDATE t SET n = 7")
        cur.fetchone()
    except psycopg2.ProgrammingError as error:
        log.append(str(error))
    conn.close()
    try:
        conn.cursor()
    except psycopg2.InterfaceError as error:
        log.append(str(error))
    return log
""",
    "words": """\
import psycopg2
from psycopg2.extras import DictCursor, NamedTupleCursor, execute_values


def main(host, database):
    conn = psycopg2.connect(host=host, dbname=database, user="app")
    with conn, conn.cursor() as cur:
        cur.execute("CREATE TABLE people (id SERIAL PRIMARY KEY, name TEXT, age INT, town TEXT)")
        execute_values(
            cur,
            "INSERT INTO people (name, age, town) VALUES %s",
            [("Ann", 30, "Rome"), ("bob", 20, "Oslo"), ("Cy%", 40, None)],
        )
        found = {}
        for name, sql, values in (
            ("ilike", "SELECT name FROM people WHERE name ILIKE %s ORDER BY id", ("%B%",)),
            ("like", "SELECT name FROM people WHERE name LIKE 'a%%' OR age > %s", (35,)),
            ("any", "SELECT id FROM people WHERE id = ANY(%s) ORDER BY id DESC", ([1, 3],)),
            ("in", "SELECT id FROM people WHERE name IN %s ORDER BY id", (("bob", "Ann"),)),
            ("cast", "SELECT count(*)::int, max(age), min(name) FROM people", None),
            ("avg", "SELECT avg(age) AS mean FROM people WHERE town IS NOT NULL", None),
            ("coalesce", "SELECT COALESCE(town, 'none') AS t FROM people ORDER BY 1", None),
            ("exists", "SELECT EXISTS (SELECT 1 FROM people WHERE age > %s)", (39,)),
            ("case", "SELECT name, CASE WHEN age < 25 THEN 'y' ELSE 'o' END AS k FROM people"
             " ORDER BY age LIMIT 2 OFFSET 1", None),
            ("regexp", "SELECT name FROM people WHERE name ~ '^[A-C]' ORDER BY name", None),
            ("concat", "SELECT name || ':' || age FROM people ORDER BY id", None),
        ):
            cur.execute(sql, values)
            found[name] = cur.fetchall()
    with conn.cursor(cursor_factory=DictCursor) as cur:
        cur.execute("SELECT id, name FROM people WHERE age = %s", (20,))
        row = cur.fetchone()
        found["dict"] = row["name"], row[0], dict(row)
    with conn.cursor(cursor_factory=NamedTupleCursor) as cur:
        cur.execute("SELECT id, name FROM people ORDER BY age DESC")
        found["named"] = [each.name for each in cur]
    conn.rollback()
    return found
""",
    "async_pool": """\
import asyncpg


async def main(host, database):
    pool = await asyncpg.create_pool(host=host, database=database, user="app", min_size=1, max_size=1)
    async with pool.acquire() as conn:
        await conn.execute(
            "CREATE TABLE tasks (id SERIAL PRIMARY KEY, title TEXT NOT NULL, done BOOLEAN DEFAULT false)"
        )
        number = await conn.fetchval("INSERT INTO tasks (title) VALUES ($1) RETURNING id", "one")
        await conn.executemany("INSERT INTO tasks (title) VALUES ($1)", [("two",), ("three",)])
        log = [number, await conn.execute("UPDATE tasks SET done = $1 WHERE id > $2", True, 1)]
        try:
            async with conn.transaction():
                await conn.execute("DELETE FROM tasks")
                await conn.execute("INSERT INTO tasks (title) VALUES ($1)", None)
        except asyncpg.NotNullViolationError as error:
            log.append(type(error).__name__)
        rows = await conn.fetch("SELECT * FROM tasks ORDER BY id")
        log += [dict(row) for row in rows]
        row = await conn.fetchrow("SELECT title, done FROM tasks WHERE id = $1", 2)
        log += [row, row["done"], list(row.keys()), await conn.fetchrow("SELECT 1 WHERE false")]
        log.append(await conn.execute("DELETE FROM tasks WHERE done"))
    await pool.close()
    return log
""",
    "third": """\
import psycopg
from psycopg.rows import dict_row


def main(host, database):
    log = []
    with psycopg.connect(host=host, dbname=database, user="app", row_factory=dict_row) as conn:
        conn.execute("CREATE TABLE notes (id INT PRIMARY KEY, body TEXT, at TIMESTAMP)")
        with conn.cursor() as cur:
            for number in (1, 2):
                cur.execute("INSERT INTO notes VALUES (%s, %s, '2026-05-06 07:08:09')", (number, "x"))
            cur.execute("SELECT * FROM notes WHERE id = %(id)s", {"id": 2})
            log.append(cur.fetchone())
    try:
        with psycopg.connect(host=host, dbname=database, user="app") as conn:
            conn.execute("UPDATE notes SET body = 'changed'")
            conn.execute("INSERT INTO notes (id) VALUES (%s)", (1,))
    except psycopg.errors.UniqueViolation as error:
        log.append(error.sqlstate)
    with psycopg.connect(host=host, dbname=database, user="app") as conn:
        log.append(conn.execute("SELECT id, body FROM notes ORDER BY id").fetchall())
        log.append(conn.execute("DELETE FROM notes").rowcount)
        conn.rollback()
        log.append(conn.execute("SELECT count(*) FROM notes").fetchone())
    return log
""",
}
