"""What a model altered or left out when it put a function and its dependencies into one script.

    python -m benchmarks.repost.published.recorded_aggregation --data FILE --repos DIR

The scripts are the eval scripts that RepoST has published, written by a model. What each should
hold is what our slice of its target keeps; `aggregated_scripts` compares the two, definition by
definition. Nothing is run.

The model saw no repository but what RepoST had found for it, the published context, which is
compared in the same way. Where a checkout has other definitions than the context shows, it is
another version, and the context serves as the repository. What the context leaves out the model
could not copy; such differences are counted apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.same_code.aggregated_scripts import (
    KINDS,
    SUBSTANCE,
    AggregatedVerdicts,
    ComparedDefinition,
    compared,
)
from slicefunc.verifier.same_code.sanity_checks import CANDIDATE_SUFFIX

from ...common.report import Progress, digest_of, machine, normalised, share, table, write_result
from ...sources.sdists import DEFAULT_WORK
from ..data.examples import Example, Home, find_home, read_examples

Record = dict[str, Any]
_COMPARISON = ("verifier/same_code/aggregated_scripts.py", "verifier/script/bare_trees.py")


def main(argv: list[str] | None = None) -> int:
    """Compare and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    examples = read_examples(options.data)
    if options.only:
        examples = tuple(e for e in examples if e.number in options.only)
    examples = examples[: options.limit]
    repositories = options.repos.resolve() if options.repos else None
    contexts = options.work.resolve() / "contexts"
    progress = Progress("eval scripts", len(examples))
    found: list[Record] = []
    for example in examples:
        found.append(_record(example, repositories, contexts))
        progress.advance()
    summary = _summary(found)
    result = {
        "summary": summary, "targets": found,
        "comparison": digest_of(*_COMPARISON), **machine(),
    }  # fmt: skip
    if options.write:
        write_result("recorded_aggregation", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary, found))
    return 0


def _record(example: Example, repositories: Path | None, contexts: Path) -> Record:
    record: Record = {
        "number": example.number, "repository": example.repository, "target": example.target,
    }  # fmt: skip
    try:
        home, sliced, shown = _sliced(example, repositories, contexts)
        found = compared(home.folder, sliced, example.eval_script)
    except (SliceFuncError, OSError) as error:
        failure = normalised(type(error).__name__, str(error))
        return {**record, "failure": failure, "message": str(error)}
    except Exception as error:  # noqa: BLE001 - one target must not end the run
        return {**record, "failure": f"internal: {error!r}"}
    hidden = {_key(c) for c in shown.different if c.kind in SUBSTANCE | {"decorators"}}
    of_shown = [c for c in found.dependencies if _key(c) not in hidden]
    return {
        **record,
        "failure": "",
        "origin": home.origin,
        "as published": home.as_published,
        "unreadable": found.error,
        "kind": found.target,
        "target's differences": [_told(c, hidden) for c in found.targets if c.kind != "same"],
        "dependencies": len(found.dependencies),
        "shown": len(of_shown),
        "kinds": _counted(c.kind for c in found.dependencies),
        "kinds of what was shown": _counted(c.kind for c in of_shown),
        "sorts": _sorts(found.dependencies),
        "classes": sum(c.sort == "class" for c in found.dependencies),
        "lost bases": sum(bool(c.lost_bases) for c in found.dependencies),
        "differences": [_told(c, hidden) for c in found.dependencies if c.kind != "same"],
        "added": {c.qualname: added for c in found.dependencies if (added := _added(c))},
    }


def _sliced(
    example: Example, repositories: Path | None, contexts: Path
) -> tuple[Home, Slice, AggregatedVerdicts]:
    """Where the example is sliced, its slice, and what the context shows of that."""
    home = find_home(example, repositories, contexts)
    sliced, shown = _shown(example, home)
    if home.origin == "repository" and (not home.as_published or _is_other_version(shown)):
        home = find_home(example, None, contexts)
        sliced, shown = _shown(example, home)
    return home, sliced, shown


def _shown(example: Example, home: Home) -> tuple[Slice, AggregatedVerdicts]:
    sliced = slice_function(Repository(home.folder), (example.target,))
    # Files stand one after another, each in a fence; those in docstrings are indented.
    lines = (line for line in example.context.split("\n") if not line.startswith("```"))
    return sliced, compared(home.folder, sliced, "\n".join(lines))


def _is_other_version(shown: AggregatedVerdicts) -> bool:
    """Whether something that the context shows is not what the repository has."""
    return any(
        each.kind in SUBSTANCE - {"missing"} and each.sort != "statement"
        for each in shown.different
    )


def _key(each: ComparedDefinition) -> tuple[str, str, int]:
    return each.path, each.qualname, each.line


def _sorts(dependencies: Iterable[ComparedDefinition]) -> dict[str, int]:
    counts = Counter(f"{each.sort}, {each.kind}" for each in dependencies)
    return dict(sorted(counts.items()))


