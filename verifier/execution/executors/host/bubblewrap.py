"""The command that starts a zygote inside bubblewrap, with what is visible and kept."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ....errors import SandboxError
from ....sandbox.isolation.absent import ABSENT
from ..interface import Profile
from . import system_files
from .interpreters import Interpreter, exposed, find_interpreter, pythons_in

SANDBOXED = Path(__file__).resolve().parents[3] / "sandbox"
PACKAGE = "_sandboxed"
RUNNER = "/runner"
"""Mount point of the sandbox's folder inside, and the name of its package there."""
_USER = 1000  # the user id inside; the parent chooses the one outside
_ENTRY = f"import sys; sys.path.insert(0, {RUNNER!r}); from {PACKAGE}.zygote import main; del sys.path[:2]; main(sys.argv[1])"  # noqa: E501
_ETC = ("/etc/alternatives", "/etc/localtime", "/etc/ssl/certs")
_KEPT_RIGHTS = ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_KILL", "CAP_NET_ADMIN")
_FILES = {
    "/etc/passwd": f"sandbox:x:{_USER}:{_USER}:sandbox:/box:/bin/sh\n",
    "/etc/group": f"sandbox:x:{_USER}:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def find_bubblewrap() -> str:
    """Return the path of bubblewrap.

    Raises:
        SandboxError: bubblewrap is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap is not installed", "install the package `bubblewrap`")
    return found


def files_of_sandbox() -> dict[str, str]:
    """Return files that replace the machine's own in the sandbox: path and text."""
    return dict(_FILES)


def environment(interpreter: Interpreter, hash_seed: int) -> dict[str, str]:
    """Return all environment variables that scripts see."""
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
    """Return the command, and further descriptors to inherit, which the caller closes.

    Args:
        profile: interpreter and its preloaded modules.
        descriptor: the socket that the zygote serves.
        has_memory_group: whether the parent limits memory by a control group.
    """
    interpreter = find_interpreter(profile.python)
    _compile_runner()
    inherited = _Inherited([])
    words = [
        find_bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
        "--hostname", "sandbox", "--uid", str(_USER), "--gid", str(_USER),
        "--tmpfs", "/tmp",  # noqa: S108 - for what is imported first; scripts have their own
    ]  # fmt: skip
    try:
        words += _system()
        words += _own(interpreter, profile, inherited)
    except OSError:
        inherited.close()
        raise
    words += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/box", "/store"):  # mount points
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
    return words, inherited.descriptors


def _system() -> Iterator[str]:
    """Yield options for the visible parts of the machine."""
    libraries = system_files.library_folders()
    for folder in libraries:
        yield from _shown(folder)
    for folder in pythons_in(libraries):
        yield from _covered(folder)
    for path in (*system_files.data(), *map(Path, _ETC)):
        if path.exists():
            yield from ("--ro-bind", str(path.resolve()), str(path))
    for path, names in system_files.programs():
        yield from ("--ro-bind", str(path), str(system_files.BIN / names[0]))
        for name in names[1:]:
            yield from ("--symlink", names[0], str(system_files.BIN / name))
    for target, link in system_files.links():
        yield from ("--symlink", target, str(link))


def _own(interpreter: Interpreter, profile: Profile, inherited: _Inherited) -> Iterator[str]:
    """Yield options for the interpreter and the scripts' folders, with their covered parts."""
    shown = [*interpreter.folders, *interpreter.programs, *profile.readable]
    for path in shown:
        yield from _shown(path)
    for target, link in interpreter.links:
        yield from ("--symlink", target, link)
    for folder in interpreter.covered:
        yield from _covered(folder)
    for path in exposed(profile.hidden, shown):
        yield from _hidden(path, inherited)
    yield from ("--ro-bind", str(SANDBOXED), f"{RUNNER}/{PACKAGE}")
    for path, text in _FILES.items():
        yield from ("--ro-bind-data", str(inherited.in_memory(text)), path)


def _shown(path: Path) -> tuple[str, ...]:
    return ("--ro-bind", str(path), str(path))


def _covered(folder: Path) -> tuple[str, ...]:
    return ("--tmpfs", str(folder), "--remount-ro", str(folder))


def _hidden(path: Path, inherited: _Inherited) -> Iterator[str]:
    """Yield options that cover a path; a covered module cannot be imported."""
    if not path.is_dir():
        text = ABSENT if path.suffix == ".py" else ""
        yield from ("--ro-bind-data", str(inherited.in_memory(text)), str(path))
        return
    yield from ("--tmpfs", str(path))
    if (path / "__init__.py").exists():
        yield from ("--file", str(inherited.in_memory(ABSENT)), str(path / "__init__.py"))
    yield from ("--remount-ro", str(path))


@cache
def _compile_runner() -> None:
    """Write bytecode of the sandbox's modules, which cannot be written inside: a third of a start.

    Only interpreters of the running version use it.
    """
    if not sys.dont_write_bytecode and os.access(SANDBOXED, os.W_OK):
        import compileall

        compileall.compile_dir(SANDBOXED, maxlevels=2, quiet=2)


def sources(words: list[str]) -> list[str]:
    """Return the outside paths that a command makes visible."""
    return [words[at + 1] for at, word in enumerate(words) if word == "--ro-bind"]


@dataclass(frozen=True, slots=True)
class _Inherited:
    """Files that the command reads its data from."""

    descriptors: list[int]

    def in_memory(self, text: str) -> int:
        """Return the descriptor of a file with this text."""
        file = self._kept(os.memfd_create("file"))
        os.write(file, text.encode())
        os.lseek(file, 0, os.SEEK_SET)
        return file

    def close(self) -> None:
        """Close all files."""
        for each in self.descriptors:
            os.close(each)

    def _kept(self, descriptor: int) -> int:
        self.descriptors.append(descriptor)
        return descriptor
