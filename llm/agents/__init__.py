"""Agents: loops of questions, retrieval, tools and tests around one model.

`AGENTS` is their order. Each is one file: a function that takes a task and a workbench.
"""

from __future__ import annotations

from .basic import basic
from .contract import Agent, CodingTask, Feedback, Passage, Workbench
from .naive_rag import naive_rag
from .reflexion import reflexion
from .repocoder import repocoder
from .repoforge import repoforge
from .rrr import rrr
from .tool_calling import tool_calling

AGENTS: dict[str, Agent] = {
    "basic": basic,
    "naive-rag": naive_rag,
    "repocoder": repocoder,
    "reflexion": reflexion,
    "rrr": rrr,
    "repoforge": repoforge,
    "tool-calling": tool_calling,
}
READS_REPOSITORY = frozenset({"naive-rag", "repocoder", "rrr", "repoforge", "tool-calling"})
"""Agents that search the repository, or call its tools."""

__all__ = ["AGENTS", "READS_REPOSITORY", "Agent", "CodingTask", "Feedback", "Passage", "Workbench"]
