"""Find an interpreter on this machine that a repository supports."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from .environment_errors import InstallError
from .uv_process import run_uv

_CLAUSE = re.compile(r"(~=|===?|!=|<=|>=|<|>)\s*(\d+(?:\.\d+)*)(\.\*)?")


def find_python(
    requires_python: str, cache: Path, preferred: Path = Path(sys.executable)
) -> Path | None:
    """Return an interpreter that the specifier allows; `None` if there is none.

    Prefers the given one, then the one that uv finds, then the oldest one of pyenv.

    Raises:
        InstallError: uv is absent.
    """
    if allows(requires_python, python_version(preferred)):
        return preferred
    ran = run_uv(("python", "find", "--system", requires_python), cache, seconds=60)
    if ran.status == 0 and ran.output.strip():
        return Path(ran.output.strip())
    found = (python for version, python in _pyenv() if allows(requires_python, version))
    return next(found, None)


def _pyenv() -> Iterator[tuple[str, Path]]:
    """Yield versions and interpreters of pyenv, oldest first; most are not on the PATH."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for _, version, folder in sorted(
        ([int(part) for part in found[1].split(".")], found[1], folder)
        for folder in (root / "versions").glob("*")
        if (found := re.fullmatch(r"(\d+\.\d+\.\d+)", folder.name))
    ):
        python = folder / "bin" / "python"
        if os.access(python, os.X_OK):
            yield version, python


def allows(specifier: str, version: str) -> bool:
    """Whether a specifier allows some patch release of a minor version of Python."""
    minor = tuple(map(int, version.split(".")))[:2]
    return all(
        _allows(found[1], found[2], minor, is_prefix=bool(found[3]))
        for found in _CLAUSE.finditer(specifier)
    )


def _allows(sign: str, bound: str, minor: tuple[int, ...], *, is_prefix: bool) -> bool:
    numbers = tuple(map(int, bound.split(".")))
    first = (*numbers[:2], *(0,) * (2 - len(numbers)))
    is_exact = len(numbers) < 3 or not any(numbers[2:])  # excludes at most the first patch release
    match sign:
        case ">=" | ">":
            return minor >= first
        case "<":
            return minor < first or (minor == first and not is_exact)
        case "<=":
            return minor <= first
        case "~=":
            return minor >= first and (len(numbers) < 3 or minor == first) and minor[0] == first[0]
        case "!=":
            return not (is_prefix and minor[: len(numbers)] == numbers[:2])
        case _:
            return minor[: len(numbers)] == numbers[:2]


@lru_cache(maxsize=16)
def python_version(python: Path) -> str:
    """Return major and minor version of an interpreter.

    Raises:
        InstallError: the interpreter does not run.
    """
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InstallError(f"{python} is no Python that runs: {error}", "install it anew") from None
    return done.stdout.strip()
