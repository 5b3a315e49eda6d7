"""Whether a class's `__name__` is the name in its class statement."""

from __future__ import annotations

import re

from ...analysis.scopes.definitions import ClassInfo

_RENAMES = re.compile(r"\.__(?:qual)?name__\s*=(?!=)|[\"']__name__[\"']")


def may_be_renamed(cls: ClassInfo) -> bool:
    """Whether the module may set the `__name__` of a class, or the class poses as another one."""
    return "__class__" in cls.table or _RENAMES.search(cls.module.source.text) is not None
