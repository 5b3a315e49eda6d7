"""Performance by amount and by diversity of training data: a training for each sample.

The samples are those of `slice-func train-data --sizes … --seeds … --sample-by example,repository`.
Each is trained on with `trl sft`; the loss on the held-back repositories is what is compared, with
the mean and the range over seeds. With `--dataset` each model is also evaluated by `slice-func
eval`. A training that is there already is not done again, so a stopped run goes on.

After RepoST (Xie et al., 2025, figure 4): by example at growing size, by repository at equal size.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pyarrow.parquet

from .random_model import write_random_model
from .services import program, run_command, serve_model

RECIPES = Path(__file__).parent
_NAME = re.compile(r"by-(\w+)-size-(\d+)-seed-(\d+)")
RESULT = "result.json"


@dataclass(frozen=True, slots=True)
class Point:
    """One training."""

    by: str
    """What the sample is drawn by: `example` or `repository`."""
    size: int
    """Functions in the sample."""
    seed: int
    rows: int
    repositories: int
    loss: float | None
    """Loss on the held-back repositories after training; `None` where nothing is held back."""
    passed: float | None
    """Pass@1 of the environments that are not trained on; `None` without a dataset."""


def samples_of(data: Path) -> Iterator[tuple[str, int, int, Path]]:
    """Yield what each sample is drawn by, its size, its seed and its folder, by size."""
    found = [(match, each) for each in data.iterdir() if (match := _NAME.fullmatch(each.name))]
    for match, folder in sorted(found, key=lambda one: (one[0][1], int(one[0][2]), one[0][3])):
        yield match[1], int(match[2]), int(match[3]), folder


def train(folder: Path, model: Path, output: Path, words: Sequence[str]) -> float | None:
    """Train on a sample; return the loss on its validation file."""
    command = [program("trl"), "sft", "--config", RECIPES / "trl" / "sft.yaml", *words]
    places = ["--model_name_or_path", model, "--dataset_name", folder, "--output_dir", output]
    has_validation = (folder / "validation.jsonl").exists()
    strategy = ["--eval_strategy", "epoch" if has_validation else "no"]
    output.mkdir(parents=True, exist_ok=True)
    run_command([*command, *places, *strategy], output / "train.log")
    (state,) = output.glob("checkpoint-*/trainer_state.json")
    history = json.loads(state.read_text())["log_history"]
    losses = [row["eval_loss"] for row in history if "eval_loss" in row]
    return losses[-1] if losses else None


def passed(slice_func: str, dataset: Path, model: Path, folder: Path) -> float | None:
    """Return Pass@1 of a model on the environments that its sample has not trained on."""
    run = model / "run"
    with serve_model(model, model / "serve.log") as address:
        words = [slice_func, "eval", dataset, "--model", model.resolve(), "--greedy", "--context"]
        words += ["none", "--concurrency", "1", "--base-url", f"{address}/v1", "-o", run]
        run_command([*words, "--llm-cache", model / "answers.sqlite"], model / "eval.log")
    lines = (folder / "train.jsonl").read_text().splitlines()
    trained = {json.loads(line)["environment"] for line in lines}
    rows = pyarrow.parquet.read_table(run / "samples.parquet").to_pylist()
    unseen = [row["verdict"] == "passed" for row in rows if row["environment"] not in trained]
    return fmean(unseen) if unseen else None


def measure(options: argparse.Namespace) -> list[Point]:
    """Train on each sample that has no result yet, and return all points."""
    points: list[Point] = []
    for by, size, seed, folder in samples_of(options.data):
        output = options.output / folder.name
        result = output / RESULT
        if not result.exists():
            print(f"{folder.name} …", flush=True)
            loss = train(folder, options.model, output, options.words)
            share = (
                passed(options.slice_func, options.dataset, output, folder)
                if options.dataset
                else None
            )
            counts = json.loads((folder / "report.json").read_text())
            rows = counts["splits"]["train"]
            point = Point(by, size, seed, rows, counts["repositories"], loss, share)
            result.write_text(json.dumps({name: getattr(point, name) for name in Point.__slots__}))
        points.append(Point(**json.loads(result.read_text())))
    return points


def table(points: Sequence[Point]) -> str:
    """Format the points as a line for each way and size, with mean and range over seeds."""
    lines = [f"{'by':<12}{'functions':>10}{'repositories':>14}{'loss':>26}{'Pass@1 of others':>26}"]
    for by, size in dict.fromkeys((each.by, each.size) for each in points):
        some = [each for each in points if (each.by, each.size) == (by, size)]
        repositories = fmean(each.repositories for each in some)
        losses = _spread([each.loss for each in some], 1, "")
        shares = _spread([each.passed for each in some], 100, "%")
        lines.append(f"{by:<12}{size:>10}{repositories:>14.1f}{losses:>26}{shares:>26}")
    return "\n".join(lines)


def _spread(values: Sequence[float | None], factor: float, unit: str) -> str:
    known = [factor * each for each in values if each is not None]
    if not known:
        return "-"
    return f"{fmean(known):.3f}{unit} ({min(known):.3f} to {max(known):.3f})"


def main() -> None:
    """Run the experiment as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA", help="folder with samples")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--model", metavar="NAME", help="folder or name; default: a tiny random one"
    )
    parser.add_argument("--dataset", type=Path, metavar="DIR", help="evaluate each model with it")
    parser.add_argument("--slice-func", default="slice-func", metavar="COMMAND")
    parser.add_argument("words", nargs="*", help="after --: further words for trl sft")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    if options.model is None:
        (*_, (_, _, _, largest)) = samples_of(options.data)
        options.model = options.output / "model"
        if not options.model.exists():
            write_random_model(largest / "train.jsonl", options.model)
    print(table(measure(options)))


if __name__ == "__main__":
    main()
