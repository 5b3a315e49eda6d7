"""The system-call filter decides as intended on both architectures, run by a small machine here."""

from __future__ import annotations

import errno
import struct

import pytest
from slicefunc.verifier.sandbox.isolation import seccomp

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# number on x86-64 and aarch64
READ, CLONE, CLONE3, SOCKET, IOCTL, PRLIMIT = (
    (0, 63),
    (56, 220),
    (435, 435),
    (41, 198),
    (16, 29),
    (302, 261),
)
MOUNT, UNSHARE, PTRACE, IO_URING, MEMFD = (165, 40), (272, 97), (101, 117), (425, 425), (319, 279)


def _decide(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the kernel would do: the classic filter machine, as far as the program uses it."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return value
        else:
            truth = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            at += if_true if truth else if_false


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("numbers", "arguments", "decision"),
    [
        (READ, (), ALLOW),
        (CLONE, (17,), ALLOW),
        (CLONE, (0x10000000 | 17,), ERRNO | errno.EPERM),
        (CLONE, (0x40000000,), ERRNO | errno.EPERM),
        (CLONE3, (), ERRNO | errno.ENOSYS),
        (MOUNT, (), ERRNO | errno.EPERM),
        (UNSHARE, (), ERRNO | errno.EPERM),
        (PTRACE, (), ERRNO | errno.EPERM),
        (IO_URING, (), ERRNO | errno.EPERM),
        (SOCKET, (1,), ALLOW),
        (SOCKET, (2,), ALLOW),
        (SOCKET, (10,), ALLOW),
        (SOCKET, (16,), ERRNO | errno.EAFNOSUPPORT),
        (SOCKET, (40,), ERRNO | errno.EAFNOSUPPORT),
        (IOCTL, (0, 0x5412), ERRNO | errno.EPERM),
        (IOCTL, (0, 0x1_0000_5412), ERRNO | errno.EPERM),   # the kernel looks at 32 bits too
        (IOCTL, (0, 0x5401), ALLOW),
        (PRLIMIT, (0,), ALLOW),
        (PRLIMIT, (1,), ERRNO | errno.EPERM),
        (MEMFD, (), ALLOW),
    ],
)  # fmt: skip
def test_it_decides_as_intended(
    machine: str, numbers: tuple[int, int], arguments: tuple[int, ...], decision: int
) -> None:
    number = numbers[tuple(MACHINES).index(machine)]
    program = seccomp.program(machine)
    assert _decide(program, MACHINES[machine], number, *arguments) == decision


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_missing_outside_can_be_denied_too(machine: str) -> None:
    at = tuple(MACHINES).index(machine)
    program = seccomp.program(machine, deny_memfd=True, deny_internet=True)
    decide = [
        _decide(program, MACHINES[machine], *each) for each in ((MEMFD[at],), (SOCKET[at], 2))
    ]
    assert decide == [ERRNO | errno.ENOSYS, ERRNO | errno.EAFNOSUPPORT]
    assert _decide(program, MACHINES[machine], SOCKET[at], 1) == ALLOW


def test_other_calling_conventions_end_the_process() -> None:
    program = seccomp.program("x86_64")
    assert _decide(program, 0x40000003, 0) == KILL  # 32-bit x86
    assert _decide(program, MACHINES["aarch64"], 0) == KILL
    assert _decide(program, MACHINES["x86_64"], 0x40000000) == KILL  # x32


def test_an_architecture_without_filter_is_known_as_such() -> None:
    assert not seccomp.is_known("riscv64")
