"""A cluster of two nodes on this machine, one of which is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.building.build import Build, build
from slicefunc.driver.datasets.building.engines.ray_engine import RayEngine
from slicefunc.driver.datasets.building.plan import RepositoryPlan, read_plan
from slicefunc.driver.datasets.building.tasks import BuildOptions, Made, Surveyed
from slicefunc.driver.datasets.storage.dataset import StoredDataset
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.settings.options import Options, Verification

ray = pytest.importorskip("ray")


@pytest.fixture
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    yield made
    ray.shutdown()
    made.shutdown()


class Losing:
    """A watcher that takes a node away after the first function."""

    def __init__(self, cluster: Any, node: Any) -> None:
        self.cluster, self.node, self.made_count = cluster, node, 0

    def begin(self, plans: Sequence[RepositoryPlan], done: int, environments: int) -> None:
        """Nothing to do."""

    def surveyed(self, found: Surveyed) -> None:
        """Nothing to do."""

    def made(self, _found: Made) -> None:
        self.made_count += 1
        if self.node is not None:
            self.cluster.remove_node(self.node, allow_graceful=False)
            self.node = None


def _options() -> BuildOptions:
    return BuildOptions(Options(), Verification(test=True))


def _content(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in files
        if file.name != "costs.jsonl.gz"
    }


@pytest.mark.nightly
def test_a_lost_node_costs_nothing_and_the_dataset_is_the_same(
    tmp_path: Path, cluster: Any, plan: Path, built: StoredDataset
) -> None:
    cluster.add_node(num_cpus=1)
    node = cluster.add_node(num_cpus=1)
    plans: tuple[RepositoryPlan, ...] = read_plan(plan)
    watcher = Losing(cluster, node)
    work = Build(plans, _options(), Store.at(str(tmp_path / "dataset")))
    build(work, lambda options: RayEngine(options, cluster.address, None), watcher)
    assert watcher.made_count == 4
    assert _content(tmp_path / "dataset") == _content(Path(built.location))
