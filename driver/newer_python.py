"""Going on under a newer Python, where the text of a repository asks for one.

A Python parses no syntax that is newer than itself. Where this machine has a Python that does, the
command runs again under that one, with the packages that this one has: they are pure Python, but
for LibCST, which the slicer and the verifier then do without.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..slicer.errors import SliceFuncError
from ..verifier.environments.pythons import find_python, python_version
from .caches import cache_folder
from .console import say

_START = """
import site, sys
for folder in sys.argv.pop(1).split({separator!r}):
    site.addsitedir(folder)
from slicefunc.driver.cli import main
sys.exit(main())
"""


def go_on_under(version: str, words: Sequence[str]) -> None:
    """Replace this process by the same command under a Python that is new enough.

    Returns where this Python is new enough, or none is found that is.
    """
    wanted = tuple(map(int, version.split(".")))
    if sys.version_info[:2] >= wanted or sys.platform == "win32":  # `exec` starts a child there
        return
    try:
        python = find_python(f">={version}", cache_folder())
        if python is None:
            return
        name = python_version(python)
    except SliceFuncError:
        return
    say(f"going on under Python {name}, which reads what is written for {version} or later")
    sys.stdout.flush()
    folders = os.pathsep.join(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    start = _START.format(separator=os.pathsep)
    os.execv(python, [str(python), "-c", start, folders, *words])  # noqa: S606 - a list, no shell
