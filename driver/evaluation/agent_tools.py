"""Calls of repository tools by models: what is wrong with a call is an answer, and no error."""

from __future__ import annotations

import json

from ...llm.tools import REPOSITORY_TOOLS, CodeIndex
from ...slicer.errors import SliceFuncError

_BY_NAME = {tool.name: tool for tool in REPOSITORY_TOOLS}


def call_tool(index: CodeIndex, name: str, arguments: str) -> str:
    """Return what a tool answers.

    Args:
        index: the repository.
        name: name of the tool.
        arguments: a JSON object.
    """
    tool = _BY_NAME.get(name)
    if tool is None:
        return f"error: there is no tool {name}; there are {', '.join(_BY_NAME)}"
    try:
        given: object = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        return f"error: the arguments are no JSON: {error}"
    if not isinstance(given, dict):
        return "error: the arguments are no JSON object"
    try:
        return tool.call(index, given)  # pyright: ignore[reportUnknownArgumentType] - checked there
    except SliceFuncError as error:
        return f"error: {error.problem}; {error.advice}"
