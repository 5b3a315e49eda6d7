"""`slice-func eval tasks`: tasks that a repository's own tests judge."""

from __future__ import annotations

from ..parser import Parser, positive
from ..shared_options import add_model, add_model_budget, model_settings

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

FAMILIES = ("feature", "class")


def parser() -> Parser:
    """Return the grammar of `slice-func eval tasks`."""
    made = Parser(
        "slice-func eval tasks",
        ("sources", "family", "limit", "output"),
        usage="slice-func eval tasks REPO [REPO ...] --family feature|class -o TASKS",
        description="Make tasks of clones: features from their history, or classes from words. "
        "Their own tests decide, in a sandbox.",
    )
    add = made.add_argument_group("what tasks are made of").add_argument
    add("sources", metavar="REPO", nargs="+", help="folders of clones, bare or not")
    add(
        "--family",
        choices=FAMILIES,
        required=True,
        help="feature: commits without their tests, of Python, Go, Rust, JavaScript or Java; "
        "class: classes of Python or Java that tests call",
    )
    add(
        "--limit",
        metavar="N",
        type=positive,
        default=20,
        help="commits or classes of each repository that are tried (default 20)",
    )
    add(
        "--repoclassbench",
        metavar="FILE",
        help="make the tasks of its python_data.json or java_data.json, of those repositories, "
        "instead (with class)",
    )
    add(
        "--remove-relatives",
        action="store_true",
        help="with a class, take out those of its file that have a base in common with it (Python)",
    )
    add(
        "--paraphrase",
        action="store_true",
        help="with a class, give the repository's names other letter cases wherever its tests "
        "still pass (Python)",
    )
    title = "descriptions by a model"
    add = made.add_argument_group(title).add_argument
    add("--describe", action="store_true", help="ask for one of a feature, for two of a class")
    add_model(add)
    add_model_budget(add)
    add = made.add_argument_group("output").add_argument
    add("-o", "--output", metavar="TASKS", required=True, help="folder for the tasks")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Make the tasks; return status 1 if there are none.

    Raises:
        SliceFuncError: a folder is no clone, or no sandbox works.
    """
    from pathlib import Path

    from ...console.streams import say
    from ...settings.extras import require

    require("eval", "tree_sitter", "fsspec")
    from ...evaluation.repository_tasks.build_tasks import BuildOptions, build_tasks
    from ...evaluation.repository_tasks.repoclassbench import read_rows

    options = BuildOptions(
        arguments.family,
        arguments.limit,
        arguments.remove_relatives,
        read_rows(arguments.repoclassbench) if arguments.repoclassbench else (),
        arguments.paraphrase,
    )
    folder = Path(arguments.output)
    if arguments.describe:
        from contextlib import closing
        from functools import partial

        from ....llm.client.cost_account import Account
        from ...evaluation.repository_tasks.described import ModelDescriptions
        from ...evaluation.repository_tasks.grading import Grader
        from ...evaluation.repository_tasks.repository_tasks import solution_diff
        from ...model.model_session import opened

        with (
            closing(opened(model_settings(arguments, arguments.sources[0]))) as client,
            closing(Grader()) as grader,
        ):
            describe = ModelDescriptions(client, Account(), partial(solution_diff, grader), say)
            reasons = build_tasks(arguments.sources, folder, options, say, describe)
    else:
        reasons = build_tasks(arguments.sources, folder, options, say)
    for reason, count in reasons.most_common():
        say(f"{count} left out: {reason}")
    return 0 if (folder / "tasks.jsonl").exists() else 1