def _told(each: ComparedDefinition, hidden: set[tuple[str, str, int]]) -> Record:
    """A definition that differs, by name, with everything that differs in it."""
    told: Record = {
        "definition": f"{each.path}::{each.qualname}", "sort": each.sort, "line": each.line,
        "kind": each.kind, "detail": each.detail, "shown": _key(each) not in hidden,
    }  # fmt: skip
    others = [str(d) for d in each.differences if str(d) != each.detail]
    lists = {
        "besides": others, "lost bases": each.lost_bases,
        "missing members": each.missing_members, "altered members": each.altered_members,
    }  # fmt: skip
    return {**told, **{name: list(values) for name, values in lists.items() if values}}


def _added(each: ComparedDefinition) -> list[str]:
    """Members that the model made up; the place of a second version is no such thing."""
    return [name for name in each.added if not name.endswith(CANDIDATE_SUFFIX)]


def _counted(kinds: Iterable[str]) -> dict[str, int]:
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in KINDS if counts[kind]}


def _summary(found: list[Record]) -> Record:
    known = [r for r in found if not r["failure"]]
    return {
        "targets": len(found),
        "compared": len(known),
        "contexts in place of checkouts": sum(r["origin"] != "repository" for r in known),
        "unreadable": sum(bool(r["unreadable"]) for r in known),
        "target": _counted(r["kind"] for r in known),
        "all": _of_dependencies(known, "dependencies", "kinds"),
        "shown": _of_dependencies(known, "shown", "kinds of what was shown"),
        "sorts": _sum(r["sorts"] for r in known),
        "classes": sum(r["classes"] for r in known),
        "lost bases": sum(r["lost bases"] for r in known),
        "with added members": sum(bool(r["added"]) for r in known),
        "reasons": dict(Counter(r["failure"] for r in found if r["failure"]).most_common()),
    }


def _of_dependencies(known: list[Record], number: str, kinds: str) -> Record:
    """Figures of all dependencies, or of those that the model was shown."""
    some = [r for r in known if r[number]]
    counts = _sum(r[kinds] for r in known)
    return {
        "dependencies": sum(r[number] for r in known),
        "kinds": {kind: counts[kind] for kind in KINDS if kind in counts},
        "examples": len(some),
        "with one altered or missing": sum(bool(r[kinds].keys() & SUBSTANCE) for r in some),
        "with one missing": sum("missing" in r[kinds] for r in some),
    }


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))


def _markdown(summary: Record, found: list[Record]) -> str:
    whole = summary["compared"]
    rows = [["targets that our slicer takes", share(whole, summary["targets"])]]
    rows += [[f"not compared: {why}", str(n)] for why, n in summary["reasons"].items()]
    rows += [
        ["from the published context", share(summary["contexts in place of checkouts"], whole)],
        ["scripts that do not parse", share(summary["unreadable"], whole)],
        *([_WORDS[kind], share(summary["target"].get(kind, 0), whole)] for kind in KINDS),
    ]
    both = [summary["all"], summary["shown"]]
    more = [
        ["kept by our slices", *(str(each["dependencies"]) for each in both)],
        *(
            [_WORDS[kind], *(share(e["kinds"].get(kind, 0), e["dependencies"]) for e in both)]
            for kind in KINDS
        ),
        ["classes that lost a base", share(summary["lost bases"], summary["classes"]), ""],
        ["examples with one altered or missing",
         *(share(each["with one altered or missing"], each["examples"]) for each in both)],
        ["examples with one missing",
         *(share(each["with one missing"], each["examples"]) for each in both)],
    ]  # fmt: skip
    lines = [table(["targets", "reached"], rows), ""]
    lines += [table(["dependencies", "all", "shown to the model"], more)]
    lines += ["", "Targets:", *(line for r in found for line in _lines(r, "target's differences"))]
    lines += ["", "Dependencies:", *(line for r in found for line in _lines(r, "differences"))]
    return "\n".join(lines)


_WORDS = {
    "same": "same",
    "docstring": "docstring",
    "annotations": "annotations, and perhaps the above",
    "decorators": "decorators, and perhaps the above",
    "bases": "bases, and perhaps the above",
    "signature": "parameters, and perhaps the above",
    "altered": "altered",
    "missing": "missing",
}


def _lines(record: Record, which: str) -> list[str]:
    if record["failure"]:
        return [f"- {record['number']}: {record['target']}: {record['failure']}"]
    head = f"- {record['number']}: "
    return [f"{head}{d['definition']} (line {d['line']}): {_detail(d)}" for d in record[which]]


def _detail(told: Record) -> str:
    head = "missing: " if told["kind"] == "missing" else ""
    tail = "" if told["shown"] else " (not shown, or not so)"
    return f"{head}{'; '.join([told['detail'], *told.get('besides', ())])}{tail}"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.repost.published.recorded_aggregation", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, help="folder of checkouts, as owner___name")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "repost-eval")
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
