"""Data sets that a library downloads by name: those of scikit-learn, seaborn and torchvision."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_SAMPLES = ("seaborn.load_dataset", "seaborn.get_dataset_names")
_PICTURES = tuple(
    f"torchvision.datasets.{name}"
    for name in ("MNIST", "FashionMNIST", "KMNIST", "USPS", "CIFAR10", "CIFAR100", "SVHN", "STL10")
)
_FETCHING = {
    "seaborn": "seaborn", "sklearn": "sklearn.datasets", "torchvision": "torchvision.datasets",
}  # fmt: skip
_OWN = ("sklearn.datasets.fetch_file",)


def applies(border: Border) -> tuple[Contact, ...]:
    """What is fetched; the data that lie in the libraries themselves are real."""
    fetched = (c for c in border.named("sklearn.datasets") if _is_fetched(c.name))
    return (*fetched, *border.named(*_SAMPLES, *_PICTURES))


def _is_fetched(name: str) -> bool:
    return name.startswith("sklearn.datasets.fetch_") and not name.startswith(_OWN)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Data of the documented shape, made up by rules: the same each time."""
    del border
    tops = sorted({contact.name.partition(".")[0] for contact in contacts})
    return Mock(
        treated=tuple(
            ModuleTreatment(_FETCHING[top], "faked", "its downloads are made up; all else is real")
            for top in tops
        ),
        setup="".join(f"no_{top}_downloads()\n" for top in tops),
        pieces=("data_sets",),
    )


FAMILY = Family("data sets", stub, applies)
