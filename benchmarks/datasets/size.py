"""A dataset's size, and the time to open and filter it, for as many environments as are wanted.

python -m benchmarks.datasets.size DATASET [--environments 10000] [--write]

Size: parts of DATASET, each twice as large, are written anew, which shows what one environment more
takes; the whole is that times the wanted number. Time: the rows of DATASET are repeated, under
other names, until there are as many as wanted; then processes of their own open that and filter it
by a column, with this package and with what people use. Their start counts.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.storage.columns import EnvironmentRow
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.datasets.storage.store import new_store
from slicefunc.driver.datasets.storage.write_dataset import (
    Content,
    environment_order,
    write_dataset,
)

from ..common.report import machine, table, write_result

_RUNS = 5
_READERS = {
    "slicefunc": """
from slicefunc.driver.datasets.storage.dataset import open_built
import pyarrow.compute as pc
found = open_built({folder!r}).table("environments", ["id", "kill_rate"])
print(found.filter(pc.field("kill_rate") >= 0.9).num_rows)
""",
    "polars": """
import polars as pl
found = pl.scan_parquet({folder!r} + "/data/*.parquet").filter(pl.col("kill_rate") >= 0.9)
print(found.select("id").collect().height)
""",
    "datasets": """
import datasets
datasets.disable_progress_bars()
files = {folder!r} + "/data/*.parquet"
found = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir={cache!r})
print(len([1 for rate in found["kill_rate"] if rate >= 0.9]))
""",
}
"""Programs that open a dataset and count what is left by a filter."""


def main(words: Sequence[str] | None = None) -> int:
    """Print the table and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("dataset", metavar="DATASET")
    parser.add_argument("--environments", type=int, default=10_000)
    parser.add_argument("--write", action="store_true", help="keep it among the results")
    arguments = parser.parse_args(words)
    dataset = open_built(arguments.dataset)
    rows = sorted(dataset.rows(), key=environment_order)
    with tempfile.TemporaryDirectory() as folder:
        parts = list(_parts(dataset, rows, Path(folder)))
        repeated = Path(folder) / "repeated"
        _write(dataset, list(_repeated(rows, arguments.environments)), repeated)
        seconds = {name: _seconds(name, repeated) for name in _READERS}
    (fewer, less), (more, most) = parts[-2:]
    result = {
        "sizes": [{"environments": each, "bytes": size} for each, size in parts],
        "bytes_each_more": round((most - less) / (more - fewer)),
        "megabytes_of_all": round(most / more * arguments.environments / 1e6, 1),
        "environments": arguments.environments,
        "seconds": seconds,
        "machine": machine(),
    }
    print(table(["", ""], [[name, str(value)] for name, value in result.items()]))
    if arguments.write:
        write_result("dataset-size", result)
    return 0


def _parts(
    dataset: StoredDataset, rows: Sequence[EnvironmentRow], folder: Path
) -> Iterator[tuple[int, int]]:
    """Yield numbers of environments, spread over the dataset, and bytes that they take."""
    for step in (8, 4, 2, 1):
        some = rows[::step]
        place = folder / f"part-{step}"
        _write(dataset, some, place)
        yield len(some), _bytes(place)


def _repeated(rows: Sequence[EnvironmentRow], wanted: int) -> Iterator[EnvironmentRow]:
    made = (
        replace(row, id=f"{number:04x}{row.id[4:]}", repo=f"{number}/{row.repo}")
        for number in count()
        for row in rows
    )
    yield from sorted(islice(made, wanted), key=environment_order)


def _write(dataset: StoredDataset, rows: Sequence[EnvironmentRow], place: Path) -> None:
    content = Content(rows, (), (), dataset.blobs.read)
    write_dataset(new_store(str(place)), content)


def _bytes(place: Path) -> int:
    return sum(each.stat().st_size for each in place.rglob("*") if each.is_file())


def _seconds(name: str, place: Path) -> dict[str, Any] | str:
    """Return the median time of processes that open and filter, and of the first; `missing`."""
    if importlib.util.find_spec(name) is None:
        return "not installed"
    taken: list[float] = []
    with tempfile.TemporaryDirectory() as cache:
        program = _READERS[name].format(folder=str(place), cache=cache)
        for _ in range(_RUNS):
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", program], check=True, capture_output=True, encoding="utf-8"
            )
            taken.append(round(time.perf_counter() - start, 3))
    return {"first": taken[0], "median": statistics.median(taken), "rows": int(done.stdout)}


if __name__ == "__main__":
    raise SystemExit(main())
