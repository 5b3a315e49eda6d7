"""Whether trainers read what `slice-func train-data` writes, and learn from it in one real step.

Each consumer has an environment of its own, in a stated release, and trains a model of some ten
thousand random weights on the processor; nothing but packages is downloaded. GRPO asks a reward
service of the same dataset.

python -m benchmarks.training.consumers DATASET [RUN ...]                     all pairs
python -m benchmarks.training.consumers DATASET --recipe dpo --format trl     one of them
python -m benchmarks.training.consumers DATASET --written DIR                 folders RECIPE-FORMAT

`DATASET` is what `slice-func build` has written and `RUN` what `slice-func eval` has written.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from slicefunc.driver.cli.commands.train_data import FORMATS, NO_PLACE, RECIPES
from slicefunc.driver.datasets.exports.answers import empty_definition
from slicefunc.driver.datasets.exports.task_files import fenced
from slicefunc.driver.datasets.storage.dataset import open_dataset

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks/results/training-consumers.json"
CHILDREN = Path(__file__).with_name("consumer_children")
TOKENIZER = ROOT / "benchmarks/datasets/export_children"
_SLICE_FUNC = Path(sys.executable).with_name("slice-func")
_SECONDS = 900
_OFFLINE = {"HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore", "WANDB_MODE": "disabled"}


@dataclass(frozen=True, slots=True)
class Consumer:
    """A release of a trainer, and what is installed beside it."""

    distribution: str
    release: str
    further: tuple[str, ...] = ()
    """Requirements that it does not name itself, or not closely enough."""
    has_torch: bool = True
    without: tuple[str, ...] = ()
    """Packages to uninstall: those of the index are compiled for other builds of torch."""
    compiled_parts_of: tuple[str, ...] = ()
    """Packages that are imported, whose compiled parts are for other builds of torch."""


TRL = Consumer("trl", "1.16.0")
SKYRL = Consumer("skyrl-gym", "0.4.0", further=("omegaconf",), has_torch=False)
CONSUMERS = {
    "trl": TRL,
    "llama-factory": Consumer(
        "llamafactory", "0.9.5", without=("torchvision",), compiled_parts_of=("torchaudio",)
    ),
    "verl": Consumer(
        "verl", "0.9.1", further=("tensordict==0.10.0", "cachetools", "fastapi", "uvicorn")
    ),
    "openai": TRL,
    "openai check": Consumer("together", "2.2.0", has_torch=False),
}


def main() -> int:
    """Run the pairs, and return 1 where one trains nothing."""
    given = _arguments()
    answers = _write_answers(given.dataset, given.work / "answers.jsonl")
    missed = False
    for recipe in given.recipe or RECIPES:
        for form in given.format or FORMATS:
            if (recipe, form) in NO_PLACE:
                continue
            found = _tried(recipe, form, answers, given)
            print(f"{recipe}, {form}: {json.dumps(found)}", flush=True)
            results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
            results.setdefault(recipe, {})[form] = found
            RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
            missed |= not _is_right(found)
    return int(missed)


def _is_right(found: dict[str, Any]) -> bool:
    passed = found.get("check", {}).get("passed", True)
    return bool(found["steps"] == 1 and found["rows"] and found["weights_changed"] and passed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("dataset", help="a dataset")
    parser.add_argument("runs", nargs="*", metavar="RUN", help="a run of an evaluation on it")
    parser.add_argument("--recipe", action="append", choices=RECIPES, help="(repeatable)")
    parser.add_argument("--format", action="append", choices=FORMATS, help="(repeatable)")
    parser.add_argument("--written", type=Path, help="a folder with a folder for each pair")
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".work/training", help="for environments"
    )
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    return given


def _write_answers(location: str, file: Path) -> Path:
    """Write a line for each environment: its id, the original, an empty body."""
    dataset = open_dataset(location)
    lines: list[dict[str, str]] = []
    for row in dataset.rows():
        empty = empty_definition(row, dataset.environment(row.id)) or f"{row.signature}\n    pass"
        lines.append({"id": row.id, "gold": fenced(row.code), "empty": fenced(empty)})
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


def _tried(recipe: str, form: str, answers: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Write the rows, install the consumer, and let it train a step."""
    folder = given.written or given.work / "data"
    data = folder / f"{recipe}-{form}"
    if given.written is None:
        runs = given.runs if recipe in {"rft", "dpo"} else ()
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(data, ignore_errors=True)
        words = ("--recipe", recipe, "--format", form, "-o", str(data))
        _output([str(_SLICE_FUNC), "train-data", given.dataset, *runs, *words])
    consumer = CONSUMERS[form]
    python = installed(consumer, given.work)
    start = time.monotonic()
    with _service(given.dataset) if recipe == "grpo" else contextlib.nullcontext("") as url:
        found = printed(python, _child(recipe, form), (data, recipe, answers), url)
    found = {
        "consumer": consumer.distribution,
        "release": _release(python, consumer.distribution),
        "torch": _release(python, "torch"),
        "slice_func": version("slice-func"),
        **found,
        "seconds": round(time.monotonic() - start, 1),
    }
    if form == "openai":
        checker = CONSUMERS["openai check"]
        python = installed(checker, given.work)
        check = printed(python, "openai_check.py", (data, recipe), "")
        about = {
            "consumer": checker.distribution,
            "release": _release(python, checker.distribution),
        }
        found["check"] = {**about, **check}
    return found


