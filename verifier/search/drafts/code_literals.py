"""Literals of the code under test, as found in its comparisons, keys and patterns.

After the dictionaries of fuzzers and the seeding of constants in search-based test generation
(Fraser and Arcuri, "The seed is strong", ICST 2012).
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from .block_sizes import block_sizes

_LONGEST = 200
_MOST_DEFINITIONS = 300
_HEX = ("ab" * 32, "cd" * 32, "ab" * 20, "deadbeef")
"""Hexadecimal texts of the lengths that digests and addresses have."""
_EXPANDED = {"expandvars": ("$HOME", "${HOME}/a"), "expanduser": ("~", "~/a")}
"""Functions that expand a variable, with texts that they expand. The variable is always set."""
_PATTERNS = frozenset("compile match search fullmatch findall finditer split sub subn".split())

_FLAGS = {
    "a": {"A", "ASCII"}, "i": {"I", "IGNORECASE"}, "m": {"M", "MULTILINE"},
    "s": {"S", "DOTALL"}, "x": {"X", "VERBOSE"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CodeLiterals:
    """Literals by kind, in the order of the source text."""

    texts: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()
    binary: tuple[bytes, ...] = ()
    patterns: tuple[str, ...] = ()
    """Regular expressions."""
    matching: tuple[str, ...] = ()
    """Texts that match these patterns, that parse as numbers, or in which variables are
    expanded."""
    blocks: tuple[int, ...] = ()
    """Block sizes in which the code reads or cuts its input."""
    characters: str = ""
    """Characters that the code looks others up in, in the order of the code."""
    turn: int = 0
    """Rotation of the values that are common to all code: it decides which come first."""

    @property
    def all(self) -> tuple[object, ...]:
        """Return all literals of all kinds."""
        return (*self.texts, *self.matching, *self.numbers, *self.binary)

    def turned(self, turn: int, step: int) -> CodeLiterals:
        """Return the same literals rotated, so that a limit cuts off others at each turn."""
        texts, matching = (
            each[at:] + each[:at]
            for each in (self.texts, self.matching)
            for at in (turn * step % len(each) if each else 0,)
        )
        return replace(self, texts=texts, matching=matching, turn=turn)


def words_of_slice(repository: Repository, sliced: Slice) -> CodeLiterals:
    """Return the literals of what a slice keeps, those of the target's own file first."""
    (target, *_) = sliced.manifest.targets
    kept: dict[str, set[int]] = {}
    for each in sliced.manifest.definitions[:_MOST_DEFINITIONS]:
        kept.setdefault(each.path, set()).update(range(each.first_line, each.last_line + 1))
    nodes: list[ast.AST] = []
    for path in sorted(kept, key=lambda path: (path != target.path, path)):
        nodes += (n for n in _holders(repository.source(path).tree) if n.lineno in kept[path])
    return words_of(nodes[:_MOST_DEFINITIONS])


@lru_cache(maxsize=256)
def _holders(tree: ast.AST) -> tuple[ast.stmt, ...]:
    """Return the functions and assignments of a file. Cached, since many targets share a file."""
    return tuple(node for node in ast.walk(tree) if isinstance(node, _HOLDERS))


_HOLDERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)


