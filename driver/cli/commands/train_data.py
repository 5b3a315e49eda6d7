"""`slice-func train-data`: data for trainers from a dataset and runs of it."""

from __future__ import annotations

from contextlib import contextmanager

from ..parser import Parser, UsageError, per_cent, positive
from ..shared_options import add_references, require_references
from .eval import numbers

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator, Sequence

    from ...evaluation.runs import RunTable
    from ...training.samples import Sample
    from ...training.sandbox_checks import SandboxChecks

RECIPES = ("sft", "rft", "dpo", "grpo")
FORMATS = ("trl", "llama-factory", "verl", "openai")
NO_PLACE = {("dpo", "verl"), ("grpo", "llama-factory")}
"""Recipes for which a trainer has no place."""


def parser() -> Parser:
    """Return the grammar of `slice-func train-data`."""
    made = Parser(
        "slice-func train-data",
        ("dataset", "runs", "recipe", "format", "model", "per_function", "context", "fresh_inputs",
         "mixed_only", "against", "validation", "sizes", "seeds", "sample_by", "output"),
        usage="slice-func train-data [options] DATASET [RUN ...] --recipe RECIPE -o DIR",
        description="Write data that trainers read. sft: each function with its original; rft:\n"
        "also what models wrote and passed all cases; dpo: pairs of a right and a wrong answer;\n"
        "grpo: questions, with the reward function that asks slice-func serve.",
    )  # fmt: skip
    _add_content(made.add_argument_group("what is written").add_argument)
    add = made.add_argument_group("what must not be in it").add_argument
    add_references(add)
    add(
        "--validation",
        metavar="N",
        type=per_cent,
        default=0,
        help="repositories that are held back for validation, in per cent (default 0)",
    )
    _add_samples(made.add_argument_group("samples of it").add_argument)
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="DIR", required=True, help="new or empty folder")
    add("--json", action="store_true", help="the report on standard output")
    made.add_general()
    return made


def _add_content(add: Callable[..., object]) -> None:
    """Add the options that say what each example is like."""
    add("dataset", metavar="DATASET", help="dataset, or folder of environments")
    add("runs", metavar="RUN", nargs="*", help="folders that slice-func eval has written")
    add("--recipe", choices=RECIPES, required=True, help="what the data is for")
    add("--format", choices=FORMATS, default="trl", help="of the files (default trl)")
    add(
        "--model",
        metavar="NAME",
        default="",
        help="the model that will be trained: its samples count as self, those of others as "
        "distill",
    )
    add(
        "--per-function",
        metavar="N",
        type=positive,
        default=5,
        help="most answers of rft beside the original, and most pairs of dpo, of one function "
        "(default 5)",
    )
    add(
        "--context",
        choices=("none", "in-file", "slice"),
        default="slice",
        help="code in the question: the definition's head, its file, or the slice (default)",
    )
    add(
        "--max-tokens",
        metavar="N",
        type=positive,
        default=8192,
        help="longest example, in estimated tokens (default 8192)",
    )
    add(
        "--fresh-inputs",
        metavar="N",
        type=positive,
        default=0,
        help="run each right answer of rft and dpo on so many inputs that no verdict has used, and "
        "leave out what they refute; for dpo run mutants, too, and take those that only hidden "
        "cases or fresh inputs tell from the original (needs the sandbox, seconds a function)",
    )
    add(
        "--mixed-only",
        action="store_true",
        help="only functions of which some samples of the runs pass and some do not",
    )
    add(
        "--seed",
        metavar="N",
        type=int,
        default=0,
        help="decides which answers stay where there are more (default 0)",
    )


def _add_samples(add: Callable[..., object]) -> None:
    """Add the options for samples of growing size."""
    add(
        "--sizes",
        metavar="N[,N]",
        type=numbers,
        default=(),
        help="write a folder for each of these numbers of functions; the smaller are parts of the "
        "larger ones",
    )
    add(
        "--seeds",
        metavar="N",
        type=positive,
        default=1,
        help="of each size so many samples, by seeds from 0 on (default 1)",
    )
    add(
        "--sample-by",
        metavar="WHAT",
        type=_units,
        default=("example",),
        help="example: functions of all repositories (default); repository: all functions of few; "
        "example,repository: both",
    )


def _units(text: str) -> tuple[str, ...]:
    """Return what samples are taken by.

    Raises:
        ArgumentTypeError: it is neither.
    """
    import argparse

    found = tuple(dict.fromkeys(text.split(",")))
    if not set(found) <= {"example", "repository"}:
        raise argparse.ArgumentTypeError(f"{text!r} is neither example nor repository, nor both")
    return found


