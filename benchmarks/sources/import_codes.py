"""Code of carried modules, compiled once for all scripts that carry the same text.

Scripts of one package carry mostly the same modules, and compiling them takes far longer than
running them. The import process compiles their texts before it forks, which runs none of them; in
the fork `compile` then answers with that code where a script asks for just that text and file.
Standard library only, like the runner that loads this file.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import functools
import gc
import types
import warnings
from collections.abc import Callable, Iterator
from inspect import currentframe
from pathlib import Path
from typing import cast

MAX_HELD = 20_000
"""Texts whose code is held at most."""
_FLAGS: tuple[int, ...] = tuple(
    getattr(__future__, name).compiler_flag for name in __future__.all_feature_names
)
_INHERITED = functools.reduce(int.__or__, _FLAGS)
"""Flags of the compiler that code takes over from where it is compiled."""

Codes = dict[tuple[str, str], types.CodeType]


def prepare(codes: Codes, script: str) -> None:
    """Compile what a script carries, as far as no earlier one did."""
    base = Path(script).absolute().parent
    before = len(codes)
    for path, text in _carried(script):
        key = (text, str(base.joinpath(*path.split("/"))))
        if key not in codes:
            code = _compiled(*key)
            if code is not None:
                codes[key] = code
    if len(codes) != before:
        for key in list(codes)[: max(len(codes) - MAX_HELD, 0)]:
            del codes[key]
        gc.collect()
        gc.freeze()  # so that no fork copies them by looking for garbage


def serve(codes: Codes) -> None:
    """Let `compile` answer with known code, in this process from now on."""
    original = cast("Callable[..., object]", builtins.compile)

    def answering(
        source: object, filename: object, mode: str, flags: int = 0, dont_inherit: bool = False,
        optimize: int = -1, *, _feature_version: int = -1,
    ) -> object:  # fmt: skip
        is_plain = dont_inherit and not flags and optimize == -1 and mode == "exec"
        if is_plain and type(source) is str and type(filename) is str:
            known = codes.get((source, filename))
            if known is not None:
                return known
        if not dont_inherit:
            # without this the flags of this file would be inherited, not the caller's
            frame = currentframe()
            caller = frame.f_back if frame else None
            flags |= caller.f_code.co_flags & _INHERITED if caller else 0
        return original(
            source, filename, mode, flags, True, optimize, _feature_version=_feature_version
        )

    builtins.__dict__["compile"] = answering


def _compiled(text: str, file: str) -> types.CodeType | None:
    """The code; `None` where compiling fails or warns, which is for the script to meet."""
    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            code = compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if found else code


def _carried(script: str) -> Iterator[tuple[str, str]]:
    """Path and text of each carried module, as the script's loader puts it together."""
    text = Path(script).read_bytes().decode("utf-8")
    if "\n_slice_func(\n" not in text:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="_slice_func"), keywords=keywords)):
                for keyword in keywords:
                    if keyword.arg == "sources":
                        sources = ast.literal_eval(keyword.value)
                        for path, _, pieces in sources.values():
                            yield path, _put_together(pieces)
            case _:
                pass


def _put_together(pieces: tuple[tuple[int, str], ...]) -> str:
    text = ""
    last = 1
    for line, piece in pieces:
        text += "\n" * (line - last) + piece
        last = line + piece.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    return text
