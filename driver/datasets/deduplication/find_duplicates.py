"""Which functions of a dataset resemble another one of it, or one of a reference set, and fall.

References stay, then evaluation goes before training, the earliest created before later ones (those
without a date come last), and the smallest id first. In that order a function falls if it resembles
one that stays; so nothing falls for the sake of something that has itself fallen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .function import Between, Fallen, Function, Options, Reference, Rule, Verdicts
from .shingles import shingles_of, tokens_of
from .similarity_index import OverlapIndex, ShingleSet, SimilarityIndex, shingle_sets
from .tree_digest import tree_digest

EVAL = "eval"
TRAIN = "train"


def find_duplicates(
    functions: Sequence[Function],
    options: Options | None = None,
    references: Sequence[Reference] = (),
) -> Verdicts:
    """Return which functions stay and which fall, whatever the order of the arguments.

    Raises:
        ValueError: two functions have one id.
    """
    options = options or Options()
    ordered = sorted(
        (replace(each, split=split_of(each.created, each.split, options)) for each in functions),
        key=lambda each: (each.split != EVAL, each.created is None, each.created or "", each.id),
    )
    if len({each.id for each in ordered}) < len(ordered):
        raise ValueError("two functions have one id")
    known = sorted(references, key=lambda each: each.id)
    sets = shingle_sets([shingles_of(each.code) for each in (*known, *ordered)])
    search = _Search(options, known, sets[: len(known)])
    kept: list[tuple[str, str]] = []
    fallen: list[Fallen] = []
    for function, shingles in zip(ordered, sets[len(known) :], strict=True):
        verdict = search.judge(function, shingles)
        if verdict is None:
            kept.append((function.id, function.split or TRAIN))
        else:
            fallen.append(verdict)
    return Verdicts(tuple(sorted(kept)), tuple(sorted(fallen, key=lambda each: each.id)))


def split_of(created: str | None, split: str | None, options: Options) -> str:
    """Return whether something evaluates or trains, by its date or else its split."""
    if options.eval_since is not None and created is not None:
        return EVAL if created >= options.eval_since else TRAIN
    return EVAL if split == EVAL else TRAIN


class _Search:
    """What stays so far, by what finds it."""

    def __init__(
        self, options: Options, references: Sequence[Reference], sets: Sequence[ShingleSet]
    ) -> None:
        self._repositories: dict[str, str] = {}
        self._digests: dict[str, tuple[str, str | None]] = {}
        self._near: list[tuple[str, str | None]] = []
        """Id and split of each in the index; a reference has no split."""
        self._index = SimilarityIndex(options.similarity)
        fragments: list[tuple[str, ShingleSet]] = []
        for each, shingles in zip(references, sets, strict=True):
            if options.is_same_repository_out and each.repo:
                self._repositories.setdefault(each.repo.lower(), each.id)
            if each.qualname is None:
                fragments.append((each.id, shingles))
            else:
                self._keep((each.id, None), _digest(each.code, each.qualname), shingles)
        self._fragments = [name for name, _ in fragments]
        self._overlaps = OverlapIndex(options.similarity, (part for _, part in fragments))

    def judge(self, function: Function, shingles: ShingleSet) -> Fallen | None:
        """Return why a function falls; `None` if it stays, and is held against later ones."""
        split = function.split or TRAIN

        def falls(other: tuple[str, str | None], similarity: float, rule: Rule) -> Fallen:
            between = _between(split, other[1])
            return Fallen(function.id, split, other[0], similarity, rule, between)

        repository = self._repositories.get(function.repo.lower())
        if repository is not None:
            return falls((repository, None), 1.0, "repository")
        digest = _digest(function.code, function.qualname)
        if digest in self._digests:
            return falls(self._digests[digest], 1.0, "exact")
        near = self._index.most_similar(shingles)
        if near is not None:
            return falls(self._near[near[0]], near[1], "near")
        part = self._overlaps.largest_overlap(shingles)
        if part is not None:
            return falls((self._fragments[part[0]], None), part[1], "part")
        self._keep((function.id, split), digest, shingles)
        return None

    def _keep(self, name: tuple[str, str | None], digest: str, shingles: ShingleSet) -> None:
        self._digests.setdefault(digest, name)
        self._near.append(name)
        self._index.add(shingles)


def _digest(code: str, qualname: str) -> str:
    """Return the digest of the tree; if there is none, the tokens."""
    return tree_digest(code, qualname) or "\0".join(tokens_of(code))


def _between(split: str, other: str | None) -> Between:
    if other is None:
        return "reference"
    if split != other:
        return "train-eval"
    return "eval" if split == EVAL else "train"
