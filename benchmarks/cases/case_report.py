"""Kept cases for a person to read: some of a run's, drawn by seed, as Markdown.

    python -m benchmarks.cases.case_report RECORDS [--print N] [--seed S] [--write]

`RECORDS` is what a run of `benchmarks.cases.synthesis` has noted, one target a line. `--write` puts
the
text into `results/cases.md`, without it goes to standard output.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Malformed
from slicefunc.verifier.observation.short_text import render

from ..common.report import RESULTS
from ..repost.data.over_examples import Record

_FILE = "cases.md"
_ENDINGS = ("returns", "raises", "raises")
"""Of records that do not say more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A case of a run."""

    repository: str
    target: str
    code: str
    shows: str

    @property
    def lines(self) -> int:
        """Without the line that names it."""
        return self.code.strip().count("\n")


def main(argv: list[str] | None = None) -> int:
    """Draw, and print or write."""
    options = _arguments().parse_args(argv)
    lines = options.records.read_text(encoding="utf-8").splitlines()
    text = report([json.loads(line) for line in lines], options.print, options.seed)
    if options.write:
        (RESULTS / _FILE).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


def report(records: Sequence[Record], count: int, seed: int) -> str:
    """The Markdown about some cases, drawn from all of them.

    Args:
        records: of a run, one for each target.
        count: of the cases that are drawn.
        seed: of the choice.
    """
    by_target = [kept_cases(record) for record in records]
    every = [case for cases in by_target for case in cases]
    chosen = random.Random(seed).sample(range(len(every)), min(count, len(every)))
    head = [
        "# Cases, as they are kept",
        "",
        f"{len(chosen)} of {len(every)} cases, drawn with seed {seed}; nobody has changed them.",
        "",
        *_medians(by_target),
    ]
    return "\n".join([*head, *(line for at in sorted(chosen) for line in _told(every[at]))])


def kept_cases(record: Record) -> list[Kept]:
    """The cases of one target."""
    codes: list[str] = record.get("cases") or []
    shows: list[str] = record.get("shows") or [_ENDINGS[n] for n in record.get("endings", ())]
    shows += [""] * (len(codes) - len(shows))
    pairs = zip(codes, shows, strict=True)
    return [Kept(record["repository"], record["target"], *pair) for pair in pairs]


def shown(observation: str) -> str:
    """What a case shows, in one line; `observation` is JSON."""
    found = decode_text(observation)
    if isinstance(found, Malformed):
        return found.what
    parts: list[str] = []
    if found.outcome == "raised":
        parts.append(f"raises {render(found.exception, found)}")
    elif found.value is not None:
        parts.append(f"returns {render(found.value, found)}")
    parts += [f"{name} becomes {render(value, found)}" for name, value in found.arguments]
    parts += [f"{name} becomes {render(value, found)}" for name, value in found.globals]
    parts += [f"file {name}: {render(value, found)}" for name, value in found.files]
    parts += [f"asks for {render(value, found)}" for value in found.effects]
    parts += [
        f"{verb} {render(text, found)}"
        for verb, text in (("prints", found.stdout), ("warns", found.stderr))
        if text
    ]
    return "; ".join(parts) or "returns None"


def _medians(by_target: Sequence[Sequence[Kept]]) -> list[str]:
    counts = [len(cases) for cases in by_target if cases]
    lines = [case.lines for cases in by_target for case in cases]
    if not lines:
        return []
    return [
        f"Of all: {statistics.median(counts):g} cases a target (median; at most {max(counts)}), "
        f"{statistics.median(lines):g} lines a case (median; at most {max(lines)}).",
        "",
    ]


def _told(case: Kept) -> list[str]:
    code = case.code.strip().splitlines()
    head = [f"## `{case.target}`", "", f"Of {case.repository}.", "", "```python", *code, "```", ""]
    return [*head, *([f"{_plain(case.shows)}", ""] if case.shows else [])]


def _plain(text: str) -> str:
    """A line that Markdown leaves as it is."""
    told = text[:1].upper() + text[1:]
    verb, _, rest = told.partition(" ")
    return f"{verb} `{rest.replace('`', chr(39))}`" if rest else told


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.cases.case_report", description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("--print", type=int, default=30, metavar="N", help="cases to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
