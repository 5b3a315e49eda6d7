"""INI files, as `configparser` reads them: the sections and options that a slice reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from ...source.kept_code import KeptCode

_SECTION = re.compile(r"[^\[\]\r\n]+")
_OPTION = re.compile(r"[^\s=:#;\[](?:[^=:\r\n]*[^\s=:])?")


def option_file(code: KeptCode, keys: Iterable[str]) -> str:
    """Return a file with the sections and options that the slice reads.

    Args:
        code: the kept code of the slice.
        keys: all keys that the slice reads from any object.
    """
    found: dict[str, dict[str, str]] = {}
    for kept in code.statements:
        for node in code.walk(kept.node):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="get" | "getint" | "getfloat" | "getboolean" as how),
                    args=[ast.Constant(value=str(section)), ast.Constant(value=str(option)), *_],
                ):
                    text = option.lower().replace("_", "-") if how == "get" else "1"
                    found.setdefault(section, {}).setdefault(option, text)
                case ast.Call(
                    func=ast.Name(id="int" | "float"),
                    args=[
                        ast.Call(
                            func=ast.Attribute(attr="get"),
                            args=[
                                ast.Constant(value=str(section)),
                                ast.Constant(value=str(option)),
                                *_,
                            ],
                        )
                    ],
                ):
                    found.setdefault(section, {})[option] = "1"
                case ast.Call(
                    func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"),
                    args=[
                        ast.Starred(
                            value=ast.Call(
                                func=ast.Attribute(
                                    value=ast.Subscript(slice=ast.Constant(value=str(section))),
                                    attr="values",
                                )
                            )
                        )
                    ],
                ):
                    found.setdefault(section, {}).update(_filling(text))
                case ast.Call(
                    func=ast.Attribute(attr="set" | "has_option"),
                    args=[ast.Constant(value=str(section)), ast.Constant(value=str(option)), *_],
                ):
                    found.setdefault(section, {}).setdefault(option, "1")
                case ast.Subscript(
                    value=ast.Subscript(slice=ast.Constant(value=str(section))),
                    slice=ast.Constant(value=str(option)),
                ):
                    found.setdefault(section, {}).setdefault(option, "1")
                case ast.Subscript(slice=ast.Constant(value=str(section))):
                    found.setdefault(section, {})
                case ast.Call(
                    func=ast.Attribute(attr="items" | "options"),
                    args=[ast.Constant(value=str(section))],
                ):
                    found.setdefault(section, {"option": "text"})
                case _:
                    pass
    # for a section name in a variable, each section offers the options read from it
    loose = dict.fromkeys(sorted({key for key in keys if key not in found}), "1")
    return "".join(
        f"[{section}]\n" + _written(options or loose)
        for section, options in found.items()
        if _SECTION.fullmatch(section) and (section != "DEFAULT" or options)
    )


def _written(options: Mapping[str, str]) -> str:
    """Return the lines of valid option names, without two that differ only in case."""
    able = {name.lower(): name for name in reversed([*options]) if _OPTION.fullmatch(name)}
    kept = {*able.values()}
    return "".join(f"{name} = {value}\n" for name, value in options.items() if name in kept)


def _filling(text: str) -> dict[str, str]:
    """Return options for each placeholder of a text filled by a section: `port={}` is named."""
    names = re.findall(r"(?:(\w+)\s*[=:]\s*)?\{\}", text)
    return {
        name or f"option{number}": "1" if name == "port" else name or "text"
        for number, name in enumerate(names, 1)
    }
