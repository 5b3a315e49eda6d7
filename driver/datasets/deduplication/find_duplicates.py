"""Which functions of a dataset resemble another one of it, or one of a reference set, and fall.

References stay, then evaluation goes before training, the earliest created before later ones (those
without a date come last), and the smallest id first. In that order a function falls if it resembles
one that stays; so nothing falls for the sake of something that has itself fallen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .function import Between, Fallen, Function, Options, Reference, Rule, Verdicts
from .shingles import shingles_in, shingles_of, tokens_of
from .similarity_index import OverlapIndex, ShingleSet, SimilarityIndex, shingle_sets
from .tree_digest import digest_of, tree_words, without_local_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EVAL = "eval"
TRAIN = "train"
TREE_SIMILARITY = 0.8
"""Least similarity of trees without local names, which have more in common than texts."""
LEAST_TREE = 80
"""Shingles of a tree below which functions are alike by chance, as getters are."""

_Kept = tuple[str, str | None]
"""Id and split of what stays; a reference has no split."""


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
    texts = _texts([(each.code, each.qualname) for each in (*known, *ordered)])
    search = _Search(options, known, texts[: len(known)])
    kept: list[tuple[str, str]] = []
    fallen: list[Fallen] = []
    for function, text in zip(ordered, texts[len(known) :], strict=True):
        verdict = search.judge(function, text)
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


@dataclass(frozen=True, slots=True)
class _Text:
    """What is compared of a function or fragment."""

    digest: str
    tokens: ShingleSet
    tree: ShingleSet
    """Empty for a fragment, and for a function that is small or cannot be parsed."""


def _texts(codes: Sequence[tuple[str, str | None]]) -> list[_Text]:
    """Return the texts of code with qualified names; fragments have none."""
    digests: list[str] = []
    trees: list[NDArray[np.uint64]] = []
    for code, qualname in codes:
        words = None if qualname is None else tree_words(code, qualname)
        digests.append("\0".join(tokens_of(code)) if words is None else digest_of(words))
        tree = shingles_in(without_local_names(words or ()))
        trees.append(tree if len(tree) >= LEAST_TREE else tree[:0])
    tokens = shingle_sets([shingles_of(code) for code, _ in codes])
    return list(map(_Text, digests, tokens, shingle_sets(trees)))


class _Search:
    """What stays so far, by what finds it."""

    def __init__(
        self, options: Options, references: Sequence[Reference], texts: Sequence[_Text]
    ) -> None:
        self._repositories: dict[str, str] = {}
        self._digests: dict[str, _Kept] = {}
        self._kept: list[_Kept] = []
        """In the order of the indexes."""
        self._tokens = SimilarityIndex(options.similarity)
        self._trees = SimilarityIndex(max(options.similarity, TREE_SIMILARITY))
        fragments: list[tuple[str, ShingleSet]] = []
        for each, text in zip(references, texts, strict=True):
            if options.is_same_repository_out and each.repo:
                self._repositories.setdefault(each.repo.lower(), each.id)
            if each.qualname is None:
                fragments.append((each.id, text.tokens))
            else:
                self._keep((each.id, None), text)
        self._fragments = [name for name, _ in fragments]
        self._overlaps = OverlapIndex(options.similarity, (part for _, part in fragments))

    def judge(self, function: Function, text: _Text) -> Fallen | None:
        """Return why a function falls; `None` if it stays, and is compared with later ones."""
        split = function.split or TRAIN

        def falls(other: _Kept, similarity: float, rule: Rule) -> Fallen:
            between = _between(split, other[1])
            return Fallen(function.id, split, other[0], similarity, rule, between)

        repository = self._repositories.get(function.repo.lower())
        if repository is not None:
            return falls((repository, None), 1.0, "repository")
        if text.digest in self._digests:
            return falls(self._digests[text.digest], 1.0, "exact")
        if near := self._tokens.most_similar(text.tokens):
            return falls(self._kept[near[0]], near[1], "near")
        if renamed := self._trees.most_similar(text.tree):
            return falls(self._kept[renamed[0]], renamed[1], "renamed")
        if part := self._overlaps.largest_overlap(text.tokens):
            return falls((self._fragments[part[0]], None), part[1], "part")
        self._keep((function.id, split), text)
        return None

    def _keep(self, kept: _Kept, text: _Text) -> None:
        self._digests.setdefault(text.digest, kept)
        self._kept.append(kept)
        self._tokens.add(text.tokens)
        self._trees.add(text.tree)


def _between(split: str, other: str | None) -> Between:
    if other is None:
        return "reference"
    if split != other:
        return "train-eval"
    return "eval" if split == EVAL else "train"
