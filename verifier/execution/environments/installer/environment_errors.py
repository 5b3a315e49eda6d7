"""Errors of the machine or network, not of a package, while making environments."""

from __future__ import annotations

from .....slicer.errors import SliceFuncError


class InstallError(SliceFuncError):
    """Nothing can be installed here and now."""

    exit_status = 4
    advice = "look at the index and the network; --no-install takes the interpreter at hand"


class NotInstalledError(SliceFuncError):
    """A lock cannot be installed because of its contents. The message is uv's."""

    exit_status = 4
    advice = "stub what cannot be installed with --stub, or use --no-install"
