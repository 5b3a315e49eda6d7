"""Functions and methods confused with similar ones of the same signature."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...value_changes import (
    alternating,
    around_others,
    distinct,
    longer,
    of_calls,
    one_after_another,
    true_or_false,
    with_words,
)
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_METHODS: Mapping[str, tuple[str, ...]] = {
    "title": ("capitalize",), "capitalize": ("title",), "upper": ("title", "lower"),
    "lower": ("upper",), "casefold": ("upper",), "swapcase": ("upper",),
    "find": ("rfind", "index"), "rfind": ("find",), "index": ("find",), "rindex": ("index",),
    "split": ("rsplit",), "rsplit": ("split",), "partition": ("rpartition",),
    "rpartition": ("partition",), "strip": ("lstrip", "rstrip"), "lstrip": ("rstrip", "strip"),
    "rstrip": ("lstrip", "strip"), "removeprefix": ("lstrip",), "removesuffix": ("rstrip",),
    "ljust": ("rjust",), "rjust": ("ljust",), "center": ("ljust",), "zfill": ("rjust",),
    "startswith": ("endswith",), "endswith": ("startswith",), "splitlines": ("split",),
    "append": ("extend",), "extend": ("append",), "keys": ("values",), "values": ("keys",),
    "items": ("keys",), "union": ("intersection",), "intersection": ("union",),
    "difference": ("symmetric_difference", "union"), "issubset": ("issuperset",),
    "issuperset": ("issubset",), "add": ("discard",), "popleft": ("pop",),
    "appendleft": ("append",),
    "match": ("search", "fullmatch"), "search": ("match",), "fullmatch": ("match",),
    "findall": ("finditer",), "group": ("start",), "groups": ("group",), "start": ("end",),
    "end": ("start",), "floor": ("ceil",), "ceil": ("floor",), "trunc": ("floor",),
    "dirname": ("basename",), "basename": ("dirname",), "sin": ("cos",), "cos": ("sin",),
    "log": ("log2",), "log2": ("log",), "log10": ("log",), "gcd": ("lcm",), "lcm": ("gcd",),
    "comb": ("perm",), "perm": ("comb",), "mean": ("median",), "median": ("mean",),
    "stdev": ("pstdev",), "pstdev": ("stdev",), "deepcopy": ("copy",), "quote": ("quote_plus",),
    "quote_plus": ("quote",), "unquote": ("unquote_plus",), "dumps": ("loads",),
    "bisect_left": ("bisect_right",), "bisect_right": ("bisect_left",), "bisect": ("bisect_left",),
    "combinations": ("permutations",), "permutations": ("combinations",), "zip_longest": ("zip",),
    "takewhile": ("dropwhile",), "dropwhile": ("takewhile",), "nlargest": ("nsmallest",),
    "nsmallest": ("nlargest",), "weekday": ("isoweekday",), "isoweekday": ("weekday",),
    "hexdigest": ("digest",), "most_common": ("items",), "b64encode": ("urlsafe_b64encode",),
    "urlsafe_b64encode": ("b64encode",), "b64decode": ("urlsafe_b64decode",),
    "urlsafe_b64decode": ("b64decode",), "isalpha": ("isalnum",), "isalnum": ("isalpha",),
    "isdigit": ("isalnum",), "isupper": ("islower",), "islower": ("isupper",),
}  # fmt: skip
"""Maps a method or module function to others that people confuse it with."""
_BUILTINS: Mapping[str, tuple[str, ...]] = {
    "min": ("max",), "max": ("min",), "any": ("all",), "all": ("any",), "sum": ("len",),
    "round": ("int",), "int": ("round",), "str": ("repr",), "repr": ("str",), "sorted": ("list",),
    "reversed": ("list",), "set": ("list",), "tuple": ("list",), "list": ("set",), "ord": ("len",),
    "hex": ("bin",), "divmod": ("pow",),
}  # fmt: skip
_SUBTLE: Mapping[str, tuple[str, ...]] = {
    "lower": ("casefold",), "isdigit": ("isdecimal", "isnumeric"), "isdecimal": ("isdigit",),
    "isnumeric": ("isdigit",), "sub": ("subn",), "loads": ("load",), "floor": ("trunc",),
    "remove": ("discard",), "discard": ("remove",), "abspath": ("realpath", "normpath"),
    "realpath": ("abspath",), "read_text": ("read_bytes",), "isoformat": ("__str__",),
}  # fmt: skip
"""Pairs of siblings that differ for few inputs only."""


def _methods(function: MutatedFunction) -> Iterator[Edit]:
    yield from _others(function, _METHODS)


def _subtle(function: MutatedFunction) -> Iterator[Edit]:
    yield from _others(function, _SUBTLE)


def _others(function: MutatedFunction, table: Mapping[str, tuple[str, ...]]) -> Iterator[Edit]:
    joined = _only_joined(function)
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) if (
                name in joined
            ):
                continue
            case ast.Call(func=ast.Attribute(value=value, attr=name) as func) if name in table:
                is_own = isinstance(value, ast.Name) and value.id in {"self", "cls"}
                is_whole = name in {"split", "rsplit"} and len(node.args) + len(node.keywords) < 2
                if not is_own and not is_whole:  # another operator covers the class's own methods
                    for other in table[name]:
                        yield func, f"{function.operand(value)}.{other}"
            case _:
                pass


def _other_end(function: MutatedFunction) -> Iterator[Edit]:
    """Yield `insert(0, x)` for `append(x)`."""
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="append"), args=[added]):
                yield node, f"{function.operand(value)}.insert(0, {function.source(added)})"
            case _:
                pass


def _only_joined(function: MutatedFunction) -> frozenset[str]:
    """Return lists of texts that are only joined without separator: characters do as well."""
    uses: dict[str, int] = {}
    plain: dict[str, int] = {}
    joined: set[str] = set()
    for node in function.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                uses[name] = uses.get(name, 0) + 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                plain[name] = plain.get(name, 0) + 1
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=""), attr="join"),
                args=[ast.Name(id=name)],
            ):
                plain[name] = plain.get(name, 0) + 1
                joined.add(name)
            case _:
                pass
    return frozenset(name for name in joined if uses[name] == plain[name])


def _builtins(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id=name) as func, args=[_, *_]) if name in _BUILTINS:
                for other in _BUILTINS[name]:
                    if not (node.keywords and other in {"list", "len", "int"}):
                        yield func, other
            case _:
                pass


def _whole_seconds(function: MutatedFunction) -> Iterator[Edit]:
    """Yield `seconds` for `total_seconds()`, and the reverse."""
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="total_seconds"), args=[]):
                yield node, f"{function.operand(value)}.seconds"
            case ast.Attribute(value=value, attr="seconds", ctx=ast.Load()):
                yield node, f"{function.operand(value)}.total_seconds()"
            case _:
                pass


def _own(function: MutatedFunction) -> Iterator[Edit]:
    """Yield another method of the class, or function of the module, with the same parameters."""
    methods, functions = _arities(function)
    for node in function.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) as func
            ) if name in methods:
                other = _next(methods, name)
                if other:
                    yield func, f"{function.source(func.value)}.{other}"
            case ast.Call(func=ast.Name(id=name) as func) if name in functions:
                other = _next(functions, name)
                if other:
                    yield func, other
            case _:
                pass


def _next(arities: Mapping[str, str], name: str) -> str:
    """Return the next function in the file with the same parameters; after the last the first."""
    names = [each for each in arities if arities[each] == arities[name]]
    other = names[(names.index(name) + 1) % len(names)]
    return "" if other == name else other


def _arities(function: MutatedFunction) -> tuple[dict[str, str], dict[str, str]]:
    """Return the class's methods and the module's functions, each with its parameters' form."""
    try:
        body = ast.parse(function.block.text).body
    except (SyntaxError, ValueError, RecursionError):
        return {}, {}
    own = getattr(function.function, "name", "")
    functions = _forms(body, own if not function.block.enclosing else "")
    methods: dict[str, str] = {}
    for name in function.block.enclosing:
        classes = [each for each in body if isinstance(each, ast.ClassDef) and each.name == name]
        body = classes[0].body if classes else []
        methods = _forms(body, own)
    return methods, functions


