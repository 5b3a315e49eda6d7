"""What tests of pages expect: elements are there, and hold what they show."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import Any

from .playwright_steps import PlaywrightError, _step


class _Expected:
    """Assertions about a page or a locator: elements are there, and hold what they show."""

    def __init__(self, subject: Any) -> None:
        self._subject, self._later = subject, subject._later

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(("to_", "not_to_")):
            raise AttributeError(name)
        expects_none = name.startswith("not_")

        def check(self: Any, *wanted: Any, **options: Any) -> None:
            there = _holds(self._subject, name.removeprefix("not_"), wanted)
            if there == expects_none:
                raise AssertionError(f"{name}: {wanted}")

        return functools.partial(_step(check), self)


def _holds(subject: Any, name: str, wanted: tuple[Any, ...]) -> bool:
    with contextlib.suppress(PlaywrightError):
        shown = subject._text() if subject._selector else subject._content()
        match name:
            case "to_have_count":
                return subject._count() == wanted[0]
            case "to_have_url":
                return bool(
                    re.search(getattr(wanted[0], "pattern", re.escape(str(wanted[0]))), subject.url)
                )
            case "to_be_hidden" | "to_be_disabled" | "to_be_empty":
                return False
            case "to_be_checked":
                return bool(subject.page._checked.get(subject._place))
            case "to_have_text" | "to_contain_text" | "to_have_value" | "to_have_title":
                pattern = getattr(wanted[0], "pattern", re.escape(str(wanted[0])))
                return bool(re.search(pattern, shown))
            case _:
                return True
    return name in ("to_be_hidden", "to_be_empty") or (name, wanted) == ("to_have_count", (0,))


def playwright_expect(subject: Any, message: Any = None) -> Any:
    """What tests call `expect`."""
    return _Expected(subject)
