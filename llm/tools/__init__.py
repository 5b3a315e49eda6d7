"""Tools with which a model reads a repository: the six of RepoClassBench, on an index along the
syntax (Deshpande et al., 2024, table 2 and appendix F).

`REPOSITORY_TOOLS` is their order. Each is one file: a plain function on a `CodeIndex`, and the
`Tool` that describes it.
"""

from __future__ import annotations

from .code_index import CodeIndex
from .get_class_info import GET_CLASS_INFO
from .get_imports import GET_IMPORTS
from .get_method_body import GET_METHOD_BODY
from .get_related_snippets import GET_RELATED_SNIPPETS
from .get_relevant_code import GET_RELEVANT_CODE
from .get_signature import GET_SIGNATURE
from .tool_contract import Page, Parameters, Tool, ToolInputError, openai_schema

REPOSITORY_TOOLS: tuple[Tool[CodeIndex], ...] = (
    GET_RELATED_SNIPPETS,
    GET_IMPORTS,
    GET_CLASS_INFO,
    GET_SIGNATURE,
    GET_METHOD_BODY,
    GET_RELEVANT_CODE,
)

__all__ = [
    "REPOSITORY_TOOLS",
    "CodeIndex",
    "Page",
    "Parameters",
    "Tool",
    "ToolInputError",
    "openai_schema",
]
