"""Objects of JSON that answer every key: only the caller knows which are asked for."""

from __future__ import annotations

import copy
import json
from typing import Any

from .world import replace

_ANY_KEY = "(any key)"


class AnyKey(dict[Any, Any]):
    """A dictionary that answers what it does not hold, but for some keys."""

    def __init__(self, known: dict[Any, Any]) -> None:
        super().__init__(known)
        self._other, self._absent = self.pop(_ANY_KEY)

    def __missing__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        value = self[key] = copy.deepcopy(self._other)
        return value

    def __contains__(self, key: object) -> bool:
        is_any = isinstance(key, str) and key not in self._absent
        return is_any or super().__contains__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """What is there, or would be."""
        try:
            return self[key]
        except KeyError:
            return default


def _answering(known: dict[str, Any]) -> Any:
    return AnyKey(known) if _ANY_KEY in known else known


def answer_any_key() -> None:
    """Have made-up objects answer every key, where `json` reads them without hooks of its own."""
    replace(json, "_default_decoder", json.JSONDecoder(object_hook=_answering))
