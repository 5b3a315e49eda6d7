"""Code of the modules that a script carries as text, compiled once for all its runs.

Compiling takes longer than most runs. The task `codes` does it in a process in which nothing else
runs. While a script is loaded, its loader gets that code when it compiles the same text.
"""

from __future__ import annotations

import binascii
import builtins
import contextlib
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_FLAGS = 0x1FE0000
"""Flags of a code object that `from __future__` sets."""
_compile: Raw = builtins.compile
_getframe = sys._getframe  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
_sum, _loads, _of_text = binascii.crc32, marshal.loads, binascii.a2b_base64


def code_of_module(module: Mapping[str, str]) -> Raw:
    """Return the code of a module with `path` and `text`, as the script's loader compiles it."""
    return _compile(module["text"], _file(module["path"]), "exec", dont_inherit=True)


def mark_of(text: str) -> int:
    """Return a checksum that matches code with the module text it was made from."""
    return _sum(text.encode("utf-8", "surrogatepass"))


@contextlib.contextmanager
def reused(modules: Sequence[Mapping[str, Raw]]) -> Generator[None]:
    """Replace `compile`, so that it returns the `compiled` code of these modules for their text."""
    known = {_file(each["path"]): each for each in modules if each["compiled"]}

    def compile(  # noqa: A001 - it stands for that
        source: Raw, filename: Raw, mode: Raw, flags: Raw = 0, dont_inherit: Raw = False,
        *rest: Raw, **named: Raw,
    ) -> Raw:  # fmt: skip
        is_plain = type(source) is type(filename) is str and mode == "exec" and not flags
        found = known.get(filename) if is_plain and dont_inherit is True else None
        if found is not None and mark_of(source) == found["mark"]:
            code = _loads(_of_text(found["compiled"]))
            if code.co_filename == filename:  # not if the folder differs in each run
                return code
        if not dont_inherit:  # flags of the caller, not of this function
            flags |= _getframe(1).f_code.co_flags & _FLAGS
        return _compile(source, filename, mode, flags, True, *rest, **named)

    if known:
        builtins.compile = compile
    try:
        yield
    finally:
        if builtins.compile is compile:
            builtins.compile = _compile


def _file(path: str) -> str:
    return os.path.join(os.getcwd(), *path.split("/"))
