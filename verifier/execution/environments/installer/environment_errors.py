"""Exceptions of environments: what is wrong with the machine or network, not with a package."""

from __future__ import annotations

from .....slicer.errors import SliceFuncError


class InstallError(SliceFuncError):
    """Nothing can be installed here and now; its text says what to do."""

    exit_status = 4


class NotInstalledError(SliceFuncError):
    """A lock cannot be installed because of what is in it; the text is the installer's."""

    exit_status = 4
