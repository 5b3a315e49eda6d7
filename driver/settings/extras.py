"""Optional parts of the package: what is missing is named with the command that installs it."""

from __future__ import annotations

from importlib.util import find_spec

from ...slicer.errors import SliceFuncError

_EXTRAS = {
    "datasets": ("fsspec", "licenseclassifier", "numpy", "packaging", "pyarrow", "rich"),
    "ray": ("ray",),
    "eval": ("bm25s", "openai", "rapidfuzz", "tree_sitter"),
    "plots": ("matplotlib",),
    "serve": ("prometheus_client", "starlette", "uvicorn"),
    "mcp": ("bm25s", "mcp", "pydantic"),
}
"""Optional part → import names of its libraries."""


class MissingExtraError(SliceFuncError):
    """A command needs a library that is not installed."""


def missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    """Return what to tell of a library that is not installed; `None` if no part has it."""
    module = (error.name or "").partition(".")[0]
    for extra, modules in _EXTRAS.items():
        if module in modules:
            advice = f"pip install 'slice-func[{extra}]'"
            return MissingExtraError(f"{module} is not installed", advice)
    return None


def require(extra: str, *modules: str) -> None:
    """Check that the libraries of an optional part are installed.

    Args:
        extra: name of the part, as in `slice-func[extra]`.
        modules: import names that the caller needs.

    Raises:
        MissingExtraError: one is not installed.
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtraError(
                f"{module} is not installed", f"pip install 'slice-func[{extra}]'"
            )