def words_of(nodes: Iterable[ast.AST]) -> CodeLiterals:
    """Return the literals below the given nodes."""
    nodes = tuple(nodes)
    texts: dict[str, None] = {}
    numbers: dict[int | float, None] = {}
    binary: dict[bytes, None] = {}
    patterns: dict[str, None] = {}
    written: set[str] = set()
    digits: dict[str, None] = {}
    expanded: dict[str, None] = {}
    characters: dict[str, None] = {}
    for node in nodes:
        docstrings = {id(each) for each in _docstrings(node)}
        for inner in ast.walk(node):
            match inner:
                case ast.Attribute(attr="fromhex" | "unhexlify"):
                    digits.update(dict.fromkeys(_HEX))
                case ast.Attribute(attr=name) if name in _EXPANDED:
                    expanded.update(dict.fromkeys(_EXPANDED[name]))
                case ast.Call(func=func, args=[ast.Constant(value=str() as pattern), *_]) if (
                    getattr(func, "attr", "") in _PATTERNS
                ):
                    written.add(pattern)
                    patterns[_flags(inner) + pattern] = None
                case ast.Compare(
                    left=ast.Name() | ast.Subscript(),
                    ops=[ast.In() | ast.NotIn()],
                    comparators=[ast.Constant(value=str() as among)],
                ):
                    characters.update(dict.fromkeys(among))
                case ast.Constant(value=value) if id(inner) not in docstrings:
                    if isinstance(value, str) and len(value) <= _LONGEST:
                        texts[value] = None
                    elif isinstance(value, (int, float)) and not isinstance(value, bool):
                        numbers[value] = None
                    elif isinstance(value, bytes) and len(value) <= _LONGEST:
                        binary[value] = None
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as n)):
                    numbers[-n] = None
                case _:
                    pass
    for pattern in written:
        texts.pop(pattern, None)
    matching = dict.fromkeys(text for pattern in patterns for text in texts_matching(pattern))
    matching.update(digits | expanded)
    blocks = tuple(dict.fromkeys(size for node in nodes for size in block_sizes(node, nodes)))
    return CodeLiterals(
        tuple(texts),
        tuple(numbers),
        tuple(binary),
        tuple(patterns),
        tuple(matching),
        blocks,
        "".join(characters),
    )


def _flags(call: ast.Call) -> str:
    """Return the flags of a call that takes a regular expression, as inline flags."""
    given = (*call.args[1:], *(keyword.value for keyword in call.keywords))
    names_given = {n.attr for each in given for n in ast.walk(each) if isinstance(n, ast.Attribute)}
    letters = "".join(letter for letter, names in _FLAGS.items() if names_given & names)
    return f"(?{letters})" if letters else ""


def _docstrings(node: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.walk(node):
        match inner:
            case (
                ast.Module(body=[ast.Expr(value=value), *_])
                | ast.ClassDef(body=[ast.Expr(value=value), *_])
                | ast.FunctionDef(body=[ast.Expr(value=value), *_])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=value), *_])
            ):
                yield value
            case _:
                pass


@lru_cache(maxsize=1024)
def texts_matching(pattern: str, count: int = 3) -> tuple[str, ...]:
    """Return texts that a regular expression matches, short ones first; none if invalid."""
    _load_hypothesis()
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    slow = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)

    try:
        compiled = re.compile(pattern)
        letters = st.characters(min_codepoint=32, max_codepoint=126)
        strategy = st.from_regex(compiled, fullmatch=True, alphabet=letters)
    except Exception:  # noqa: BLE001 - a text that only looks like a pattern
        return ()
    found: dict[str, None] = {}

    @settings(
        max_examples=12, derandomize=True, database=None, deadline=None,
        phases=[Phase.generate], suppress_health_check=slow,
    )  # fmt: skip
    @given(strategy)
    def collect(text: str) -> None:
        found[text] = None

    try:
        collect()
    except Exception:  # noqa: BLE001 - patterns that cannot be generated from
        return ()
    return tuple(sorted(found, key=lambda text: (len(text), text))[:count])


@lru_cache(maxsize=1)
def _load_hypothesis() -> None:
    """Import Hypothesis so that drawing texts depends on the pattern alone and is fast.

    Hypothesis reads the constants of every loaded module outside `site-packages`. In an editable
    installation that takes seconds, changes the texts that are drawn, and leaves a folder behind.
    It also loads the plugins of other distributions, pytest's among them.
    """
    before = os.environ.get(_NO_PLUGINS)
    os.environ[_NO_PLUGINS] = "1"
    try:
        from hypothesis.internal.conjecture import providers
    finally:
        del os.environ[_NO_PLUGINS]
        if before is not None:
            os.environ[_NO_PLUGINS] = before
    if hasattr(providers, "_get_local_constants"):
        nothing: object = getattr(providers, "_local_constants", None)
        setattr(providers, "_get_local_constants", lambda: nothing)  # noqa: B010 - it is private


_NO_PLUGINS = "HYPOTHESIS_NO_PLUGINS"
