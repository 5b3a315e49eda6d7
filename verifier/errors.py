"""Exceptions of the verifier."""

from __future__ import annotations

from ..slicer.errors import SliceFuncError


class SandboxError(SliceFuncError):
    """The sandbox cannot work on this machine; its text says what to do."""

    exit_status = 4
