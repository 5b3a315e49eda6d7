"""Restart the command under a newer Python where the repository's code needs one."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ...verifier.execution.environments.installer.pythons import python_version
from ..console.streams import say
from ..places.newer_python import command_under, newer_python

_MODULE = "slicefunc.driver.cli.command"


def reexec_under(version: str, words: Sequence[str]) -> None:
    """Replace this process by the same command under a Python that is new enough.

    Return if this Python is new enough, or no such Python is found.
    """
    if sys.platform == "win32":  # `exec` starts a child there
        return
    python = newer_python(version)
    if python is None:
        return
    name = python_version(python)
    say(f"going on under Python {name}, which reads what is written for {version} or later")
    sys.stdout.flush()
    command = command_under(python, _MODULE, words)
    os.execv(command[0], command)  # noqa: S606 - a list, no shell
