"""Two environments to export, one of a method in `modules` layout, one of a function."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import Dataset, open_dataset

from tests.driver.conftest import run, shop_in

_CASES = {
    "orders": (
        "shop/orders.py::Order.total",
        "from shop.orders import Order\n\ndef case_small():\n    return Order(100).total()\n\n"
        "def case_text():\n    return Order('x').total()\n",
    ),
    "tax": (
        "shop/tax.py::add_tax",
        "from shop.tax import add_tax\n\ndef case_net():\n    return add_tax(100)\n\n"
        "def case_other():\n    return add_tax(7)\n",
    ),
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with their folders."""
    folder = tmp_path_factory.mktemp("exported")
    repo = shop_in(folder)
    (folder / "envs").mkdir()
    for name, (target, cases) in _CASES.items():
        (folder / f"{name}.py").write_text(cases)
        written = folder / "envs" / name
        done = run(
            repo, target, "--cases", folder / f"{name}.py", "--env", written,
            "--emit", "modules" if name == "orders" else "flat",
        )  # fmt: skip
        assert done.status == 0, done.err
    return folder / "envs"


@pytest.fixture(scope="session")
def dataset(built: Path) -> Dataset:
    """Both as a dataset."""
    return open_dataset(built)
