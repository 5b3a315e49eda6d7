"""Repair drafts by error messages: add what an instance lacks, drop what it got too much.

Bases outside the repository, and attributes that only subclasses set, cannot be seen before an
instance is made. The interpreter's error names them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from ...inputs.types.tested_values import BUILTIN_EXPRESSIONS
from ..drafts.draft_trees import parsed, unparsed, with_nodes
from ..drafts.drafts import Draft
from .missing_members import with_what_is_missing

_LACKS_ATTRIBUTE = re.compile(r"(?:'(\w+)' object|type object '(\w+)') has no attribute '(\w+)'")
_LACKS_ARGUMENTS = re.compile(r"\w+\(\) missing \d+ required [\w-]+ arguments?: ('.*')")
_TAKES_NONE = re.compile(r"(\w+)\(\) takes no arguments")
_NOT_CALLED = re.compile(r"'(\w+)' object is not callable")
_UNEXPECTED = re.compile(r"\w+\(\) got an unexpected keyword argument '(\w+)'")
_OTHER_NEW = re.compile(r"object\.__new__\((\w+)\) is not safe")
_WRONG_KINDS = re.compile(
    r"unsupported operand type\(s\) for .*: '(\w+)' and '(\w+)'"
    r"|not supported between instances of '(\w+)' and '(\w+)'"
    r"|can only concatenate (\w+) \(not \"(\w+)\"\)|must be (\w+)(?: number)?, not (\w+)"
    r"|'(\w+)' object (?:is not|cannot be|does not)|object of type '(\w+)' has no"
    r"|dictionary update sequence (element) #"
)
"""Messages about operands and arguments of incompatible types."""
_OR_NONE = re.compile(r"\bor None\b|\bNone or\b")
"""Matches messages that reject a value and state that `None` is accepted."""
_KINDS = ("int", "float", "list", "dict", "str", "tuple")
_MOST = 6

Change = Callable[[ast.Call], ast.Call | None]
"""Returns a replacement for a call, or `None` to keep it."""


def repair_draft(
    draft: Draft,
    message: str,
    named: Callable[[str], str],
    answered: Collection[str] = (),
    collecting: str = "",
) -> Iterator[Draft]:
    """Yield the draft with one of its calls changed as an error message asks.

    Args:
        draft: the draft that failed.
        message: text of the exception.
        named: returns an expression for something with that name.
        answered: texts of earlier errors.
        collecting: the parameter that takes all further keywords; empty where there is none.
    """
    yield from with_what_is_missing(draft, message, named, answered)
    if _OR_NONE.search(message):
        yield from (
            draft.with_arguments([(name, "None")])
            for name, text in draft.arguments
            if text != "None"
        )
    yield from _with_collected(draft, message, named, collecting)
    change = _change(message, named)
    if change is None:
        yield from islice(_of_other_kinds(draft, message), 2 * _MOST)
        return
    made = 0
    texts = draft.texts
    for at, text in enumerate(texts):
        for other in _changed(text, change):
            made += 1
            if made > _MOST:
                return
            yield draft.with_texts((*texts[:at], other, *texts[at + 1 :]))


def _with_collected(
    draft: Draft, message: str, named: Callable[[str], str], collecting: str
) -> Iterator[Draft]:
    """Yield the draft with a missing argument added to the collected keywords it may pass on."""
    found = _LACKS_ARGUMENTS.search(message) if collecting else None
    if found is None:
        return
    tree = parsed(dict(draft.arguments).get(collecting, "{}"))
    given = tree and tree.expression
    if isinstance(given, ast.Dict):
        known = [each.value for each in given.keys if isinstance(each, ast.Constant)]
        lacking = [name for name in re.findall(r"'(\w+)'", found[1]) if name not in known]
        pairs = [f"{name!r}: {named(name)}" for name in lacking]
        entries = ast.unparse(given)[1:-1]
        if pairs:
            text = ", ".join((*([entries] if entries else []), *pairs))
            yield draft.with_arguments([(collecting, f"{{{text}}}")])


def _of_other_kinds(draft: Draft, message: str) -> Iterator[Draft]:
    """Yield the draft with a value of another type where an operation rejects one."""
    found = _WRONG_KINDS.search(message)
    types = [each for each in found.groups() if each] if found else []
    types = ["str", "dict"] if types == ["element"] else types  # made from, and needed
    for name, text in draft.arguments:
        kind = _kind(text)
        if kind in types:
            others = dict.fromkeys(
                (*(each for each in types if each in BUILTIN_EXPRESSIONS), *_KINDS)
            )
            yield from (
                draft.with_arguments([(name, BUILTIN_EXPRESSIONS[each])])
                for each in others
                if each != kind
            )


def _kind(text: str) -> str:
    """Return the class name of a literal; empty for other expressions."""
    try:
        return type(ast.literal_eval(text)).__name__
    except (ValueError, SyntaxError):
        return ""


def _changed(text: str, change: Change) -> Iterator[str]:
    """Yield the text with each of its calls changed in turn."""
    tree = parsed(text) if text else None
    for at, node in enumerate(tree.nodes) if tree else ():
        new = change(node) if isinstance(node, ast.Call) else None
        if tree is not None and new is not None:
            yield unparsed(with_nodes(tree, {at: new}))


def _change(message: str, named: Callable[[str], str]) -> Change | None:
    if found := _LACKS_ATTRIBUTE.search(message):
        owner, attribute = found[1] or found[2], found[3]
        return lambda call: _with_attribute(call, owner, attribute, named(attribute))
    if found := _NOT_CALLED.search(message):
        owner, answer = found[1], "lambda self, *args, **named: None"
        return lambda call: _with_attribute(call, owner, "__call__", answer)
    if found := _LACKS_ARGUMENTS.search(message):
        given = {name: named(name) for name in re.findall(r"'(\w+)'", found[1])}
        return lambda call: _with_arguments(call, given)
    if found := _TAKES_NONE.search(message):
        owner = found[1]
        return lambda call: _without_arguments(call, owner)
    if _OTHER_NEW.search(message):
        return _by_own_new
    if found := _UNEXPECTED.search(message):
        name = found[1]
        return lambda call: _without_argument(call, name)
    return None


def _with_attribute(call: ast.Call, owner: str, name: str, text: str) -> ast.Call | None:
    """Return an instance of a subclass with the attribute, with or without a constructor call."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="object"), attr="__new__"), args=[cls]):
            other = _class_with(cls, owner, name, text)
            return other and ast.Call(call.func, [other], [])
        case _:
            other = _class_with(call.func, owner, name, text)
            return other and ast.Call(other, call.args, call.keywords)


