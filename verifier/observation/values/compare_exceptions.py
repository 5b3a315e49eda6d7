"""The comparable parts of an exception: class, carried data, members and cause.

Messages do not count, since no candidate can know them. Two exceptions are reduced to what counts
in both, and these nodes are compared like any others.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..observation import Group, Node, Observation, Value
from ..short_text import resolve

_WORDS = frozenset(
    "message messages msg detail details reason description text title help hint "
    "filename filename2 __notes__".split()
)
"""Attributes that hold a message, or repeat an argument of a system error."""
_DEEPEST = 20
"""Largest depth of nested exception groups and carried exceptions."""


class ComparableExceptions:
    """Pairs of exceptions, reduced to their comparable parts.

    Args:
        expected: the observation of the original.
        observed: the observation compared with it.
    """

    def __init__(self, expected: Observation, observed: Observation) -> None:
        self._expected = expected
        self._observed = observed

    def pair(self, left: Value, right: Value, depth: int = 0) -> tuple[Value, Value]:
        """Return the comparable parts of two exceptions; other values unchanged."""
        old, new = resolve(left, self._expected), resolve(right, self._observed)
        if not (_is_exception(old) and _is_exception(new)) or depth > _DEEPEST:
            return left, right
        assert isinstance(old, Node)
        assert isinstance(new, Node)
        groups: list[tuple[Group, Group]] = []
        if old.text("type") == new.text("type"):
            groups = [self._state(old, new, depth), self._members(old, new, depth)]
        groups.append(_causes(old, new, self._expected, self._observed))
        fields = [(("type", each.text("type")),) for each in (old, new)]
        return (
            Node("exception", fields[0], tuple(one for one, _ in groups)),
            Node("exception", fields[1], tuple(other for _, other in groups)),
        )

    def _state(self, old: Node, new: Node, depth: int) -> tuple[Group, Group]:
        """Return the carried data besides messages; a candidate's exception may carry more."""
        if "." not in old.text("type"):
            return _named([]), _named([])  # a builtin exception
        others = dict(zip(new.group("state").keys, new.group("state").values, strict=True))
        state = old.group("state")
        pairs = [
            (str(name), value)
            for name, value in zip(state.keys, state.values, strict=True)
            if name not in _WORDS and not _is_sentence(resolve(value, self._expected))
        ]
        found = [(n, *self.pair(v, others[n], depth + 1)) for n, v in pairs if n in others]
        both = {name: (one, other) for name, one, other in found}
        return (
            _named([(n, both[n][0] if n in both else v) for n, v in pairs]),
            _named([(n, both[n][1]) for n, _ in pairs if n in both]),
        )

    def _members(self, old: Node, new: Node, depth: int) -> tuple[Group, Group]:
        """Return the members of exception groups, in order."""
        one, other = _members(old, self._expected), _members(new, self._observed)
        pairs = [self.pair(*pair, depth + 1) for pair in zip(one, other, strict=False)]
        shared = len(pairs)
        left = (*(pair[0] for pair in pairs), *one[shared:])
        right = (*(pair[1] for pair in pairs), *other[shared:])
        return Group("members", "nodes", (), left), Group("members", "nodes", (), right)


def _is_exception(value: Value) -> bool:
    return isinstance(value, Node) and value.kind == "exception"


def _is_sentence(value: Value) -> bool:
    return isinstance(value, str) and any(map(str.isspace, value.strip()))


def _named(pairs: list[tuple[str, Value]]) -> Group:
    return Group("state", "named", tuple(n for n, _ in pairs), tuple(v for _, v in pairs))


def _members(node: Node, observation: Observation) -> tuple[Value, ...]:
    """Return the members of an exception group, which is made from a message and a list."""
    args = node.group("args").values
    if len(args) != 2 or not isinstance(args[0], str):
        return ()
    found = resolve(args[1], observation)
    values = found.group("items").values if isinstance(found, Node) else ()
    is_group = bool(values) and all(_is_exception(resolve(v, observation)) for v in values)
    return values if is_group else ()


def _causes(
    old: Node, new: Node, expected: Observation, observed: Observation
) -> tuple[Group, Group]:
    """Return the class of the cause, where the original has one.

    An exception raised while another is handled has it as cause, too, unless `from None` denies it.
    """
    cause = next(_classes_of_cause(old, expected), "")
    if not cause:
        return _named([]), _named([])
    others = [*_classes_of_cause(new, observed), new.text("context")]
    other = cause if cause in others else next(filter(None, others), "none")
    return _named([("cause", cause)]), _named([("cause", other)])


def _classes_of_cause(node: Node, observation: Observation) -> Iterator[str]:
    for value in node.group("cause").values:
        found = resolve(value, observation)
        if isinstance(found, Node):
            yield found.text("type")
