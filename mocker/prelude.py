"""The text that a mocked script carries: pieces of the runtime, and what sets them up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ..slicer.emission.literal import text_literal
from ..slicer.units import PRELUDE_BEGIN, PRELUDE_END
from .model import Mock

if TYPE_CHECKING:
    from ..slicer.model import Slice

_BEGIN = f"{PRELUDE_BEGIN} mocks: what stands in for the outside world"
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
_NEEDED = re.compile(
    r"^from \.(\w+) import [^(\n]+\n|^from \.(\w+) import \([^)]*\)\n", re.MULTILINE
)
_FUTURE = re.compile(r"^from __future__ import annotations\n+", re.MULTILINE)
_DOCSTRING = re.compile(r'\A"""(.+?)(?:\n\n.*?)?"""\n+', re.DOTALL)


def prelude(mocks: Sequence[Mock]) -> str:
    """The block that goes on top of the script's own statements."""
    module = module_text(mocks)
    return (
        f"{_BEGIN}\n{_LOADER}\n\n_effects = _slice_func_mocks({text_literal(module)})\n"
        f"del _slice_func_mocks\n{PRELUDE_END}\n"
    )


def is_mocked(sliced: Slice) -> bool:
    """Whether the target's file is itself a script with mocks."""
    return _BEGIN in sliced.source


def module_text(mocks: Sequence[Mock]) -> str:
    """The text of the module `slice_func_mocks`."""
    wanted = ["world", *(piece for mock in mocks for piece in mock.pieces)]
    if any(mock.modules for mock in mocks):
        wanted.append("stub_modules")
    pieces = [_stripped(name) for name in in_order(wanted)]
    served = {module.name: module.text for mock in mocks for module in mock.modules}
    modules = (
        "serve({\n"
        + "".join(f"{name!r}: {text_literal(text)},\n" for name, text in sorted(served.items()))
        + "})\n"
    )
    setups = [mock.setup.rstrip("\n") + "\n" for mock in mocks if mock.setup.strip()]
    return "from __future__ import annotations\n\n" + "\n\n".join(
        [*pieces, *([modules] if served else []), *setups]
    )


def in_order(names: Sequence[str]) -> tuple[str, ...]:
    """The pieces with those that they import, each after what it needs."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            for needed in _needs(name):
                add(needed)
            found[name] = None

    for name in names:
        add(name)
    return tuple(found)


@cache
def piece_text(name: str) -> str:
    """The source of a runtime piece, as it stands in its file."""
    return (files(__package__ or "") / "runtime" / f"{name}.py").read_text(encoding="utf-8")


def _needs(name: str) -> Iterator[str]:
    for found in _NEEDED.finditer(piece_text(name)):
        yield found[1] or found[2]


@cache
def _stripped(name: str) -> str:
    """A piece as it is carried: what it imports from other pieces stands above it already."""
    text = _NEEDED.sub("", piece_text(name))
    text = _FUTURE.sub("", text)
    text = _DOCSTRING.sub(lambda m: f"# {name}: {' '.join(m[1].split())}\n\n", text)
    return text.strip("\n") + "\n"
