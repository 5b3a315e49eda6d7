"""Run in a process of its own: load a program as it is, and call into it.

python call_for_real.py FILE CALL   → the repr of what the call gives, as the last line
"""

from __future__ import annotations

import ast
import asyncio
import atexit
import inspect
import os
import runpy
import sys


def main() -> None:
    """Load, call, and print what came out."""
    names = runpy.run_path(sys.argv[1], run_name="program")
    value = eval(compile(sys.argv[2], "<call>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if inspect.iscoroutine(value):

        async def run():
            return await value

        value = asyncio.run(run())
    sys.stdout.write(f"{value!r}\n")
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # to take libraries down takes as long as many a call


main()
