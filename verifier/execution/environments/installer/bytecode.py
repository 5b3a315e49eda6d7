"""Bytecode: each source is compiled once, for all environments that have it.

Compiling takes most of the time of an installation, and environments of one repository are made of
the same distributions. So what was compiled is kept by the digest of its source, for each kind of
interpreter, and linked into every later environment with such a source. Loading a module puts the
path of its own source in place of the one that the compiler saw.
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
    """Give the modules below a folder their bytecode, except those of tests.

    The base interpreter compiles: the environment's own would run `.pth` files. Files that do not
    compile are left as they are.

    Args:
        folder: the environment's `lib`.
        store: what was compiled before; it takes what is new.
        python: the interpreter that the environment is made of.
        seconds: for compiling.

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
        with contextlib.suppress(OSError):  # not compiled, kept by another, or no links here
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
    """Put what is kept at a place; whether it was there."""
    place.parent.mkdir(exist_ok=True)
    try:
        os.link(known, place)
    except FileNotFoundError:
        return False
    except OSError:  # a file has as many links as it can have
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
    """What an interpreter calls its bytecode files, and the number that tells their format."""
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
        raise InstallError(f"{python} is no Python that runs: {error}") from None
    return tag, magic
