"""MySQL: the drivers stay real above their sockets, which lead to a server in memory."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables, touched
from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated

_FAKED = ("pymysql", "mysql.connector", "mysql")
_STUBBED = ("MySQLdb",)
_STUB = "from slice_func_mocks import mysqldb_names\n\nglobals().update(mysqldb_names())\n"
_CURSORS = """\
class Cursor: pass
class DictCursor(Cursor): pass
class SSCursor(Cursor): pass
class SSDictCursor(DictCursor): pass
"""


def _above(border: Border) -> tuple[Contact, ...]:
    """Libraries that reach a driver on their own."""
    return border.named("peewee.MySQLDatabase", "playhouse", "pony")


def applies(border: Border) -> tuple[Contact, ...]:
    """Any driver of MySQL."""
    return touched(border, *_FAKED, *_STUBBED) or _above(border)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each database is one of SQLite; its tables are those that the slice's SQL names."""
    del contacts
    faked = [name for name in _FAKED if border.modules(name)]
    is_stubbed = bool(border.modules("MySQLdb"))
    treated = [Treated(name, "faked", "a server in memory answers it") for name in faked]
    if is_stubbed:
        treated.append(Treated("MySQLdb", "stubbed", "needs MySQL's C library to be built"))
    modules = {"MySQLdb": _STUB, "MySQLdb.cursors": _CURSORS} if is_stubbed else {}
    return Mock(
        treated=tuple(treated),
        setup=expected_tables(border, reads_any=bool(_above(border)))
        + ("answer_mysql()\n" if faked or _above(border) else ""),
        pieces=("mysqldb_stub",) * is_stubbed + ("mysql_drivers",),
        modules=tuple(StubModule(name, text) for name, text in modules.items()),
    )


EXAMPLES = (
    Example(
        title="pymysql: a table of the class itself, a key that is there twice",
        source="""\
import pymysql


class Links:
    def __init__(self, **options):
        self.db = pymysql.connect(cursorclass=pymysql.cursors.DictCursor, **options)
        with self.db.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE IF NOT EXISTS `links` (`id` INT NOT NULL AUTO_INCREMENT,"
                " `url` VARCHAR(200) NOT NULL, `hits` INT UNSIGNED DEFAULT 0, `added` DATETIME"
                " DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (`id`), UNIQUE KEY `u` (`url`))"
                " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
            )

    def add(self, url):
        try:
            with self.db.cursor() as cursor:
                cursor.execute("INSERT INTO links (url) VALUES (%s)", (url,))
                number = cursor.lastrowid
            self.db.commit()
        except pymysql.err.IntegrityError as error:
            self.db.rollback()
            return error.args[0]
        with self.db.cursor() as cursor:
            cursor.execute("SELECT * FROM links WHERE id = %(id)s", {"id": number})
            row = cursor.fetchone()
        return number, row["url"], row["added"].isoformat()
""",
        target="Links.add",
        call=(
            '(lambda l: [l.add("it\'s"), l.add("it\'s")])'
            "(Links(host='db', user='u', password='p', database='web', charset='utf8mb4'))"
        ),
        gives="[(4, \"it's\", '2026-01-31T12:00:00'), 1062]",
        effects=("query mysql://db:3306/web",) * 6,
    ),
    Example(
        title="mysql.connector: rows of somebody else's table",
        source="""\
import mysql.connector
from mysql.connector import Error

config = {"host": "localhost", "user": "root", "password": "x", "database": "school"}


def marks(student):
    connection = None
    try:
        connection = mysql.connector.connect(**config)
        if connection.is_connected():
            cursor = connection.cursor(dictionary=True)
            cursor.execute(
                "SELECT subject, AVG(mark) AS average FROM marks WHERE student_id = %s"
                " GROUP BY subject",
                (student,),
            )
            return cursor.fetchall()
    except Error as error:
        return str(error)
    finally:
        if connection and connection.is_connected():
            cursor.close()
            connection.close()
""",
        target="marks",
        call="marks(2)",
        gives="[{'subject': 'subject 2', 'average': Decimal('2.0000')}]",
        effects=("query mysql://localhost:3306/school",),
    ),
    Example(
        title="mysql.connector: an error has its number, a transaction goes back",
        source="""\
import mysql.connector
from mysql.connector import errorcode


def book(*seats):
    with mysql.connector.connect(host="h", user="u", password="p", database="hall") as db:
        cursor = db.cursor()
        cursor.execute("CREATE TABLE seats (number INT PRIMARY KEY, name TEXT)")
        try:
            db.start_transaction()
            cursor.executemany("INSERT INTO seats VALUES (%s, %s)", list(seats))
            db.commit()
        except mysql.connector.IntegrityError as error:
            db.rollback()
            cursor.execute("SELECT COUNT(*) FROM seats")
            return error.errno == errorcode.ER_DUP_ENTRY, cursor.fetchone()
        return cursor.rowcount
""",
        target="book",
        call="book((1, 'a'), (1, 'b'))",
        gives="(True, (0,))",
        effects=("query mysql://h:3306/hall",) * 5,
    ),
    Example(
        title="MySQLdb, which is not installed",
        source="""\
import MySQLdb
import MySQLdb.cursors


class Dao(object):
    def __init__(self):
        self.db = MySQLdb.connect("localhost", "u", "p", "app", cursorclass=MySQLdb.cursors.DictCursor)

    def bump(self, name):
        cursor = self.db.cursor()
        try:
            cursor.execute(
                "INSERT INTO counters (name, n) VALUES (%s, 1) ON DUPLICATE KEY UPDATE n = n + VALUES(n)",
                (name,),
            )
            self.db.commit()
        except MySQLdb.Error as error:
            self.db.rollback()
            return str(error)
        cursor.execute("SELECT n FROM counters WHERE name = %s", (name,))
        return cursor.fetchone()
""",
        target="Dao.bump",
        call="(lambda d: [d.bump('x'), d.bump('x')])(Dao())",
        gives="[{'n': 1}, {'n': 2}]",
        effects=("query mysql://localhost:3306/app",) * 6,
    ),
    Example(
        title="pymysql: words of MySQL",
        source="""\
import pymysql

connection = pymysql.connect(host="127.0.0.1", port=3307, user="u", passwd="p", db="log")


def recent(days, names):
    with connection.cursor() as cursor:
        cursor.execute("SET NAMES utf8mb4")
        cursor.execute(
            "SELECT `name`, IFNULL(`level`, 0) FROM `events` WHERE `at` > DATE_SUB(NOW(),"
            " INTERVAL %s DAY) AND name IN %s ORDER BY `name` LIMIT 0, 10",
            (days, names),
        )
        return cursor.fetchall(), cursor.rowcount
""",
        target="recent",
        call="recent(365, ['name 1', 'name 3'])",
        gives="((('name 1', 1), ('name 3', 3)), 2)",
        effects=("query mysql://127.0.0.1:3307/log",),
    ),
)

FAMILY = Family("mysql", applies, stub, EXAMPLES)
