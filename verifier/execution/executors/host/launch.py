"""Switch from root to another user and run a command, with access to what it needs.

Run as a program by root. An interpreter may lie in a home folder that the other user cannot enter.
Then, in a private mount namespace that ends with the command, the closed folder is covered with an
empty one in which only the needed paths are visible.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

_CLONE_NEWNS = 0x00020000
_RECURSIVE, _PRIVATE, _BIND = 16384, 1 << 18, 4096
_NO_SETUID, _NO_DEVICES = 2, 4
_EVERYBODY_MAY_ENTER = 1


def main(user: int, needed: list[str], command: list[str]) -> None:
    """Switch to the user and execute the command."""
    closed = {path: folder for path in needed if (folder := _closed_folder(path))}
    if closed:
        _show_again(closed)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.execve(command[0], command, dict(os.environ))  # noqa: S606 - that is its purpose


def _closed_folder(path: str) -> str | None:
    """Return the first folder above a path that not everybody may enter."""
    parts = path.strip("/").split("/")
    for count in range(len(parts)):
        folder = "/" + "/".join(parts[:count])
        if not os.stat(folder).st_mode & _EVERYBODY_MAY_ENTER:
            return folder
    return None


def _show_again(closed: dict[str, str]) -> None:
    """Cover the closed folders and bind-mount the needed paths in them."""
    libc = ctypes.CDLL(None, use_errno=True)

    def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
        words = [each.encode() if each else None for each in (source, target, kind)]
        if libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None):
            number = ctypes.get_errno()
            raise OSError(number, f"mount on {target}: {os.strerror(number)}")

    if libc.unshare(_CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "no mount namespace: make the interpreter readable")
    descriptors = {path: os.open(path, os.O_PATH) for path in closed}
    mount("none", "/", None, _RECURSIVE | _PRIVATE)
    for folder in sorted(set(closed.values())):
        mount("tmpfs", folder, "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=0755,size=1m")
    for path, descriptor in sorted(descriptors.items()):
        source = f"/proc/self/fd/{descriptor}"
        if os.path.isdir(source):
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        mount(source, path, None, _BIND | _RECURSIVE)
        os.close(descriptor)


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    main(given["user"], given["needed"], given["command"])
