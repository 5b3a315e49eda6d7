"""Build from repositories that are too large in one way: time, memory, disk, and what rows say.

    python -m benchmarks.datasets.large_repositories --work DIR

Three repositories are made, built with `--limit 2`, and removed: two gigabytes of data beside some
code, one file of 40 MB, and one file of 10,000 functions. It needs seven gigabytes of disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from slicefunc.driver.datasets.storage.dataset import open_built

from ..common.report import machine, write_result
from ..sources.sdists import DEFAULT_WORK

_MB = 1 << 20
_FUNCTION = '''

def scaled_{n}(value: int, limit: int = {n}) -> int:
    """Add {n} to small values, and take it from others."""
    if value < limit:
        return value + {n}
    return value - {n} * {m}
'''


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; its status is 1 if a build fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--only", choices=tuple(KINDS), help="only this repository")
    options = parser.parse_args(argv)
    place = options.work / "large"
    results: dict[str, Any] = {}
    for name, make in KINDS.items():
        if options.only in (None, name):
            shutil.rmtree(place, ignore_errors=True)
            source = place / name
            source.mkdir(parents=True)
            make(source)
            results[name] = _measured(place, source)
            print(json.dumps({name: results[name]}, indent=2), flush=True)
    shutil.rmtree(place, ignore_errors=True)
    write_result("dataset-large", {"repositories": results, "machine": machine()})
    return 1 if any(each["status"] for each in results.values()) else 0


def _data(folder: Path) -> None:
    """Write 2 GB of random data and one small module, committed; only the objects stay."""
    (folder / "scales.py").write_text(_functions(10))
    chance = random.Random(0)
    for number in range(40):
        content = b"".join(chance.randbytes(_MB) for _ in range(50))
        (folder / f"part-{number:02d}.bin").write_bytes(content)
    _commit(folder)
    for file in folder.glob("*.bin"):
        file.unlink()


def _table(folder: Path) -> None:
    """Write one module of 40 MB: a table, a function that reads it, and one that does not."""
    lines = (f'    "key-{n:07d}": ({n}, {n % 977}, "{n * 31:010d}"),\n' for n in range(880_000))
    with (folder / "table.py").open("w", encoding="ascii") as file:
        file.write('"""A table."""\n\nTABLE = {\n')
        file.writelines(lines)
        file.write('}\n\n\ndef looked_up(key: str) -> int:\n    """The first number of a key."""\n')
        file.write("    if key not in TABLE:\n        return -1\n    return TABLE[key][0]\n")
        file.write(_functions(1))
    _commit(folder)


def _many(folder: Path) -> None:
    """Write one module of 10,000 functions."""
    (folder / "scales.py").write_text(_functions(10_000))
    _commit(folder)


def _functions(count: int) -> str:
    return '"""Small functions."""\n' + "".join(
        _FUNCTION.format(n=n, m=n % 7 + 2) for n in range(1, count + 1)
    )


KINDS: Mapping[str, Callable[[Path], None]] = MappingProxyType(
    {"2 GB of data": _data, "one file of 40 MB": _table, "10,000 functions in one file": _many}
)


def _commit(folder: Path) -> None:
    for words in (
        ("init", "--quiet"),
        ("add", "."),
        ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "one"),
    ):
        settings = ("-c", "core.compression=0", "-c", "core.bigFileThreshold=1m")
        subprocess.run(["git", "-C", folder, *settings, *words], check=True)


def _measured(place: Path, source: Path) -> dict[str, Any]:
    """Build two functions of a repository; return what that took and what came of it."""
    plan, output, cache = place / "repos.jsonl", place / "dataset", place / "cache"
    plan.write_text(json.dumps({"repo": "benchmarks/large", "source": str(source)}) + "\n")
    temporary = place / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "slicefunc.driver.cli.command", "build", plan, "-o", output]
    settings = {"SLICE_FUNC_CACHE": str(cache), "TMPDIR": str(temporary)}
    started = time.monotonic()
    process = subprocess.Popen(
        [*map(str, command), "--limit", "2", "--jobs", "1", "--keep-duplicates", "--quiet"],
        env={**os.environ, **settings},
    )
    largest, stop = [0], threading.Event()

    def sample() -> None:
        while not stop.wait(1.0):
            largest[0] = max(largest[0], _bytes([cache, temporary]))

    sampler = threading.Thread(target=sample)
    sampler.start()
    _, status, used = os.wait4(process.pid, 0)
    stop.set()
    sampler.join()
    return {
        "status": os.waitstatus_to_exitcode(status),
        "seconds": round(time.monotonic() - started, 1),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
        "largest_process_mb": used.ru_maxrss >> 10,
        "disk_mb": largest[0] // _MB,
        "disk_mb_afterwards": _bytes([cache, temporary]) // _MB,
        **_rows(output),
    }


def _bytes(folders: Sequence[Path]) -> int:
    """Return the room that folders take; a file with several names counts once."""
    sizes: dict[int, int] = {}
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                try:
                    about = Path(parent, name).lstat()
                except OSError:  # it is gone
                    continue
                sizes[about.st_ino] = about.st_blocks * 512
    return sum(sizes.values())


def _rows(output: Path) -> dict[str, Any]:
    if not (output / "manifest.json").exists():
        return {}
    dataset = open_built(str(output))
    (repository,) = dataset.repositories()
    return {
        "functions": repository.functions,
        "rule": repository.rule,
        "reason": repository.reason,
        "rows": [
            {
                "qualname": row.qualname,
                "environment": bool(row.environment),
                "reasons": list(row.reasons),
                "detail": row.detail,
            }
            for row in dataset.functions()
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
