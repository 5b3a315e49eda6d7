"""Exceptions of the verifier."""

from __future__ import annotations

from typing import Self

from ..slicer.errors import SliceFuncError


class SandboxError(SliceFuncError):
    """The sandbox cannot work on this machine."""

    exit_status = 4
    advice = "try again, or name another executor with --executor"

    @classmethod
    def of(cls, detail: str) -> Self:
        """Return the error for a run whose failure says nothing about the code that ran."""
        return cls(f"the sandbox failed: {detail}")
