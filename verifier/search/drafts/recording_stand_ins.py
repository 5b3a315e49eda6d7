"""Stand-ins that record the calls made to them, so that cases can compare these calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ...inputs.proposals.callee_answers import REPLACED
from ...inputs.statements import Statement
from .drafts import Draft
from .raising_expressions import CALLS, coroutine, later, thrown_later

Signatures = tuple[tuple[str, ast.arguments], ...]


def recordings(draft: Draft, signatures: Signatures) -> Iterator[Draft]:
    """Yield the draft with recording stand-ins; the same draft if it holds none.

    A second draft records awaiting instead of calling, for methods that are awaited.

    Args:
        draft: a call.
        signatures: parameters of methods, for stand-ins that would accept any arguments.
    """
    yield _recording(draft, signatures)
    if "asyncio" in "".join(draft.texts):
        yield _recording(draft, signatures, is_awaited=True)


def _recording(draft: Draft, signatures: Signatures, *, is_awaited: bool = False) -> Draft:
    def recorded(text: str, name: str) -> str:
        return _recorded(text, name, signatures, is_awaited=is_awaited)

    def recorded_value(statement: Statement) -> Statement:
        """Return a statement that sets an attribute of the receiver, with recording stand-ins."""
        if statement.value.startswith(REPLACED):
            return statement
        name = statement.place.rpartition(".")[2]
        return statement.with_value(lambda value: recorded(value, name))

    return replace(
        draft,
        receiver=recorded(draft.receiver, ""),
        arguments=tuple((n, recorded(text, n.rpartition(":")[2])) for n, text in draft.arguments),
        before=tuple(map(recorded_value, draft.before)),
    )


@lru_cache(maxsize=4096)
def _recorded(text: str, name: str, signatures: Signatures, *, is_awaited: bool) -> str:
    """Return an expression whose outermost stand-ins record in one list."""
    if "lambda" not in text or CALLS in text:
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return text
    if isinstance(tree.body, ast.Lambda):
        tree.body = _callable(tree.body, class_name(name))
    recorder = _Recorder(dict(signatures), is_awaited)
    tree = recorder.visit(tree)
    if not recorder.is_changed:
        return text
    return f"(lambda {CALLS}: {ast.unparse(ast.fix_missing_locations(tree))})([])"


def class_name(name: str) -> str:
    """Return a class name for a callable, made from the name that it is given as."""
    parts = [part for part in name.split("_") if part.isalnum()]
    made = "".join(part[:1].upper() + part[1:] for part in parts)
    return made if made.isidentifier() else "Callback"


def _callable(function: ast.Lambda, name: str) -> ast.expr:
    """Turn a function that only answers into a callable object."""
    text = f"type({name!r}, (), {{'__call__': lambda self: 0}})()"
    made = ast.parse(text, mode="eval").body
    inner = next(node for node in ast.walk(made) if isinstance(node, ast.Lambda))
    given = function.args
    taken = given.posonlyargs or given.args
    inner.args = ast.arguments(
        given.posonlyargs and [ast.arg("self"), *taken],
        given.args if given.posonlyargs else [ast.arg("self"), *given.args],
        given.vararg, given.kwonlyargs, given.kw_defaults, given.kwarg, given.defaults,
    )  # fmt: skip
    inner.body = function.body
    return made


@dataclass(slots=True)
class _Recorder(ast.NodeTransformer):
    """Makes the methods of stand-ins record their calls."""

    signatures: Mapping[str, ast.arguments]
    is_awaited: bool
    """Whether coroutines record when they are awaited instead of when they are made."""
    is_changed: bool = False
    depth: int = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(
                func=ast.Name(id="type"), args=[ast.Constant(), ast.Tuple(elts=[]), ast.Dict() as d]
            ):
                pass
            case _:
                return self.generic_visit(node)
        is_outer = self.depth == 0
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        names = [key.value if isinstance(key, ast.Constant) else None for key in d.keys]
        kept: dict[str, str] = {}
        if "__init__" not in names:
            for name, value in zip(names, d.values, strict=True):
                kept.update(_kept_answer(str(name), value, names))
        d.values = [
            self._member(str(name), value) for name, value in zip(names, d.values, strict=True)
        ]
        if is_outer and self.is_changed and "__init__" not in names:
            kept = {CALLS: CALLS, **kept}
        if kept:
            sets = " or ".join(f"setattr(self, {name!r}, {text})" for name, text in kept.items())
            d.keys.insert(0, ast.Constant("__init__"))
            d.values.insert(0, ast.parse(f"lambda self: {sets}", mode="eval").body)
        return node

    def _member(self, name: str, value: ast.expr) -> ast.expr:
        """Return a method that records; any other member unchanged."""
        if not isinstance(value, ast.Lambda) or (name.startswith("__") and name != "__call__"):
            return value
        self.is_changed = True
        parameters = self._parameters(name, value)
        own = [*parameters.posonlyargs, *parameters.args][1:]
        noted: list[ast.expr] = [ast.Constant(name if name != "__call__" else "called")]
        noted += [ast.Name(each.arg, ast.Load()) for each in (*own, *parameters.kwonlyargs)]
        if parameters.vararg:
            noted.append(ast.Starred(ast.Name(parameters.vararg.arg, ast.Load())))
        if parameters.kwarg:
            noted.append(ast.Name(parameters.kwarg.arg, ast.Load()))
        note = ast.Call(
            ast.Attribute(ast.Name(CALLS, ast.Load()), "append", ast.Load()),
            [ast.Tuple(noted, ast.Load())],
            [],
        )
        raised = thrown_later(value.body)
        if raised is not None:
            return ast.Lambda(parameters, later(ast.BoolOp(ast.Or(), [note, raised])))
        promised = _promised(value.body) if self.is_awaited else None
        given = value.body if promised is None else promised
        is_nothing = isinstance(given, ast.Constant) and given.value is None
        results: list[ast.expr] = [note] if is_nothing else [note, given]
        if promised is None:
            body = note if is_nothing else ast.BoolOp(ast.Or(), results)
            return ast.Lambda(parameters, body)
        waits = ast.BoolOp(ast.Or(), [ast.Yield(), *results])
        return coroutine(ast.Lambda(parameters, waits))

    def _parameters(self, name: str, value: ast.Lambda) -> ast.arguments:
        """Return the known parameters of a method that would accept any arguments."""
        args, known = value.args, self.signatures.get(name)
        takes_all = args.vararg and args.kwarg and len(args.args) == 1
        if known is None or not takes_all or _CAUGHT & {*_names(value.body)}:
            return args
        own = [ast.arg(each.arg) for each in known.args]
        named = [ast.arg(each.arg) for each in known.kwonlyargs]
        it = ast.arg(args.args[0].arg if args.args[0].arg not in {e.arg for e in own} else "it")
        return ast.arguments([], [it, *own], None, named, known.kw_defaults, None, known.defaults)


def _kept_answer(name: str, value: ast.expr, taken: Sequence[object]) -> Iterator[tuple[str, str]]:
    """Yield an attribute for the collection that a method answers, so that each call answers the
    same.

    Changes of the collection then show, as if the real object kept it. The method is modified.
    """
    kept = "answer" if name == "__call__" else f"{name}_answer"
    match value:
        case ast.Lambda(args=parameters, body=ast.List() | ast.Dict() | ast.Set() as answer):
            own = next(iter((*parameters.posonlyargs, *parameters.args)), None)
            is_closed = not any(isinstance(n, ast.Name | ast.Lambda) for n in ast.walk(answer))
            is_method = name == "__call__" or not name.startswith("_")
            if own is not None and is_closed and is_method and kept not in taken:
                yield kept, ast.unparse(answer)
                value.body = ast.Attribute(ast.Name(own.arg, ast.Load()), kept, ast.Load())
        case _:
            pass


_CAUGHT = frozenset({"args", "named"})
"""Names of the catch-all parameters of stand-ins."""


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names that an expression reads outside nested functions."""
    if isinstance(node, ast.Name):
        yield node.id
    elif not isinstance(node, ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _names(child)


def _promised(value: ast.expr) -> ast.expr | None:
    """Return the result of a coroutine made by `asyncio.sleep(0, …)`, else `None`."""
    match value:
        case ast.Call(func=ast.Attribute(attr="sleep"), args=[ast.Constant(0), given]):
            return given
        case ast.Call(func=ast.Attribute(attr="sleep"), args=[ast.Constant(0)]):
            return ast.Constant(None)
        case _:
            return None
