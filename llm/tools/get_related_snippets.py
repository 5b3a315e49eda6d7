"""`get_related_snippets`: the pieces of code that are most like a text."""

from __future__ import annotations

from pydantic import Field

from .code_index import CodeIndex
from .file_records import Snippet
from .tool_contract import Parameters, Tool, ToolInputError

SHOWN = 5


class SnippetQuery(Parameters):
    """A search for code."""

    search_string: str = Field(
        min_length=1,
        max_length=4000,
        description="What the code does or contains: a sentence, identifiers, or code of your own, "
        "for example `round money to two decimal places` or `session.get timeout`.",
    )


def get_related_snippets(index: CodeIndex, search_string: str) -> str:
    """Return the five snippets of the repository that are most like a text, as code.

    Raises:
        ToolInputError: none shares a word with the text.
    """
    found = index.snippet_similarity.nearest(search_string, SHOWN)
    if not found:
        raise ToolInputError(
            "no snippet of the repository shares a word with the search string",
            "use identifiers and words that the code itself would use",
        )
    return "\n\n".join(snippet_text(index, index.snippets[number]) for number in found)


def snippet_text(index: CodeIndex, snippet: Snippet) -> str:
    """Return a snippet below the comment that says where it is."""
    within = f" ({snippet.within})" if snippet.within else ""
    text = index.text(snippet.path, snippet.first, snippet.last).rstrip()
    return f"# {snippet.path}:{snippet.first}-{snippet.last}{within}\n{text}"


def _answer(index: CodeIndex, given: SnippetQuery) -> str:
    return get_related_snippets(index, given.search_string)


GET_RELATED_SNIPPETS: Tool[CodeIndex] = Tool(
    "get_related_snippets",
    "Related snippets",
    "Search the repository for code that resembles a text and get the 5 best pieces, each with its "
    "file and lines. Matches words inside identifiers (`read_tax` finds `readTaxRates`), not "
    "meaning. Use it for examples of how the repository does something; to look for a class or "
    "function to call, get_relevant_code is better.",
    SnippetQuery,
    _answer,
)