def _forms(body: list[ast.stmt], own: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in body:
        match node:
            case (
                ast.FunctionDef(name=name, args=given, decorator_list=[])
                | ast.AsyncFunctionDef(name=name, args=given, decorator_list=[])
            ) if not name.startswith("__") and name != own:
                plain = len(given.posonlyargs) + len(given.args) - len(given.defaults)
                kind = type(node).__name__
                found[name] = f"{kind} {plain} {len(given.defaults)} {bool(given.vararg)}"
            case _:
                pass
    return found


OPERATORS = (
    Operator(
        "sibling method",
        _methods,
        (
            ("return text.title()", ("return text.capitalize()",)),
            ("return text.find(a)", ("return text.rfind(a)", "return text.index(a)")),
            ("return math.floor(a)", ("return math.ceil(a)",)),
        ),
        (
            "return self.title()",
            "return text.encode()",
            "return a.title",
            "return text.split(',')",
            "found = []; found.append(a); return ''.join(found)",
        ),
        killed_by=one_after_another(
            alternating(of_calls, around_others), distinct, true_or_false, with_words, longer
        ),
    ),
    Operator(
        "sibling method, rarely seen",
        _subtle,
        (("return text.lower()", ("return text.casefold()",)),),
        ("return text.upper()",),
        is_hint=True,
    ),
    Operator(
        "added at the other end",
        _other_end,
        (("self.items.append(a)", ("self.items.insert(0, a)",)),),
        ("self.items.insert(0, a)", "return a.append"),
        is_hint=True,  # a single item has no order
    ),
    Operator(
        "sibling builtin",
        _builtins,
        (
            ("return min(a, key=len)", ("return max(a, key=len)",)),
            ("return any(a)", ("return all(a)",)),
        ),
        ("return a.min()", "return sorted(a, key=b)", "return len(a)", "return min"),
    ),
    Operator(
        "part of a time span",
        _whole_seconds,
        (
            ("return (a - b).total_seconds()", ("return (a - b).seconds",)),
            ("return a.seconds", ("return a.total_seconds()",)),
        ),
        ("a.seconds = 3", "return a.days"),
    ),
    Operator("sibling definition", _own, (), ("return g(a)", "return self.g(a)")),
)
