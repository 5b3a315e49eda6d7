"""Exceptions of the verifier."""

from __future__ import annotations

from typing import Self

from ..slicer.errors import SliceFuncError


class SandboxError(SliceFuncError):
    """The sandbox cannot work on this machine; its text says what to do."""

    exit_status = 4

    @classmethod
    def of(cls, detail: str) -> Self:
        """That a run has failed which says nothing about what was run."""
        return cls(f"the sandbox failed: {detail}")
