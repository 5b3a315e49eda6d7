"""Receivers that the graph's own analysis leaves open, resolved with jedi and astroid.

Both are optional (`pip install 'slice-func[infer]'`) and imported only when they are queried. They
read sources; nothing of the repository is imported or run (`import_guard`).
"""

from __future__ import annotations

from .library_inference import Inference, check_installed, infer_calls
from .receiver_answers import TOOLS, Answer, AnsweredCall, Budget, Tool

__all__ = [
    "TOOLS",
    "Answer",
    "AnsweredCall",
    "Budget",
    "Inference",
    "Tool",
    "check_installed",
    "infer_calls",
]
