"""Proof that a change of the code leaves what it makes as it was, byte for byte.

    python -m benchmarks.identity before.jsonl                          in the state before
    python -m benchmarks.identity after.jsonl --against before.jsonl    in the state after

Of each function: its script and its manifest, both without mocks and with them, and the list of
its mutants, as digests; of some functions the files of an environment, with its id, cases and
hidden cases. The functions are those of all fixtures that this Python runs (but for one that takes
minutes), of the examples of all mock families and of the small programs, and, where they are asked
for, a sample of the eight packages (`--packages N`), the targets of RepoST-Eval (`--repost FILE`)
and fixtures as environments (`--environments N`). Where something is refused, the message counts.
A run goes on where it stopped. The exit status is 1 where anything differs, or is missing on one
side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from slicefunc.mocker import mock_slice
from slicefunc.mocker.families import FAMILIES
from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.model import Slice
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import block_of
from slicefunc.verifier.script.target_lines import traced_lines

from tests.fixture_format import all_fixtures
from tests.mocker.families.family_examples import examples_of

from .common.records import Records, opened
from .common.report import Progress
from .repost.data.examples import find_home, read_examples
from .slices.small_programs import PROGRAMS
from .sources.functions import functions_of, sample
from .sources.sdists import SDISTS, fetch_sdist

COMMAND = Path(sys.executable).with_name("slice-func")
PACKAGES = ("attrs", "click", "flask", "httpx", "jinja2", "requests", "starlette", "werkzeug")
_LONG = frozenset({"huge_file"})
"""Fixtures that take minutes."""
_UNSTEADY = frozenset({"seconds"})
"""Fields of a manifest and of a record that tell how long something took."""

Digests = dict[str, str]


@dataclass(frozen=True, slots=True)
class Subject:
    """A function of a repository."""

    name: str
    """The first word is the kind."""
    folder: Path
    targets: tuple[str, ...]
    """Several make one slice."""
    roots: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    is_environment: bool = False


def digests_of(subject: Subject) -> Digests:
    """A digest of everything that is made of a function, or what is said instead."""
    if subject.is_environment:
        return _environment(subject)
    repository = Repository(subject.folder, roots=subject.roots)
    try:
        plain = slice_function(repository, subject.targets, keep=subject.keep)
        mocked = mock_slice(repository, plain)
        blocks = traced_lines(subject.folder, mocked)
    except SliceFuncError as error:
        return {"refused": str(error).replace(str(subject.folder), "")}
    mutants = [
        (made.mutant.name, made.mutant.text, made.operator, made.is_hint, made.is_held_out)
        for block in blocks
        for made in mutants_of(block_of(block, block.qualname)).records
    ]
    return {
        **{f"plain {key}": digest for key, digest in _of_slice(plain).items()},
        **{f"mocked {key}": digest for key, digest in _of_slice(mocked).items()},
        "mutants": _digest(repr(mutants)),
    }


def differences(one: Sequence[Digests], other: Sequence[Digests]) -> Iterator[str]:
    """What differs between two runs, a line for each function.

    Args:
        one: the records of the run before; each has its `subject`.
        other: those of the run after.
    """
    before, after = ({each["subject"]: each for each in run} for run in (one, other))
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            yield f"{name}: only {'before' if name in before else 'after'}"
            continue
        keys = before[name].keys() | after[name].keys()
        differing = [k for k in sorted(keys) if before[name].get(k) != after[name].get(k)]
        if differing:
            yield f"{name}: {', '.join(differing)}"


def _of_slice(sliced: Slice) -> Digests:
    manifest = {k: v for k, v in asdict(sliced.manifest).items() if k not in _UNSTEADY}
    text = json.dumps(manifest, sort_keys=True, default=repr)
    return {"script": _digest(sliced.source), "manifest": _digest(text)}


def _environment(subject: Subject) -> Digests:
    """The files that the command writes for a function, without an installation."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "environment")
        command = [
            *(str(COMMAND), str(subject.folder), *subject.targets),
            *("--test", "--no-install", "--env", str(folder)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        files = {file.name: file.read_text("utf-8") for file in sorted(folder.glob("*.*"))}
    record = json.loads(files.pop("environment.json", "{}"))
    kept = {key: value for key, value in record.items() if key not in _UNSTEADY}
    found = {name: _digest(text) for name, text in files.items()}
    record_digest = _digest(json.dumps(kept, sort_keys=True))
    return {**found, "record": record_digest, "status": str(done.returncode)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# ----------------------------------------------------------------------------- subjects


def _fixtures(scratch: Path) -> Iterator[Subject]:
    for fixture in all_fixtures():
        if fixture.name not in _LONG and fixture.runs_here:
            folder = fixture.repository(scratch / fixture.name)
            for asked in fixture.targets:
                name = " ".join(("fixture", fixture.name, *asked.target))
                yield Subject(name, folder, asked.target, fixture.roots, asked.keep)


def _examples(scratch: Path) -> Iterator[Subject]:
    for listed in FAMILIES:
        name = listed.family().name
        for number, example in enumerate(examples_of(listed)):
            folder = scratch / name / str(number)
            example.write(folder)
            target = f"example.py::{example.target}"
            yield Subject(f"example {name} {number}", folder, (target,))


def _programs(scratch: Path) -> Iterator[Subject]:
    for group, programs in sorted(json.loads(PROGRAMS.read_text("utf-8")).items()):
        for name, files in sorted(programs.items()):
            folder = scratch / group / name
            _write(folder, files)
            yield Subject(f"program {group} {name}", folder, ("m.py::f",))


def _packages(size: int) -> Iterator[Subject]:
    for sdist in SDISTS:
        if sdist.name in PACKAGES:
            folder = fetch_sdist(sdist.name)
            for path, qualname in sample(functions_of(sdist, folder), size, sdist.name):
                target = f"{path}::{qualname}"
                yield Subject(f"package {sdist.name} {target}", folder, (target,))


def _repost(data: Path, repositories: Path | None, scratch: Path) -> Iterator[Subject]:
    for example in read_examples(data):
        home = find_home(example, repositories, scratch)
        name = f"RepoST {example.number} {example.target} ({home.origin})"
        yield Subject(name, home.folder, (example.target,))


def _environments(scratch: Path, size: int) -> Iterator[Subject]:
    single = [each for each in _fixtures(scratch) if len(each.targets) == 1 and not each.keep]
    for each in sample(single, size, "environments"):
        yield replace(each, name=f"environment {each.name}", is_environment=True)


def _write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


# ----------------------------------------------------------------------------- the command


def main(argv: list[str] | None = None) -> int:
    """Record what is not yet recorded, and compare; returns the exit status."""
    given = _arguments().parse_args(argv)
    with tempfile.TemporaryDirectory() as made, opened(given.file) as records:
        _record([*_asked_for(given, Path(made))], records)
        found = list(records.found)
    kinds = Counter(each["subject"].partition(" ")[0] for each in found)
    print(", ".join(f"{count} of kind {kind}" for kind, count in sorted(kinds.items())))
    if given.against is None:
        return 0
    before = [json.loads(line) for line in given.against.read_text("utf-8").splitlines()]
    told = [*differences(before, found)]
    print("\n".join([*told, f"{len(told)} differ"]))
    return 1 if told else 0


def subjects(scratch: Path) -> Iterator[Subject]:
    """What is always compared; repositories that are no folders here are written to `scratch`."""
    yield from _fixtures(scratch / "fixtures")
    yield from _examples(scratch / "examples")
    yield from _programs(scratch / "programs")


def _asked_for(arguments: argparse.Namespace, scratch: Path) -> Iterator[Subject]:
    yield from subjects(scratch)
    if arguments.packages:
        yield from _packages(arguments.packages)
    if arguments.repost:
        yield from _repost(arguments.repost, arguments.repositories, scratch / "repost")
    if arguments.environments:
        yield from _environments(scratch / "environments", arguments.environments)


def _record(asked: Sequence[Subject], records: Records) -> None:
    known = {each["subject"] for each in records.found}
    progress = Progress("functions", len(asked))
    for subject in asked:
        if subject.name not in known:
            records.add({"subject": subject.name, **digests_of(subject)})
        progress.advance()


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="identity", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, help="where the digests go, one JSON object a line")
    parser.add_argument("--against", type=Path, metavar="FILE", help="the digests of another state")
    parser.add_argument("--packages", type=int, metavar="N", help="functions of each package")
    parser.add_argument("--repost", type=Path, metavar="FILE", help="the targets of RepoST-Eval")
    parser.add_argument("--repositories", type=Path, metavar="DIR", help="where those lie")
    parser.add_argument("--environments", type=int, metavar="N", help="of so many fixtures")
    return parser


if __name__ == "__main__":
    sys.exit(main())
