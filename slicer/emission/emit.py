"""Choose the layout and write the slice in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module

from ..closure.worklist import Closure
from ..errors import NotSupportedError
from ..model import Layout
from ..repo.repository import Module
from ..resources.data_files import data_files, large_data_files
from .emission import Emission, KeptTexts, script_emission
from .kept_text import ModuleText, module_text
from .layouts import flat
from .module_answers import recent
from .plain_script import flat_script


def emit(
    closure: Closure, targets: Sequence[Module], bound: Mapping[str, Sequence[str]],
    layouts: Sequence[Layout],
) -> Emission:  # fmt: skip
    """Write the closure in the first layout that succeeds.

    Raises:
        NotSupportedError: `flat` was requested and is not provably safe.
    """
    is_tree = layouts[0].is_tree
    texts = _texts(closure)
    data = data_files(closure)
    if is_tree:
        data |= large_data_files(closure)
    if closure.is_slice and not is_tree:
        # its loader is kept verbatim, so the layout stays the same
        source, lines = flat_script([texts[module.name] for module in targets])
        return script_emission(source, flat.LAYOUT, "already a slice", lines)
    kept = KeptTexts(closure, targets, bound, texts, data)
    why = "asked for"
    for layout in layouts:
        written = _written(layout, kept, why)
        if isinstance(written, Emission):
            return written
        why = written
    raise NotSupportedError(
        f"--emit {layouts[-1].name} is not safe here: {why}", "use --emit modules"
    )


def _written(layout: Layout, kept: KeptTexts, why: str) -> Emission | str:
    """Return the slice in a layout, or why it cannot be written in that layout."""
    module = import_module(f".layouts.{layout.name}.{layout.name}_layout", __package__)
    written: Emission | str = module.write(kept, why)
    return written


def _texts(closure: Closure) -> dict[str, ModuleText]:
    has_docstrings = "__doc__" in closure.flags
    repository = closure.names.repository
    found: dict[str, ModuleText] = {}
    for name, kept in sorted(closure.modules.items()):
        found[name] = recent(
            repository, kept, ("text", has_docstrings),
            partial(module_text, kept, with_docstring=has_docstrings),
        )  # fmt: skip
    return found
