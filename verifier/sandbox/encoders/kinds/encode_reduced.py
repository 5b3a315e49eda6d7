"""Instances of C types that keep their state out of sight, by what they give to be copied or kept.

Vectors, rectangles and the like answer `__reduce__` with what makes them anew, elements of XML
`__getstate__` with what they hold. Only the C type's own method is asked, which Python code cannot
replace.
"""

from __future__ import annotations

import builtins
import types

from ... import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...raw import Class, Raw
    from ..value_encoder import ValueEncoder, Write

__builtins__ = dict(vars(builtins))


_BY_ADDRESS = frozenset({"_ctypes"})
"""Modules of types that stand for memory somewhere, which is not theirs to tell."""


def encoder_of(cls: Class) -> Write | None:
    """What writes instances of the class; `None` where it is no such type."""
    if raw.is_python_class(cls) or raw.class_names(cls)[0] in _BY_ADDRESS:
        return None
    reduce = _own(cls, "__reduce__")
    if reduce is None:
        state = _own(cls, "__getstate__")
        return state and (lambda encoder, value: encoder.value(cls, state=state(value)))

    def reduced(encoder: ValueEncoder, value: Raw) -> Raw:
        try:
            made: Raw = reduce(value)
        except Exception:  # noqa: BLE001 - what cannot be copied says so in many ways
            made = None
        if raw.class_of(made) is not tuple:
            return encoder.opaque(cls, "keeps state out of sight")
        _, arguments, *more = made  # a function, what it is given, and what is set then
        return encoder.value(cls, arguments=arguments, state=more[:1])

    return reduced


def _own(cls: Class, name: str) -> Raw:
    """A method that is written in C, of a class but `object`; or `None`."""
    found: Raw = raw.class_attribute(cls, name)
    is_own = type(found) is types.MethodDescriptorType and found.__objclass__ is not object
    return found if is_own else None
