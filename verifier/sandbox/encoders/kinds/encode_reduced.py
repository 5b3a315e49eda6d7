"""Encode instances of C types with hidden state by what they give to `copy` or `pickle`.

Vectors, rectangles and the like answer `__reduce__` with their constructor arguments, XML elements
`__getstate__` with their contents. Only the C type's own method is called, which Python code cannot
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
"""Modules whose types refer to memory by address."""


def encoder_of(cls: Class) -> Write | None:
    """Return the writer for instances of the class; `None` if it is no such type."""
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
        _, arguments, *more = made  # a function, its arguments, and the state set afterwards
        return encoder.value(cls, arguments=arguments, state=more[:1])

    return reduced


def _own(cls: Class, name: str) -> Raw:
    """Return a C method of a class other than `object`, or `None`."""
    found: Raw = raw.class_attribute(cls, name)
    is_own = type(found) is types.MethodDescriptorType and found.__objclass__ is not object
    return found if is_own else None
