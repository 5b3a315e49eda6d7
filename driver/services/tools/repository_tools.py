"""The six repository tools of `llm`, on the present state of the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from ....llm.tools import REPOSITORY_TOOLS, CodeIndex, Parameters, Tool
from .workspace import Workspace


@dataclass(frozen=True, slots=True)
class _OnIndex:
    """A tool's function, on the index of a workspace."""

    tool: Tool[CodeIndex]

    def __call__(self, workspace: Workspace, given: Parameters) -> str:
        with workspace.turn():
            return self.tool.answer(workspace.index, given)


REPOSITORY: tuple[Tool[Workspace], ...] = tuple(
    Tool(each.name, each.title, each.description, each.parameters, _OnIndex(each))
    for each in REPOSITORY_TOOLS
)
