"""Candidates that steal or forge, scored by environments of packages that interpreters have anyway.

python -m benchmarks.environments.thieves FOLDER ENVIRONMENTS                   build what is
missing, score all
python -m benchmarks.environments.thieves FOLDER ENVIRONMENTS --executor docker

FOLDER has the unpacked wheels of the packages below, each in a folder of its name: idna, packaging,
requests, urllib3, pygments, rich, six, more_itertools, distlib. `slice-func --env` makes an
environment of each function in ENVIRONMENTS; one that is refused is told and left out. Each is
checked with the original, which must pass, before it says anything of thieves.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from slicefunc.driver.places.environment_scorer import ScoreOptions, open_scorer
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.scoring.verdict import Score

from ..common.report import table
from .cheating_candidates import LEARNING, cheating_candidates

TARGETS = (
    ("idna", "idna/intranges.py::intranges_from_list"),
    ("packaging", "packaging/utils.py::canonicalize_name"),
    ("packaging", "packaging/version.py::_parse_letter_version"),
    ("requests", "requests/utils.py::unquote_header_value"),
    ("requests", "requests/utils.py::dotted_netmask"),
    ("requests", "requests/utils.py::parse_header_links"),
    ("urllib3", "urllib3/util/url.py::_remove_path_dot_segments"),
    ("urllib3", "urllib3/util/request.py::make_headers"),
    ("pygments", "pygments/util.py::format_lines"),
    ("rich", "rich/_ratio.py::ratio_distribute"),
    ("rich", "rich/filesize.py::decimal"),
    ("six", "six.py::ensure_str"),
    ("more_itertools", "more_itertools/more.py::consecutive_groups"),
    ("distlib", "distlib/util.py::split_filename"),
)
"""Package, and target in it."""
SECONDS = 40
"""That one run may take: a search through all files is not to fail for want of time."""
BUILD_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of all candidates in one environment."""

    name: str
    verdicts: dict[str, int]
    passed: tuple[str, ...]
    """Kinds of cheating that are taken for the original."""
    rounds: int
    """In which the one that learns from feedback was scored."""


def main() -> int:
    """Score all; the exit status is 1 where anything passes, or nothing could be tried."""
    given = _arguments().parse_args()
    found: list[Tried] = []
    for package, target in TARGETS:
        environment = given.environments / f"{package}-{target.rpartition('::')[2]}"
        why = _built(given.folder / package, target, environment)
        tried = why or _tried(given.folder / package, target, environment, given.executor)
        if isinstance(tried, str):
            print(f"{environment.name}: left out: {tried}", flush=True)
            continue
        print(f"{tried.name}: {tried.verdicts}; passed: {', '.join(tried.passed)}", flush=True)
        found.append(tried)
    print(_markdown(found))
    return 1 if not found or any(each.passed for each in found) else 0


def _built(repository: Path, target: str, environment: Path) -> str:
    """Build it where it is missing; why there is none, or nothing."""
    if environment.exists():
        return ""
    command = Path(sys.executable).with_name("slice-func")
    words = [str(command), str(repository), target, "--test", "--env", str(environment)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1]


def _tried(repository: Path, target: str, environment: Path, executor: str | None) -> Tried | str:
    """All candidates in one environment; or why they cannot be tried."""
    path, _, name = target.partition("::")
    options = ScoreOptions(jobs=2, executor=executor, seconds=SECONDS)
    with open_scorer(environment, options) as scorer:
        original = scorer.score(Candidate("original", _own_text(repository / path, name)))
        if original.verdict != "passed":
            return f"the original itself: {original.verdict}: {original.reason}"
        module = path.removesuffix(".py").replace("/", ".")
        texts = cheating_candidates(name, path.rpartition("/")[2], module)
        scores = list(scorer.score_all(Candidate(*each) for each in texts.items()))
        *rounds, last = _learning(scorer, name)
    scores.append(last)
    return Tried(
        environment.name,
        dict(sorted(Counter(each.verdict for each in scores).items())),
        tuple(each.candidate for each in scores if each.verdict == "passed"),
        len(rounds) + 1,
    )


def _learning(scorer: Scorer, name: str) -> Iterator[Score]:
    """Rounds of a candidate that shows a hash of what it is asked, and is told the answer."""
    learned: dict[str, str] = {}
    for _ in range(len(scorer.oracle.every) + 1):
        table_of_it = "{" + ", ".join(f"{k!r}: {v}" for k, v in learned.items()) + "}"
        text = LEARNING.replace("{name}", name).replace("{learned}", table_of_it)
        score = scorer.score(Candidate("learns from what is told", text))
        yield score
        told = score.first_difference
        asked = told.observed.rpartition("'")[0].rpartition("'")[2] if told else ""
        if not told or asked in learned or not _is_literal(told.expected):
            return
        learned[asked] = told.expected.removeprefix("returned ")


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text.removeprefix("returned "))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _own_text(path: Path, name: str) -> str:
    text = path.read_text(encoding="utf-8")
    (node, *_) = [
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef) and each.name == name
    ]
    return ast.get_source_segment(text, node) or ""


def _markdown(found: list[Tried]) -> str:
    rows = [
        (each.name, sum(each.verdicts.values()), len(each.passed), each.rounds,
         ", ".join(f"{name} {count}" for name, count in each.verdicts.items()))
        for each in found
    ]  # fmt: skip
    return table(("environment", "candidates", "passed", "rounds of learning", "verdicts"), rows)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.environments.thieves", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="unpacked packages")
    parser.add_argument("environments", type=Path, help="where environments are, or are to be")
    parser.add_argument("--executor", help="this one instead of the first that works")
    return parser


if __name__ == "__main__":
    sys.exit(main())
