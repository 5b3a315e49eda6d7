"""`get_signature`: how a function or method is called."""

from __future__ import annotations

from .callable_lookup import CallableQuery, Made, Outside, find_callable
from .code_index import CodeIndex
from .tool_contract import Tool


def get_signature(index: CodeIndex, method_name: str, class_name: str = "") -> str:
    """Return a signature, where it is defined, and the first line of its docstring.

    Raises:
        ToolInputError: the names mean nothing, or several definitions.
    """
    found = find_callable(index, method_name, class_name)
    match found:
        case Outside(signature=None):
            return (
                f"{found.name} is not defined in the repository; if it exists, it comes from "
                f"{found.owner}"
            )
        case Outside():
            return f"{found.signature}  # inherited from {found.owner}, outside the repository"
        case Made():
            return f"# {found.path}:{found.line}\n{found.signature}  # made by @dataclass"
        case _:
            note = f"  # {found.summary}" if found.summary else ""
            return f"# {found.path}:{found.first}\n{found.signature}{note}"


def _answer(index: CodeIndex, given: CallableQuery) -> str:
    return get_signature(index, given.method_name, given.class_name)


GET_SIGNATURE: Tool[CodeIndex] = Tool(
    "get_signature",
    "Signature",
    "Get how a function or method of the repository is called: its signature with decorators, "
    "where it is defined, and the first line of its docstring. Finds inherited methods, "
    "constructors of dataclasses, and methods of base classes in the standard library.",
    CallableQuery,
    _answer,
)
