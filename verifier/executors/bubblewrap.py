"""The command that starts a zygote inside bubblewrap: what it shows, and what it keeps."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..errors import SandboxError
from .interface import Profile
from .interpreters import Interpreter, exposed, find_interpreter

SANDBOXED = Path(__file__).resolve().parent.parent / "sandboxed"
PACKAGE = "_sandboxed"
RUNNER = "/runner"
"""Where that folder lies inside, and the name of the package that it is there."""
_USER = 1000  # inside; as which user this counts outside is the parent's choice
_ENTRY = f"import sys; sys.path.insert(0, {RUNNER!r}); from {PACKAGE}.zygote import main; del sys.path[:2]; main(sys.argv[1])"  # noqa: E501
_ETC = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl/certs")
_KEPT_RIGHTS = ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_KILL", "CAP_NET_ADMIN")
_FILES = {
    "/etc/passwd": f"sandbox:x:{_USER}:{_USER}:sandbox:/box:/bin/sh\n",
    "/etc/group": f"sandbox:x:{_USER}:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def find_bubblewrap() -> str:
    """Path of the program.

    Raises:
        SandboxError: it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap is not installed: install the package `bubblewrap`")
    return found


def files_of_sandbox() -> dict[str, str]:
    """Files that the sandbox has instead of the machine's own: path and text."""
    return dict(_FILES)


def environment(interpreter: Interpreter, hash_seed: int) -> dict[str, str]:
    """All environment variables that scripts see."""
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
    return {
        "PATH": f"{interpreter.executable.parent}:/usr/bin:/bin",
        "HOME": "/box",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "USER": "sandbox",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in threads},
    }


def command(
    profile: Profile, descriptor: int, *, has_memory_group: bool
) -> tuple[list[str], list[int]]:
    """The command, and further descriptors it must inherit; the caller closes those.

    Args:
        profile: interpreter and what it imports first.
        descriptor: our socket's other end, which the zygote will serve.
        has_memory_group: whether the parent bounds memory by a control group.
    """
    interpreter = find_interpreter(profile.python)
    _compile_runner()
    words = [
        find_bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
        "--hostname", "sandbox", "--uid", str(_USER), "--gid", str(_USER),
        "--ro-bind", "/usr", "/usr",
        "--tmpfs", "/tmp",  # noqa: S108 - for what is imported first; scripts have their own
    ]  # fmt: skip
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for name in _ETC:
        if Path(name).exists():
            words += ["--ro-bind", str(Path(name).resolve()), name]
    for folder in (*interpreter.folders, *profile.readable):
        words += ["--ro-bind", str(folder), str(folder)]
    for target, link in interpreter.links:
        words += ["--symlink", target, link]
    for folder in exposed(profile.hidden, sources(words)):
        words += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    words += ["--ro-bind", str(SANDBOXED), f"{RUNNER}/{PACKAGE}"]
    inherited = _in_memory(_FILES.values())
    for path, file in zip(_FILES, inherited, strict=True):
        words += ["--ro-bind-data", str(file), path]
    words += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/box", "/store"):  # places to mount on
        words += ["--dir", folder]
    for right in _KEPT_RIGHTS:
        words += ["--cap-add", right]
    for name, value in environment(interpreter, profile.hash_seed).items():
        words += ["--setenv", name, value]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"]
    arguments = {
        "descriptor": descriptor,
        "profile": profile.name,
        "preload": profile.preload,
        "has_memory_group": has_memory_group,
        "shown": [str(each) for each in (*interpreter.folders, *profile.readable)],
    }
    words += [str(interpreter.executable), "-s", "-B", "-c", _ENTRY, json.dumps(arguments)]
    return words, inherited


@cache
def _compile_runner() -> None:
    """Keep the bytecode of what runs inside, where nothing can be written: a third of a start.

    Only interpreters of our own version take it.
    """
    if not sys.dont_write_bytecode and os.access(SANDBOXED, os.W_OK):
        import compileall

        compileall.compile_dir(SANDBOXED, maxlevels=0, quiet=2)


def sources(words: list[str]) -> list[str]:
    """Paths outside that a command shows inside."""
    return [words[at + 1] for at, word in enumerate(words) if word == "--ro-bind"]


def _in_memory(texts: Iterable[str]) -> list[int]:
    """A file for each text; all or none."""
    files: list[int] = []
    try:
        for text in texts:
            files.append(os.memfd_create("file"))
            os.write(files[-1], text.encode())
            os.lseek(files[-1], 0, os.SEEK_SET)
    except OSError:
        for file in files:
            os.close(file)
        raise
    return files
