"""The tools of `slice-func mcp`, a file each, in the order in which clients see them."""

from __future__ import annotations

from ....llm.tools import Tool
from .explain import EXPLAIN
from .graph import GRAPH
from .make_environment import MAKE_ENVIRONMENT
from .repository_tools import REPOSITORY
from .score import SCORE
from .slice import SLICE
from .why_not import WHY_NOT
from .workspace import Workspace

TOOLS: tuple[Tool[Workspace], ...] = (
    SLICE,
    EXPLAIN,
    GRAPH,
    WHY_NOT,
    MAKE_ENVIRONMENT,
    SCORE,
    *REPOSITORY,
)

__all__ = ["TOOLS", "Workspace"]