def _class_with(cls: ast.expr, owner: str, name: str, text: str) -> ast.expr | None:
    """Return a subclass of the named class with one more attribute; `None` for other classes."""
    value = ast.parse(text, mode="eval").body
    match cls:
        case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=own), bases, members]):
            if own != owner or not isinstance(members, ast.Dict):
                return None
            known = [each.value for each in members.keys if isinstance(each, ast.Constant)]
            if name in known:
                return None
            more = ast.Dict([*members.keys, ast.Constant(name)], [*members.values, value])
            return ast.Call(cls.func, [cls.args[0], bases, more], [])
        case ast.Name(id=own) | ast.Attribute(attr=own) if own == owner:
            bases = ast.Tuple([cls], ast.Load())
            more = ast.Dict([ast.Constant(name)], [value])
            made = ast.Name("type", ast.Load())
            return ast.Call(made, [ast.Constant(f"Some{owner}"), bases, more], [])
        case _:
            return None


def _with_arguments(call: ast.Call, given: dict[str, str]) -> ast.Call | None:
    known = {keyword.arg for keyword in call.keywords}
    if not _is_of_class(call) or None in known or known & given.keys():
        return None
    more = [ast.keyword(n, ast.parse(text, mode="eval").body) for n, text in given.items()]
    return ast.Call(call.func, call.args, [*call.keywords, *more])


def _without_arguments(call: ast.Call, owner: str) -> ast.Call | None:
    if not (call.args or call.keywords) or _name(call.func) != owner:
        return None
    return ast.Call(call.func, [], [])


def _without_argument(call: ast.Call, name: str) -> ast.Call | None:
    kept = [each for each in call.keywords if each.arg != name]
    return ast.Call(call.func, call.args, kept) if len(kept) < len(call.keywords) else None


def _by_own_new(call: ast.Call) -> ast.Call | None:
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="object"), attr="__new__"), args=[cls]):
            return ast.Call(ast.Attribute(cls, "__new__", ast.Load()), [cls], [])
        case _:
            return None


def _is_of_class(call: ast.Call) -> bool:
    """Whether a call makes an instance, by the convention that class names have capitals."""
    return _name(call.func).lstrip("_")[:1].isupper()


def _name(func: ast.expr) -> str:
    """Return the name of the callee, or that of a class made on the spot."""
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=str() as name), _, _]):
            return name
        case _:
            return ""
