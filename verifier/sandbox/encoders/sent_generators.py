"""Generators that use sent values: they are driven by sending values.

Their code shows it: the value of `yield` is used, or dropped at once. If one has not ended after
the last value, an exception is thrown into it, which it may handle.
"""

from __future__ import annotations

import builtins
import dis
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

MOST_SENT = 20
"""Most values sent to one generator: such generators rarely end by themselves."""
_DROPPED = ("POP_TOP", "JUMP_BACKWARD_NO_INTERRUPT")
"""Instructions after a `yield` whose value is dropped; the second continues a `yield from`."""

_instructions = dis.get_instructions
_code: Callable[[Raw], types.CodeType] = vars(types.GeneratorType)["gi_code"].__get__
_async_code: Callable[[Raw], types.CodeType] = vars(types.AsyncGeneratorType)["ag_code"].__get__
_throw: Callable[[Raw, BaseException], Raw] = vars(types.GeneratorType)["throw"]
_asend: Callable[[Raw, Raw], Raw] = vars(types.AsyncGeneratorType)["asend"]
_athrow: Callable[[Raw, BaseException], Raw] = vars(types.AsyncGeneratorType)["athrow"]
_send: Callable[[Raw, Raw], Raw] = vars(types.GeneratorType)["send"]


def takes_values(generator: Raw) -> bool:
    """Whether a generator, synchronous or not, uses sent values."""
    code = _async_code if type(generator) is types.AsyncGeneratorType else _code
    names = [each.opname for each in _instructions(code(generator))]
    return any(
        name == "YIELD_VALUE"
        and next(n for n in [*names[at + 1 :], *_DROPPED] if n != "RESUME") not in _DROPPED
        for at, name in enumerate(names)
    )


def stepping(generator: Raw) -> Callable[[], Raw]:
    """Return a function that makes the next step, sending numbers from 1 on after the first.

    For an asynchronous generator the step must be awaited.
    """
    numbers = iter(range(MOST_SENT + 1))
    send = _asend if type(generator) is types.AsyncGeneratorType else _send

    def step() -> Raw:
        number = next(numbers)
        return send(generator, number or None)

    return step


def end_of_thrown(generator: Raw) -> tuple[list[Raw], str, Raw]:
    """Throw an exception into a generator. Return its items, how it ends, and with what."""
    thrown = ValueError("thrown")
    try:
        return [_throw(generator, thrown)], "cut", None
    except StopIteration as stop:
        return [], "returned", stop.value
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
        return ([], "cut", None) if error is thrown else ([], "raised", error)


async def end_of_athrown(generator: Raw) -> tuple[list[Raw], str, Raw]:
    """Throw an exception into an asynchronous generator, likewise."""
    thrown = ValueError("thrown")
    try:
        return [await _athrow(generator, thrown)], "cut", None
    except StopAsyncIteration:
        return [], "returned", None
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
        return ([], "cut", None) if error is thrown else ([], "raised", error)
