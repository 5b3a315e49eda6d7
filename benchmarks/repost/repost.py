"""Benchmark on RepoST-Eval: slice every target, run what comes out without the repository.

    python -m benchmarks.repost.repost --data FILE --make-env ENV               once
    python -m benchmarks.repost.repost --data FILE --repos DIR --python ENV/bin/python

`--repos` holds whole repositories as `owner/name` or `owner___name`, at the commits that the data
name; where one is missing, the fragments in the data serve as the repository. `--make-env ENV`
first makes the environment that the scripts run in. Foreign code runs without a network only.
What came of each target is in `records.json` of the work folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from ..sources.sdists import DEFAULT_WORK
from . import repost_tables
from .data.examples import Example, read_examples
from .measure import LAYOUTS, Bench, Record, measure
from .run_scripts import Runner, distributions, interpreter, sandbox

COMMON = """
numpy pandas requests httpx aiohttp flask fastapi pydantic pydantic-settings sqlalchemy
beautifulsoup4 lxml openai boto3 matplotlib seaborn scipy scikit-learn pillow pyyaml tqdm rich
click jinja2 selenium discord.py python-telegram-bot django djangorestframework pygame networkx
sympy nltk psutil python-dotenv psycopg2-binary pymongo redis attrs typing_extensions tenacity
toml pytz tabulate colorama python-dateutil openpyxl pytest cryptography foc torch
""".split()
"""What is installed beside a script: what such repositories use most."""
RESULTS = Path(__file__).parent.with_name("results")


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    options = _parser().parse_args(argv)
    if options.make_env:
        make_environment(options.make_env)
        options.python = options.python or options.make_env / "bin" / "python"
    work = options.work.resolve()
    bench = Bench(
        runner=Runner(Path(os.path.abspath(options.python or sys.executable)), work),  # noqa: PTH100
        repositories=options.repos.resolve() if options.repos else None,
        contexts=work / "contexts",
        layouts=tuple(options.emit or LAYOUTS),
        scripts=options.scripts,
    )
    examples = read_examples(options.data)[: options.limit]
    started = time.perf_counter()
    records = [_measured(n, example, examples, bench) for n, example in enumerate(examples, 1)]
    result = {
        "environment": _environment(bench.runner.python),
        "seconds": round(time.perf_counter() - started, 1),
        "summary": repost_tables.summarise(records),
    }
    _write(work / "records.json", records)
    _write(options.output, result)
    text = repost_tables.markdown(result)
    options.output.with_suffix(".md").write_text(text, "utf-8")
    print(text)
    return 0


def _write(file: Path, value: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


def make_environment(folder: Path) -> None:
    """A virtual environment with the packages that the targets use most."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *COMMON]
    subprocess.run(command, check=True)


def _measured(number: int, example: Example, examples: tuple[Example, ...], bench: Bench) -> Record:
    line = f"[{number}/{len(examples)}] {example.repository} {example.target}"
    print(f"\r\033[K{line}" if sys.stderr.isatty() else line, end="", file=sys.stderr, flush=True)
    started = time.perf_counter()
    record = measure(example, bench)
    if not sys.stderr.isatty():
        print(f"  {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return record


def _environment(python: Path) -> Record:
    found = {_plain(name): version for name, version in distributions(python).items()}
    common = [_plain(name) for name in COMMON]
    return {
        "python": interpreter(python),
        "sandbox": sandbox(),
        "installed": {name: found[name] for name in common if name in found},
        "not_installed": [name for name in common if name not in found],
    }


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Benchmark on RepoST-Eval.")
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, help="folder with whole repositories")
    parser.add_argument("--python", type=Path, help="interpreter that runs the scripts")
    parser.add_argument("--make-env", type=Path, metavar="DIR", help="make that environment first")
    parser.add_argument("--emit", choices=LAYOUTS, action="append", help="only this layout")
    parser.add_argument("--limit", type=int, help="only the first N targets")
    parser.add_argument("--scripts", type=Path, metavar="DIR", help="leave the slices here")
    parser.add_argument("--output", type=Path, default=RESULTS / "repost.json")
    parser.add_argument(
        "--work",
        type=Path,
        default=DEFAULT_WORK / "repost",
        help="where outcomes are kept by content: what did not change does not run again",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
