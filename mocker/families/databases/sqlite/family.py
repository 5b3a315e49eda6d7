"""`sqlite3` stays real; files are the script's own, and tables made elsewhere have rows when read."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

# libraries that open their files through sqlite3, and write its SQL themselves
_ABOVE = ("aiosqlite", "peewee", "playhouse", "tortoise", "databases", "dataset", "pony")
_WRITERS = frozenset(_ABOVE) - {"aiosqlite"}


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each path is one database for the lifetime of the script."""
    del contacts
    found = [name for name in ("sqlite3", *_ABOVE) if border.modules(name)]
    writes_itself = bool(_WRITERS & set(found))
    return Mock(
        treated=tuple(
            ModuleTreatment(name, "faked", "each path is a database of the script's own")
            for name in found
        ),
        setup=expected_tables(border, reads_any=writes_itself, keeps_sql=True)
        + "answer_sqlite()\n",
        pieces=("sqlite_files",),
    )


FAMILY = Family("sqlite", stub)
