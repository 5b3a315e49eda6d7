"""External base classes of a repository class."""

from __future__ import annotations

from ...analysis.external.base_class_hooks import base_defines, derives_from
from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.values.abstract_values import ABSTRACT, External
from ...syntax.builtin_models import ABSTRACT_METHODS


def is_protocol(inference: Inference, cls: ClassInfo) -> bool:
    """Whether the class statement itself names `Protocol` as a base."""
    bases = (value for base in inference.bases(cls) for value in base or ())
    return any(isinstance(v, External) and v.name.endswith(".Protocol") for v in bases)


def implements(inference: Inference, cls: ClassInfo, kind: str) -> bool:
    """Whether an instance of the class may have an external type such as `Mapping`."""
    if not kind.startswith(ABSTRACT) and kind != "typing.Callable":
        return any(derives_from(base, kind) for base in inference.external_bases(cls))
    method = ABSTRACT_METHODS.get(kind.removeprefix(ABSTRACT))
    return (
        method is None
        or inference.find_member(cls, method) is not None
        or inference.find_member(cls, "__getattr__") is not None
        or any(base_defines(base, method) for base in inference.external_bases(cls))
    )
