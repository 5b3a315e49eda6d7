from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from slicefunc.driver.places.scorer_pool import ScorerPool
from slicefunc.driver.record.environment_files import EnvironmentRecordError

from tests.driver.conftest import run, shop_in
from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox
CASES = "from shop.tax import add_tax\n\ndef case_net():\n    return add_tax(100)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two copies of one environment."""
    place = tmp_path_factory.mktemp("pool")
    (place / "cases.py").write_text(CASES)
    words = ("shop/tax.py::add_tax", "--cases", place / "cases.py", "--env", place / "a")
    done = run(shop_in(place), *words)
    assert done.status == 0, done.err
    shutil.copytree(place / "a", place / "b")
    return place


def test_environments_are_scored_by_name(folder: Path) -> None:
    with ScorerPool(folder) as pool:
        assert [pool.score(name, "return net + 20\n").reward for name in ("a", "b")] == [1, 1]
        assert pool.score("a", "pass\n").reward == 0


def test_the_original_passes(folder: Path) -> None:
    with ScorerPool(folder) as pool:
        original = pool.original("a")
        assert "RATE" in original
        assert pool.score("a", original).verdict == "passed"


def test_few_scorers_stay_open(folder: Path) -> None:
    with ScorerPool(folder, most=1) as pool:
        for name in ("a", "b", "a"):
            assert pool.score(name, "return net + 20\n").reward == 1
            assert list(pool._open) == [name]
    assert not pool._open


def test_an_unknown_environment_is_told(folder: Path) -> None:
    with ScorerPool(folder) as pool, pytest.raises(EnvironmentRecordError, match="no such file"):
        pool.score("c", "pass\n")
