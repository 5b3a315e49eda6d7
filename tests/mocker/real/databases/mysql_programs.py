"""Programs for MySQL, each with a function `main(path of the socket, database)`."""

PROGRAMS = {
    "users": """\
import pymysql
import pymysql.cursors


class Users:
    def __init__(self, **options):
        self.db = pymysql.connect(cursorclass=pymysql.cursors.DictCursor, **options)

    def create(self):
        with self.db.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE `users` (`id` INT NOT NULL AUTO_INCREMENT,"
                " `name` VARCHAR(50) NOT NULL, `email` VARCHAR(100) DEFAULT NULL,"
                " `active` TINYINT(1) DEFAULT 1, PRIMARY KEY (`id`), UNIQUE KEY `name` (`name`))"
                " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
            )

    def add(self, name, email=None):
        try:
            with self.db.cursor() as cursor:
                cursor.execute("INSERT INTO users (name, email) VALUES (%s, %s)", (name, email))
                number = cursor.lastrowid
            self.db.commit()
        except pymysql.err.IntegrityError as error:
            self.db.rollback()
            return error.args[0], error.args[1].partition(" for key")[0]
        return number

    def find(self, **wanted):
        where = " AND ".join(f"{key} = %({key})s" for key in wanted)
        with self.db.cursor() as cursor:
            found = cursor.execute(f"SELECT * FROM users WHERE {where}", wanted)
            return found, cursor.fetchone(), cursor.fetchone()

    def change(self, number, **values):
        with self.db.cursor() as cursor:
            changes = ", ".join(f"{key} = %s" for key in values)
            count = cursor.execute(
                f"UPDATE users SET {changes} WHERE id = %s", (*values.values(), number)
            )
        self.db.commit()
        return count, cursor.rowcount


def main(socket, database):
    users = Users(unix_socket=socket, user="app", database=database)
    users.create()
    log = [users.add("ann", "a@x"), users.add("bob"), users.add("ann"), users.add(None)]
    log += [users.add("o'neil \\\\ (q) %s"), users.find(name="ann"), users.find(id=99)]
    log.append(users.find(name="ANN"))
    log += [users.change(1, email="new"), users.change(1, email="new"), users.change(77, email="x")]
    with users.db.cursor() as cursor:
        cursor.execute("SELECT id, name, email, active FROM users ORDER BY id")
        log += cursor.fetchall()
        log.append([column[0] for column in cursor.description])
    return log
""",
    "transfer": """\
import pymysql


def connect(socket, database):
    return pymysql.connect(unix_socket=socket, user="app", database=database, charset="utf8mb4")


def transfer(db, source, goal, money):
    try:
        with db.cursor() as cursor:
            cursor.execute("SELECT money FROM accounts WHERE name = %s FOR UPDATE", source)
            row = cursor.fetchone()
            if row is None:
                raise LookupError(source)
            cursor.execute("UPDATE accounts SET money = money - %s WHERE name = %s", (money, source))
            changed = cursor.execute(
                "UPDATE accounts SET money = money + %s WHERE name = %s", (money, goal)
            )
            if row[0] < money or not changed:
                raise ValueError(f"{source} has {row[0]}, {goal}: {changed}")
        db.commit()
        return "done"
    except (LookupError, ValueError) as error:
        db.rollback()
        return repr(error)


def main(socket, database):
    db = connect(socket, database)
    with db.cursor() as cursor:
        cursor.execute("CREATE TABLE accounts (name VARCHAR(20) PRIMARY KEY, money INT NOT NULL)")
        count = cursor.executemany(
            "INSERT INTO accounts (name, money) VALUES (%s, %s)", [("a", 10), ("b", 5), ("c", 0)]
        )
    db.commit()
    log = [count, transfer(db, "a", "b", 3), transfer(db, "b", "a", 30), transfer(db, "x", "a", 1)]
    log += [transfer(db, "a", "x", 1), transfer(db, "a", "c", 2)]
    with db.cursor() as cursor:
        cursor.execute("DELETE FROM accounts WHERE money < %s", (4,))
        log.append(cursor.rowcount)
    db.close()
    db = connect(socket, database)
    with db.cursor() as cursor:
        log += [cursor.execute("SELECT * FROM accounts ORDER BY name"), cursor.fetchall()]
    try:
        db.close()
        db.close()
    except pymysql.err.Error as error:
        log.append(repr(error))
    for call in (lambda: db.cursor().execute("SELECT 1"), db.commit, lambda: cursor.execute("SELECT 2")):
        try:
            call()
        except pymysql.err.Error as error:
            log.append(repr(error))
    return log
""",
    "refused": """\
import pymysql

STATEMENTS = (
    ("SELEC 1", ()),
    ("SELECT unknown_one FROM items", ()),
    ("INSERT INTO items (id, missing) VALUES (1, 2)", ()),
    ("INSERT INTO items (id, name) VALUES (%s, %s)", (1, "again")),
    ("INSERT INTO items (id) VALUES (%s)", (9,)),
    ("INSERT INTO items (id, name) VALUES (%s, %s)", (8, None)),
    ("INSERT INTO items VALUES (1, 'a')", ()),
    ("INSERT INTO items (id, name) VALUES (%s, %s)", (7, "far too long a name")),
    ("INSERT INTO items (id, name, price) VALUES (%s, %s, %s)", (6, "p", "cheap")),
    ("INSERT INTO items (id, name, price) VALUES (%s, %s, %s)", (5, "p", 123456)),
    ("INSERT INTO parts (item) VALUES (%s)", (77,)),
    ("INSERT INTO parts (item) VALUES (%s)", (1,)),
    ("DELETE FROM items WHERE id = 1", ()),
    ("CREATE TABLE items (id INT)", ()),
    ("DROP TABLE nothing_here", ()),
    ("INSERT INTO items (id, name, state) VALUES (4, 'd', 'unheard of')", ()),
    ("INSERT INTO items (id, name, day) VALUES (4, 'd', '2026-02-31')", ()),
)


def told(error):
    text = str(error.args[1])
    for end in (" for key", " for column `", " for column 'p", " for column 'day", " in '", ": a foreign", ", CONSTRAINT", "; check the manual", ".PARTS"):
        text = text.partition(end)[0]
    return [type(error).__name__, error.args[0], text]


def main(socket, database):
    db = pymysql.connect(unix_socket=socket, user="app", database=database, autocommit=True)
    cursor = db.cursor()
    cursor.execute(
        "CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(10) NOT NULL, price DECIMAL(5, 2),"
        " state ENUM('new', 'old') DEFAULT 'new', day DATE) ENGINE=InnoDB"
    )
    cursor.execute(
        "CREATE TABLE parts (id INT AUTO_INCREMENT PRIMARY KEY, item INT NOT NULL,"
        " FOREIGN KEY (item) REFERENCES items (id))"
    )
    cursor.execute("INSERT INTO items (id, name) VALUES (1, 'first')")
    log = []
    for sql, values in STATEMENTS:
        try:
            log.append(cursor.execute(sql, values))
        except pymysql.MySQLError as error:
            log.append(told(error))
    for sql, values in (("SELECT %s, %s", (1,)), ("SELECT %s", (1, 2)), ("SELECT %(a)s", {"b": 1})):
        try:
            log.append(cursor.execute(sql, values))
        except (TypeError, KeyError, pymysql.err.ProgrammingError) as error:
            log.append(repr(error))
    cursor.execute("SELECT * FROM items")
    log += [cursor.fetchall(), cursor.execute("SELECT item FROM parts"), cursor.fetchall()]
    cursor.close()
    try:
        cursor.execute("SELECT 1")
    except pymysql.err.Error as error:
        log.append(repr(error))
    return log
""",
    "words": """\
import datetime
import decimal
import pymysql


def main(socket, database):
    db = pymysql.connect(unix_socket=socket, user="app", database=database)
    cursor = db.cursor()
    cursor.execute(
        "CREATE TABLE sales (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, shop VARCHAR(20), price DECIMAL(8,2),"
        " count INT, ratio DOUBLE, day DATE, at DATETIME, open TIME, paid TINYINT(1) NOT NULL DEFAULT '0',"
        " note TEXT, raw BLOB, data JSON, PRIMARY KEY (id), KEY by_shop (shop))"
    )
    rows = [
        ("north", decimal.Decimal("2.5"), 3, 0.25, datetime.date(2026, 1, 2),
         datetime.datetime(2026, 1, 2, 3, 4, 5), "08:30:00", True, "a\\nb", b"\\x00\\xff'", '{"a": [1]}'),
        ("south", decimal.Decimal("10"), 1, None, datetime.date(2026, 2, 2),
         datetime.datetime(2026, 2, 2), datetime.timedelta(hours=9), False, None, None, None),
        ("North", 1.25, 2, 1, "2026-03-01", "2026-03-01 10:00:00", None, 0, "", b"", "[]"),
    ]
    sql = ("INSERT INTO sales (shop, price, count, ratio, day, at, open, paid, note, raw, data)"
           " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)")
    log = []
    for row in rows:
        cursor.execute(sql, row)
        log.append(cursor.lastrowid)
    db.commit()
    for sql, values in (
        ("SELECT * FROM sales ORDER BY id", None),
        ("SELECT LOWER(shop), SUM(count), AVG(price), MAX(day), COUNT(*) FROM sales GROUP BY LOWER(shop) ORDER BY 1", None),
        ("SELECT SUM(price * count) AS total, SUM(ratio), MIN(at) FROM sales WHERE day >= %s", ("2026-01-15",)),
        ("SELECT IFNULL(note, 'none'), IF(paid, 'yes', 'no'), CONCAT(shop, '-', count) FROM sales", None),
        ("SELECT shop FROM sales WHERE shop LIKE %s ORDER BY id LIMIT 1, 5", ("n%",)),
        ("SELECT count > 1, 7 / 2, 7 DIV 2, 7 %% 2, LENGTH(shop), UPPER(shop) FROM sales LIMIT %s", (1,)),
        ("SELECT DATE_FORMAT(at, '%%Y-%%m'), YEAR(day), MONTH(day), DATE(at) FROM sales WHERE id = %s", (1,)),
        ("SELECT DATEDIFF('2026-03-01', day), DATE_ADD(day, INTERVAL 1 MONTH) FROM sales WHERE id = %s", (1,)),
        ("SELECT GROUP_CONCAT(shop SEPARATOR ';') FROM sales WHERE id IN %s", ([1, 2],)),
        ("SELECT COUNT(DISTINCT shop), ROUND(AVG(count), 1), ABS(-3), COALESCE(NULL, 5) FROM sales", None),
        ("SELECT CAST(count AS CHAR), CAST('12' AS SIGNED), SUBSTRING(shop, 2, 3) FROM sales LIMIT 1", None),
        ("SELECT JSON_EXTRACT(data, '$.a') FROM sales WHERE id = 1", None),
        ("SELECT s.id, t.id FROM sales s LEFT JOIN sales t ON t.shop = s.shop AND t.id <> s.id ORDER BY 1", None),
        ("SELECT CASE WHEN price > 5 THEN 'dear' ELSE 'cheap' END AS kind FROM sales ORDER BY id", None),
    ):
        log.append((cursor.execute(sql, values), cursor.fetchall(), cursor.description[0][0]))
    return log
""",
    "keys": """\
import pymysql

SAVE = (
    "INSERT INTO counters (name, n) VALUES (%s, %s) ON DUPLICATE KEY UPDATE n = n + VALUES(n)"
)


def main(socket, database):
    log = []
    with pymysql.connect(unix_socket=socket, user="app", database=database) as db:
        with db.cursor() as cursor:
            cursor.execute("CREATE TABLE counters (name VARCHAR(9) PRIMARY KEY, n INT, seen INT DEFAULT 0)")
            for name, n in (("x", 1), ("y", 0), ("x", 5), ("y", 0)):
                log.append(cursor.execute(SAVE, (name, n)))
            log.append(cursor.execute("INSERT IGNORE INTO counters (name, n) VALUES ('x', 9), ('z', 3)"))
            log.append(cursor.execute("REPLACE INTO counters (name, n) VALUES ('x', 7), ('w', 4)"))
            log.append(cursor.execute("UPDATE counters SET seen = 1 WHERE n > 3"))
            log.append(cursor.execute("UPDATE counters SET seen = 1"))
            log.append(cursor.executemany("UPDATE counters SET n = %s WHERE name = %s", [(1, "x"), (2, "no")]))
            log.append(cursor.executemany(SAVE, [("x", 1), ("v", 2)]))
        db.commit()
        with db.cursor(pymysql.cursors.SSDictCursor) as cursor:
            cursor.execute("SELECT name, n FROM counters ORDER BY name")
            log += [cursor.fetchone(), cursor.fetchmany(2), list(cursor)]
        cursor = db.cursor()
        cursor.execute("SELECT name FROM counters ORDER BY n, name LIMIT 3")
        log += [cursor.fetchmany(1), cursor.rownumber, list(cursor), cursor.fetchone(), cursor.fetchall()]
        cursor.execute("SELECT name FROM counters ORDER BY name")
        cursor.scroll(1)
        log += [cursor.fetchone(), cursor.mogrify("SELECT %s, %s", ("it's", None))]
        log += [db.escape("a'b"), db.open, cursor.execute("TRUNCATE TABLE counters")]
        log += [cursor.execute("SELECT * FROM counters"), cursor.fetchone(), cursor.fetchall()]
        cursor.execute("DELETE FROM counters")
        log.append(cursor.rowcount)
    return log, db.open
""",
    "points": """\
import pymysql


def main(socket, database):
    one = pymysql.connect(unix_socket=socket, user="app", database=database)
    two = pymysql.connect(unix_socket=socket, user="app", database=database, autocommit=True)
    log = [one.get_autocommit(), two.get_autocommit()]

    def seen():
        with two.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM notes")
            return cursor.fetchone()[0]

    a = one.cursor()
    a.execute("CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, body TEXT)")
    a.execute("INSERT INTO notes (body) VALUES (%s)", "one")
    log.append(seen())
    one.commit()
    log.append(seen())
    a.execute("INSERT INTO notes (body) VALUES ('two')")
    a.execute("SAVEPOINT here")
    a.execute("INSERT INTO notes (body) VALUES ('three')")
    a.execute("ROLLBACK TO SAVEPOINT here")
    a.execute("INSERT INTO notes (body) VALUES ('four')")
    log += [a.lastrowid, seen()]
    a.execute("CREATE TABLE other (id INT)")
    log.append(seen())
    a.execute("INSERT INTO notes (body) VALUES ('five')")
    one.rollback()
    one.begin()
    a.execute("INSERT INTO notes (body) VALUES ('six')")
    one.close()
    log.append(seen())
    two.begin()
    with two.cursor() as cursor:
        cursor.execute("DELETE FROM notes")
        two.rollback()
        cursor.execute("SELECT * FROM notes ORDER BY id")
        log += cursor.fetchall()
        cursor.execute("INSERT INTO notes (body) VALUES ('seven')")
        log.append(cursor.lastrowid)
    return log
""",
    "connector": """\
import mysql.connector
from mysql.connector import Error, errorcode


class Shop:
    def __init__(self, **config):
        self.db = mysql.connector.connect(**config)

    def save(self, name, price):
        cursor = self.db.cursor()
        try:
            cursor.execute("INSERT INTO goods (name, price) VALUES (%s, %s)", (name, price))
            self.db.commit()
            return cursor.lastrowid, cursor.rowcount
        except mysql.connector.IntegrityError as error:
            self.db.rollback()
            if error.errno == errorcode.ER_DUP_ENTRY:
                return "there", error.sqlstate
            return "refused", error.errno, error.msg
        finally:
            cursor.close()

    def load(self, name):
        cursor = self.db.cursor(dictionary=True)
        cursor.execute("SELECT * FROM goods WHERE name = %(name)s", {"name": name})
        found = cursor.fetchone()
        cursor.fetchall()
        cursor.close()
        return found


def main(socket, database):
    shop = Shop(unix_socket=socket, user="app", database=database)
    cursor = shop.db.cursor()
    cursor.execute(
        "CREATE TABLE goods (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE,"
        " price DECIMAL(6, 2), added TIMESTAMP NULL)"
    )
    log = [shop.save("pen", 1.5), shop.save("ink", None), shop.save("pen", 2), shop.save(None, 1)]
    log += [shop.load("pen"), shop.load("nothing")]
    cursor.executemany(
        "INSERT INTO goods (name, price) VALUES (%s, %s)", [("cap", 3), ("cup", 4), ("can", 5)]
    )
    log += [cursor.rowcount, cursor.lastrowid]
    shop.db.commit()
    cursor.execute("UPDATE goods SET price = price * 2 WHERE price >= %s", (3,))
    log.append(cursor.rowcount)
    cursor.execute("UPDATE goods SET price = 6 WHERE name = 'cap'")
    log += [cursor.rowcount, shop.db.in_transaction]
    shop.db.rollback()
    log.append(shop.db.in_transaction)
    cursor.execute("SELECT name, price FROM goods WHERE name LIKE 'c%' ORDER BY name")
    log += [cursor.rowcount, cursor.column_names, cursor.with_rows]
    log += [[name, float(price)] for name, price in cursor]
    log.append(cursor.rowcount)
    cursor.execute("SELECT id, name FROM goods WHERE id > %s ORDER BY id LIMIT 2", [1])
    log += cursor.fetchall()
    buffered = shop.db.cursor(buffered=True)
    buffered.execute("SELECT id FROM goods")
    log += [buffered.rowcount, buffered.fetchmany(2), buffered.fetchone(), buffered.statement]
    buffered.execute("DELETE FROM goods WHERE id > 3")
    log += [buffered.rowcount, buffered.with_rows]
    shop.db.commit()
    shop.db.close()
    return log, shop.db.is_connected()
""",
    "connector_refused": """\
import mysql.connector
from mysql.connector import errors

STATEMENTS = (
    ("SELEC 1", ()),
    ("SELECT unknown_one FROM items", ()),
    ("INSERT INTO items (id, name) VALUES (%s, %s)", (1, "again")),
    ("INSERT INTO items (id) VALUES (%s)", (9,)),
    ("INSERT INTO items VALUES (1, 'a')", ()),
    ("INSERT INTO items (id, name) VALUES (%s, %s)", (7, "far too long a name")),
    ("CREATE TABLE items (id INT)", ()),
    ("SELECT %s, %s", (1,)),
    ("SELECT %s", (1, 2)),
)


def main(socket, database):
    config = {"unix_socket": socket, "user": "app", "database": database}
    log = []
    with mysql.connector.connect(**config) as db:
        cursor = db.cursor()
        cursor.execute("CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(10) NOT NULL, price INT)")
        cursor.execute("INSERT INTO items (id, name) VALUES (1, 'first')")
        for sql, values in STATEMENTS:
            try:
                log.append(cursor.execute(sql, values))
            except mysql.connector.Error as error:
                text = str(error.msg).partition(" for key")[0].partition("; check the manual")[0]
                text = text.partition(" in '")[0]
                log.append((type(error).__name__, error.errno, error.sqlstate, text))
        cursor.execute("SELECT id FROM items")
        for call in (lambda: cursor.execute("SELECT 2"), db.commit, lambda: db.cursor()):
            try:
                call()
                log.append("fine")
            except errors.InternalError as error:
                log.append(str(error))
        log.append(cursor.fetchall())
        cursor.execute("UPDATE items SET price = 1")
        try:
            log.append(cursor.fetchone())
        except errors.Error as error:
            log.append((type(error).__name__, str(error)))
        try:
            db.start_transaction()
        except errors.Error as error:
            log.append((type(error).__name__, str(error)))
    try:
        db.cursor()
    except errors.Error as error:
        log.append((type(error).__name__, error.errno, error.msg))
    try:
        cursor.execute("SELECT 1")
    except errors.Error as error:
        log.append((type(error).__name__, error.errno))
    with mysql.connector.connect(**config) as db:
        cursor = db.cursor(dictionary=True, buffered=True)
        cursor.execute("SELECT * FROM items")
        log.append(cursor.fetchall())
    return log
""",
    "connector_points": """\
import mysql.connector
from mysql.connector import pooling


def main(socket, database):
    pool = pooling.MySQLConnectionPool(
        pool_name="web", pool_size=2, unix_socket=socket, user="app", database=database
    )
    log = []
    db = pool.get_connection()
    cursor = db.cursor()
    cursor.execute("CREATE TABLE seats (number INT PRIMARY KEY, name TEXT)")
    db.start_transaction()
    log.append(db.in_transaction)
    try:
        cursor.executemany("INSERT INTO seats VALUES (%s, %s)", [(1, "a"), (2, "b"), (1, "c")])
        db.commit()
    except mysql.connector.Error as error:
        db.rollback()
        log.append(error.errno)
    cursor.execute("SELECT COUNT(*) FROM seats")
    (count,) = cursor.fetchone()
    log.append(count)
    db.autocommit = True
    cursor.execute("INSERT INTO seats VALUES (%s, %s)", (5, "kept"))
    db.close()
    db = pool.get_connection()
    log.append(db.autocommit)
    cursor = db.cursor(prepared=True)
    cursor.execute("INSERT INTO seats VALUES (%s, %s)", (6, "prepared"))
    cursor.execute("INSERT INTO seats VALUES (?, ?)", (7, "lost?"))
    db.commit()
    cursor.execute("SELECT number, name FROM seats WHERE number > ?", (4,))
    log += cursor.fetchall()
    cursor.close()
    with db.cursor(dictionary=True) as cursor:
        cursor.execute("SELECT SUM(number) AS total, AVG(number), COUNT(*) AS n FROM seats")
        log.append(cursor.fetchone())
    db.close()
    return log
""",
}
