"""Errors of the machine or network, not of a package, while making environments."""

from __future__ import annotations

from .....slicer.errors import SliceFuncError


class InstallError(SliceFuncError):
    """Nothing can be installed at present. The message says what to do."""

    exit_status = 4


class NotInstalledError(SliceFuncError):
    """A lock cannot be installed because of its contents. The message is uv's."""

    exit_status = 4
