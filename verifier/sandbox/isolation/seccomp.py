"""The system-call filter: a small program for the kernel's BPF machine.

It permits everything that ordinary programs do, and refuses calls that reach into other processes,
make namespaces or mounts, keep state beyond a run, or open rarely used parts of the kernel.
"""

from __future__ import annotations

import errno
import platform
import struct

from . import libc

_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24  # offsets in the data

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # numbers of x86-64's second, 32-bit calling convention

_NEW_NAMESPACES = 0x7E020000
_UNIX, _INET, _INET6 = 1, 2, 10
_TERMINAL_INPUT, _CONSOLE = 0x5412, 0x541C  # TIOCSTI and TIOCLINUX inject terminal input

# name: number on x86-64 and on aarch64 (-1: does not exist there)
_REFUSED = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "perf_event_open": (298, 241),
    # namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    # large or rarely used parts of the kernel
    "bpf": (321, 280), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "userfaultfd": (323, 282), "memfd_secret": (447, 447),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "lookup_dcookie": (212, 18),
    "modify_ldt": (154, -1), "iopl": (172, -1), "ioperm": (173, -1), "nfsservctl": (180, 42),
    # the machine as a whole
    "clock_settime": (227, 112), "settimeofday": (164, 170), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "swapon": (167, 224), "swapoff": (168, 225),
    "reboot": (169, 142), "sethostname": (170, 161), "setdomainname": (171, 162),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116),
    "vhangup": (153, 58),
    # state that outlives its creator: keys, System V objects, message queues
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183), "mq_notify": (244, 184), "mq_getsetattr": (245, 185),
}  # fmt: skip
_CLONE, _SOCKET, _SOCKET_PAIR, _IOCTL = (56, 220), (41, 198), (53, 199), (16, 29)
_PRLIMIT = (302, 261)  # only for the caller itself: the tree's first process has the same user
_CLONE3 = (435, 435)  # its flags are in memory, out of the filter's sight
_MEMFD_CREATE = (319, 279)


def refused_names() -> tuple[str, ...]:
    """Return names of the system calls that are refused whatever their arguments."""
    return tuple(_REFUSED)


def is_known(machine: str = platform.machine()) -> bool:
    """Whether there is a filter for this architecture."""
    return machine in _ARCHITECTURES


def program(machine: str, *, deny_memfd: bool = False, deny_internet: bool = False) -> bytes:
    """Return the filter's instructions.

    Args:
        machine: the architecture, as `platform.machine()` names it.
        deny_memfd: also refuse files in anonymous memory, which only a memory cgroup limits.
        deny_internet: also refuse internet sockets, where there is no network namespace.
    """
    column = tuple(_ARCHITECTURES).index(machine)
    refusal = _ERRNO | errno.EPERM
    lines = [
        _load(_ARCHITECTURE),
        _jump(_JUMP_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _return(_KILL),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        lines += [_jump(_JUMP_GREATER_EQUAL, _X32, 0, 1), _return(_KILL)]
    missing = [_CLONE3] + ([_MEMFD_CREATE] if deny_memfd else [])
    for numbers in missing:
        lines += _if_number(numbers[column], [_return(_ERRNO | errno.ENOSYS)])
    for numbers in _REFUSED.values():
        if numbers[column] >= 0:
            lines += _if_number(numbers[column], [_return(refusal)])
    flags = [_load(_FIRST), _jump(_JUMP_ANY_BIT, _NEW_NAMESPACES, 0, 1), _return(refusal)]
    lines += _if_number(_CLONE[column], [*flags, _return(_ALLOW)])
    families = [_load(_FIRST)]
    for family in (_UNIX,) if deny_internet else (_UNIX, _INET, _INET6):
        families += [_jump(_JUMP_EQUAL, family, 0, 1), _return(_ALLOW)]
    families.append(_return(_ERRNO | errno.EAFNOSUPPORT))
    for numbers in (_SOCKET, _SOCKET_PAIR):
        lines += _if_number(numbers[column], families)
    others = [_load(_FIRST), _jump(_JUMP_EQUAL, 0, 0, 1), _return(_ALLOW), _return(refusal)]
    lines += _if_number(_PRLIMIT[column], others)
    requests = [_load(_SECOND)]
    for request in (_TERMINAL_INPUT, _CONSOLE):
        requests += [_jump(_JUMP_EQUAL, request, 0, 1), _return(refusal)]
    lines += _if_number(_IOCTL[column], [*requests, _return(_ALLOW)])
    return b"".join([*lines, _return(_ALLOW)])


def install(instructions: bytes) -> None:
    """Install the filter on this process and all its children; requires no-new-privileges."""
    address, _alive = libc.address_of(instructions)
    header, _alive_too = libc.address_of(struct.pack("@HP", len(instructions) // 8, address))
    libc.prctl(libc.PR_SET_SECCOMP, 2, header)


def _if_number(number: int, lines: list[bytes]) -> list[bytes]:
    """Return lines for one system call, skipped for others; they end in a return."""
    return [_jump(_JUMP_EQUAL, number, 0, len(lines)), *lines]


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", _LOAD, 0, 0, offset)


def _jump(test: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", test, if_true, if_false, value)


def _return(what: int) -> bytes:
    return struct.pack("=HBBI", _RETURN, 0, 0, what)
