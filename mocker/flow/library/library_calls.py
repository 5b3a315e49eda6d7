"""Calls of outside functions and methods: what they require of a value, and their results."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from ....slicer.analysis.values.abstract_values import FunctionValue
from ..expression_flow import formatted
from ..flow_graph import Node
from ..flow_walk import Walk
from .library_flow import (
    AWAITING,
    CONVERSIONS,
    NEEDS,
    PARSERS,
    PATTERNS,
    PICKS,
    SAME,
    SAME_METHODS,
    SEQUENCES,
    SPLITS,
    TIMED,
    WRITERS,
)

_UNPARSED = frozenset({"ValueError", "Exception", "BaseException"})
_PATHS = frozenset({"pandas.read_csv", "pandas.read_json", "PIL.Image.open", "feedparser.parse"})
_WIDGET = re.compile(r"(tkinter|tkinter\.ttk|customtkinter)\.[A-Z]\w+(\.__init__)?")
"""Widgets, which are made inside a window."""
_STREAMS = ("io.StringIO", "io.BytesIO", "builtins.open", ".open", "BytesIO", "StringIO")


@dataclass(frozen=True, slots=True)
class CallSite:
    """A walked call."""

    node: ast.Call
    base: Node | None
    """The object whose method is called."""
    positional: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...]
    result: Node

    def argument(self, index: int, name: str = "") -> Node | None:
        """Return the node of an argument by position or name."""
        if index < len(self.positional):
            return self.positional[index]
        return dict(self.named).get(name)


def library_call(walk: Walk, name: str, site: CallSite) -> bool:  # noqa: C901 - a branch for each table of functions
    """Walk a function by its dotted name; return whether it is known."""
    graph, result = walk.graph, site.result
    first = site.argument(0)
    if _WIDGET.fullmatch(name) and (around := _around(name, site)) is not None:
        walk.add_use(around, "type", "instance tkinter.Tk")
    if name in ("builtins.dict", "collections.OrderedDict", "types.SimpleNamespace"):
        for key, value in site.named:
            graph.store(value, result, ("key", key))
    if name == "asyncio.gather":
        _gather(walk, site)
        return True
    if first is None:
        return name in CONVERSIONS
    if name in AWAITING:
        walk.add_use(first, "awaited")
    if name in WRITERS:
        graph.store(first, result, ("parse", WRITERS[name]))
    if name in PARSERS:
        _parsed(walk, name, site, first)
    elif name in TIMED:
        _may_break(walk, first, "date")
        made = graph.take(first, ("parse", "date", site.argument(1, "format")))
        graph.flow(made, result)
    elif name in PATTERNS or name.startswith("re.compile()."):
        _matched(walk, name, site)
    elif name in CONVERSIONS:
        kind = CONVERSIONS[name]
        walk.add_use(first, "convert", kind)
        _may_break(walk, first, kind)
        graph.flow(graph.take(first, ("parse", kind)), result)
    elif name in SAME:
        at = 1 if name == "typing.cast" else 0
        graph.flow(site.argument(at) or first, result)
    elif name in SEQUENCES or name in PICKS:
        _items(walk, name, site, first)
    elif name in _SPECIAL:
        _SPECIAL[name](walk, site, first)
    elif name in NEEDS:
        walk.add_use(first, "type", NEEDS[name])
        for other in site.positional[1:]:
            if name == "os.path.join":
                walk.add_use(other, "type", "text")
    else:
        for index, value in enumerate(site.positional):
            walk.add_use(value, "argument", (name, index))
        return False
    return True


def _around(name: str, site: CallSite) -> Node | None:
    """Return a widget's parent: after `self` if a base's own constructor is called."""
    match site.node.func:
        case ast.Attribute(value=ast.Name() | ast.Attribute()) if name.endswith(".__init__"):
            return site.argument(1, "master")
        case _:
            return site.argument(0, "master")


def _may_break(walk: Walk, value: Node, kind: str) -> None:
    """Note that the slice handles a text that does not parse."""
    if any(name in _UNPARSED for names in walk.caught for name in names):
        walk.add_use(value, "caught", kind)


def _parsed(walk: Walk, name: str, site: CallSite, first: Node) -> None:
    argument = site.node.args[0] if site.node.args else None
    if name in _PATHS and argument is not None:
        streams = walk.dotted(argument)
        if not any(stream in text for text in streams for stream in _STREAMS):
            walk.add_use(first, "type", "path")
            walk.add_use(first, "argument", (name, 0))
            return
    walk.graph.flow(walk.graph.take(first, ("parse", *PARSERS[name])), site.result)
    if any(walk.caught):
        walk.add_use(first, "caught", PARSERS[name][0])


def _matched(walk: Walk, name: str, site: CallSite) -> None:
    graph = walk.graph
    if name in PATTERNS:
        text, pattern = site.argument(1, "string"), site.argument(0)
    else:
        text, pattern = site.argument(0), site.base
    if text is None:
        return
    walk.add_use(text, "match", (name.rpartition(".")[2], pattern), site.result)
    made = graph.take(text, ("parse", "match", name.rpartition(".")[2], pattern))
    graph.flow(made, site.result)


def _items(walk: Walk, name: str, site: CallSite, first: Node) -> None:
    graph = walk.graph
    several = name in ("builtins.min", "builtins.max") and len(site.positional) > 1
    for source in site.positional if several else (first,):
        if several:
            walk.add_use(source, "type", "number")
            graph.flow(source, site.result)
            continue
        item = graph.take(source, ("item",))
        if name in PICKS:
            graph.flow(item, site.result)
            if "default" not in dict(site.named) and len(site.positional) < 2:
                walk.add_use(source, "length", 1)
        else:
            graph.store(item, site.result, ("item",))
        _keyed(walk, site, item)
        ordered = name in ("builtins.sorted", "builtins.min", "builtins.max")
        if ordered and "key" not in dict(site.named):
            walk.add_use(item, "argument", ("ordered",))
    default = dict(site.named).get("default")
    if default is not None:
        graph.flow(default, site.result)
    elif name in ("builtins.next", "builtins.anext") and len(site.positional) > 1:
        graph.flow(site.positional[1], site.result)


def _keyed(walk: Walk, site: CallSite, item: Node) -> None:
    for keyword in site.node.keywords:
        if keyword.arg == "key":
            called(walk, keyword.value, item)


def called(walk: Walk, function: ast.expr, *arguments: Node) -> Node | None:
    """Call a function that is passed as an argument, and return its result."""
    graph = walk.graph
    match function:
        case ast.Lambda():
            names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
            for name, argument in zip(names, arguments, strict=False):
                graph.flow(argument, graph.at(("parameter", function, name)))
            return graph.named.get(("result", function))
        case ast.Call(func=ast.Name(id="itemgetter") | ast.Attribute(attr="itemgetter")):
            for key in function.args:
                if isinstance(key, ast.Constant) and arguments:
                    graph.take(arguments[0], ("key", key.value))
            return None
        case ast.Name(id="int" | "float" as kind) if arguments:
            walk.add_use(arguments[0], "convert", kind)
            return graph.take(arguments[0], ("parse", kind))
        case _:
            pass
    for value in walk.inferred(function):
        if isinstance(value, FunctionValue):
            args = value.function.node.args
            order = [a.arg for a in (*args.posonlyargs, *args.args)]
            for name, argument in zip(order, arguments, strict=False):
                graph.flow(argument, graph.at(("parameter", value.function.node, name)))
            return walk.result_of(value.function)
    return None


def _length(walk: Walk, site: CallSite, first: Node) -> None:
    walk.add_use(first, "length")
    walk.graph.flow(walk.graph.take(first, ("parse", "len")), site.result)


def _isinstance(walk: Walk, site: CallSite, first: Node) -> None:
    names = tuple(sorted({n for arg in site.node.args[1:2] for e in _elements(arg)
                          for n in walk.dotted(e)}))  # fmt: skip
    walk.add_use(first, "isinstance", names, site.result)


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _getattr(walk: Walk, site: CallSite, first: Node) -> None:
    match site.node.args:
        case [_, ast.Constant(value=str() as name), *rest]:
            inner = walk.graph.take(first, ("attr", name))
            walk.graph.flow(inner, site.result)
            if rest:
                walk.add_use(inner, "optional")
        case _:
            return


def _hasattr(walk: Walk, site: CallSite, first: Node) -> None:
    match site.node.args:
        case [_, ast.Constant(value=str() as name)]:
            walk.add_use(first, "argument", ("hasattr", name), site.result)
        case _:
            return


def _enumerate(walk: Walk, site: CallSite, first: Node) -> None:
    pair = walk.graph.new()
    walk.graph.store(walk.graph.take(first, ("item",)), pair, ("key", 1))
    walk.graph.store(pair, site.result, ("item",))


def _zip(walk: Walk, site: CallSite, first: Node) -> None:
    del first
    pair = walk.graph.new()
    for index, source in enumerate(site.positional):
        walk.graph.store(walk.graph.take(source, ("item",)), pair, ("key", index))
    walk.graph.store(pair, site.result, ("item",))


def _sum(walk: Walk, site: CallSite, first: Node) -> None:
    walk.add_use(walk.graph.take(first, ("item",)), "type", "number")
    del site


def _any(walk: Walk, site: CallSite, first: Node) -> None:
    walk.graph.flow(walk.graph.take(first, ("item",)), site.result)


def _map(walk: Walk, site: CallSite, first: Node) -> None:
    del first
    items = [walk.graph.take(source, ("item",)) for source in site.positional[1:]]
    made = called(walk, site.node.args[0], *items)
    if made is not None:
        walk.graph.store(made, site.result, ("item",))


def _filter(walk: Walk, site: CallSite, first: Node) -> None:
    del first
    if len(site.positional) < 2:
        return
    item = walk.graph.take(site.positional[1], ("item",))
    made = called(walk, site.node.args[0], item)
    if made is not None:
        walk.add_use(made, "truth", True)
    walk.graph.store(item, site.result, ("item",))


def _dict(walk: Walk, site: CallSite, first: Node) -> None:
    if isinstance(site.node.args[0], (ast.Name, ast.Attribute, ast.Subscript)):
        walk.add_use(first, "type", "dict")
    walk.graph.flow(first, site.result)


def _gather(walk: Walk, site: CallSite) -> None:
    for index, source in enumerate(site.positional):
        walk.add_use(source, "awaited")
        walk.graph.store(source, site.result, ("key", index))
    for argument in site.node.args:
        if isinstance(argument, ast.Starred):
            several = walk.value(argument.value)
            walk.add_use(walk.graph.take(several, ("item",)), "awaited")
            walk.graph.flow(several, site.result)


def _counted(walk: Walk, site: CallSite, first: Node) -> None:
    del site
    walk.graph.take(first, ("item",))


_OF_DATETIMES = frozenset("year month day hour minute second microsecond tzinfo fold".split())
"""Keywords of `replace` that belong to dates and times."""
_SPECIAL: dict[str, Callable[[Walk, CallSite, Node], None]] = {
    "builtins.len": _length, "builtins.isinstance": _isinstance, "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr, "builtins.enumerate": _enumerate, "builtins.zip": _zip,
    "itertools.zip_longest": _zip, "builtins.sum": _sum, "builtins.any": _any,
    "builtins.all": _any, "builtins.map": _map, "builtins.filter": _filter,
    "builtins.dict": _dict, "collections.OrderedDict": _dict,
    "collections.Counter": _counted,
}  # fmt: skip


# ----------------------------------------------------------------------------- methods


def method_call(walk: Walk, site: CallSite) -> None:
    """Walk a method call, as far as the method's name identifies it."""
    if site.base is None or not isinstance(site.node.func, ast.Attribute):
        return
    name = site.node.func.attr
    graph, base = walk.graph, site.base
    if name in ("get", "pop", "setdefault") and site.positional:
        _get(walk, name, site, base)
    elif name in ("pop", "popleft", "popitem"):
        graph.flow(graph.take(base, ("item",)), site.result)
    elif name in ("items", "values", "keys"):
        _views(walk, name, site, base)
    elif name in ("append", "add", "appendleft", "put", "put_nowait") and site.positional:
        graph.store(site.positional[0], base, ("item",))
    elif name == "insert" and len(site.positional) == 2:
        graph.store(site.positional[1], base, ("item",))
    elif name == "extend" and site.positional:
        graph.store(graph.take(site.positional[0], ("item",)), base, ("item",))
    elif name == "update" and site.positional:
        graph.flow(site.positional[0], base)
    elif name in SAME_METHODS:
        if name == "replace" and {key for key, _ in site.named} & _OF_DATETIMES:
            walk.add_use(base, "type", "instance datetime.datetime")
        elif name not in ("copy", "replace"):
            walk.add_use(base, "type", "bytes" if name == "decode" else "str")
        graph.flow(base, site.result)
    elif name in SPLITS:
        separator = site.argument(0, "sep")
        made = graph.take(base, ("parse", "split", separator, SPLITS[name], name))
        graph.flow(made, site.result)
    else:
        _text_method(walk, name, site, base)


