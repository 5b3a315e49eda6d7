"""The mocks as text in a script: pieces of the runtime, and the statements that set them up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...slicer.emission.text_literal import text_literal
from ...slicer.repo.units import PRELUDE_END
from ..contacts import MOCKS_BEGIN, Mock
from ..shapes import ANY_KEY
from .runtime_pieces import carried, in_order, piece

_LOADER = '''\
def _slice_func_mocks(text):
    """Load what stands in for the outside world, as the module slice_func_mocks."""
    import linecache
    import sys
    import types

    before = sys.modules.get("slice_func_mocks")
    if before is not None:
        before.stop()  # the outside world belongs to the script that was loaded last
    module = types.ModuleType("slice_func_mocks", "Stands in for the outside world of a slice.")
    module.__file__ = "<slice_func_mocks>"
    linecache.cache[module.__file__] = (len(text), None, text.splitlines(True), module.__file__)
    sys.modules[module.__name__] = module
    exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
    return module.effects
'''
_PUBLIC = ("effects", "choose", "restart", "stop")
"""Names of the module that callers outside the script use."""
_WORD = re.compile(r"[^\W\d]\w*")
_UNIVERSAL = """

from slice_func_mocks import stub_getattr

__getattr__ = stub_getattr(__name__)
"""
"""Ends the text of an open module if undefined names of it may be read."""


def prelude(module: str) -> str:
    """Return the block above the script's own statements, with the text of the module."""
    return (
        f"{MOCKS_BEGIN}\n{_LOADER}\n\n_effects = _slice_func_mocks({text_literal(module)})\n"
        f"del _slice_func_mocks\n{PRELUDE_END}\n"
    )


def module_text(mocks: Sequence[Mock], *, universal: bool = True) -> str:
    """Return the text of the module `slice_func_mocks`.

    Args:
        mocks: the mocks in the module.
        universal: whether open modules answer undefined names with stubs.
    """
    wanted = ["world", *(piece for mock in mocks for piece in mock.pieces)]
    if any(mock.modules for mock in mocks):
        wanted.append("stub_modules")
    served = {
        module.name: module.text + (_UNIVERSAL if universal and module.is_open else "")
        for mock in mocks
        for module in mock.modules
    }
    modules = (
        "serve({\n"
        + "".join(f"{name!r}: {text_literal(text)},\n" for name, text in sorted(served.items()))
        + "})\n"
    )
    setups = [mock.setup.rstrip("\n") + "\n" for mock in mocks if mock.setup.strip()]
    users = [*([modules] if served else []), *setups]
    if any(ANY_KEY in text for text in users):
        wanted.append("any_key")
        users.insert(0, "answer_any_key()\n")
    roots = {*_PUBLIC, *(word for text in users for word in _WORD.findall(text))}
    pieces = carried([piece(name) for name in in_order(wanted)], roots)
    return "from __future__ import annotations\n\n" + "\n\n".join([*pieces, *users])
