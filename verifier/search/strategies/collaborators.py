"""Drafts that replace a function which the target calls, so that it answers otherwise.

Like a mock for a collaborator in a handwritten test. Tried after all arguments, since the real
answer is the better evidence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, product

from ...inputs.argument_pools import Inputs
from ...inputs.proposals.callee_answers import Callee
from ...inputs.statements import Statement, without
from ...mutation.mutated_block import Block
from ..drafts.argument_flows import flow_into
from ..drafts.drafts import Draft
from ..drafts.recording_stand_ins import recordings

_MOST = 24
"""Drafts for one line."""
_MOST_TOGETHER = 3
"""Answers of each function, where two are replaced at once."""
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete, ast.Raise)


def replaced_collaborators(
    inputs: Inputs, block: Block, draft: Draft, line: int
) -> Iterator[Draft]:
    """Yield the draft with replaced functions that decide on a line or are called there.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        draft: a draft that reaches the line.
        line: a line with a missing branch, or the line where the call ends.
    """
    names = set(_called(block, line))
    known = [callee for callee in inputs.callees if callee.is_used and callee.name in names]
    alone = (_with(draft, callee, each) for callee in known for each in callee.statements())
    made = dict.fromkeys((*alone, *_two_at_once(draft, known)))
    yield from islice((each for each in made if each != draft), _MOST)


def recording_collaborators(inputs: Inputs, draft: Draft) -> Draft:
    """Return the draft with all functions of the repository that the target calls only recorded.

    For targets that pass everything on and return nothing.

    Args:
        inputs: what can be given to the target.
        draft: any draft.
    """
    for callee in inputs.callees:
        draft = _with(draft, callee, callee.recording)
    return next(recordings(draft, inputs.signatures))


def _two_at_once(draft: Draft, known: Sequence[Callee]) -> Iterator[Draft]:
    for one, other in pairwise(known):
        statements = (islice(each.statements(), _MOST_TOGETHER) for each in (one, other))
        for first, second in product(*statements):
            yield _with(_with(draft, one, first), other, second)


def _with(draft: Draft, callee: Callee, statement: Statement) -> Draft:
    return replace(draft, before=(*without(draft.before, callee.place), statement))


def _called(block: Block, line: int) -> Iterator[str]:
    """Yield names of functions called for the condition on a line, or else called on that line."""
    for function in block.functions:
        for node in ast.walk(function):
            decider = _decider(node)
            if decider is not None and decider.lineno == line:
                yield from flow_into(block, decider).calls
            elif isinstance(node, _PLAIN) and node.lineno <= line <= (node.end_lineno or line):
                for each in ast.walk(node):
                    match each:
                        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
                            yield name
                        case _:
                            pass


def _decider(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return test
        case ast.Assert(test=test):
            return test
        case ast.For(iter=items) | ast.AsyncFor(iter=items):
            return items
        case ast.Match(subject=subject):
            return subject
        case ast.With(items=[item, *_]) | ast.AsyncWith(items=[item, *_]):
            return item.context_expr
        case _:
            return None
