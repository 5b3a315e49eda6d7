"""Starts foreign code: interpreter of its own, no network, nothing writable but one folder."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
INSTALLED = "/tmp/environment"
"""Where the virtual environment is found by what runs in it."""


def entry(module: str) -> str:
    """Python text that runs `main` of a module of ours without leaving our folder on the path.

    Our folder goes away after the import: its `tests` must not hide the package's.
    """
    return (
        "import sys; sys.dont_write_bytecode = True; "
        f"sys.path.insert(0, {str(_ROOT)!r}); "
        f"from benchmarks.{module} import main; sys.path.remove({str(_ROOT)!r}); sys.exit(main())"
    )


def command(
    environment: Path, module: str, *arguments: str, writable: Path, folder: Path | None = None
) -> list[str]:
    """The command that runs `benchmarks.<module>` in another virtual environment.

    The environment is mounted at one place, whichever it is: its paths show in results, and those
    of the environments with and without the package must not differ.
    """
    started = ["-P", "-c", entry(module), *arguments]
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        print("replay: bwrap is not installed, foreign code runs with the network", file=sys.stderr)
        return [str(environment / "bin" / "python"), *started]
    binds = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    binds += ["--ro-bind", str(environment), INSTALLED]
    binds += ["--ro-bind", str(_ROOT), str(_ROOT)]  # it may lie below the hidden /tmp
    binds += ["--bind", str(writable), str(writable), "--chdir", str(folder or writable)]
    python = f"{INSTALLED}/bin/python"
    return [bwrap, *binds, "--unshare-net", "--die-with-parent", "--", python, *started]


def variables(**more: str) -> dict[str, str]:
    """A small, fixed environment."""
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    fixed = {"PYTHONHASHSEED": "0", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return keep | fixed | more
