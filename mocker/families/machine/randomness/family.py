"""Random numbers, tokens and unique identifiers: the same in every run and case."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
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
    """Return the contacts that draw random numbers, unless the slice seeds its generators."""
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
    """Generators are seeded when the script is loaded, and again for each case."""
    setup = "seed_random()\n"
    if any(contact.name.startswith("numpy.random") for contact in contacts):
        setup += "seed_numpy()\n"
    reason = "generators are seeded with 0, and entropy is the same in every run"
    return Mock(
        treated=tuple(
            ModuleTreatment(module, "faked", reason)
            for module in ("random", "secrets", "uuid", "os", "numpy.random")
        ),
        setup=setup,
        pieces=("randomness",),
    )


FAMILY = Family("randomness", stub, applies)
