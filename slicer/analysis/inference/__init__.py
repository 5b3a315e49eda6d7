"""Type inference: which values an expression may have, for resolving attribute accesses."""

from .function_texts import TRANSPARENT_DECORATORS, decorator_name, is_property, results
from .inference import Inference
from .names.module_name_values import module_global_writers

__all__ = [
    "TRANSPARENT_DECORATORS",
    "Inference",
    "decorator_name",
    "is_property",
    "module_global_writers",
    "results",
]
