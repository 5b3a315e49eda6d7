"""The whole loop on a small machine: build, sample, score, make data, train, evaluate again.

The model is tiny and knows nothing at first, so what it can do afterwards it has learned from the
environments by heart. The loop shows that all parts fit, and nothing about how well real models
generalise. `python -m recipes.loop --help` says what it takes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet

from .random_model import write_random_model
from .services import ONE_THREAD, program, run_command, running_service, serve_model

RECIPES = Path(__file__).parent
FIXTURES = RECIPES.parent / "fixtures"
REPOSITORIES = (FIXTURES / "shop" / "repo", FIXTURES / "operators" / "repo")
"""By the hash of their names, the first is trained on and the second is held back."""
MOST_FUNCTIONS = 6
"""Functions of each repository; one takes some seconds to become an environment."""
TEACHER = "gold-0.5"
"""A simulated model that writes the original half of the time."""
TINY = (
    *("--dtype", "float32", "--bf16", "false", "--use_cpu", "true"),
    *("--gradient_checkpointing", "false"),
)
"""What a model of a million weights on a processor has in place of the YAML's settings."""
BY_HEART = (
    *("--learning_rate", "3e-3", "--num_train_epochs", "60"),
    *("--per_device_train_batch_size", "2", "--gradient_accumulation_steps", "1"),
    *("--max_length", "1024"),
)
"""Settings under which it learns a few functions by heart."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Where the loop works, and with what."""

    work: Path
    """New folder for all that it writes."""
    slice_func: str
    """The command `slice-func`."""
    repositories: Sequence[Path]
    held_back: int
    """Share of repositories that are not trained on, in per cent; a hash of their names decides."""
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each step took, by its name."""

    @contextmanager
    def step(self, name: str) -> Iterator[Path]:
        """Time a step; yield the file for what it prints."""
        print(f"{name} …", flush=True)
        begin = time.monotonic()
        yield self.work / f"{name.replace(' ', '-')}.log"
        self.seconds[name] = time.monotonic() - begin


@dataclass(frozen=True, slots=True)
class Passed:
    """How many environments a model has solved."""

    trained: int
    of_trained: int
    others: int
    of_others: int


def build(loop: Loop) -> Path:
    """Make a dataset of the repositories' functions; return its folder."""
    listed, dataset = loop.work / "repos.jsonl", loop.work / "dataset"
    curate = [loop.slice_func, "curate", *loop.repositories, "--licence", "any"]
    with loop.step("build") as log:
        run_command([*curate, "--max-functions", str(MOST_FUNCTIONS), "-o", listed], log)
        run_command([loop.slice_func, "build", listed, "-o", dataset], log)
    return dataset


def sample(loop: Loop, dataset: Path) -> Path:
    """Let the teacher write each function four times, and score that; return the run's folder."""
    run = loop.work / "teacher"
    with loop.step("sample and score") as log:
        simulate = [loop.slice_func, "eval", "simulate", dataset]
        service = running_service(simulate, "/v1/models", loop.work / "teacher-service.log")
        with service as address:
            words = ["--model", TEACHER, "-n", "4", "--temperature", "1", "--seed", "1"]
            _evaluate(loop, dataset, address, [*words, "-o", run], log)
    return run


def make_data(loop: Loop, dataset: Path, run: Path) -> Path:
    """Turn the dataset and the teacher's samples into training data; return its folder."""
    data = loop.work / "data"
    words = ["--recipe", "rft", "--context", "none", "--validation", str(loop.held_back)]
    with loop.step("train-data") as log:
        run_command([loop.slice_func, "train-data", dataset, run, *words, "-o", data], log)
    if not (data / "train.jsonl").stat().st_size:
        raise SystemExit("every repository is held back: add one, or choose another --validation")
    return data


def train(loop: Loop, data: Path, before: Path) -> Path:
    """Train the model; return the folder of the trained one."""
    after = loop.work / "after"
    command = [program("trl"), "sft", "--config", RECIPES / "trl" / "sft.yaml", *TINY, *BY_HEART]
    places = ["--model_name_or_path", before, "--dataset_name", data, "--output_dir", after]
    with loop.step("train") as log:
        run_command([*command, *places], log, ONE_THREAD)
    return after


