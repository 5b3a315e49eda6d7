"""Prompts of a slice at the terminal, and answers that lead through its loops and branches."""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....slicer.syntax.nodes import walk
from ...source.kept_code import Function, KeptCode, KeptStatement, assigned

_ASKING = frozenset({
    "builtins.input", "getpass.getpass", "sys.stdin.readline", "sys.stdin.read",
    "sys.stdin.readlines", "click.prompt", "typer.prompt", "rich.prompt.Prompt.ask",
    "rich.prompt.IntPrompt.ask",
})  # fmt: skip
_MOST = 12
_CASES = {
    "lower": str.upper, "casefold": str.upper, "upper": str.lower, "title": str.lower,
    "capitalize": str.lower,
}  # fmt: skip
_NORMALISING = frozenset({"strip", *_CASES})
"""Methods with which the code normalises an answer."""


@dataclass(frozen=True, slots=True)
class PromptSite:
    """A place that prompts the user."""

    name: str
    """Dotted name of the prompting function."""
    prompt: str
    """The start of its prompt; "" if that is computed."""
    answers: tuple[str, ...]
    """The answers of the first, second, … time; the last ends loops."""
    spelled: tuple[str, ...]
    """The same answers in a spelling that the code normalises: other blanks and capitals."""
    is_refused: bool = False
    """Whether the code asks for a number, and handles other answers."""
    is_interrupted: bool = False
    """Whether the code handles an interrupt in place of an answer."""


def prompt_sites(code: KeptCode) -> tuple[PromptSite, ...]:
    """Return all prompts of the kept code, in order."""
    return tuple(
        _prompt_site(code, kept, call, name)
        for kept, call in code.calls
        if (name := code.dotted(call.func, kept.path)) in _ASKING
    )


def _prompt_site(code: KeptCode, kept: KeptStatement, call: ast.Call, name: str) -> PromptSite:
    answers = tuple(_answers(code, kept, call))
    methods = frozenset(_methods(code, kept, call))
    spelled = tuple(_spelled(each, methods) for each in answers)
    caught = frozenset(_caught(kept.node))
    is_looked_at = any(isinstance(n, ast.Attribute) and n.attr in _DIGITS for n in walk(kept.node))
    is_refused = answers[:1] == ("1",) and (is_looked_at or bool(caught & _REFUSING))
    is_interrupted = bool(caught & _INTERRUPTED)
    return PromptSite(name, _prompt(call), answers, spelled, is_refused, is_interrupted)


def _caught(node: ast.AST) -> Iterator[str]:
    """Yield the names of the exceptions caught by handlers; `BaseException` for a bare one."""
    for handler in walk(node):
        if isinstance(handler, ast.ExceptHandler):
            if handler.type is None:
                yield "BaseException"
            else:
                yield from (n.id for n in walk(handler.type) if isinstance(n, ast.Name))


_REFUSING = frozenset("ValueError Exception BaseException InvalidOperation TypeError".split())
_DIGITS = frozenset("isdigit isnumeric isdecimal".split())
_INTERRUPTED = frozenset({"KeyboardInterrupt"})


def _methods(code: KeptCode, kept: KeptStatement, call: ast.Call) -> Iterator[str]:
    """Yield the normalising methods called on the answer, or on a variable that holds it."""
    above = code.parents(kept.node)
    node: ast.AST = call
    while isinstance(method := above.get(id(node)), ast.Attribute) and method.attr in _NORMALISING:
        yield method.attr
        node = above[id(method)]
    names = _names(code, kept, call, above)
    for found in walk(kept.node):
        match found:
            case ast.Attribute(ast.Name(id=name) | ast.Attribute(attr=name), attr) if (
                name in names and attr in _NORMALISING
            ):
                yield attr
            case _:
                pass


def _spelled(answer: str, methods: frozenset[str]) -> str:
    for method in sorted(methods & _CASES.keys())[:1]:
        answer = _CASES[method](answer)
    return f" {answer} " if "strip" in methods else answer


def rotated(answers: Sequence[str], by: int) -> list[str]:
    """Return the same answers with another first one."""
    at = by % len(answers) if answers else 0
    return [*answers[at:], *answers[:at]]


def _prompt(call: ast.Call) -> str:
    match call.args[:1]:
        case [ast.Constant(value=str(text))]:
            return text
        case [ast.JoinedStr(values=[ast.Constant(value=str(text)), *_])]:
            return text
        case _:
            return ""


def _answers(code: KeptCode, kept: KeptStatement, call: ast.Call) -> Iterator[str]:
    """Yield a plain answer of the right kind, then all constants that it is compared with."""
    above = code.parents(kept.node)
    names = _names(code, kept, call, above)
    constants = list(
        dict.fromkeys(
            constant
            for is_own, test in _own_first(code, kept, ast.Compare, ast.Match)
            for constant in _compared(test, names, call if is_own else None)
        )
    )
    numbers = [c for c in constants if isinstance(c, (int, float)) and not isinstance(c, bool)]
    kind = _kind(code, kept, call, names)
    if kind in ("int", "float") or (numbers and len(numbers) == len(constants)):
        found = ["1", *map(str, numbers), *(str(n + 1) for n in numbers)]
    elif kind:
        found = [kind]
    else:
        texts = [str(c) for c in constants]
        found = [*texts, "text"] if _is_menu(texts) else ["text", *texts]
    yield from list(dict.fromkeys(found))[:_MOST]


