"""The methods that a target calls on its instance and arguments, and other answers for them.

A branch often depends on such an answer while no argument leads to it: a connection would have to
exist, a login to have happened. A subclass may answer otherwise. Functions of a module cannot be
overridden, so they stay.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ....mocker.flow import NO_USES
from ....mocker.flow.annotation_flow import annotate
from ....mocker.shapes import infer
from ....mocker.shapes.gathered_uses import merged
from ....mocker.shapes.shape import Anything
from ....slicer.analysis.scopes.definitions import ClassInfo, Scope
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ....slicer.errors import SourceError
from ..argument_builder import ArgumentBuilder, is_literal
from ..receivers.argument_states import class_of
from ..statements import RECEIVER, Statement, on_receiver, place_of

REPLACED = "lambda *_, **__: "
"""The head of a replaced method. Such stand-ins record no calls: how the target calls its own
methods is an implementation detail."""
_FIRST_GIVEN = "_[0]"
"""Echoes the argument: one fixed text would not tell arguments apart."""
_MOST_TEXTS = 6
_TESTS = (ast.Compare, ast.BoolOp, ast.UnaryOp)


@dataclass(frozen=True, slots=True)
class Callee:
    """A method of the repository that the target calls."""

    name: str
    place: str
    """Where the method is replaced: in the receiver or in an argument."""
    answers: tuple[str, ...]
    """Expressions for its answers, the likeliest first."""
    parameters: str = "*args, **named"
    """Its parameters, in the syntax of a lambda."""
    is_awaited: bool = False
    is_used: bool = True
    """Whether the target uses the answer."""
    is_entered: bool = False

    @property
    def recording(self) -> Statement:
        """Return a statement that replaces the method by a function whose calls are recorded."""
        text = next(each for each in self.answers if each != _FIRST_GIVEN)
        return self._with(f"lambda {self.parameters}: ", text)

    def statements(self) -> Iterator[Statement]:
        """Yield statements that each replace the method by one with another fixed answer."""
        for text in self.answers:
            # calls of an object that it returns show only if recorded
            head = f"lambda {self.parameters}: " if "lambda" in text else REPLACED
            yield self._with(head, text)

    def _with(self, head: str, text: str) -> Statement:
        return Statement.setting(self.place, f"{head}{self._given(text)}")

    def _given(self, text: str) -> str:
        if self.is_entered:
            return f'__import__("contextlib").nullcontext({text})'
        return f'__import__("asyncio").sleep(0, {text})' if self.is_awaited else text


@dataclass(frozen=True, slots=True)
class _Found:
    """A function and where it is defined."""

    node: FunctionNode
    scope: Scope


def callees(builder: ArgumentBuilder, function: TargetFunction) -> tuple[Callee, ...]:
    """Return the functions that a target calls, those whose results it uses first."""
    found: dict[str, Callee] = {}
    alone = _alone(function.node)
    calls = (each for each in ast.walk(function.node) if isinstance(each, ast.Call))
    for call in sorted(calls, key=lambda call: id(call) in alone):
        place, known = _resolved(builder, function, call.func)
        if known is None or place in found or known.node is function.node or _is_other(known.node):
            continue
        first, *others = dict.fromkeys((*_answers(builder, known), "None"))
        given = [_FIRST_GIVEN] if first[:1] in "'\"" and _parameters(known) else []
        texts = dict.fromkeys((*given, first, *others))
        found[place] = Callee(
            known.node.name,
            place,
            tuple(islice(texts, _MOST_TEXTS)),
            _parameters(known),
            isinstance(known.node, ast.AsyncFunctionDef),
            id(call) not in alone,
            _is_entered(known.node),
        )
    return tuple(found.values())


def _alone(node: FunctionNode) -> set[int]:
    """Return ids of calls whose result is dropped, also after `await`."""
    values = [n.value for n in ast.walk(node) if isinstance(n, ast.Expr)]
    return {id(n.value if isinstance(n, ast.Await) else n) for n in values}


def _parameters(known: _Found) -> str:
    """Return the parameters without annotations, so that positional and keyword calls agree."""
    given = copy.deepcopy(known.node.args)
    decorators = {ast.unparse(each) for each in known.node.decorator_list}
    if "staticmethod" not in decorators:
        del (given.posonlyargs or given.args)[:1]
    rest = [each for each in (given.vararg, given.kwarg) if each is not None]
    for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest):
        each.annotation = None
    given.defaults = [_plain(each) for each in given.defaults]
    given.kw_defaults = [each and _plain(each) for each in given.kw_defaults]
    return ast.unparse(given)


def _plain(default: ast.expr) -> ast.expr:
    return default if is_literal(default) else ast.Constant(None)


def _is_other(node: FunctionNode) -> bool:
    """Whether a call gives something else than `return` says: a generator, or decorated."""
    if _is_entered(node):
        return False
    decorators = {ast.unparse(each) for each in node.decorator_list}
    return bool(decorators - {"staticmethod", "classmethod"}) or any(
        isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)
    )


def _is_entered(node: FunctionNode) -> bool:
    """Whether a function makes a context manager."""
    names = [ast.unparse(each).rpartition(".")[2] for each in node.decorator_list]
    return names in (["contextmanager"], ["asynccontextmanager"])


def _resolved(
    builder: ArgumentBuilder, function: TargetFunction, func: ast.expr
) -> tuple[str, _Found | None]:
    """Return the assignment target for a callee, and the function behind it."""
    own = function.positional[0].arg if function.takes_self and function.positional else ""
    match func:
        case ast.Attribute(ast.Name(holder), name) if holder == own:
            is_of_class = "classmethod" in function.kinds
            owner = None if is_of_class else function.owner
            return on_receiver(f".{name}"), _member(builder, owner, name)
        case ast.Attribute(holder, name):
            root, _, rest = ast.unparse(holder).partition(".")
            given = {each.arg for each in function.positional}
            if root not in given or not all(map(str.isidentifier, filter(None, rest.split(".")))):
                return "", None
            place = place_of(RECEIVER if root == own else root, f".{rest}" if rest else "")
            return f"{place}.{name}", _member(builder, class_of(builder, function, holder), name)
        case _:
            return "", None


def _member(builder: ArgumentBuilder, owner: ClassInfo | None, name: str) -> _Found | None:
    try:
        found = builder.walk.inference.find_member(owner, name) if owner is not None else None
    except SourceError:
        return None
    for unit in found[1] if found else ():
        if found is not None and isinstance(unit.node, FunctionNode):
            return _Found(unit.node, found[0].scope)
    return None


def _answers(builder: ArgumentBuilder, known: _Found) -> Iterator[str]:
    """Yield answers that the uses of its results ask for, then those that it returns itself."""
    node = known.node
    result = builder.walk.graph.named.get(("result", node))
    uses = builder.follower.uses((result,)) if result is not None else NO_USES
    if node.returns is not None:
        annotated = builder.walk.graph.new()
        annotate(builder.walk, annotated, node.returns, known.scope)
        uses = merged(uses, builder.follower.uses((annotated,)))
    returned = [n.value for n in ast.walk(node) if isinstance(n, ast.Return)]
    if any(isinstance(value, _TESTS) or _is_flag(value) for value in returned):
        yield from ("True", "False")
    shape = infer(uses, "any", node.name)
    if not isinstance(shape, Anything) or uses.facts:
        yield from builder.texts(builder.replaced(shape, uses, node.name))
    for value in returned:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            yield "None"
        elif is_literal(value):
            yield ast.unparse(value)


def _is_flag(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)
