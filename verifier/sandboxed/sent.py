"""Generators that use what is sent to them: they are stepped with values, and not with nothing.

Whether one does is seen in its code: the value of `yield` is kept, or it is dropped at once.
"""

from __future__ import annotations

import builtins
import dis
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .raw import Raw

__builtins__ = dict(vars(builtins))

MOST_SENT = 20
"""Values that one is given: such generators mostly have no end of their own."""
_DROPPED = ("POP_TOP", "JUMP_BACKWARD_NO_INTERRUPT")
"""Instructions after a `yield` whose value is dropped; the second continues a `yield from`."""

_instructions = dis.get_instructions
_code: Callable[[Raw], types.CodeType] = vars(types.GeneratorType)["gi_code"].__get__
_send: Callable[[Raw, Raw], Raw] = vars(types.GeneratorType)["send"]


def takes_values(generator: Raw) -> bool:
    """Whether a generator uses what is sent to it."""
    names = [each.opname for each in _instructions(_code(generator))]
    return any(
        name == "YIELD_VALUE"
        and next(n for n in [*names[at + 1 :], *_DROPPED] if n != "RESUME") not in _DROPPED
        for at, name in enumerate(names)
    )


def stepping(generator: Raw) -> Callable[[], Raw]:
    """A function that makes the next step, with numbers from 1 on after the first."""
    numbers = iter(range(MOST_SENT + 1))

    def step() -> Raw:
        number = next(numbers)
        return _send(generator, number or None)

    return step
