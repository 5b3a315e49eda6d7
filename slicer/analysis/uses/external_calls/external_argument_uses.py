"""Operations that external functions perform on single arguments, on their items, and on their
receiver.

`external_protocol` covers what a callee does to all of its arguments. This module covers the rest:
a stream is written to, `any` tests each item, `map(str, xs)` calls its first argument.
"""

from __future__ import annotations

import ast

from ....syntax.builtin_models import EQUALITY, ORDER, TRUTH
from ...values.abstract_values import External, ordered
from ..use_walk import Walk
from .callback_arguments import callback_arguments
from .external_callables import external_protocol

_STREAM = ("read", "readline", "readlines", "readinto", "write", "writelines", "flush", "seek",
           "tell", "close", "closed", "fileno", "isatty", "encoding", "__iter__",
           "__bool__")  # fmt: skip
_MAPPING = ("__getitem__", "get", "keys")
_PRODUCT = ("__mul__", "__rmul__")
_ENTERED = ("__enter__", "__exit__")
_ENTERED_AWAITING = ("__aenter__", "__aexit__")

_OF_ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        """configparser.ConfigParser().read_file configparser.ConfigParser().write
        contextlib.redirect_stderr contextlib.redirect_stdout csv.DictReader csv.DictWriter
        csv.reader csv.writer io.BufferedReader io.BufferedWriter io.TextIOWrapper json.dump
        json.load logging.StreamHandler marshal.dump marshal.load pickle.Pickler pickle.Unpickler
        pickle.dump pickle.load pprint.pprint pprint.PrettyPrinter shutil.copyfileobj
        subprocess.Popen subprocess.run tarfile.open tokenize.tokenize traceback.print_exc
        wave.open zipfile.ZipFile""".split(),
        _STREAM,
    ),
    **dict.fromkeys(
        """asyncio.create_task asyncio.ensure_future asyncio.gather asyncio.shield asyncio.wait
        asyncio.wait_for""".split(),
        ("__await__",),
    ),
    "contextlib.aclosing": ("aclose",),
    "contextlib.closing": ("close",),
    "contextlib.AsyncExitStack().enter_async_context": _ENTERED_AWAITING,
    "contextlib.AsyncExitStack().enter_context": _ENTERED,
    "contextlib.AsyncExitStack().push": ("__exit__",),
    "contextlib.AsyncExitStack().push_async_exit": ("__aexit__",),
    "contextlib.ExitStack().enter_context": _ENTERED,
    "contextlib.ExitStack().push": ("__exit__",),
    "math.prod": _PRODUCT,
    "math.ceil": ("__ceil__",),
    "math.floor": ("__floor__",),
    "math.trunc": ("__trunc__",),
    "select.select": ("fileno",),
    "string.Template().safe_substitute": _MAPPING,
    "string.Template().substitute": _MAPPING,
    "struct.pack": TRUTH,
    "struct.pack_into": TRUTH,
    "sys.getsizeof": ("__sizeof__",),
    "types.MappingProxyType": _MAPPING,
}
_OF_ITEMS: dict[str, tuple[str, ...]] = {
    "builtins.all": TRUTH,
    "builtins.any": TRUTH,
    "builtins.sum": ("__add__", "__radd__"),
    "math.prod": _PRODUCT,
}
_OF_RECEIVER: dict[str, tuple[str, ...]] = {
    "builtins.list.count": EQUALITY,
    "builtins.list.index": EQUALITY,
    "builtins.list.remove": EQUALITY,
    "builtins.list.sort": ORDER,
}
_OF_LOGGING: dict[str, tuple[str, ...]] = {
    "addFilter": ("filter", "__call__"),
    "addHandler": ("handle", "level"),
    "setFormatter": ("format",),
    "setTarget": ("handle",),
}
_OF_UNKNOWN: dict[str, tuple[str, ...]] = {
    **_OF_LOGGING,
    "enter_async_context": _ENTERED_AWAITING,
    "enter_context": _ENTERED,
}
"""Method that no other kind of receiver has → methods that it calls on its arguments."""
_STANDARD_STREAMS = frozenset({"sys.stdin", "sys.stdout", "sys.stderr"})


def visit_external_call(walk: Walk, name: str, node: ast.Call) -> None:
    """Record the effects on arguments of a call of the external object with that dotted name."""
    arguments = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    arguments += [keyword.value for keyword in node.keywords]
    for argument in arguments if name in _OF_ARGUMENTS else ():
        walk.protocol(argument, _OF_ARGUMENTS[name])
    for argument in node.args if name in _OF_ITEMS else ():
        walk.query_items(argument, _OF_ITEMS[name])
    if name == "builtins.print":
        for keyword in node.keywords:
            if keyword.arg == "file":
                walk.protocol(keyword.value, _STREAM)
    elif name.startswith("logging.") and name.rpartition(".")[2] in _OF_LOGGING:
        for argument in node.args:
            walk.protocol(argument, _OF_LOGGING[name.rpartition(".")[2]])
    elif name in _OF_RECEIVER and isinstance(node.func, ast.Attribute):
        walk.protocol(node.func.value, _OF_RECEIVER[name])
    for called, _ in callback_arguments(name, node):
        for members in _callback_protocols(walk, called):
            for argument in arguments:
                if argument is not called:
                    walk.query_items(argument, members)


def visit_unknown_method(walk: Walk, node: ast.Call) -> None:
    """Record a method call on an unknown receiver whose name tells what it does."""
    match node.func:
        case ast.Attribute(value=receiver, attr="sort"):
            walk.query_items(receiver, ORDER)
        case ast.Attribute(attr=attr) if attr in _OF_UNKNOWN:
            for argument in node.args:
                walk.protocol(argument, _OF_UNKNOWN[attr])
        case _:
            pass


def visit_stream_replaced(walk: Walk, node: ast.Assign) -> None:
    """Record a replaced stream: `sys.stdout = Tee()` means that `print` writes to it."""
    for target in node.targets:
        if isinstance(target, ast.Attribute) and any(
            isinstance(v, External) and v.name in _STANDARD_STREAMS
            for v in walk.values(target) or ()
        ):
            walk.protocol(node.value, _STREAM)


def _callback_protocols(walk: Walk, called: ast.expr) -> list[tuple[str, ...]]:
    """Return the members that external functions, passed as callbacks, call on their arguments."""
    protocols = [
        external_protocol(value.name)
        for value in ordered(walk.values(called))
        if isinstance(value, External)
    ]
    # `filter(None, xs)` tests the items themselves
    if isinstance(called, ast.Constant) and called.value is None:
        protocols.append(TRUTH)
    return [members for members in protocols if members]
