"""The `flat` layout: one plain script, used where merging the modules provably changes nothing."""

from __future__ import annotations

from ...emission import Emission, KeptTexts, script_emission
from ...merging.merge import merge
from ...plain_script import flat_script
from . import LAYOUT


def write(kept: KeptTexts, _why: str) -> Emission | str:
    """Return the merged script, or why merging is not provably safe."""
    merged = merge(kept.closure, kept.targets, kept.texts, kept.data)
    if isinstance(merged, str):
        return merged
    source, lines = flat_script(merged.texts)
    reason = "one module" if len(merged.texts) == 1 else "merging the modules changes nothing"
    return script_emission(source, LAYOUT, reason, lines, merged.edits)
