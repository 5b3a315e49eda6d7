"""Names of blobs."""

from __future__ import annotations

import hashlib


def digest(content: bytes) -> str:
    """Return the SHA-256 of a content, which names it."""
    return hashlib.sha256(content).hexdigest()
