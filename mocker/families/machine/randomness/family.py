"""Random numbers, tokens and unique identifiers: the same in every run and case."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....source.kept_code import kept_code

_NAMES = (
    "random", "secrets", "uuid.uuid1", "uuid.uuid4", "os.urandom", "os.getrandom", "shortuuid",
    "numpy.random", "torch.rand", "torch.randn", "torch.randint", "torch.randperm",
    "faker.Faker", "ulid", "nanoid", "string_utils",
)  # fmt: skip
_WITH_SEED = (
    "random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator",
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """What draws; generators that the slice makes with a seed of its own are left alone."""
    contacts = border.named(*_NAMES)
    drawing = [c for c in contacts if not c.name.startswith(_WITH_SEED)
               and c.name not in ("random", "numpy.random", "numpy.random.BitGenerator")]  # fmt: skip
    if drawing or not contacts:
        return contacts
    code = kept_code(border)
    seeded = all(
        call.args or call.keywords
        for kept, call in code.calls
        if code.dotted(call.func, kept.path) in _WITH_SEED
    )
    return () if seeded else contacts


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Seeded when the script is loaded, and anew for each case."""
    setup = "seed_random()\n"
    if any(contact.name.startswith("numpy.random") for contact in contacts):
        setup += "seed_numpy()\n"
    reason = "generators are seeded with 0, and entropy is the same in every run"
    return Mock(
        treated=tuple(
            Treated(module, "faked", reason)
            for module in ("random", "secrets", "uuid", "os", "numpy.random")
        ),
        setup=setup,
        pieces=("randomness",),
    )


EXAMPLES = (
    Example(
        title="a game that shuffles",
        source="""\
import random


class Deck:
    def __init__(self):
        self.cards = list(range(52))
        random.shuffle(self.cards)

    def draw(self, count):
        first = [self.cards.pop() for _ in range(count)]
        random.seed(0)
        again = list(range(52))
        random.shuffle(again)
        return first == again[: -count - 1 : -1], random.choice("abc") in "abc"
""",
        target="Deck.draw",
        call="Deck().draw(3)",
        gives="(True, True)",
    ),
    Example(
        title="tokens and identifiers",
        source="""\
import os
import secrets
import uuid


def issue(user):
    token = secrets.token_hex(8)
    return {"id": str(uuid.uuid4()), "user": user, "token": token, "salt": os.urandom(2).hex()}
""",
        target="issue",
        call="issue('ann')",
        gives="{'id': 'ac4c09c2-8206-47e3-9594-aa6b342f5d0a', 'user': 'ann', 'token': 'cd072cd8be6f9f62', 'salt': '4842'}",
    ),
    Example(
        title="noise of numpy, by its old and its new generator",
        source="""\
import numpy as np


def noise(size):
    rng = np.random.default_rng()
    old = np.random.normal(0, 1, size)
    return bool((rng.random(size) == np.random.default_rng(0).random(size)).all()), round(float(old[0]), 3)
""",
        target="noise",
        call="noise(4)",
        gives="(True, 1.764)",
        needs=("numpy",),
    ),
    Example(
        title="a generator of its own",
        source="""\
import random


class Bot:
    def __init__(self):
        self.dice = random.Random()

    def roll(self):
        return [self.dice.randint(1, 6) for _ in range(5)] == [self.dice.randint(1, 6) for _ in range(5)]
""",
        target="Bot.roll",
        call="Bot().roll()",
        gives="False",
    ),
    Example(
        title="a password that nobody guesses",
        source="""\
import secrets
import string

ALPHABET = string.ascii_letters + string.digits


def password(length=6):
    return "".join(secrets.choice(ALPHABET) for _ in range(length)), secrets.randbelow(10) < 10
""",
        target="password",
        call="len(password()[0])",
        gives="6",
    ),
)

FAMILY = Family("randomness", applies, stub, EXAMPLES)
