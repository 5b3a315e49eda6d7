"""Agents: loops of questions, retrieval, tools and tests around one model.

`AGENTS` is their order. Each is one file: a function that takes a task and a workbench.
"""

from __future__ import annotations

from .basic import basic
from .contract import Agent, CodingTask, Feedback, Passage, Workbench

AGENTS: dict[str, Agent] = {
    "basic": basic,
}

__all__ = ["AGENTS", "Agent", "CodingTask", "Feedback", "Passage", "Workbench"]
