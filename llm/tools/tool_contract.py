"""The contract of a tool: name, description, parameters, and the function that answers.

Parameters are a pydantic model, from which the JSON schema is made and by which arguments are
checked. A tool answers with text; what is longer than a page is cut at a line, and a note says how
to see the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...slicer.errors import SliceFuncError

PAGE_CHARACTERS = 16_000
"""Maximum length of a page, some 4,000 tokens."""
LONGEST_LINE = 2_000
"""Maximum length of one line of a result; longer ones are minified code or data."""

Place = TypeVar("Place")


class ToolInputError(SliceFuncError):
    """Arguments with which a tool cannot answer."""


class Parameters(BaseModel):
    """Base class of the parameters of all tools."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first_line: int = Field(
        default=1,
        ge=1,
        description="Where to begin in a result that was cut. The note at the end of a cut result "
        "gives the number; leave it out otherwise.",
    )


@dataclass(frozen=True, slots=True)
class Page:
    """The part of a result that is shown."""

    text: str
    first: int
    """Number of the first line."""
    last: int
    """Number of the last line."""
    lines: int
    """Number of lines of the whole result."""

    def shown(self) -> str:
        """Return the text, with a note if it is not the whole result."""
        if self.first == 1 and self.last == self.lines:
            return self.text
        note = f"[lines {self.first}-{self.last} of {self.lines}"
        if self.last < self.lines:
            note += f"; for the rest repeat the call with first_line={self.last + 1}"
        return f"{self.text}\n{note}]"


@dataclass(frozen=True, slots=True)
class Tool(Generic[Place]):
    """A tool that a model can call."""

    name: str
    title: str
    """A name for people."""
    description: str
    """What it answers, when to call it, and what it needs, for the model that chooses."""
    parameters: type[Parameters]
    answer: Callable[[Place, Any], str]
    """Return the whole result for checked parameters."""
    is_read_only: bool = True
    """Whether it changes nothing that outlives the call."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the parameters."""
        return _plain(self.parameters.model_json_schema())

    def checked(self, arguments: Mapping[str, object]) -> Parameters:
        """Return the arguments as parameters.

        Raises:
            ToolInputError: one is missing, unknown, or of a wrong type.
        """
        try:
            return self.parameters.model_validate(dict(arguments))
        except ValidationError as error:
            raise ToolInputError(*self._wrong(error)) from None

    def call(self, place: Place, arguments: Mapping[str, object]) -> str:
        """Return the page of the result that the arguments ask for.

        Raises:
            SliceFuncError: the arguments are wrong, or nothing answers them.
        """
        given = self.checked(arguments)
        return page_of(self.answer(place, given), given.first_line).shown()

    def _wrong(self, error: ValidationError) -> tuple[str, str]:
        """Return what is wrong with the first wrong argument, and what to do."""
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        known = ", ".join(sorted(self.parameters.model_fields, key="first_line".__eq__))
        match first["type"]:
            case "missing":
                return f"{self.name}: the argument {name} is missing", f"it takes {known}"
            case "extra_forbidden":
                return f"{self.name}: there is no argument {name}", f"it takes {known}"
            case _:
                about = self.parameters.model_fields.get(str(first["loc"][0]))
                message = first["msg"][:1].lower() + first["msg"][1:]
                return (
                    f"{self.name}: {name}: {message}",
                    (about and about.description) or f"it takes {known}",
                )


def page_of(text: str, first: int) -> Page:
    """Return the page of a text that begins with that line.

    Raises:
        ToolInputError: the text has fewer lines.
    """
    lines = text.rstrip("\n").split("\n")
    if first > len(lines):
        raise ToolInputError(
            f"first_line={first}: the result has {len(lines)} lines", "leave first_line out"
        )
    kept: list[str] = []
    size = 0
    for line in lines[first - 1 :]:
        shown = line
        if len(line) > LONGEST_LINE:
            shown = f"{line[:LONGEST_LINE]} [and {len(line) - LONGEST_LINE} characters]"
        size += len(shown) + 1
        if kept and size > PAGE_CHARACTERS:
            break
        kept.append(shown)
    return Page("\n".join(kept), first, first - 1 + len(kept), len(lines))


def openai_schema(tool: Tool[Any]) -> dict[str, Any]:
    """Return a tool in the form of OpenAI's `tools` parameter."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema(),
        },
    }


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the titles and docstrings that pydantic adds."""
    found = {name: value for name, value in schema.items() if name not in {"title", "description"}}
    properties = cast("dict[str, dict[str, Any]]", found.get("properties", {}))
    found["properties"] = {
        name: {key: value for key, value in about.items() if key != "title"}
        for name, about in properties.items()
    }
    return found
