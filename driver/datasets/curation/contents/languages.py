"""Languages of source files, by their endings."""

from __future__ import annotations

from collections.abc import Mapping

_ENDINGS = """
Python py pyi pyw
Cython pyx pxd pxi
C c h
C++ cc cpp cxx hh hpp hxx
C# cs
CUDA cu cuh
D d
Dart dart
Elixir ex exs
Erlang erl
F# fs
Fortran f f90 f95 for
Go go
Groovy groovy
Haskell hs
Java java
JavaScript js jsx mjs cjs
Julia jl
Kotlin kt
Lua lua
MATLAB m
Nim nim
Objective-C mm
OCaml ml mli
Perl pl pm
PHP php
PowerShell ps1
R r
Ruby rb
Rust rs
Scala scala
Shell sh bash zsh fish
SQL sql
Swift swift
Tcl tcl
TypeScript ts tsx
Vue vue
Zig zig
"""
_LANGUAGE = {
    ending: line.split()[0] for line in _ENDINGS.strip().splitlines() for ending in line.split()[1:]
}


def language_shares(sizes: Mapping[str, int]) -> dict[str, float]:
    """Return each programming language's share of the bytes of source code, largest first.

    Args:
        sizes: path of each file → its bytes.
    """
    counts: dict[str, int] = {}
    for path, size in sizes.items():
        _, dot, ending = path.rpartition("/")[2].rpartition(".")
        language = _LANGUAGE.get(ending.lower()) if dot else None
        if language is not None:
            counts[language] = counts.get(language, 0) + size
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return {language: round(count / total, 4) for language, count in ordered if total}
