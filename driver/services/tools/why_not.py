"""`why_not`: why a function does not become an environment."""

from __future__ import annotations

from ....llm.tools import Tool
from .outcome_text import figures, reasons
from .parameters import BuildParameters
from .workspace import Workspace


def answer(workspace: Workspace, given: BuildParameters) -> str:
    """Return the reasons with hints, or that there are none."""
    entry = workspace.built(given.target, given.thresholds)
    name = f"{entry.path}::{entry.qualname}"
    if entry.passed:
        return f"nothing is in the way: {name} becomes an environment ({figures(entry)})"
    first = f"{name} does not become an environment ({figures(entry)}):"
    return "\n".join([first, *reasons(entry)])


WHY_NOT: Tool[Workspace] = Tool(
    "why_not",
    "Why a function is no environment",
    "Find out why a function cannot be turned into a verified environment: each reason with a code "
    "(for example `few_branches`, `needs_network`, `unstable`), a place in the code, what was "
    "observed, and a hint that says what to do. It slices the function, searches for test cases "
    "and checks them in a sandbox: up to `seconds`, and longer when packages are installed for the "
    "first time. Hints that begin with `--` are options of the command line `slice-func`.",
    BuildParameters,
    answer,
)