def _child(recipe: str, form: str) -> str:
    if form == "verl":
        return "verl_grpo_consumer.py" if recipe == "grpo" else "verl_sft_consumer.py"
    return f"{form.replace('-', '')}_consumer.py"


def installed(consumer: Consumer, work: Path) -> Path:
    """Return the interpreter of an environment with the consumer and this tool."""
    place = work / f"venv-{consumer.distribution}"
    python = place / "bin/python"
    if python.exists():
        return python
    _uv("venv", "-q", "-p", sys.executable, str(place))
    torch = ("torch==2.13.0+cpu",) if consumer.has_torch else ()
    wanted = (f"{consumer.distribution}=={consumer.release}", *consumer.further, *torch)
    links = [word for each in _find_links() for word in ("--find-links", each)]
    _uv("pip", "install", "-q", "-p", str(python), "-e", f"{ROOT}[datasets]", *wanted, *links)
    if consumer.without:
        _uv("pip", "uninstall", "-q", "-p", str(python), *consumer.without)
    for each in consumer.compiled_parts_of:
        for file in place.glob(f"lib/*/site-packages/{each}/**/*.so"):
            file.unlink()
    return python


def _find_links() -> Sequence[str]:
    """Return pip's further places of packages: uv does not read its settings."""
    return os.environ.get("PIP_FIND_LINKS", "").split()


@contextlib.contextmanager
def _service(dataset: str) -> Generator[str]:
    """Serve rewards of a dataset, and yield the address."""
    words = [str(_SLICE_FUNC), "serve", dataset, "--port", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        lines = (re.search(r"http://\S+", line) for line in process.stderr)
        found = next(filter(None, lines), None)
        if found is None:
            raise SystemExit("benchmarks: the service does not start")
        yield found[0]
    finally:
        process.terminate()
        process.wait(60)


def printed(python: Path, child: str, words: Sequence[object], url: str) -> dict[str, Any]:
    """Return what a child prints last."""
    paths = os.pathsep.join(map(str, (CHILDREN, TOKENIZER)))
    env = {**os.environ, **_OFFLINE, "PYTHONPATH": paths, "SLICE_FUNC_URL": url}
    printed = _output([str(python), str(CHILDREN / child), *map(str, words)], env)
    return json.loads(printed.splitlines()[-1])


def _release(python: Path, distribution: str) -> str:
    ask = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    return _output([str(python), "-c", ask, distribution]).strip()


def _uv(*words: str) -> None:
    _output([sys.executable, "-m", "uv", *words])


def _output(command: Sequence[str], env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, env=env, stdout=subprocess.PIPE, text=True, check=False, timeout=_SECONDS
    )
    if done.returncode:
        raise SystemExit(f"benchmarks: status {done.returncode} from {' '.join(command)}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
