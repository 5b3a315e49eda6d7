"""`slice-func build`: environments of many repositories, as a dataset."""

from __future__ import annotations

from ..parser import Parser, UsageError, date, per_cent, positive
from ..shared_options import add_executor

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

    from ...datasets.building.engines.engine import Engine
    from ...datasets.building.tasks import BuildOptions


def parser() -> Parser:
    """Return the grammar of `slice-func build`."""
    made = Parser(
        "slice-func build",
        ("repositories", "output", "jobs", "ray", "resume", "limit"),
        usage="slice-func build [options] REPOS.jsonl -o DATASET",
        description="Make environments of the functions of many repositories: a dataset.",
    )
    add = made.add_argument_group("what to build").add_argument
    add("repositories", metavar="REPOS.jsonl", help="list that slice-func curate has written")
    add("--limit", metavar="N", type=positive, help="only the first N functions that are reached")
    add("--shard", metavar="I/N", type=_shard, help="only part I of N of the repositories")
    add("--split", choices=("train", "eval"), help="for repositories whose line names none")
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="DATASET", required=True, help="folder, or URL such as s3://…")
    add(
        "--since", metavar="DATE", type=date,
        help="update the dataset that is there: repositories with the same commit, or which nobody "
        "has pushed to since, stay as they are",
    )  # fmt: skip
    add("--resume", action="store_true", help="go on with a build that was stopped")
    add = made.add_argument_group("where it runs").add_argument
    add("--jobs", metavar="N", type=positive, help="workers (default one for each processor)")
    add("--ray", metavar="ADDRESS", help="on a Ray cluster: auto, ray://HOST:PORT, local")
    add(
        "--function-seconds", metavar="N", type=positive, default=120,
        help="time for one function (default 120)",
    )  # fmt: skip
    add(
        "--worker-memory", metavar="GB", type=positive, default=8,
        help="memory of one worker, beside its sandboxes (default 8)",
    )  # fmt: skip
    add_executor(add)
    add = made.add_argument_group("what is kept").add_argument
    for name, what in (
        ("branches", "branches of the target that the cases take"),
        ("killed", "mutants of the target that the cases kill"),
        ("unseen", "mutants killed that no case was made for"),
    ):
        add(
            f"--min-{name}", metavar="N", type=per_cent, default=80,
            help=f"{what}, in per cent (default 80)",
        )  # fmt: skip
    add(
        "--similarity", metavar="N", type=per_cent, default=70,
        help="how alike two functions are of which one is left out, in per cent (default 70)",
    )  # fmt: skip
    add("--keep-duplicates", action="store_true", help="leave none of them out")
    add(
        "--eval-since", metavar="DATE", type=date,
        help="functions of repositories created then or later are for evaluation, others for "
        "training",
    )  # fmt: skip
    made.add_general()
    return made


def _shard(text: str) -> tuple[int, int]:
    """Return part and number of parts.

    Raises:
        ArgumentTypeError: the text is no such pair.
    """
    import argparse

    first, _, second = text.partition("/")
    number, of = (int(each) if each.isascii() and each.isdigit() else 0 for each in (first, second))
    if not 1 <= number <= of:
        raise argparse.ArgumentTypeError(f"{text!r} is not I/N with I from 1 to N")
    return number, of


def run(arguments: argparse.Namespace) -> int:
    """Build the dataset, or go on with it.

    Raises:
        UsageError: options that exclude each other.
    """
    from functools import partial

    from ...console.streams import say
    from ...datasets.building.build import Build, build
    from ...datasets.building.console_watcher import ConsoleWatcher
    from ...datasets.building.disk_room import DiskFullError
    from ...datasets.building.plan import read_plan, shard
    from ...datasets.building.seal import Selection
    from ...datasets.building.tasks import BuildOptions
    from ...datasets.deduplication.function import Options as DuplicateOptions
    from ...datasets.maintenance.summary import lost_lines
    from ...datasets.storage.store import Store
    from ...record.reason_codes import FULL_DISK
    from ...settings.options import Options, Verification

    if arguments.ray and arguments.executor == "plain":
        raise UsageError("--executor plain is no sandbox for many machines", "leave it out")
    plans = read_plan(arguments.repositories, arguments.split or "train")
    if arguments.shard:
        plans = shard(plans, *arguments.shard)
    verification = Verification(
        test=True,
        min_branches=arguments.min_branches,
        min_killed=arguments.min_killed,
        min_unseen=arguments.min_unseen,
        executor=arguments.executor,
    )
    options = BuildOptions(
        Options(), verification, arguments.function_seconds, arguments.worker_memory
    )
    store = Store.at(arguments.output)
    duplicates = DuplicateOptions(max(arguments.similarity, 1) / 100, arguments.eval_since)
    selection = Selection(None if arguments.keep_duplicates else duplicates)
    work = Build(
        plans, options, store, arguments.resume, arguments.limit, selection, arguments.since
    )
    watcher = ConsoleWatcher(resumes=arguments.resume, limit=arguments.limit)
    try:
        manifest = build(work, partial(_engine, arguments), watcher)
    except KeyboardInterrupt:
        say("stopped: the same command with --resume goes on")
        raise
    except OSError as error:
        if error.errno not in FULL_DISK:
            raise
        raise DiskFullError(f"{error.filename}: {error.strerror}") from None
    finally:
        watcher.end()
    counts = manifest["counts"]
    say(
        f"{arguments.output}: {counts['environments']} environments of {counts['functions']} "
        f"functions of {counts['repositories']} repositories"
    )
    for line in lost_lines(counts["reasons"]):
        say(line)
    say(f"look with slice-func dataset show {arguments.output}, --rejected for what is lost")
    return 0


def _engine(arguments: argparse.Namespace, options: BuildOptions) -> Engine:
    """Return the workers that the options ask for."""
    import os

    if arguments.ray:
        from ...datasets.building.engines.ray_engine import RayEngine

        return RayEngine(options, arguments.ray, arguments.jobs)
    from ...datasets.building.engines.local_engine import LocalEngine

    return LocalEngine(options, arguments.jobs or len(os.sched_getaffinity(0)))
