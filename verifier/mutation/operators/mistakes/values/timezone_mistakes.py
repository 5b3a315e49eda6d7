"""Local time in place of UTC, and the reverse."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_LOCAL = {
    "utcnow": "now", "utcfromtimestamp": "fromtimestamp", "gmtime": "localtime",
    "localtime": "gmtime", "timegm": "mktime", "mktime": "timegm", "utctimetuple": "timetuple",
}  # fmt: skip


def _local(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name) as func) if name in _LOCAL:
                yield func, f"{function.operand(value)}.{_LOCAL[name]}"
            case ast.Call(func=ast.Attribute(attr="now") as func, args=[_], keywords=[]):
                yield node, f"{function.source(func)}()"
            case ast.Call(
                func=ast.Attribute(attr="fromtimestamp") as func, args=[at, _], keywords=[]
            ):
                yield node, f"{function.source(func)}({function.source(at)})"
            case ast.Call(
                func=ast.Attribute(value=value, attr="astimezone"), args=[_], keywords=[]
            ):
                yield node, function.operand(value)
            case _:
                pass


OPERATORS = (
    Operator(
        "local time",
        _local,
        (
            ("return datetime.utcnow()", ("return datetime.now()",)),
            ("return datetime.now(timezone.utc)", ("return datetime.now()",)),
            ("return a.astimezone(b)", ("return a",)),
        ),
        ("return datetime.now()", "return a.localtime"),
        is_hint=True,  # no difference where the local time is UTC
    ),
)