def _get(walk: Walk, name: str, site: CallSite, base: Node) -> None:
    graph = walk.graph
    match site.node.args[0]:
        case ast.Constant(value=int()) if name == "pop":
            found = graph.take(base, ("item",))
        case ast.Constant(value=key):
            found = graph.take(base, ("key", key))
        case _:
            found = graph.take_by(base, site.positional[0])
    if name != "pop" or len(site.positional) > 1:
        walk.add_use(found, "optional")
    graph.flow(found, site.result)
    default = site.argument(1, "default")
    if default is not None:
        graph.flow(default, site.result)
        constant = graph.constants.get(default)
        if constant is not None and constant != "":
            walk.add_use(found, "type", type(constant).__name__)
        written = site.node.args[1] if len(site.node.args) > 1 else None
        if isinstance(written, (ast.List, ast.Tuple)):
            walk.add_use(found, "type", "list")
        elif isinstance(written, ast.Dict):
            walk.add_use(found, "type", "dict")


def _views(walk: Walk, name: str, site: CallSite, base: Node) -> None:
    graph = walk.graph
    walk.add_use(base, "argument", ("mapping",))
    if name == "keys":
        graph.store(graph.take(base, ("name",)), site.result, ("item",))
        return
    value = graph.take(base, ("value",))
    if name == "values":
        graph.store(value, site.result, ("item",))
        return
    pair = graph.new()
    graph.store(graph.take(base, ("name",)), pair, ("key", 0))
    graph.store(value, pair, ("key", 1))
    graph.store(pair, site.result, ("item",))


