"""Compile each source to bytecode once, for all environments that contain it.

Compiling takes most of the installation time, and environments of one repository share
distributions. So bytecode is stored by the digest of its source, for each kind of interpreter, and
linked into every later environment. Loading a module replaces the path that the compiler saw by its
own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from .environment_errors import InstallError

_TESTS = "tests"
"""Folders whose modules only test runners import: half of the sources of some distributions."""
_ENVIRONMENT = {"LANG": "C.UTF-8"}


def compile_bytecode(folder: Path, store: Path, python: Path, seconds: float) -> None:
    """Give the modules below a folder their bytecode, except for tests.

    The base interpreter compiles, since the environment's own would run `.pth` files. Files that do
    not compile are skipped.

    Args:
        folder: the environment's `lib`.
        store: store of compiled files; new ones are added.
        python: the environment's base interpreter.
        seconds: time limit in seconds.

    Raises:
        InstallError: the interpreter does not run.
    """
    tag, magic = _kind(python)
    kept = store / f"{tag}-{magic}"
    kept.mkdir(parents=True, exist_ok=True)
    missing: list[tuple[Path, Path, Path]] = []
    for source in _sources(folder):
        place = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
        known = kept / hashlib.sha256(source.read_bytes()).hexdigest()
        if not _linked(known, place):
            missing.append((source, place, known))
    if missing:
        _compile([source for source, _, _ in missing], python, seconds)
    for _, place, known in missing:
        with contextlib.suppress(OSError):  # uncompiled, already stored, or no hard links
            os.link(place, known)


def _sources(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        if _TESTS in folders:
            folders.remove(_TESTS)
        for name in files:
            source = Path(place, name)
            if source.suffix == ".py" and source.is_file() and name.isprintable():
                yield source


def _linked(known: Path, place: Path) -> bool:
    """Link a stored file to a place. Return whether it was in the store."""
    place.parent.mkdir(exist_ok=True)
    try:
        os.link(known, place)
    except FileNotFoundError:
        return False
    except OSError:  # the file has the largest number of links
        shutil.copyfile(known, place)
    return True


def _compile(sources: Sequence[Path], python: Path, seconds: float) -> None:
    command = [python, "-I", "-S", "-m", "compileall", "-q", "-q",
               "--invalidation-mode", "unchecked-hash", "-i", "-"]  # fmt: skip
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            command, input=b"".join(os.fsencode(source) + b"\n" for source in sources),
            capture_output=True, check=False, timeout=seconds, env=_ENVIRONMENT,
        )  # fmt: skip


@lru_cache(maxsize=16)
def _kind(python: Path) -> tuple[str, str]:
    """Return an interpreter's cache tag and the magic number of its bytecode."""
    code = (
        "import sys, importlib.util as u; print(sys.implementation.cache_tag, u.MAGIC_NUMBER.hex())"
    )
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", code], capture_output=True, text=True, check=True,
            timeout=60, env=_ENVIRONMENT,
        )  # fmt: skip
        tag, magic = done.stdout.split()
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise InstallError(f"{python} is no Python that runs: {error}", "install it anew") from None
    return tag, magic
