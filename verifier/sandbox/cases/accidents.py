"""Accidents: exceptions of operations on unsuitable values, not from a `raise` statement."""

from __future__ import annotations

import builtins
import opcode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_CLASSES = (
    AttributeError, TypeError, NameError, UnboundLocalError, RecursionError, OverflowError,
    KeyError, IndexError,
)  # fmt: skip
"""Classes of accidents. Other exceptions say what is wrong with the input."""
_RAISE = opcode.opmap["RAISE_VARARGS"]
_getattr = getattr
_traceback = BaseException.__dict__["__traceback__"].__get__


def is_accident(error: Raw) -> bool:
    """Whether an exception comes from an operation in the innermost Python code.

    An exception that a stand-in throws into a generator is intended.
    """
    if not any(type(error) is each for each in _CLASSES):
        return False
    last = None
    step = _traceback(error)
    while step is not None:
        last, step = step, step.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    return code.co_name != "<genexpr>" and code.co_code[last.tb_lasti] != _RAISE
