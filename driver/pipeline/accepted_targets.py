"""Targets that a command accepts; others are refused with one line before anything runs."""

from __future__ import annotations

from pathlib import Path

from ...slicer.emission.choose_layout import layout_of
from ...slicer.errors import NotSupportedError, TargetError
from ...slicer.model import Slice
from ...slicer.repo.target_paths import walk_definitions
from ...verifier.script.module_statements import statements_of
from ...verifier.script.source_map import original_text
from ...verifier.script.target_lines import target_definitions


def require_script(sliced: Slice) -> None:
    """Refuse a slice that is no single script.

    Raises:
        NotSupportedError: the slice is a tree of files.
    """
    if layout_of(sliced.manifest).is_tree:
        raise NotSupportedError("--verify takes one script", "use another layout than package")


def require_function(folder: Path, sliced: Slice) -> None:
    """Refuse a class: no search calls all of its methods.

    Raises:
        TargetError: the target is a class.
    """
    (target, *_) = sliced.manifest.targets
    text = original_text(folder / target.path)
    found = list(target_definitions(text, sliced.manifest, target))
    if not found or any(each.kind != "class" for each in found):
        return
    named = [name for name, _node in walk_definitions(statements_of(text).body)]
    inside = [name for name in named if name.startswith(f"{target.qualname}.")]
    plain = [name for name in inside if not name.endswith("__")]
    if not inside:
        raise TargetError(f"{target} is a class without methods", "name a function for --test")
    method = f"{target.path}::{(plain or inside)[0]}"
    raise TargetError(
        f"{target} is a class: --test takes one of its methods", f"name one, as {method}"
    )
