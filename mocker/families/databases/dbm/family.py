"""`dbm` and `shelve` stay real; each path that they open is a dictionary in memory."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = ("dbm", "shelve")


def applies(border: Border) -> tuple[Contact, ...]:
    """Files of keys and values, and shelves above them."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each path is empty until something is put there, and then holds it for who opens it next."""
    del contacts
    why = "what it opens is in memory"
    return Mock(
        treated=tuple(Treated(name, "faked", why) for name in _MODULES if border.named(name)),
        setup="keep_keys_in_memory()\n",
        pieces=("key_value_files",),
    )


EXAMPLES = (
    Example(
        title="a cache in the user's home",
        source="""\
import os
import shelve

CACHE = os.path.expanduser("~/.cache/answers")


def remember(question, answer=None):
    with shelve.open(CACHE) as shelf:
        if answer is not None:
            shelf[question] = {"said": answer}
        return shelf.get(question, {}).get("said"), sorted(shelf)
""",
        target="remember",
        call="[remember('why'), remember('why', 42), remember('why')]",
        gives="[(None, []), (42, ['why']), (42, ['why'])]",
        effects=("write ~/.cache/answers",),
    ),
    Example(
        title="counters under names",
        source="""\
import dbm


def count(path, name):
    try:
        with dbm.open(path) as found:
            before = int(found[name])
    except dbm.error as error:
        before = 0
    except KeyError:
        before = -1
    with dbm.open(path, "c") as kept:
        kept[name] = str(before + 1)
        return before, len(kept), kept.keys(), name in kept
""",
        target="count",
        call="[count('here', 'a'), count('here', 'a'), count('here', 'b')]",
        gives=("[(0, 1, [b'a'], True), (1, 1, [b'a'], True), (-1, 2, [b'a', b'b'], True)]"),
        effects=("write here",) * 3,
    ),
)

FAMILY = Family("dbm", applies, stub, EXAMPLES)
