"""`dbm` and `shelve` stay real; each path they open is a dictionary in memory."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("dbm", "shelve")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with key-value files, and with shelves above them."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each path is empty at first; stored entries are found when it is opened again."""
    del contacts
    why = "what it opens is in memory"
    return Mock(
        treated=tuple(
            ModuleTreatment(name, "faked", why) for name in _MODULES if border.named(name)
        ),
        setup="keep_keys_in_memory()\n",
        pieces=("key_value_files",),
    )


FAMILY = Family("dbm", stub, applies)