def _own_first(
    code: KeptCode, kept: KeptStatement, *types: type[ast.AST]
) -> Iterator[tuple[bool, ast.AST]]:
    """Yield nodes of these classes, those in the statement first; with whether each is."""
    found = [(where.node is kept.node, node) for where, node in code.nodes(*types)]
    yield from (each for each in found if each[0])
    yield from (each for each in found if not each[0])


def _is_menu(texts: Sequence[str]) -> bool:
    """Whether only listed answers go on: numbers of a menu, yes and no."""
    return bool(texts) and all(len(text) <= 3 for text in texts)


def _names(
    code: KeptCode, kept: KeptStatement, call: ast.Call, above: dict[int, ast.AST]
) -> set[str]:
    """Return the variables that hold the answer, also via the function that returns it."""
    found = set(_holding(kept.node, call))
    returned = any(
        isinstance(node, ast.Return) and node.value is not None
        and (_contains(node.value, call) or _mentions(node.value, found))
        for node in code.walk(kept.node)
    )  # fmt: skip
    if returned and isinstance(kept.node, Function):
        for where, use in code.calls_by_name.get(kept.node.name, ()):
            found.update(_holding(where.node, use))
    return found


def _holding(whole: ast.AST, call: ast.Call) -> Iterator[str]:
    for node in walk(whole):
        for name, value in assigned(node, attributes=True):
            if _contains(value, call):
                yield name
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=items)], value=value) if _contains(value, call):
                yield from (item.id for item in items if isinstance(item, ast.Name))
            case ast.Assign(
                targets=[ast.Subscript(slice=ast.Constant(value=str(name)))], value=value
            ) if _contains(value, call):
                yield name
            case _:
                pass


def _contains(node: ast.AST, call: ast.AST) -> bool:
    return any(inner is call for inner in walk(node))


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(n, ast.Name) and n.id in names)
        or (isinstance(n, ast.Attribute) and n.attr in names)
        or (isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value in names)
        for n in walk(node)
    )


def _compared(node: ast.AST, names: set[str], call: ast.Call | None) -> Iterator[str | int | float]:
    """Yield the constants that a node compares the answer with.

    Args:
        node: a comparison, or a `match` statement.
        names: variables that hold the answer.
        call: the prompting call, if it may be in the node.
    """

    def is_answer(side: ast.AST) -> bool:
        is_asking = call is not None and _contains(side, call)
        return is_asking or (bool(names) and _mentions(side, names))

    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [left, *others]
            if any(map(is_answer, sides)):
                for op, side in zip([ops[0], *ops], sides, strict=True):
                    yield from _constants(side, inside=isinstance(op, (ast.In, ast.NotIn)))
        case ast.Match(subject=subject, cases=cases) if is_answer(subject):
            for case in cases:
                for inner in walk(case.pattern):
                    if isinstance(inner, ast.MatchValue):
                        yield from _constants(inner.value, inside=False)
        case _:
            pass


def _constants(node: ast.expr, *, inside: bool) -> Iterator[str | int | float]:
    match node:
        case ast.Constant(value=str(text)):
            if inside and 1 < len(text) <= 6:
                yield from text
            elif text:
                yield text
        case ast.Constant(value=int() | float() as number):
            yield number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            yield -number
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            for item in items:
                yield from _constants(item, inside=False)
        case _:
            pass


def _kind(code: KeptCode, kept: KeptStatement, call: ast.Call, names: set[str]) -> str:
    """Return the type that the answer is converted into, or a complete answer."""
    above = code.parents(kept.node)
    node: ast.AST = call
    parts, separator = 0, ""
    while (parent := above.get(id(node))) is not None and not isinstance(parent, ast.stmt):
        match parent:
            case ast.Attribute(attr="split"):
                outer = above.get(id(parent))
                separator = _separator(outer)
                parts = parts or 3
            case ast.Call(func=ast.Name(id="int" | "float" as name)) if not separator:
                return name
            case ast.Call(func=ast.Name(id="eval" | "Decimal" | "complex" | "Fraction")):
                return "1"
            case ast.Call(func=ast.Attribute(attr="loads")):
                return "{}"
            case ast.Call(
                func=ast.Attribute(attr="strptime"), args=[_, ast.Constant(value=str(form))]
            ):
                return dt.date(2024, 1, 1).strftime(form)
            case _:
                pass
        node = parent
    target = above.get(id(node))
    if separator:
        match target:
            case ast.Assign(targets=[ast.Tuple(elts=items)]):
                parts = len(items)
            case _:
                pass
        return separator.join(str(n + 1) for n in range(parts))
    return _kind_of_names(code, kept, names)


def _kind_of_names(code: KeptCode, kept: KeptStatement, names: set[str]) -> str:
    for _, node in _own_first(code, kept, ast.Call) if names else ():
        match node:
            case ast.Call(
                func=ast.Name(id="int" | "float" as kind),
                args=[ast.Name(id=name) | ast.Attribute(attr=name), *_],
            ) if name in names:
                return kind
            case ast.Call(
                func=ast.Attribute(attr="strptime"),
                args=[ast.Name(id=name), ast.Constant(value=str(form))],
            ) if name in names:
                return dt.date(2024, 1, 1).strftime(form)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="isdigit" | "isnumeric")
            ) if name in names:
                return "int"
            case _:
                pass
    return ""


def _separator(call: ast.AST | None) -> str:
    match call:
        case ast.Call(args=[ast.Constant(value=str(text)), *_]) if text:
            return text
        case _:
            return " "
