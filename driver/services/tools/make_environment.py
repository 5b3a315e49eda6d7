"""`make_environment`: a function as an environment that scores other implementations."""

from __future__ import annotations

from ....llm.tools import Tool
from .outcome_text import figures, reasons
from .parameters import BuildParameters
from .workspace import Workspace


def answer(workspace: Workspace, given: BuildParameters) -> str:
    """Return the environment's name, its figures and its shown cases; or why there is none."""
    entry = workspace.built(given.target, given.thresholds)
    name = f"{entry.path}::{entry.qualname}"
    if not entry.passed:
        lines = [f"no environment was made of {name} ({figures(entry)}):", *reasons(entry)]
        return "\n".join(lines)
    _, environment = workspace.environment(name)
    prompt, oracle = environment.record["prompt"], environment.oracle
    lines = [
        f"environment: {name}",
        f"checked: {figures(entry)}",
        f"signature: {prompt['signature']}",
        f"{len(oracle.recorded)} cases are shown, {len(oracle.hidden)} are hidden; score decides "
        "by all of them",
    ]
    for each in oracle.recorded:
        lines += ["", each.case.code.rstrip()]
    return "\n".join(lines)


MAKE_ENVIRONMENT: Tool[Workspace] = Tool(
    "make_environment",
    "Make an environment",
    "Turn a function of the repository into a verified environment: its slice, test cases that "
    "were found without a model, what the original does on them, all checked in a sandbox. Returns "
    "the name that score takes, and the shown cases. Use it before you rewrite a function, "
    "then score the new version against the old one. Takes up to `seconds`, and longer when "
    "packages are installed for the first time. Where it fails it says why, as why_not does.",
    BuildParameters,
    answer,
    is_read_only=False,
)
