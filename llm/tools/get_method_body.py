"""`get_method_body`: the code of a function or method."""

from __future__ import annotations

from .callable_lookup import CallableQuery, Made, Outside, find_callable
from .code_index import CodeIndex
from .get_signature import get_signature
from .tool_contract import Tool


def get_method_body(index: CodeIndex, method_name: str, class_name: str = "") -> str:
    """Return the code of a definition; the signature where the repository does not have the code.

    Raises:
        ToolInputError: the names mean nothing, or several definitions.
    """
    found = find_callable(index, method_name, class_name)
    if isinstance(found, (Outside, Made)):
        return get_signature(index, method_name, class_name)
    text = index.text(found.path, found.first, found.last).rstrip()
    return f"# {found.path}:{found.first}-{found.last}\n{text}"


def _answer(index: CodeIndex, given: CallableQuery) -> str:
    return get_method_body(index, given.method_name, given.class_name)


GET_METHOD_BODY: Tool[CodeIndex] = Tool(
    "get_method_body",
    "Code of a method",
    "Get the whole code of a function or method of the repository, decorators and docstring "
    "included, with its file and lines. Finds inherited methods. For a method of a library only "
    "its signature is known.",
    CallableQuery,
    _answer,
)
