"""The strategies for uncovered branches, in the order in which they are tried."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from random import Random

from ...execution.batched_trials import OriginalTrial, Trial
from ...inputs.argument_pools import Inputs
from ...mutation.mutated_block import Block, own_nodes
from ..corpus.corpus import Corpus
from ..corpus.trial_result import TrialResult, quality
from ..drafts.code_literals import CodeLiterals, words_of
from ..drafts.drafts import Draft, first_draft
from ..drafts.fixture_files import file_statements, in_folder, may_be_path
from ..variation.crossover import each_alone, on_other_receivers, with_all_attributes
from ..variation.literal_variation import repaired, vary, with_file
from .collaborators import replaced_collaborators
from .input_to_state import correspondences
from .laid_out_files import folder_statement
from .path_conditions import satisfy_conditions
from .raised_exceptions import failing, open_handlers

BATCH = 48
"""Drafts in one round of variation."""
_MOST_PAIRED = 24
_MOST_LOGGED = 6
"""Drafts whose compared operands are recorded at one time."""
_MOST_PATHS = 12
_MOST_CONTENTS = 6
_MOST_KINDS = 24
_REPAIRS = 0.2
_BLAMED = 0.7
_MADE = 0.5


@dataclass(slots=True)
class Strategies:
    """Makes drafts by one strategy after another. Each remembers what it has tried."""

    block: Block
    words: CodeLiterals
    own: CodeLiterals
    """Literals of the target alone."""
    random: Random
    found: Corpus
    tried_drafts: set[Draft] = field(default_factory=set[Draft])
    """Drafts whose compared operands are known."""
    kinds: set[tuple[tuple[str, str], ...]] = field(
        default_factory=set[tuple[tuple[str, str], ...]]
    )
    """Kinds of the values in drafts that were instrumented although they reach nothing new."""
    paired: set[Draft] = field(default_factory=set[Draft])
    """Drafts that were combined with each other value of each parameter."""
    demanded: set[tuple[int, Draft]] = field(default_factory=set[tuple[int, Draft]])
    """Pairs of line and draft whose tests were solved by their text."""
    watched: set[tuple[int, Draft]] = field(default_factory=set[tuple[int, Draft]])
    """Pairs of handler line and draft for which failing calls were tried."""
    laid_out: set[str] = field(default_factory=set[str])
    """Missing paths at which files were created."""
    replaced: set[tuple[int, Draft]] = field(default_factory=set[tuple[int, Draft]])
    """Pairs of line and draft for which the called functions were replaced."""

    def drafts(self, trial: Trial, inputs: Inputs) -> list[Draft]:
        """Return new drafts of the first strategy that still makes some.

        Args:
            trial: where the operands of tests are recorded.
            inputs: what can be given to the target.
        """
        strategies = (
            self._with_files,
            lambda: self._demanded(inputs),
            lambda: self._failing(inputs),
            lambda: self._corresponding(trial, inputs),
            lambda: self._paired(inputs),
            lambda: self._varied(inputs),
        )
        for way in strategies:
            found = list(way())
            if found:
                return found
        return []

    def _with_files(self) -> Iterator[Draft]:
        """Yield drafts that create files at the paths that were looked up in vain."""
        for path, draft in islice(self.found.missing_paths.items(), _MOST_PATHS):
            if path not in self.laid_out and may_be_path(path):
                self.laid_out.add(path)
                for statement in file_statements(path, self.own.texts)[:_MOST_CONTENTS]:
                    yield with_file(draft, in_folder(path, statement))

    def with_replaced_collaborators(self, inputs: Inputs) -> list[Draft]:
        """Return drafts with replaced collaborators, near branches that are missing.

        Args:
            inputs: what can be given to the target.
        """
        corpus = self.found.corpus()
        near = [
            (line, each.draft)
            for line in self.found.missing_lines()
            for each in [next((e for e in corpus if _reaches(e, line)), None)]
            if each is not None
        ]
        near += [(line, each.draft) for each in corpus for line in self._ends(each)]
        made: dict[Draft, None] = {}
        for line, draft in near:
            if (line, draft) not in self.replaced:
                self.replaced.add((line, draft))
                drafts = replaced_collaborators(inputs, self.block, draft, line)
                made.update(dict.fromkeys(drafts))
        return [draft for draft in made if draft not in self.found.known]

    def _ends(self, trial: TrialResult) -> list[int]:
        """Return the lines on which a call ends that raises or returns an iterator."""
        nodes = (node for function in self.block.functions for node in own_nodes(function))
        if quality(trial.trial) == 0 and not any(isinstance(n, ast.Yield) for n in nodes):
            return []
        met = {after for _, after in trial.trial.arcs if after > 0}
        left = {before for before, after in trial.trial.arcs if after > 0}
        return sorted(met - left)

    def _demanded(self, inputs: Inputs) -> Iterator[Draft]:
        """Yield drafts with the values that a one-sided test asks for by its text."""
        for line in self.found.missing_lines():
            near = next((e.draft for e in self.found.corpus() if _reaches(e, line)), None)
            if near is not None and (line, near) not in self.demanded:
                self.demanded.add((line, near))
                made = satisfy_conditions(inputs, self.block, near, line)
                yield from (draft for draft in made if draft not in self.found.known)

    def _failing(self, inputs: Inputs) -> Iterator[Draft]:
        """Yield drafts in which a call raises what an uncovered `except` clause catches."""
        missing = (
            frozenset(self.found.coverage.missing_lines)
            if self.found.coverage
            else frozenset[int]()
        )
        for line, first in open_handlers(self.block, missing):
            near = next((e.draft for e in self.found.corpus() if _reaches(e, first)), None)
            if near is not None and (line, near) not in self.watched:
                self.watched.add((line, near))
                made = failing(inputs, self.block, near, line)
                yield from (draft for draft in made if draft not in self.found.known)

    def _corresponding(self, trial: Trial, inputs: Inputs) -> Iterator[Draft]:
        """Yield drafts that flip a blocking test, by the operands that it compared."""
        missing = self.found.coverage.missing if self.found.coverage else ()
        lines = {each.line for each in missing}
        drafts = self._nearest(lines)
        self.tried_drafts.update(drafts)
        made = correspondences(trial, inputs, self.block, drafts, lines)
        for draft in islice(made, BATCH * 6):
            if draft not in self.found.known and not self.found.is_too_large(draft):
                self.found.known.add(draft)
                yield draft

    def _paired(self, inputs: Inputs) -> Iterator[Draft]:
        """Yield the best drafts near a missing line, each with one more change.

        A change may have been tried already, and lead further only together with another.
        """
        corpus = self.found.corpus()
        for line in self.found.missing_lines():
            ends = [e for e in self.found.good if _ends_at(e, line)]
            near = [e for e in corpus if _reaches(e, line)]
            for group in (ends, near):
                base = next((e.draft for e in group if e.draft not in self.paired), None)
                if base is not None:
                    self.paired.add(base)
                    others = (with_all_attributes, each_alone, on_other_receivers)
                    made = chain.from_iterable(each(inputs, base) for each in others)
                    yield from islice((d for d in made if d not in self.found.known), _MOST_PAIRED)

    def _nearest(self, lines: Collection[int]) -> list[Draft]:
        """Return the best draft at each of the lines, else the one that covers most of the code."""
        corpus = self.found.corpus()
        found: dict[Draft, None] = {}
        for line in sorted(lines):
            near = [e for e in corpus if _reaches(e, line)]
            found.update(dict.fromkeys(e.draft for e in near[:1]))
        furthest = sorted(corpus, key=lambda e: -len(e.trial.arcs))
        found.update(dict.fromkeys(e.draft for e in furthest))
        near = [draft for draft in found if draft not in self.tried_drafts][:_MOST_LOGGED]
        near = near or list(islice(self._of_other_kinds(lines), _MOST_LOGGED))
        return [*near, *self._richest_failure()]

    def _of_other_kinds(self, lines: Collection[int]) -> Iterator[Draft]:
        """Yield drafts that reach one of the lines with values of new kinds.

        They cover nothing new, but get past the first part of `isinstance(x, tuple) and x[0] in
        names`.
        """
        for each in self.found.good:
            kinds = _kinds(each.draft)
            is_new = kinds not in self.kinds and each.draft not in self.tried_drafts
            if is_new and len(self.kinds) < _MOST_KINDS and any(_reaches(each, n) for n in lines):
                self.kinds.add(kinds)
                yield each.draft

    def _richest_failure(self) -> list[Draft]:
        """Return a draft that fails by an argument although it sets much state to match."""
        failed = [
            d
            for d, blamed in self.found.failed
            if blamed and d.before and d not in self.tried_drafts
        ]
        return sorted(failed, key=lambda d: (-len(d.before), repr(d)))[:1]

    def _varied(self, inputs: Inputs) -> Iterator[Draft]:
        corpus = self.found.corpus()
        if not corpus:
            corpus = [TrialResult(first_draft(inputs), OriginalTrial(""))]
        places = sorted(self.found.places.items())
        lines = self.found.missing_lines()
        focus = {line: words_of(_conditions(self.block.text).get(line, ())) for line in lines}
        made = attempts = 0
        while made < BATCH and attempts < BATCH * 6:
            attempts += 1
            line = self.random.choice(lines) if lines else 0
            near = [e for e in corpus if _reaches(e, line)]
            base = self.random.choice(near if near and self.random.random() < 0.8 else corpus)
            words = focus.get(line, self.words)
            if self.found.failed and self.random.random() < _REPAIRS:
                failed, blamed = self.random.choice(self.found.failed)
                paths = [v for v in blamed if isinstance(v, str) and may_be_path(v)]
                if paths and self.random.random() < _MADE:
                    path = self.random.choice(paths)
                    statements = file_statements(path, self.own.texts)
                    statements += (folder_statement(path, self.own.texts),)
                    draft = with_file(failed, self.random.choice(statements))
                elif blamed and self.random.random() < _BLAMED:
                    draft = repaired(failed, blamed, self.words, self.random)
                else:
                    draft = vary(failed, inputs, self.words, words, places, self.random)
            else:
                draft = vary(base.draft, inputs, self.words, words, places, self.random)
            if self.found.is_too_large(draft):
                continue
            if draft not in self.found.known:
                self.found.known.add(draft)
                made += 1
                yield draft


def _kinds(draft: Draft) -> tuple[tuple[str, str], ...]:
    """Return what a draft gives and sets, each with the first character of its text as the kind."""
    set_to = ((each.place, each.value[:1]) for each in draft.before)
    return (*((name, text[:1]) for name, text in draft.arguments), *set_to)


def _reaches(trial: TrialResult, line: int) -> bool:
    return any(arc[1] == line for arc in trial.trial.arcs)


def _ends_at(trial: TrialResult, line: int) -> bool:
    """Whether a call reaches a line and raises there."""
    arcs = trial.trial.arcs
    is_met = _reaches(trial, line)
    goes_on = any(before == line and after > 0 for before, after in arcs)
    return is_met and not goes_on and quality(trial.trial) == 1


@lru_cache(maxsize=4)
def _conditions(text: str) -> Mapping[int, tuple[ast.AST, ...]]:
    """Map each line to the expressions that decide which line comes next."""
    found: dict[int, list[ast.AST]] = {}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                found.setdefault(node.lineno, []).append(test)
            case ast.For(iter=items) | ast.AsyncFor(iter=items):
                found.setdefault(node.lineno, []).append(items)
            case ast.match_case(pattern=pattern):
                found.setdefault(pattern.lineno, []).append(pattern)
            case _:
                pass
    return {line: tuple(nodes) for line, nodes in found.items()}
