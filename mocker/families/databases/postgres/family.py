"""PostgreSQL: the drivers' own exceptions and rows, over a server in memory."""

from __future__ import annotations

from ....answers.services.sql_facts import expected_tables
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_DRIVERS = {
    "psycopg2": ("psycopg2_driver", "answer_psycopg2()"),
    "psycopg": ("psycopg_driver", "answer_psycopg()"),
    "psycopg_pool": ("psycopg_driver", "answer_psycopg()"),
    "asyncpg": ("asyncpg_driver", "answer_asyncpg()"),
}


# libraries that call a driver themselves
_ABOVE = ("peewee.PostgresqlDatabase", "playhouse", "tortoise", "databases.Database", "pony")


def _above(border: Border) -> tuple[Contact, ...]:
    return border.named(*_ABOVE)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with any driver of PostgreSQL."""
    return border.touching(*_DRIVERS) or _above(border)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each database is an SQLite one; it has the tables that the slice's SQL names."""
    del contacts
    found = [name for name in _DRIVERS if border.modules(name)]
    if _above(border):
        found += ["psycopg2", "asyncpg"]
    wanted = dict.fromkeys(_DRIVERS[name] for name in found)
    return Mock(
        treated=tuple(
            ModuleTreatment(name, "faked", "a server in memory answers it") for name in found
        ),
        setup=expected_tables(border, reads_any=bool(_above(border)))
        + "".join(f"{call}\n" for _, call in wanted),
        pieces=tuple(piece for piece, _ in wanted),
    )


FAMILY = Family("postgres", stub, applies)
