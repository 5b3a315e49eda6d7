"""`slice`: a function and all that it needs, as one script."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ....llm.tools import Tool
from ...settings.options import Options
from .parameters import NAMED, TargetParameters
from .workspace import Workspace

_GAPS = 10
"""Maximum number of gaps that are shown."""


class SliceParameters(TargetParameters):
    """A function, and the form of its slice."""

    layout: Literal["script", "flat", "modules"] = Field(
        default="script",
        description="`flat`: one plain script, refused where merging modules could change what it "
        "does; `modules`: a script that carries real modules, always possible; `script`: flat "
        "where that is safe, else modules.",
    )
    mock: Literal["auto", "none"] = Field(
        default="none",
        description="`none`: the repository's code alone; `auto`: stand-ins for network, "
        "databases and hardware are put before it, so that it runs anywhere.",
    )
    keep: tuple[str, ...] = Field(
        default=(), description=f"Further definitions to keep, each {NAMED}"
    )


def answer(workspace: Workspace, given: SliceParameters) -> str:
    """Return the script below comments on its layout, its requirements and its gaps."""
    with workspace.turn():
        keep = tuple(str(workspace.target(each)) for each in given.keep)
        options = Options(emit=given.layout, keep=keep, mock=given.mock)
        found = workspace.sliced(given.target, options)
    manifest = found.manifest
    notes = [f"layout {manifest.layout}: {manifest.layout_reason}"]
    notes.append(f"{len(manifest.definitions)} definitions are kept")
    needed = sorted({each.distribution for each in manifest.externals if each.distribution})
    if needed:
        notes.append(f"needs {', '.join(needed)}")
    notes += [f"warning: {each}" for each in manifest.warnings]
    gaps = [each for each in manifest.gaps if not each.filled_by]
    notes += [f"gap: {each.path}:{each.line}: {each.kind}: {each.detail}" for each in gaps[:_GAPS]]
    if len(gaps) > _GAPS:
        notes.append(f"and {len(gaps) - _GAPS} more gaps")
    return "".join(f"# {each}\n" for each in notes) + "\n" + found.source


SLICE: Tool[Workspace] = Tool(
    "slice",
    "Slice a function",
    "Get one function of the repository together with everything that it needs from there, as one "
    "standalone Python script. The code is the repository's own, byte for byte; nothing is run. "
    "Use it to understand a function without opening its files one by one, or to reproduce a bug "
    "outside the repository. Gaps, if any, say what could not be decided without running code.",
    SliceParameters,
    answer,
)
