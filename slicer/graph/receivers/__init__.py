"""Receivers that the graph's own analysis leaves open, resolved with jedi.

jedi is optional (`pip install 'slice-func[infer]'`) and imported only when it is queried. It reads
sources; nothing of the repository is imported or run (`import_guard`).
"""

from __future__ import annotations

from .library_inference import Inference, check_installed, infer_calls
from .receiver_answers import Answer, AnsweredCall, Budget

__all__ = [
    "Answer",
    "AnsweredCall",
    "Budget",
    "Inference",
    "check_installed",
    "infer_calls",
]
