"""Inputs that a target reads from its environment, as statements that change them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest

from ....mocker.answers.process.environment_variables import usable_value
from ....mocker.answers.process.program_arguments import every_argument, parses
from ....mocker.source.kept_code import Function, KeptCode, KeptStatement
from ....mocker.source.text_values import ANY, GIVEN, Texts

_MOST = 24
_MOST_OF_ONE = 6
_MOST_ELSEWHERE = 2
"""Values for a variable that only other functions of the slice read."""
_READERS = frozenset({"os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault"})
_BY_LIBRARY = {
    "getproxies": ("http_proxy", "https_proxy", "all_proxy"),
    "proxy_bypass": ("no_proxy",),
    "getuser": ("LOGNAME",),
    "gettempdir": (),
}
"""Variables that functions of the standard library read."""
_PROXY = "http://localhost:8080"
_TERMINALS = (
    '__import__("os").terminal_size((200, 50))',
    '__import__("os").terminal_size((10, 4))',
    '(_ for _ in ()).throw(OSError("no terminal"))',
)
_SYSTEM = {
    "sys.platform": ('__import__("sys").platform = {}', ("'win32'", "'darwin'", "'linux'")),
    "os.name": ('__import__("os").name = {}', ("'nt'", "'posix'")),
    "os.cpu_count": ('__import__("os").cpu_count = lambda: {}', ("1", "None")),
    "os.get_terminal_size": ('__import__("os").get_terminal_size = lambda *_: {}', _TERMINALS),
    "shutil.get_terminal_size": (
        '__import__("shutil").get_terminal_size = lambda *_: {}',
        _TERMINALS,
    ),
    "platform.system": (
        '__import__("platform").system = lambda: {}',
        ("'Windows'", "'Darwin'", "'Linux'"),
    ),
}
"""Names that tell about the machine, with the statement that changes each and common answers."""
_ARGV_OF = '__import__("sys").argv = {}'
_ARGV = tuple(
    _ARGV_OF.format(given)
    for given in (["program", "text-1"], ["program"], ["program", "text-1", "text-2"])
)


_CLOCKS = re.compile(
    r"(?:time\.(?:time|time_ns|gmtime|localtime|strftime|ctime)|(?:datetime\.)+(?:now|today|utcnow)"
    r"|datetime\.date\.today)\Z"
)
"""Functions that tell the date or the time."""
_MOMENTS = (
    '__import__("time").sleep(5140799)',  # the last second of a leap day
    '__import__("time").clock_settime(0, 1000000000)',  # a Sunday in 2001, before most else
    *(
        f'__import__("time").sleep({seconds})'
        for seconds in (
            2_588_400,  # an hour before noon on the last of January
            16_221_904,  # a Sunday morning in summer
            90,
            31_579_199.5,  # the end of the year
            7_797_600,  # six in the evening on the last of March
        )
    ),
)
"""Statements that set the clock. Clocks start at noon of 1 January 2024, a Monday. Sleeping
advances them, and setting the system clock sets the date."""


_LOCAL = frozenset("fromtimestamp timestamp astimezone mktime localtime".split())
"""Methods and functions that depend on the local time zone."""
_ZONES = tuple(
    f'__import__("os").environ["TZ"] = {zone!r}\n__import__("time").tzset()'
    for zone in ("XXX-5:45", "EET-2EEST,M3.5.0/3,M10.5.0/4")
)
"""Statements that set the time zone. Machines run in UTC; these zones are ahead by 5:45 hours, or
by two, and three in summer."""


def is_moment(statement: str) -> bool:
    """Whether a statement only sets the clock."""
    return '__import__("time")' in statement


def surroundings(code: KeptCode) -> tuple[str, ...]:
    """Return the statements, the likeliest of each place first, and those of the target first.

    Args:
        code: the kept code.
    """
    found: dict[str, tuple[str, ...]] = {}
    variables = sorted(_variables(code), key=lambda each: not each[1].is_target)
    for name, kept, node in variables:
        if name not in found:
            most = _MOST_OF_ONE if kept.is_target else _MOST_ELSEWHERE
            found[name] = tuple(_settings(code, name, kept, node))[:most]
    for name, made in (*_system(code), *_time(code)):
        found.setdefault(name, made)
    turns = zip_longest(*(texts for texts in found.values()))
    return tuple(text for turn in turns for text in turn if text is not None)[:_MOST]


# ------------------------------------------------------------------------------- variables


def _variables(code: KeptCode) -> Iterator[tuple[str, KeptStatement, ast.AST]]:
    """Yield the environment variables that functions read, and where."""
    texts = Texts(code)
    for kept, node in code.nodes(ast.Subscript, ast.Call, ast.Compare):
        if not isinstance(kept.node, Function):
            continue
        key = _key(code, kept, node)
        for name in sorted(_names(code, texts, key, kept)) if key is not None else ():
            yield name, kept, node
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
                for name in _BY_LIBRARY.get(called, ()):
                    yield name, kept, node
            case _:
                pass


def _key(code: KeptCode, kept: KeptStatement, node: ast.AST) -> ast.expr | None:
    """Return the key with which a node reads an environment variable, or `None`."""
    match node:
        case ast.Subscript(value=where, slice=key, ctx=ast.Load()):
            return key if code.dotted(where, kept.path) == "os.environ" else None
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[where]):
            return key if code.dotted(where, kept.path) == "os.environ" else None
        case ast.Call(func=function, args=[key, *_]):
            return key if code.dotted(function, kept.path) in _READERS else None
        case _:
            return None


def _names(code: KeptCode, texts: Texts, key: ast.expr, kept: KeptStatement) -> set[str]:
    match key:
        case ast.Call(func=ast.Attribute(value=inner, attr="upper" | "lower" as case), args=[]):
            return {getattr(name, case)() for name in _names(code, texts, inner, kept)}
        case _:
            pass
    found = set(_given_inside(code, key, kept)) or texts.of(key, kept)
    return {name for name in found if name and ANY not in name and GIVEN not in name}


def _given_inside(code: KeptCode, key: ast.expr, kept: KeptStatement) -> Iterator[str]:
    """Yield texts that a function passes to the parameter of a nested function."""
    nodes = code.walk(kept.node)
    for inner in nodes:
        if not isinstance(inner, Function) or inner is kept.node or not isinstance(key, ast.Name):
            continue
        names = [arg.arg for arg in inner.args.args]
        for call in nodes if key.id in names else ():
            match call:
                case ast.Call(func=ast.Name(id=called), args=given) if called == inner.name:
                    for argument in given[names.index(key.id) :][:1]:
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            yield argument.value
                case _:
                    pass


def _settings(code: KeptCode, name: str, kept: KeptStatement, node: ast.AST) -> Iterator[str]:
    """Yield statements that set a variable to some values, and one that removes it."""
    usual = usable_value(code, name, kept, node)
    if name.upper().endswith("_PROXY"):
        usual = "localhost" if name.upper() == "NO_PROXY" else _PROXY
    for value in dict.fromkeys((usual, "1", "", "0", "true")):
        yield f'__import__("os").environ[{name!r}] = {value!r}'
    yield f'__import__("os").environ.pop({name!r}, None)'


# ------------------------------------------------------------------------------- the machine


def _system(code: KeptCode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is read about the machine, with statements that change the answer."""
    if any(parses(call) for _, call in code.calls):
        given = dict.fromkeys((("--help",), every_argument(code), ()))
        yield "argparse", tuple(_ARGV_OF.format(["program", *each]) for each in given)
    for kept, node in code.nodes(ast.Attribute):
        if not isinstance(node, ast.Attribute) or not isinstance(kept.node, Function):
            continue
        name = code.dotted(node, kept.path)
        if name in _SYSTEM:
            statement, usual = _SYSTEM[name]
            yield name, tuple(statement.format(each) for each in usual)
        elif name == "sys.argv":
            yield name, _ARGV


def _time(code: KeptCode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield statements that change the date and time zone, where something reads them."""
    names = [code.dotted(call.func, kept.path) for kept, call in code.calls]
    asks_time = any(map(_CLOCKS.match, names))
    if asks_time:
        yield "time", _MOMENTS
    called = {getattr(call.func, "attr", getattr(call.func, "id", "")) for _, call in code.calls}
    if asks_time or called & _LOCAL:
        yield "zone", _ZONES
