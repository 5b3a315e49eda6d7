"""What takes the place of a builtin function."""

from __future__ import annotations

from typing import Any


class AsBuiltin:
    """Called like a builtin: kept in a class, it does not become a method."""

    def __init__(self, function: Any, name: str) -> None:
        self._function = function
        self.__name__ = self.__qualname__ = name
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The function's own answer."""
        return self._function(*arguments, **named)

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__
