"""Confusion with neighbouring types, texts and characters in tests and look-ups.

Hardly any call shows such a mistake, so they count in no rate. They tell which cases to keep
besides those that kill mutants.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_KINDS: Mapping[str, tuple[str, ...]] = {
    "bytes": ("(bytes, bytearray)", "(bytes, str)"), "bytearray": ("(bytes, bytearray)",),
    "str": ("(str, bytes)",), "list": ("(list, tuple)", "(list, set)"),
    "tuple": ("(list, tuple)",), "set": ("(set, frozenset)", "(set, list)"),
    "frozenset": ("(set, frozenset)",), "int": ("(int, float)", "(int, str)"),
    "float": ("(int, float)",), "dict": ("(dict, list)",), "bool": ("int",),
}  # fmt: skip
"""Maps a builtin class to tuples of classes that an `isinstance` test confuses it with."""
_EXACT = frozenset({"str", "int", "list", "dict", "tuple", "bytes", "float", "set"})
_BLANKS: Mapping[str, tuple[str, ...]] = {
    "strip": ("' '", r"' \t'", r"' \t\r\n'"), "lstrip": ("' '", r"' \t'", r"' \t\r\n'"),
    "rstrip": ("' '", r"'\n'", r"'\r\n'", r"' \t\r\n'"), "split": ("' '",), "rsplit": ("' '",),
}  # fmt: skip
_MOST_CHARACTERS = 8
_CLASS = re.compile(r"\[(\^?)((?:\\.|[^\]\\])+)\]")
_ITEM = re.compile(r"(?:\\.|[^\\])(?:-(?:\\.|[^\\]))?")
_OF_RE = frozenset("compile match search fullmatch findall finditer split sub subn".split())
_NARROWER = (
    (r"\s", " "), (r"\d", "[0-9]"), (r"\w", "[A-Za-z0-9_]"), ("+", "*"), ("*", "+"), ("^", ""),
    ("$", ""), ("$", r"\Z"), ("?", ""), (".", "[^ ]"),
)  # fmt: skip


def _kinds(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, ast.Name(id=name) as cls]):
                for other in _KINDS.get(name, ()):
                    yield cls, other
                if name in _EXACT:
                    yield node, f"(type({function.source(value)}) is {name})"
                if name == "int":
                    bare = f"isinstance({function.source(value)}, bool)"
                    yield node, f"({function.source(node)} and not {bare})"
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Tuple(elts=several) as cls]):
                for missing in several if len(several) > 1 else ():
                    kept = [function.source(each) for each in several if each is not missing]
                    yield cls, f"({', '.join(kept)},)"
            case _:
                pass


def _blanks(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name) as func, args=[], keywords=[]):
                for given in _BLANKS.get(name, ()):
                    yield node, f"{function.source(func)}({given})"
                if name == "splitlines":
                    yield node, rf"{function.operand(func.value)}.split('\n')"
                if name == "isspace":
                    yield node, rf"(not {function.operand(func.value)}.strip(' \t'))"
            case _:
                pass


def _characters(function: MutatedFunction) -> Iterator[Edit]:
    """Yield sets of characters to strip or search with one of them missing."""
    for node in function.nodes:
        match node:
            case (
                ast.Call(
                    func=ast.Attribute(attr="strip" | "lstrip" | "rstrip"),
                    args=[ast.Constant(value=str() as among) as found],
                )
                | ast.Compare(
                    ops=[ast.In() | ast.NotIn()],
                    comparators=[ast.Constant(value=str() as among) as found],
                )
            ) if len(among) > 1:
                for at in range(min(len(among), _MOST_CHARACTERS)):
                    yield found, repr(among[:at] + among[at + 1 :])
            case _:
                pass


def _alternatives(function: MutatedFunction) -> Iterator[Edit]:
    """Yield membership tests with one of the values missing or changed."""
    for node in function.nodes:
        match node:
            case ast.Compare(
                left=left,
                ops=[ast.In() | ast.NotIn() as op],
                comparators=[(ast.Tuple() | ast.List() | ast.Set()) as among],
            ):
                for missing in among.elts[:_MOST_CHARACTERS] if len(among.elts) > 1 else ():
                    kept = [function.source(each) for each in among.elts if each is not missing]
                    yield among, f"({', '.join(kept)},)"
                if all(map(function.is_text, among.elts)):
                    sign = "in" if isinstance(op, ast.In) else "not in"
                    for how in ("lower", "strip"):
                        yield (
                            node,
                            f"({function.operand(left)}.{how}() {sign} {function.source(among)})",
                        )
            case _:
                pass


def _selecting(function: MutatedFunction) -> Iterator[Edit]:
    """Yield keys and subjects compared without regard to case or blanks."""
    for node in function.nodes:
        match node:
            case ast.Subscript(slice=ast.Name() | ast.Attribute() as key, ctx=ast.Load()):
                yield key, f"{function.source(key)}.lower()"
                yield key, f"{function.source(key)}.strip()"
            case ast.Call(
                func=ast.Attribute(attr="get" | "pop"),
                args=[ast.Name() | ast.Attribute() as key, *_],
            ):
                yield key, f"{function.source(key)}.lower()"
                yield key, f"{function.source(key)}.strip()"
            case ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.NotEq() as op],
                comparators=[ast.Constant(value=str()) as text],
            ):
                sign = "==" if isinstance(op, ast.Eq) else "!="
                yield node, f"({function.operand(left)}.strip() {sign} {function.source(text)})"
            case _:
                pass


def _none_as_missing(function: MutatedFunction) -> Iterator[Edit]:
    """Yield look-ups for which an entry `None` counts as missing."""
    for node in function.nodes:
        match node:
            case ast.Compare(
                left=key,
                ops=[ast.In() | ast.NotIn() as op],
                comparators=[ast.Name() | ast.Attribute() as of],
            ):
                sign = "is not" if isinstance(op, ast.In) else "is"
                found = f"{function.source(of)}.get({function.source(key)})"
                yield node, f"({found} {sign} None)"
            case ast.Call(func=ast.Attribute(attr="get", value=of), args=[key, default]):
                found = f"{function.operand(of)}.get({function.source(key)})"
                yield node, f"({found} or {function.operand(default)})"
            case _:
                pass


def _patterns(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(attr=name),
                args=[ast.Constant(value=str() as pattern) as given, *_],
            ) if name in _OF_RE and _is_pattern(node):
                for other in _other_patterns(pattern):
                    yield given, repr(other)
            case _:
                pass


def _is_pattern(node: ast.Call) -> bool:
    func = node.func
    return isinstance(func, ast.Attribute) and getattr(func.value, "id", "") in {"re", "regex"}


def _other_patterns(pattern: str) -> Iterator[str]:
    for found in _CLASS.finditer(pattern):
        items = [each[0] for each in _ITEM.finditer(found[2])]
        for at in range(min(len(items), _MOST_CHARACTERS) if len(items) > 1 else 0):
            kept = "".join(items[:at] + items[at + 1 :])
            yield f"{pattern[: found.start()]}[{found[1]}{kept}]{pattern[found.end() :]}"
        for more in ("_", r"\-", ".", " ", "é"):
            if more not in found[2]:
                made = f"[{found[1]}{more}{found[2]}]"
                yield f"{pattern[: found.start()]}{made}{pattern[found.end() :]}"
    for old, new in _NARROWER:
        if old in pattern:
            yield pattern.replace(old, new, 1)


def _parts(function: MutatedFunction) -> Iterator[Edit]:
    """Yield calls that affect the first occurrence in a text instead of all, and the reverse."""
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="replace") as func, args=[old, new], keywords=[]):
                given = f"{function.source(old)}, {function.source(new)}"
                yield node, f"{function.source(func)}({given}, 1)"
            case ast.Call(
                func=ast.Attribute(attr="split" | "rsplit") as func, args=[separator], keywords=[]
            ):
                yield node, f"{function.source(func)}({function.source(separator)}, 1)"
            case ast.Call(
                func=ast.Attribute(attr="split" | "rsplit") as func,
                args=[separator, ast.Constant()],
            ):
                yield node, f"{function.source(func)}({function.source(separator)})"
            case ast.Call(
                func=ast.Attribute(attr="startswith" | "endswith"),
                args=[ast.Tuple(elts=several) as given],
            ):
                for missing in several if len(several) > 1 else ():
                    kept = [function.source(each) for each in several if each is not missing]
                    yield given, f"({', '.join(kept)},)"
            case _:
                pass


def _beyond(function: MutatedFunction) -> Iterator[Edit]:
    """Yield inequalities in place of an equality with a number."""
    for node in function.nodes:
        match node:
            case ast.Compare(
                left=left,
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=int() | float() as n) as number],
            ) if not isinstance(n, bool):
                for sign in (">=", "<="):
                    yield node, f"({function.operand(left)} {sign} {function.source(number)})"
            case _:
                pass


OPERATORS = (
    Operator(
        "neighbouring class",
        _kinds,
        (
            (
                "return isinstance(a, bytes)",
                (
                    "return isinstance(a, (bytes, bytearray))",
                    "return isinstance(a, (bytes, str))",
                    "return (type(a) is bytes)",
                ),
            ),
            (
                "return isinstance(a, (str, int))",
                ("return isinstance(a, (int,))", "return isinstance(a, (str,))"),
            ),
        ),
        ("return isinstance(a, C)", "return callable(a)"),
        is_hint=True,
    ),
    Operator(
        "some blanks for all",
        _blanks,
        (("return a.split()", ("return a.split(' ')",)),),
        ("return a.split(',')", "return a.lower()"),
        is_hint=True,
    ),
    Operator(
        "one character less",
        _characters,
        (("return a in 'xy'", ("return a in 'y'", "return a in 'x'")),),
        ("return a in 'x'", "return a in b"),
        is_hint=True,
    ),
    Operator(
        "one alternative less",
        _alternatives,
        (("return a in (1, 2)", ("return a in (2,)", "return a in (1,)")),),
        ("return a in (1,)", "return a in b"),
        is_hint=True,
    ),
    Operator(
        "any form of what selects",
        _selecting,
        (("return a[b]", ("return a[b.lower()]", "return a[b.strip()]")),),
        ("return a[0]", "a[b] = c", "return a == b"),
        is_hint=True,
    ),
    Operator(
        "missing for None in a table",
        _none_as_missing,
        (
            ("return b in a", ("return a.get(b) is not None",)),
            ("return a.get(b, c)", ("return a.get(b) or c",)),
        ),
        ("return b in 'xy'", "return a.get(b)"),
        is_hint=True,
    ),
    Operator(
        "neighbouring pattern",
        _patterns,
        (("return re.match('a+', text)", ("return re.match('a*', text)",)),),
        ("return a.match('a+')", "return re.match(a, text)", "return text.split('+')"),
        is_hint=True,
    ),
    Operator(
        "one place for all",
        _parts,
        (
            ("return a.split(',')", ("return a.split(',', 1)",)),
            ("return a.replace('x', '')", ("return a.replace('x', '', 1)",)),
        ),
        ("return a.split()", "return a.startswith('x')"),
        is_hint=True,
    ),
    Operator(
        "bound for an equal number",
        _beyond,
        (("return a == 3", ("return a >= 3", "return a <= 3")),),
        ("return a == b", "return a == True", "return a < 3"),
        is_hint=True,
    ),
)
