"""PyCG's micro-benchmark: which edges of small programs each tool finds, misses and invents.

python -m benchmarks.graphs.pycg --data DIR                     DIR is `micro-benchmark/snippets` of
PyCG
python -m benchmarks.graphs.pycg --data DIR --pycg CHECKOUT     PyCG itself too, built from its
sources

A case is *sound* when no expected edge is missing, *complete* when no other edge is there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..common.report import machine, table, write_result
from ..sources.sdists import DEFAULT_WORK
from .graph_tools import CHILDREN, TOOLS, Record, environment, run

SOUND, COMPLETE = 109, 100
"""Cases that our own graph must get right."""
TIMEOUT = 300.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run every tool that can be had on every case; 1 where a goal is missed."""
    arguments = _arguments().parse_args(argv)
    cases = find_cases(arguments.data.resolve())
    if not cases:
        print(f"{arguments.data}: no folder with a callgraph.json in it", file=sys.stderr)
        return 2
    result: dict[str, Any] = {"cases": len(cases), "tools": [], **machine()}
    for tool in TOOLS:
        if arguments.tool and tool.name not in arguments.tool:
            continue
        interpreter = environment(tool, arguments.work, arguments.old_python, arguments.pycg)
        if interpreter is None:
            result["tools"].append({"name": tool.name, "left_out": "not installed"})
            continue
        given = [{"folder": str(case), "files": ["main.py"]} for case in cases]
        done = run(interpreter, CHILDREN / tool.child, given, TIMEOUT)
        told = {"error": done.error, "seconds": round(done.seconds, 2)}
        result["tools"].append({"name": tool.name, **judged(cases, done.records), **told})
    if not arguments.tool:
        write_result("pycg", result)
    print(json.dumps(result, indent=1) if arguments.json else markdown(result))
    ours = next((tool for tool in result["tools"] if tool["name"] == "slice-func"), None)
    return int(ours is not None and (ours["sound"] < SOUND or ours["complete"] < COMPLETE))


def find_cases(data: Path) -> list[Path]:
    """Folders of cases, as `category/name`."""
    return sorted(file.parent for file in data.glob("*/*/callgraph.json"))


def expected_edges(case: Path) -> set[tuple[str, str]]:
    """The edges that the case says there are."""
    lists: dict[str, list[str]] = json.loads((case / "callgraph.json").read_text("utf-8"))
    return {(source, target) for source, targets in lists.items() for target in targets}


def judged(cases: Sequence[Path], records: Sequence[Record]) -> Record:
    """Sound and complete cases, by category, and what was wrong in the others."""
    categories: dict[str, dict[str, int]] = {}
    wrong: list[Record] = []
    found = missed = invented = 0
    for case, record in zip(cases, [*records, *[{}] * len(cases)], strict=False):
        expected = expected_edges(case)
        edges = {(source, target) for source, target in record.get("edges", [])}
        missing, extra = expected - edges, edges - expected
        found += len(expected & edges)
        missed += len(missing)
        invented += len(extra)
        failed = "edges" not in record
        one = categories.setdefault(case.parent.name, {"cases": 0, "sound": 0, "complete": 0})
        one["cases"] += 1
        one["sound"] += not missing and not failed
        one["complete"] += not extra and not failed
        if missing or extra or failed:
            wrong.append(
                {
                    "case": f"{case.parent.name}/{case.name}",
                    "missing": sorted(missing),
                    "extra": sorted(extra),
                    "error": record.get("error", "no answer" if failed else ""),
                }
            )
    return {
        "sound": sum(one["sound"] for one in categories.values()),
        "complete": sum(one["complete"] for one in categories.values()),
        "edges": {"found": found, "missed": missed, "invented": invented},
        "categories": categories,
        "wrong": wrong,
    }


def markdown(result: dict[str, Any]) -> str:
    """Two tables: totals, and sound/complete cases by category."""
    tools = [tool for tool in result["tools"] if "sound" in tool]
    total = result["cases"]
    rows = [
        [
            tool["name"],
            f"{tool['sound']} of {total}",
            f"{tool['complete']} of {total}",
            tool["edges"]["found"],
            tool["edges"]["missed"],
            tool["edges"]["invented"],
            tool["seconds"],
        ]
        for tool in tools
    ]
    head = ["tool", "sound", "complete", "edges found", "missed", "not expected", "CPU s, all"]
    parts = [table(head, rows)]
    left_out = [tool["name"] for tool in result["tools"] if "left_out" in tool]
    if left_out:
        parts.append(f"Not installed, so left out: {', '.join(left_out)}.")
    names = sorted({name for tool in tools for name in tool["categories"]})
    rows = [
        [name, tools[0]["categories"][name]["cases"], *(_share(tool, name) for tool in tools)]
        for name in names
    ]
    head = ["category", "cases", *(f"{tool['name']}: sound / complete" for tool in tools)]
    return "\n\n".join([*parts, table(head, rows)])


def _share(tool: Record, category: str) -> str:
    one = tool["categories"][category]
    return f"{one['sound']} / {one['complete']}"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.graphs.pycg", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder `snippets`")
    parser.add_argument("--pycg", type=Path, help="a checkout of PyCG, to measure it too")
    parser.add_argument(
        "--old-python", default="python3.11", help="interpreter for PyCG (before 3.12)"
    )
    parser.add_argument("--tool", action="append", help="only this one (repeatable)")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
