"""Entry point for another Python than the one with slice-func installed: run the `main` of a
module.

This file is run by path, because spawned processes run it again before they import any module of
slice-func. Only the `.pth` files of the given folders say where slice-func is.
"""

import importlib
import os
import site
import sys

_FOLDERS = "SLICE_FUNC_PACKAGES"


def _start() -> None:
    """Read the package folders, the module and its arguments from the command line."""
    os.environ[_FOLDERS], module = sys.argv[1:3]
    del sys.argv[1:3]
    sys.path[0] = ""  # as for `python -c`: no modules beside this file
    _add_packages()
    sys.exit(__import__(module, fromlist=["main"]).main())


def _add_packages() -> None:
    for folder in os.environ[_FOLDERS].split(os.pathsep):
        site.addsitedir(folder)
    importlib.invalidate_caches()  # modules of the added folders may have been searched before


if __name__ == "__main__":
    _start()
elif __name__ == "__mp_main__":
    _add_packages()
