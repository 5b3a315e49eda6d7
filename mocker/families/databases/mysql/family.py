"""MySQL: the drivers stay real above their sockets, which lead to a server in memory."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....world import runtime_text

_FAKED = ("pymysql", "mysql.connector", "mysql")
_STUBBED = ("MySQLdb",)


def _above(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with libraries that call a driver themselves."""
    return border.named("peewee.MySQLDatabase", "playhouse", "pony")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with any driver of MySQL."""
    return border.touching(*_FAKED, *_STUBBED) or _above(border)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each database is an SQLite one; it has the tables that the slice's SQL names."""
    del contacts
    faked = [name for name in _FAKED if border.modules(name)]
    is_stubbed = bool(border.modules("MySQLdb"))
    treated = [ModuleTreatment(name, "faked", "a server in memory answers it") for name in faked]
    if is_stubbed:
        treated.append(
            ModuleTreatment("MySQLdb", "stubbed", "pymysql stands in: it needs no C library")
        )
    modules = ("MySQLdb", "MySQLdb.cursors") if is_stubbed else ()
    return Mock(
        treated=tuple(treated),
        setup=expected_tables(border, reads_any=bool(_above(border))) + "answer_mysql()\n",
        pieces=("mysql_drivers",),
        modules=tuple(
            StubModule(name, runtime_text(f"stand_in_{name.replace('.', '_')}")) for name in modules
        ),
        requirements=("pymysql>=1.2",) * is_stubbed,
    )


FAMILY = Family("mysql", stub, applies)
