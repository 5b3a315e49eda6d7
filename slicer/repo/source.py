"""A Python file as text and tree: reading, decoding, parsing, and its physical lines.

Later passes cut whole physical lines out of `Source.lines`; nothing is ever printed back from the
tree, so text stays verbatim.
"""

from __future__ import annotations

import ast
import io
import re
import stat
import tokenize
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..errors import SourceError
from ..syntax.script_header import header_lines

MAX_BYTES = 32 * 1024 * 1024
"""Larger files are data, not code; parsing one would take gigabytes."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")

_ONLY_NEWER_SYNTAX = (
    (re.compile(r"^[ \t]*type\s+\w+\s*(\[[^\]]*\])?\s*=", re.M), "3.12 (type statement)"),
    (re.compile(r"^[ \t]*(?:async\s+)?(?:def|class)\s+\w+\s*\[", re.M), "3.12 (type parameters)"),
    (
        re.compile(r"^[ \t]*except\s+[\w.]+\s*,\s*(?:\w+\.)*[A-Z]\w*[^:]*:", re.M),
        "3.14 (except without parentheses)",
    ),
)
"""Syntax that is invalid in Python 2, or means something else there."""
_NEWER_SYNTAX = (
    *_ONLY_NEWER_SYNTAX,
    (re.compile(r"(?<![\w'\"])t(?:\"|')"), "3.14 (template strings)"),
    (re.compile(r"^[ \t]*except\s+\w+\s*,\s*\w+.*:", re.M), "3.14 (except without parentheses)"),
    (re.compile(r"\bf(?:\"|')"), "3.12 (quotes inside f-strings)"),
)
_NEEDED = re.compile(r"may need Python (3\.\d+)")
_OLD_SYNTAX = re.compile(
    r"""^[ \t]*(?:print\s+["'\w]|exec\s+["'\w]|raise\s+\w+\s*,|def\s+\w+\s*\([^()]*\(\w)"""
    r"""|`\w+`|\blambda\s*\([\w\s,()]*\)\s*:""",
    re.M,
)


@dataclass(frozen=True, eq=False)
class Source:
    """One file of the repository, parsed."""

    path: str
    """Path inside the repository, with forward slashes."""
    text: str
    """Decoded text without byte-order mark; line ends are those of the file."""
    tree: ast.Module

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Physical lines with their ends, as Python's tokenizer counts them (from `lines[0]`)."""
        if "\r" not in self.text:
            parts = self.text.split("\n")
            last = parts.pop()
            return (*(part + "\n" for part in parts), *((last,) if last else ()))
        return tuple(_LINE.findall(self.text))

    @cached_property
    def docstring_lines(self) -> tuple[int, int] | None:
        """Return the first and last line of the module's docstring."""
        match self.tree.body:
            case [ast.Expr(value=ast.Constant(value=str())) as node, *_]:
                return node.lineno, node.end_lineno or node.lineno
            case _:
                return None

    @cached_property
    def header_lines(self) -> tuple[int, int]:
        """Return the first and last line of the script's header (PEP 723); (1, 0) without one."""
        return header_lines(self.text)

    @cached_property
    def future_flags(self) -> frozenset[str]:
        """Return the names imported from `__future__`."""
        return frozenset(
            alias.name
            for node in self.tree.body
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for alias in node.names
        )


def read_source(file: Path, path: str) -> Source:
    """Read and parse a file.

    Args:
        file: location of the file on disk.
        path: its name in results and messages.

    Raises:
        SourceError: it cannot be read, decoded or parsed; the text names file, line and reason.
    """
    return parse_text(decode(read_bytes(file, path), path), path)


def read_bytes(file: Path, path: str) -> bytes:
    """Return the file's bytes.

    Raises:
        SourceError: it cannot be read, or is too large to be code.
    """
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(f"{path}: not a regular file")
        if status.st_size > MAX_BYTES:
            raise SourceError(
                f"{path}: larger than {MAX_BYTES >> 20} MiB, not taken as source code"
            )
        return file.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror or error}") from None


def decode(data: bytes, path: str) -> str:
    """Decode text by byte-order mark, encoding cookie or UTF-8, as Python decodes source files.

    Raises:
        SourceError: unknown encoding, undecodable bytes or a NUL byte.
    """
    if b"\0" in data:
        raise SourceError(f"{path}: not a text file (it holds a NUL byte)")
    try:
        if data.isascii() and b"coding" not in data[:400]:
            return data.decode("ascii")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding).removeprefix("\ufeff")
    except (SyntaxError, LookupError) as error:
        raise SourceError(f"{path}:1: {str(error)[:200]}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(f"{path}:{line}: not valid {error.encoding}: {error.reason}") from None
    except UnicodeError as error:
        raise SourceError(f"{path}:1: cannot be decoded: {str(error)[:200]}") from None


def parse_text(text: str, path: str) -> Source:
    """Parse decoded text.

    Raises:
        SourceError: the text is not Python; the message names file and line.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Source(path, text, ast.parse(text))
    except SyntaxError as error:
        hint = _other_python(text, error.lineno or 1, error.msg)
        found = _NEEDED.search(hint)
        raise SourceError(
            f"{path}:{error.lineno or 1}: does not parse: {error.msg}{hint}",
            needs_python=found[1] if found else "",
        ) from None
    except (RecursionError, MemoryError):
        raise SourceError(f"{path}:1: does not parse: nested too deeply") from None
    except ValueError as error:
        raise SourceError(f"{path}:1: does not parse: {error}") from None


def _other_python(text: str, number: int, message: str) -> str:
    """Return a hint at the Python version that the failing or another line needs."""
    if message.startswith("f-string:"):
        return _hint("3.12 (quotes inside f-strings)")
    line = "".join(text.splitlines()[number - 1 : number])
    parts = [(line, _ONLY_NEWER_SYNTAX)]
    if not _OLD_SYNTAX.search(text):
        parts += [(line, _NEWER_SYNTAX), (text, _NEWER_SYNTAX)]
    for part, patterns in parts:
        for pattern, version in patterns:
            if pattern.search(part):
                return _hint(version)
    return " (this looks like Python 2)" if _OLD_SYNTAX.search(text) else ""


def _hint(version: str) -> str:
    return f" (it may need Python {version}; run slice-func with that Python)"
