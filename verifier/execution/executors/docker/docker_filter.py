"""The system-call filter around a whole container, in Docker's format.

The zygote inside needs to make namespaces and mounts. All else that scripts are refused is refused
here already. Each script then gets its own, narrower filter.
"""

from __future__ import annotations

import json
from typing import Any

from ....sandbox.isolation import seccomp

_FOR_THE_ZYGOTE = ("mount", "setns", "umount2", "unshare")
_FAMILIES = {"unix": 1, "internet": 2, "internet 6": 10}
_ARCHITECTURES = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}
_REFUSE = {"action": "SCMP_ACT_ERRNO", "errnoRet": 1}


def container_filter(machine: str) -> str:
    """Return the profile as JSON.

    Args:
        machine: the daemon's architecture, as `platform.machine()` names it.
    """
    names = [each for each in seccomp.refused_names() if each not in _FOR_THE_ZYGOTE]
    profile: dict[str, Any] = {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": [_ARCHITECTURES[machine]],
        "syscalls": [{"names": sorted(names), **_REFUSE}, *_socket_rules()],
    }
    return json.dumps(profile)


def is_known(machine: str) -> bool:
    """Whether there is a filter for this architecture."""
    return machine in _ARCHITECTURES


def _socket_rules() -> list[dict[str, Any]]:
    """Return rules that refuse all socket families but three; each rule has one comparison."""
    highest = max(_FAMILIES.values())
    tests = [("SCMP_CMP_EQ", each) for each in range(highest) if each not in _FAMILIES.values()]
    tests.append(("SCMP_CMP_GT", highest))
    return [
        {
            "names": ["socket", "socketpair"],
            **_REFUSE,
            "args": [{"index": 0, "value": value, "op": test}],
        }
        for test, value in tests
    ]
