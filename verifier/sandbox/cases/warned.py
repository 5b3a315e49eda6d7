"""Warnings that code gives, as acts of its own: their class, and which module gave them.

Whether one is shown depends on filters and on what was shown before, so it is noted where it is
given. What libraries warn of by themselves is none of the script's doing.
"""

from __future__ import annotations

import builtins
import sys
import warnings

from .. import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_getframe = sys._getframe  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
_MOST = 1_000
_catching = warnings.catch_warnings

noted: list[tuple[Raw, str]] = []
"""The globals of who gave each warning, and the name of its class."""


def install() -> None:
    """Note warnings from here on; to be called before the script is loaded."""
    warn: Callable[..., None] = warnings.warn

    def noting(
        message: Raw, category: Raw = None, stacklevel: int = 1, source: Raw = None, **more: Raw
    ) -> None:
        kind = raw.class_of(message) if raw.derives(raw.class_of(message), Warning) else category
        kind = UserWarning if kind is None else kind
        if raw.derives(raw.class_of(kind), type) and len(noted) < _MOST:
            noted.append((_getframe(1).f_globals, raw.class_names(kind)[1]))
        warn(message, category, stacklevel + 1, source, **more)

    noting.__name__ = noting.__qualname__ = "warn"
    warnings.warn = noting  # type: ignore[assignment]


def restart() -> None:
    """Forget what was shown: a warning that is shown once is shown in each case.

    The interpreter forgets it whenever filters may have changed, as they may at the end of this.
    """
    with _catching():
        pass


def warnings_of(namespaces: list[dict[str, Raw]], first: int) -> list[tuple[str, str]]:
    """What was noted of these modules, after so many others, as effects."""
    own = {id(each) for each in namespaces}
    return [("warning", name) for given_by, name in noted[first:] if id(given_by) in own]