def _text_method(walk: Walk, name: str, site: CallSite, base: Node) -> None:
    graph = walk.graph
    first = site.argument(0)
    if name in ("startswith", "endswith", "find", "index", "count") and first is not None:
        sign = name if name in ("startswith", "endswith") else "finds"
        if name == "index":
            result = graph.new()
            walk.add_use(result, "truth", True)
            walk.add_use(first, "compare", ("in", base), result)
        walk.add_use(base, "compare", (sign, first), site.result)
    elif name in ("isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum", "isupper", "islower"):
        walk.add_use(base, "compare", (name, base), site.result)
    elif name == "join" and first is not None:
        between = getattr(getattr(site.node.func, "value", None), "value", "")
        kind = "bytes" if isinstance(between, bytes) else "str"
        walk.add_use(graph.take(first, ("item",)), "type", kind)
        walk.add_use(base, "argument", ("joins",))
    elif name == "format" and isinstance(getattr(site.node.func, "value", None), ast.Constant):
        for value in site.positional:
            formatted(walk, value, "")
    elif name == "strftime":
        walk.add_use(base, "type", "instance datetime.datetime")
    elif name == "sort":
        item = graph.take(base, ("item",))
        _keyed(walk, site, item)
    elif name == "raise_for_status":
        walk.add_use(base, "argument", ("raises",))
