"""What stubs answer, and how calls of them are noted."""

from __future__ import annotations

import copy
import pkgutil
import types
from typing import Any

from ..core.world import chosen, restart_with

_answers: dict[str, dict[str, Any]] = {}
"""Dotted path with `()` for calls → the answers of that place, by variant."""
_holders: set[str] = set()
"""Paths of what holds whatever `in` asks for: the slice goes on only then."""
_decorators: set[str] = set()
"""Last parts of the names that the slice uses as decorators."""
_coroutines: set[str] = set()
"""Last parts of the names whose calls the slice hands to `asyncio.run` or `create_task`."""
ANYTHING = object()
"""An answer that is a stub."""


_UNPACKING = {"UNPACK_SEQUENCE", "UNPACK_EX"}
_asked: dict[tuple[str, str], int] = {}
TIRED = 100
"""After so many equal calls a stub gives something empty, so that `while` loops end."""
GIVES_UP = 1000
"""After so many it raises KeyboardInterrupt: what ends the loops of programs that never do."""


def stub_anew(held: Any) -> None:
    """Have each case find a dictionary or a set as the first one did."""
    first: list[Any] = []

    def restart() -> None:
        if not first:
            first.append(held.copy())
        held.clear()
        held.update(first[0])

    restart_with(restart)


stub_anew(_asked)


class Raises:
    """An answer that is raised: the dotted name of its class, and its arguments."""

    def __init__(self, name: str, *args: Any) -> None:
        self.name = name
        self.args = args

    def stub_given(self) -> Any:
        """Nothing: the exception is raised, of a module or of a class in one."""
        name = self.name if "." in self.name else f"builtins.{self.name}"
        raise pkgutil.resolve_name(name)(*self.args)


class InTurn:
    """Answers that follow one another, and then start again: so that loops begin and end."""

    def __init__(self, *values: Any) -> None:
        self.values = values
        self.given = 0
        restart_with(self.restart)

    def restart(self) -> None:
        """Begin with the first."""
        self.given = 0

    def stub_given(self) -> Any:
        """The one whose turn it is."""
        self.given += 1
        return self.values[(self.given - 1) % len(self.values)]


class StubToMake:
    """What a declared interface has in place of an object: it is made where it is answered."""

    def made(self, path: str, key: str) -> Any:
        """The object."""
        raise NotImplementedError


class StubHeld:
    """What a declared interface has in place of an attribute."""


def stub_chosen(path: str, default: Any) -> Any:
    """What a place answers by the table and the case; exceptions are raised."""
    found = chosen(path, _answers[path]) if path in _answers else ANYTHING
    if hasattr(type(found), "stub_given"):
        return found.stub_given()
    return default if found is ANYTHING else copy.deepcopy(found)


def stub_tires(path: str, told: str) -> bool:
    """Whether a place has given the same answer so often that a loop must wait for another."""
    count = _asked[path, told] = _asked.get((path, told), 0) + 1
    if count > GIVES_UP:
        raise KeyboardInterrupt(f"{path} was called {GIVES_UP} times")
    return count > TIRED


def expect(
    answers: dict[str, dict[str, Any]],
    decorators: tuple[str, ...] = (),
    coroutines: tuple[str, ...] = (),
) -> None:
    """Say what places answer, and which names are decorators and functions of coroutines."""
    _coroutines.update(coroutines)
    _answers.update(answers)
    _decorators.update(decorators)


def hold(*paths: str) -> None:
    """Say which places hold whatever they are asked for."""
    _holders.update(paths)


async def stub_coroutine(answer: Any) -> Any:
    """What `asyncio.run` and `create_task` insist on."""
    return answer


def _decorates(path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call puts a decorator on its one argument."""
    if len(args) != 1 or kwargs or path.rpartition(".")[2].removesuffix("()") not in _decorators:
        return False
    return isinstance(args[0], (types.FunctionType, type, staticmethod, classmethod))


def stub_argument(value: Any, depth: int = 4) -> Any:
    """A value as the effect log has it: plain data, without addresses."""
    if isinstance(value, slice):
        return ":".join(str(stub_argument(each)) for each in (value.start, value.stop, value.step))
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return value
    if hasattr(type(value), "_stub_place") or hasattr(value, "_stub_class_path"):
        return str(value)
    if isinstance(value, (str, int, float, bytes)):
        return type(value).__mro__[-2](value) if type(value).__mro__[-2] is not object else value
    if depth and isinstance(value, dict):
        return {str(k): stub_argument(v, depth - 1) for k, v in list(value.items())[:100]}
    if depth and isinstance(value, (list, tuple)):
        return [stub_argument(item, depth - 1) for item in list(value)[:100]]
    if depth and isinstance(value, (set, frozenset)):
        return sorted((stub_argument(item, depth - 1) for item in value), key=repr)
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    return f"<{type(value).__qualname__}>"


def _unpacked(asking: Any) -> int:
    """How many elements `a, b, c = stub` asks for: read off the instruction; 2 elsewhere."""
    if asking is None:
        return 2
    import opcode

    code = asking.f_code.co_code
    at = asking.f_lasti
    if opcode.opname[code[at]] not in _UNPACKING:
        return 2
    count = code[at + 1]
    if opcode.opname[code[at]] == "UNPACK_EX" and at > 1 and code[at - 2] == opcode.EXTENDED_ARG:
        count += code[at - 1]
    return count
