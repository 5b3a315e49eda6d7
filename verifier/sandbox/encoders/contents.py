"""Recorded contents of a namespace, to see later whether the same objects are there."""

from __future__ import annotations

import builtins
import operator

from .. import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_is = operator.is_


class Contents:
    """The names and values of a namespace when it was recorded."""

    __slots__ = ("_keys", "_kinds", "_values")

    def __init__(self, namespace: Mapping[Raw, Raw]) -> None:
        self._keys = list(namespace)
        self._values = list(namespace.values())
        self._kinds = list(map(raw.class_of, self._values))

    def is_in(self, namespace: Mapping[Raw, Raw]) -> bool:
        """Whether the same objects are under the same names."""
        keys, values = list(namespace), list(namespace.values())
        return (
            len(keys) == len(self._keys)
            and all(map(_is, keys, self._keys))
            and all(map(_is, values, self._values))
            and all(map(_is, map(raw.class_of, values), self._kinds))
        )

    def pairs(self) -> Iterator[tuple[Raw, Raw]]:
        """Yield names with their values, in order."""
        return zip(self._keys, self._values)  # noqa: B905 - new in 3.10
