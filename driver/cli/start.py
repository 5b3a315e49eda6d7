"""Where the process begins: what loads after it can be interrupted without a traceback."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line of the process; return its exit status."""
    try:
        from .command import main as run
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("slice-func: interrupted\n")
        return 130
    return run()