def evaluate(loop: Loop, dataset: Path, model: Path) -> Path:
    """Let a model write each function once, greedily; return the run's folder."""
    run = loop.work / f"run-{model.name}"
    with loop.step(f"evaluate {model.name}") as log:
        service_log = loop.work / f"{model.name}-service.log"
        with serve_model(model, service_log, ONE_THREAD) as address:
            # one request at a time: the service has one seed for all that it does
            words = ["--model", model.resolve(), "--greedy", "--concurrency", "1"]
            _evaluate(loop, dataset, address, [*words, "--answer-tokens", "256", "-o", run], log)
    return run


def _evaluate(
    loop: Loop, dataset: Path, address: str, words: Sequence[str | Path], log: Path
) -> None:
    command = [loop.slice_func, "eval", dataset, "--base-url", f"{address}/v1", *words]
    # prompts are short; answers are stored by the model's name, and another loop's is another model
    stored = loop.work / "answers.sqlite"
    run_command([*command, "--context", "none", "--llm-cache", stored], log)


def losses(trained: Path) -> tuple[float, float]:
    """Return the first and the last loss that the trainer has logged."""
    (state,) = trained.glob("checkpoint-*/trainer_state.json")
    logged = [row["loss"] for row in json.loads(state.read_text())["log_history"] if "loss" in row]
    return logged[0], logged[-1]


def count_passed(run: Path, data: Path) -> Passed:
    """Count the environments that a run has solved, apart for those that were trained on."""
    lines = (data / "train.jsonl").read_text().splitlines()
    trained = {json.loads(line)["environment"] for line in lines}
    rows = pyarrow.parquet.read_table(run / "samples.parquet").to_pylist()
    known = [row["verdict"] == "passed" for row in rows if row["environment"] in trained]
    others = [row["verdict"] == "passed" for row in rows if row["environment"] not in trained]
    return Passed(sum(known), len(known), sum(others), len(others))


def report(loop: Loop, loss: tuple[float, float], before: Passed, after: Passed) -> str:
    """Format what the loop has found as a short table."""
    known, others = f"{after.of_trained} functions", f"{after.of_others} functions"
    rows = [
        ("", "before", "after"),
        ("loss", f"{loss[0]:.3f}", f"{loss[1]:.3f}"),
        (f"Pass@1, trained on ({known}; memorised)", _share(before.trained, before.of_trained),
         _share(after.trained, after.of_trained)),
        (f"Pass@1, others ({others})", _share(before.others, before.of_others),
         _share(after.others, after.of_others)),
    ]  # fmt: skip
    lines = [f"{name:<48}{first:>8}{last:>8}" for name, first, last in rows]
    times = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in loop.seconds.items())
    return "\n".join([*lines, f"{times}; {sum(loop.seconds.values()):.0f} s in all"])


def _share(some: int, of_all: int) -> str:
    return f"{100 * some / of_all:.0f}%" if of_all else "-"


def run_loop(loop: Loop, dataset: Path | None = None) -> tuple[Passed, Passed]:
    """Run all steps, and print the table.

    Args:
        loop: where, and with what.
        dataset: one that is there; without it, one is built of the loop's repositories.

    Returns:
        What the model passes before and after it is trained.
    """
    loop.work.mkdir(parents=True)
    dataset = dataset or build(loop)
    data = make_data(loop, dataset, sample(loop, dataset))
    model = loop.work / "before"
    with loop.step("model"):
        write_random_model(data / "train.jsonl", model)
    before = count_passed(evaluate(loop, dataset, model), data)
    trained = train(loop, data, model)
    after = count_passed(evaluate(loop, dataset, trained), data)
    print(report(loop, losses(trained), before, after))
    return before, after


def main() -> None:
    """Run the loop as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path, metavar="DIR", help="new folder for all that it writes")
    parser.add_argument("--slice-func", default="slice-func", metavar="COMMAND")
    parser.add_argument(
        "--repository", type=Path, action="append", metavar="DIR", help="a repository to build of"
    )
    parser.add_argument("--dataset", type=Path, metavar="DIR", help="a dataset; nothing is built")
    parser.add_argument(
        "--validation",
        type=int,
        default=50,
        metavar="N",
        help="repositories held back, in per cent",
    )
    options = parser.parse_args()
    repositories = options.repository or REPOSITORIES
    loop = Loop(options.work, options.slice_func, repositories, options.validation)
    run_loop(loop, options.dataset)


if __name__ == "__main__":
    main()
