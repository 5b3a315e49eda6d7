"""Alembic stays real: its environments and migrations find the context of a running command."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_FILE = "alembic.ini"


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with objects that only a running command provides."""
    return border.named("alembic.context", "alembic.op")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The repository's configuration and an environment; SQL of migrations is noted, not run."""
    del contacts
    repository = border.repository
    is_there = repository.is_file(_FILE)
    text = repository.read_data(_FILE).decode("utf-8", "replace") if is_there else ""
    return Mock(
        treated=(
            ModuleTreatment("alembic", "faked", "finds an environment as in a run of its command"),
        ),
        setup=f"answer_alembic({text!r})\n",
        pieces=("migrations",),
        data_files=(_FILE,) if is_there else (),
    )


FAMILY = Family("migrations", stub, applies)
