"""Choose the calls of a returned function by which it is compared with another one."""

from __future__ import annotations

from ..observation import Group, Node

_KINDS = (("number", "numbers"), ("text", "texts"), ("list", "lists"))


def comparable_calls(expected: Node, observed: Node) -> tuple[Node, Node]:
    """Return both with only the calls, of one kind of arguments, in which the expected one
    returns.
    """
    calls = expected.group("calls")
    returned = [
        str(name)
        for name, call in zip(calls.keys, calls.values, strict=True)
        if isinstance(call, Node) and call.text("end") == "returned"
    ]
    kinds = ([n for n in returned if n.endswith(words)] for words in _KINDS)
    first = next((set(names) for names in kinds if names), set[str]())
    compared = {name for name in returned if name.startswith("nothing")} | first
    return _with(expected, compared), _with(observed, compared)


def _with(node: Node, names: set[str]) -> Node:
    calls = node.group("calls")
    kept = [
        (key, value) for key, value in zip(calls.keys, calls.values, strict=True) if key in names
    ]
    group = Group(calls.name, calls.shape, tuple(k for k, _ in kept), tuple(v for _, v in kept))
    return node._replace(groups=(group,))
