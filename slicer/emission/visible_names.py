"""Whether kept code may see the name of its module, which depends on the layout."""

from __future__ import annotations

import ast

from ..analysis.inference import decorator_name
from ..analysis.uses.use_records import BY_NAME, PATHS
from ..closure.worklist import Closure

VISIBLE_NAME = frozenset({"__name__", "__package__", "__spec__", "__module__", "__loader__",
                           "__path__", "globals", "vars", "dir", "__globals__", "eval", "exec",
                           "__builtins__", "locals", PATHS, BY_NAME})  # fmt: skip
NAME_READERS = ("sys.modules", "pickle.", "inspect.getmodule", "typing.get_type_hints", "copyreg.",
                 "multiprocessing", "concurrent.futures.ProcessPoolExecutor", "importlib.resources",
                 "importlib.import_module", "pkgutil.", "dill.", "cloudpickle.",
                 "joblib.")  # fmt: skip


def needs_name(closure: Closure) -> bool:
    """Whether kept code may see its module's name or object."""
    return (
        bool(closure.flags & VISIBLE_NAME)
        or any(name.startswith(NAME_READERS) for name in closure.mentioned)
        or has_textual_dataclass(closure)
    )


def has_textual_dataclass(closure: Closure) -> bool:
    """Whether `dataclass` reads an annotation that is text.

    It then looks the class's module up in `sys.modules`, where a script that is loaded under
    another name need not stand.
    """
    return any(
        isinstance(node, ast.ClassDef)
        and any(decorator_name(decorator) == "dataclass" for decorator in node.decorator_list)
        and any(
            isinstance(item, ast.AnnAssign)
            and ("annotations" in kept.module.source.future_flags or _is_text(item.annotation))
            for item in node.body
        )
        for kept in closure.modules.values()
        for unit in kept.module.units
        if unit.kind == "class" and unit.index in kept.units
        for node in unit.nodes
    )


def _is_text(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)
