"""Liveness: which values that a function binds are read later, by its bytecode."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from typing import cast

Position = tuple[int, int]
_ENDS = frozenset("RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE JUMP_FORWARD".split())
"""Instructions without a fall-through to the next one, besides backward jumps."""
JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))
_OPTIMISED = 1
"""The flag of code with fast local variables."""


def unread(code: types.CodeType) -> Iterator[Position]:
    """Yield line and column of names bound to a value that nothing reads afterwards.

    Names shared with nested functions, and those of modules or classes, are left out.

    Args:
        code: code of a module; its functions are analysed.
    """
    if code.co_flags & _OPTIMISED:
        yield from _unread(code)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from unread(each)


def _unread(code: types.CodeType) -> Iterator[Position]:
    instructions = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
    is_dead: dict[Position, bool] = {}
    for each, after in zip(instructions, _live(code, instructions), strict=True):
        (name, is_read), *rest = _steps(each) or (("", True),)
        place = _place(each)
        if not is_read and place is not None:
            dead = name not in after and (name, True) not in rest
            # a `finally` is compiled several times, and all copies must agree
            is_dead[place] = is_dead.get(place, True) and dead
    yield from (place for place, dead in is_dead.items() if dead)


def _place(each: dis.Instruction) -> Position | None:
    found = each.positions
    if found is None or found.lineno is None or found.col_offset is None:
        return None
    return found.lineno, found.col_offset


def _live(code: types.CodeType, instructions: list[dis.Instruction]) -> list[set[str]]:
    """Return for each instruction the names that are read after it before they are bound again."""
    at = {each.offset: number for number, each in enumerate(instructions)}
    onward = [_onward(number, each, at) for number, each in enumerate(instructions)]
    handlers: list[set[int]] = [set() for _ in instructions]
    for start, end, target in _protected(code):
        for number, each in enumerate(instructions):
            if start <= each.offset < end:
                handlers[number].add(at[target])
    before: list[set[str]] = [set() for _ in instructions]
    after: list[set[str]] = [set() for _ in instructions]
    changed = True
    while changed:
        changed = False
        for number in reversed(range(len(instructions))):
            after[number] = set[str]().union(*(before[n] for n in onward[number]))
            names = set(after[number])
            for name, is_read in reversed(_steps(instructions[number])):
                (names.add if is_read else names.discard)(name)
            names = names.union(*(before[n] for n in handlers[number]))
            if names != before[number]:
                before[number], changed = names, True
    return after


def _protected(code: types.CodeType) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and handler of each protected region."""
    table = iter(code.co_exceptiontable)

    def number(first: int) -> int:
        """Decode a number of six bits per byte, highest first; bit 6 announces another byte."""
        value, byte = first & 63, first
        while byte & 64:
            byte = next(table)
            value = value << 6 | byte & 63
        return value

    for first in table:
        start = 2 * number(first)
        length, target = 2 * number(next(table)), 2 * number(next(table))
        number(next(table))  # the stack depth
        yield start, start + length, target


def _onward(number: int, each: dis.Instruction, at: dict[int, int]) -> set[int]:
    """Return the instructions that may come next if nothing raises."""
    found: set[int] = set()
    if each.opcode in JUMPS:
        found.add(at[each.argval])
    if each.opname not in _ENDS and not each.opname.startswith("JUMP_BACKWARD"):
        found.add(number + 1)
    return found


def _steps(each: dis.Instruction) -> tuple[tuple[str, bool], ...]:
    """Return the local names that an instruction binds or reads (flag), in order."""
    if "_FAST" not in each.opname:
        return ()
    given = cast("str | tuple[str, ...]", each.argval)
    names = (given,) if isinstance(given, str) else given
    reads = {
        "STORE_FAST": (False,),
        "STORE_FAST_STORE_FAST": (False, False),
        "STORE_FAST_LOAD_FAST": (False, True),
    }.get(each.opname, (True,) * len(names))
    return tuple(zip(names, reads, strict=True))
