"""Warnings as effects of the code that issues them: their class, and the issuing module.

Whether a warning is shown depends on filters and on earlier ones, so it is recorded when it is
issued. Warnings of libraries are not the script's.
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
"""Pairs of the issuer's globals and the class name, one for each warning."""


def install() -> None:
    """Record warnings from here on; call it before the script is loaded."""
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
    """Forget the warnings shown: one that is shown once is shown in each case.

    The interpreter forgets them whenever filters may have changed, as at the end of this function.
    """
    with _catching():
        pass


def warnings_of(namespaces: list[dict[str, Raw]], first: int) -> list[tuple[str, str]]:
    """Return the warnings of these modules, from position `first`, as effects."""
    own = {id(each) for each in namespaces}
    return [("warning", name) for given_by, name in noted[first:] if id(given_by) in own]