def run(arguments: argparse.Namespace) -> int:
    """Write the data, and print its report.

    Raises:
        UsageError: options that exclude each other.
        SliceFuncError: no dataset, no run, no example, or the folder is taken.
    """
    _check(arguments)
    from pathlib import Path

    from ....slicer.errors import OptionError
    from ...console.streams import printable, write_json, write_stdout
    from ...record.output_files import require_empty, require_parent
    from ...settings.extras import require

    require("eval", "numpy", "pyarrow", "fsspec", "tree_sitter")
    from ...datasets.deduplication.references import read_references
    from ...datasets.storage.dataset import open_dataset
    from ...evaluation.runs import open_run
    from ...training.options import TrainingOptions
    from ...training.report_lines import report_lines
    from ...training.training_data import training_data
    from ...training.write_training_data import write_training_data
    from ...training.wrong_definitions import KilledMutants

    require_parent(Path(arguments.output))
    require_empty(Path(arguments.output))
    options = TrainingOptions(
        recipe=arguments.recipe,
        format=arguments.format,
        model=arguments.model,
        per_function=arguments.per_function,
        context=arguments.context,
        most_tokens=arguments.max_tokens,
        validation=arguments.validation,
        mixed_only=arguments.mixed_only,
        similarity=max(arguments.similarity, 1) / 100,
        is_same_repository_out=arguments.same_repository,
        seed=arguments.seed,
    )
    dataset = open_dataset(arguments.dataset)
    runs = [open_run(each) for each in arguments.runs]
    _check_runs(runs, arguments)
    references = list(read_references(arguments.against, arguments.fields))
    wrong = KilledMutants(dataset, options.per_function)
    if arguments.fresh_inputs:
        with _checks(arguments) as checks:
            data = training_data(dataset, runs, references, options, wrong, checks)
    else:
        data = training_data(dataset, runs, references, options, wrong)
    if not data.examples:
        why = ", ".join(f"{n} {name}" for name, n in data.report["functions"]["left_out"].items())
        raise OptionError(
            f"{arguments.dataset}: no example is left ({why or 'no function for training'})",
            "give another dataset, or fewer limits, such as a larger --max-tokens",
        )
    report = write_training_data(arguments.output, data, options, _samples(arguments))
    if arguments.json:
        write_json(report)
    else:
        lines = "".join(f"{printable(line)}\n" for line in report_lines(report))
        write_stdout(lines.encode("utf-8", "backslashreplace"))
    return 0


@contextmanager
def _checks(arguments: argparse.Namespace) -> Generator[SandboxChecks]:
    """Yield the check of answers on fresh inputs, with its progress."""
    from ....verifier.execution.executors.choose_executor import choose
    from ...console.progress import Progress
    from ...console.streams import say
    from ...training.sandbox_checks import SandboxChecks

    for line in choose().lines():
        say(line)
    with Progress(0, what="functions") as progress:
        yield SandboxChecks(
            arguments.dataset,
            arguments.fresh_inputs,
            arguments.recipe == "dpo",
            arguments.seed,
            progress,
        )


def _check_runs(runs: Sequence[RunTable], arguments: argparse.Namespace) -> None:
    """Refuse runs that count twice, and a model that none is of; warn of another context.

    Raises:
        UsageError: a run is named twice, or no run is of the model.
    """
    from pathlib import Path

    from ...console.streams import say

    places = [str(Path(each).resolve()) if "://" not in each else each for each in arguments.runs]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise UsageError(f"{arguments.runs[number]} is named twice", "name each run once")
    models = sorted({str(each.settings["model"]) for each in runs})
    if arguments.model and models and arguments.model not in models:
        raise UsageError(
            f"--model {arguments.model}: no run is of that model", f"there are {', '.join(models)}"
        )
    for run in runs:
        context = run.settings.get("context", arguments.context)
        if context != arguments.context:
            say(
                f"warning: {run.location} was sampled with --context {context}, and questions have "
                f"--context {arguments.context}"
            )


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that exclude each other.

    Raises:
        UsageError: they do.
    """
    if (arguments.recipe, arguments.format) in NO_PLACE:
        others = [each for each in FORMATS if (arguments.recipe, each) not in NO_PLACE]
        raise UsageError(
            f"--format {arguments.format}: that trainer has no place for {arguments.recipe}",
            f"give one of {', '.join(others)}",
        )
    if arguments.recipe == "sft" and arguments.runs:
        raise UsageError("--recipe sft reads no run", "give --recipe rft to add what runs passed")
    if arguments.recipe == "rft" and not arguments.runs:
        raise UsageError("--recipe rft needs a RUN", "sample a model with slice-func eval -n 5")
    if arguments.mixed_only and not arguments.runs:
        raise UsageError("--mixed-only needs a RUN", "sample a model with slice-func eval -n 5")
    require_references(arguments)


def _samples(arguments: argparse.Namespace) -> list[Sample]:
    """Return a sample for each unit, size and seed."""
    from ...training.samples import Sample

    return [
        Sample(size, seed, by)
        for by in arguments.sample_by
        for size in arguments.sizes
        for seed in range(arguments.seeds)
    ]
