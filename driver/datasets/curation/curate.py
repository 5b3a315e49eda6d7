"""Curate: from sources to rows of repositories and functions, by rules that give reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ...console.progress import Progress
from .candidates import Candidate, FunctionRejection, Kept, Rejection
from .functions.sampling import sample_by_example, sample_by_repository
from .judging import Outcome, in_processes, judge_files, judge_metadata
from .settings import Settings
from .sources.source import Said


@dataclass(frozen=True, slots=True)
class Curated:
    """The result of a run, each part sorted."""

    kept: tuple[Kept, ...]
    rejected: tuple[Rejection, ...]

    def rejections(self) -> Iterator[Rejection | FunctionRejection]:
        """Yield all rejections: those of repositories, then those of functions."""
        yield from self.rejected
        for each in self.kept:
            yield from each.left_out

    def summary(self) -> Iterator[str]:
        """Yield lines for people: what is kept, and how much each rule leaves out."""
        total = len(self.kept) + len(self.rejected)
        yield f"{len(self.kept)} of {total} repositories are kept{_counts(self.rejected)}"
        chosen = sum(len(each.functions or ()) for each in self.kept)
        left_out = [each for kept in self.kept for each in kept.left_out]
        if chosen or left_out:
            every = chosen + len(left_out)
            yield f"{chosen} of {every} functions in them are kept{_counts(left_out)}"


def _counts(rejections: Iterable[Rejection | FunctionRejection]) -> str:
    counts = Counter(each.rule for each in rejections).most_common()
    ordered = sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{rule} {count}" for rule, count in ordered)
    return f"; left out by {told}" if told else ""


def curate(said: Iterable[Said], settings: Settings, jobs: int = 1) -> Curated:
    """Judge what sources give; the order in which they give it makes no difference.

    Args:
        said: repositories, and rejections of what a source could not make out.
        settings: rules and choices.
        jobs: number of processes that read repositories.
    """
    outcomes: list[Outcome] = []
    candidates: list[Candidate] = []
    for each in said:
        if isinstance(each, Rejection):
            outcomes.append(each)
        else:
            candidates.append(each)
    unique, doubled = _without_doubles(candidates)
    outcomes += doubled
    outcomes += _judge_all(unique, settings, jobs)
    kept = sorted((e for e in outcomes if isinstance(e, Kept)), key=lambda e: e.candidate.key)
    rejected = [each for each in outcomes if isinstance(each, Rejection)]
    if settings.sample:
        kept, unlucky = _sampled(kept, settings)
        rejected += unlucky
    rejected.sort(key=lambda each: (each.repo.lower(), each.source, each.rule, each.reason))
    return Curated(tuple(kept), tuple(rejected))


def _without_doubles(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    """Keep one candidate of each repository: a local one first, then by source.

    A local one takes over what others know of the repository, their commit included.
    """
    unique: dict[str, Candidate] = {}
    doubled: list[Rejection] = []
    ordered = sorted(
        candidates, key=lambda e: (not e.is_local, e.source, e.commit or "", e.created or "")
    )
    for each in ordered:
        key = _identity(each)
        other = unique.get(key)
        if other is None:
            unique[key] = each
        elif other.is_local and not each.is_local:
            unique[key] = _completed(other, each)
        else:
            reason = f"it is also taken from {other.source}"
            doubled.append(Rejection(each.repo, each.source, "double", reason))
    return sorted(_named_apart(unique.values()), key=lambda each: each.key), doubled


def _named_apart(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Give folders of one name the name of the folder above, too; a list holds each name once."""
    every = list(candidates)
    counts = Counter(each.repo.lower() for each in every)
    for each in every:
        if counts[each.repo.lower()] == 1:
            yield each
        else:
            yield replace(each, repo="/".join(Path(each.source).parts[-2:]))


def _completed(local: Candidate, remote: Candidate) -> Candidate:
    """Return a local candidate with what another source knows of it."""
    names = ("licence", "created", "pushed", "size_kb", "is_fork", "is_archived")
    known = {
        name: getattr(remote, name) if getattr(local, name) is None else getattr(local, name)
        for name in names
    }
    commit = local.commit and (remote.commit or local.commit)
    return replace(local, **known, commit=commit, metadata={**remote.metadata, **local.metadata})


def _identity(candidate: Candidate) -> str:
    """Return what tells repositories apart; a folder's name without an owner does not."""
    if "/" in candidate.repo:
        return candidate.repo.lower()
    return f"{candidate.repo}\0{candidate.source}"


def _judge_all(candidates: Sequence[Candidate], settings: Settings, jobs: int) -> Iterator[Outcome]:
    """Judge by metadata first, which spares most of a large list, then by files."""
    open_ones: list[Candidate] = []
    for each in candidates:
        outcome = judge_metadata(each, settings)
        if outcome is None:
            open_ones.append(each)
        else:
            yield outcome
    judge: Callable[[Candidate], Outcome] = partial(judge_files, settings=settings)
    workers = min(jobs, len(open_ones))
    outcomes = in_processes(judge, open_ones, workers) if workers > 1 else map(judge, open_ones)
    with Progress(len(open_ones), what="repositories") as progress:
        for outcome in outcomes:
            yield outcome
            progress.add(is_good=isinstance(outcome, Kept))


def _sampled(kept: Sequence[Kept], settings: Settings) -> tuple[list[Kept], list[Rejection]]:
    """Draw the sample; return what it leaves of each repository, and repositories without any."""
    draw = sample_by_example if settings.sample_by == "example" else sample_by_repository
    names = {each.candidate.key: _identity(each.candidate) for each in kept}
    functions = [(names[e.candidate.key], name) for e in kept for name in e.functions or ()]
    drawn = draw(functions, settings.sample, settings.seed)
    left: list[Kept] = []
    unlucky: list[Rejection] = []
    for each in kept:
        key, repo = names[each.candidate.key], each.candidate.repo
        taken = tuple(name for name in each.functions or () if (key, name) in drawn)
        reason = f"not among the {settings.sample} that were drawn"
        if not taken:
            unlucky.append(Rejection(repo, each.candidate.source, "sample", reason))
            continue
        lost = tuple(
            FunctionRejection(repo, *name, "sample", reason)
            for name in each.functions or ()
            if (key, name) not in drawn
        )
        ordered = sorted((*each.left_out, *lost), key=lambda e: (e.path, e.qualname))
        left.append(replace(each, functions=taken, left_out=tuple(ordered)))
    return left, unlucky
