"""`get_relevant_code`: the classes, functions and snippets that are most like a description."""

from __future__ import annotations

from textwrap import indent

from pydantic import Field

from .code_index import CodeIndex
from .file_records import Definition
from .get_related_snippets import snippet_text
from .syntax_records import other_language, outline_by_syntax
from .tool_contract import Parameters, Tool, ToolInputError

SHOWN = 3
LONGEST_FUNCTION = 40
"""Maximum number of lines of a function that is shown whole."""


class CodeQuery(Parameters):
    """A search for something to use."""

    search_string: str = Field(
        min_length=1,
        max_length=4000,
        description="What you need, in words or identifiers, for example "
        "`client that fetches prices over HTTP`.",
    )


def get_relevant_code(index: CodeIndex, search_string: str) -> str:
    """Return the three classes (without bodies), free functions or snippets most like a text.

    Raises:
        ToolInputError: none shares a word with the text.
    """
    definitions, similarity = index.definition_similarity
    found = [definitions[number] for number in similarity.nearest(search_string, SHOWN)]
    parts = [definition_text(index, each) for each in found]
    if len(parts) < SHOWN:
        known = {(each.path, each.qualname) for each in found}
        for number in index.snippet_similarity.nearest(search_string, 2 * SHOWN):
            snippet = index.snippets[number]
            if (snippet.path, snippet.within) not in known:
                parts.append(snippet_text(index, snippet))
    if not parts:
        raise ToolInputError(
            "nothing in the repository shares a word with the search string",
            "use words that names and docstrings would have",
        )
    return "\n\n".join(parts[:SHOWN])


def definition_text(index: CodeIndex, definition: Definition) -> str:
    """Return a class without bodies, or a function, below the comment that says where it is."""
    place = f"# {definition.path}:{definition.first}-{definition.last}"
    if definition.kind == "class":
        return f"{place}\n{class_outline(index, definition)}"
    is_short = definition.last - definition.first < LONGEST_FUNCTION
    last = definition.last if is_short else definition.first + LONGEST_FUNCTION - 1
    text = index.text(definition.path, definition.first, last).rstrip()
    rest = definition.last - last
    more = f"\n    # {rest} more lines: get_method_body shows them" if rest else ""
    return f"{place}\n{text}{more}"


def class_outline(index: CodeIndex, definition: Definition) -> str:
    """Return a class with its docstring, its fields and the headers of its methods."""
    language = other_language(definition.path)
    if language is not None:
        content = index.content(definition.path)
        return outline_by_syntax(definition, content, language).rstrip()
    lines = [f"{definition.signature}:"]
    if definition.docstring:
        lines.append(f'    """{definition.docstring.strip().partition(chr(10))[0]}"""')
    own = index.members_of(definition)
    for member in own.members:
        if (member.path, member.owner) == (definition.path, definition.qualname):
            ending = ": ..." if member.kind in {"method", "property", "class"} else ""
            lines.append(indent(f"{member.signature}{ending}", "    "))
    if len(lines) == 1:
        lines.append("    ...")
    return "\n".join(lines)


def _answer(index: CodeIndex, given: CodeQuery) -> str:
    return get_relevant_code(index, given.search_string)


GET_RELEVANT_CODE: Tool[CodeIndex] = Tool(
    "get_relevant_code",
    "Relevant code",
    "Find classes and functions of the repository that could do what you describe. Returns the 3 "
    "best: classes as outlines (fields and method headers, no bodies), functions with their code; "
    "snippets only where nothing else fits. Start here when you do not know what exists. Follow up "
    "with get_class_info, get_signature or get_method_body.",
    CodeQuery,
    _answer,
)
