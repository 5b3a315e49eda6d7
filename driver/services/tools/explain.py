"""`explain`: why each definition is in a slice."""

from __future__ import annotations

from pydantic import Field

from ....llm.tools import Tool
from ...explanations.explain import explain, explain_name, format_hub
from ...settings.options import Options
from .parameters import TargetParameters
from .workspace import Workspace


class ExplainParameters(TargetParameters):
    """A function, and a definition that it needs."""

    name: str = Field(
        default="",
        description="Explain this definition alone, for example `cents`: the chain of reasons from "
        "the target to it. Leave it out for the whole tree.",
    )


def answer(workspace: Workspace, given: ExplainParameters) -> str:
    """Return the tree of reasons, or the chain for one name."""
    with workspace.turn():
        found = workspace.sliced(given.target, Options(mock="none", explain=True))
        if given.name:
            return "\n".join(explain_name(found, given.name))
        return "\n".join([*format_hub(found), *explain(found.manifest)])


EXPLAIN: Tool[Workspace] = Tool(
    "explain",
    "Explain a slice",
    "Find out what a function depends on and why: each definition that its slice keeps, indented "
    "below the one that needs it, with file, line and reason. With `name`, only the chain that "
    "leads to that definition. Use it before you change something, to see by which way a function "
    "reaches it. For who depends on a definition, use graph with direction `needed_by`.",
    ExplainParameters,
    answer,
)
