"""Sanity checks of an eval script, with the names and limits of RepoST (arXiv 2503.07358).

They say nothing about behaviour: they detect a script that lost its target, dropped dependencies,
or whose tests test nothing. Tokens are Python's own; comments and layout do not count.
"""

from __future__ import annotations

import ast
import io
import token
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...slicer.repo.target_paths import walk_definitions
from ...slicer.repo.units import is_main_test
from ..script.module_statements import FUNCTION, first_line_of
from ..script.source_map import carried_texts, lines_of

MOST_TARGET_TOKENS_LOST = 20
MOST_SCRIPT_TOKENS_LOST = 50
FEWEST_ASSERTIONS = 3
CANDIDATE_SUFFIX = "_new_implementation"
"""Suffix of the second version's name."""

_LAYOUT = frozenset(
    {
        *(token.NEWLINE, token.NL, token.INDENT, token.DEDENT),
        *(token.COMMENT, token.ENCODING, token.ENDMARKER),
    }
)

CheckName = Literal[
    "target-present",
    "target-tokens",
    "dependency-tokens",
    "test-tokens",
    "test-present",
    "test-calls-both",
    "test-assertions",
    "main-calls-test",
]


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result."""

    name: CheckName
    is_passed: bool
    detail: str
    """The figures, or what is missing, in a few words."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An eval script and its origin."""

    qualname: str
    """Qualified name of the target."""
    original: str
    """The target's text in the repository."""
    dependencies: tuple[str, ...]
    """Texts of the local definitions that it needs."""
    script: str
    """The script without tests."""
    tested: str | None = None
    """The script with tests; `None` if there are none yet."""

    @property
    def name(self) -> str:
        """Return the target's name without its classes."""
        return self.qualname.rpartition(".")[2]


def sanity_checks(evaluated: Evaluated) -> tuple[Check, ...]:
    """Return the checks in a fixed order; those of tests only if there are tests.

    Raises:
        SyntaxError: one of the texts does not parse.
    """
    checks = [*_script_checks(evaluated)]
    if evaluated.tested is not None:
        checks += _test_checks(evaluated, evaluated.tested)
    return tuple(checks)


def count_tokens(text: str) -> int:
    """Return the number of Python tokens without comments and layout.

    Raises:
        SyntaxError: the text cannot be tokenised.
    """
    readline = io.StringIO("\n".join(lines_of(text))).readline
    try:
        return sum(found.type not in _LAYOUT for found in tokenize.generate_tokens(readline))
    except tokenize.TokenError as error:
        raise SyntaxError(str(error.args[0])) from error


# ------------------------------------------------------------------------ the script


def _script_checks(evaluated: Evaluated) -> Iterator[Check]:
    texts = _texts(evaluated.script)
    target_sizes = [count for text in texts for count in _target_tokens(text, evaluated.qualname)]
    where = "defined" if target_sizes else "not defined"
    yield Check(
        "target-present", bool(target_sizes), f"{evaluated.qualname} is {where} in the script"
    )

    original, kept = count_tokens(evaluated.original), max(target_sizes, default=0)
    is_whole = bool(target_sizes) and original - kept <= MOST_TARGET_TOKENS_LOST
    yield Check("target-tokens", is_whole, f"{kept} tokens, in the repository {original}")

    needed, total = sum(map(count_tokens, evaluated.dependencies)), sum(map(count_tokens, texts))
    is_whole = needed - total <= MOST_SCRIPT_TOKENS_LOST
    yield Check("dependency-tokens", is_whole, f"{total} tokens, the dependencies have {needed}")


def _texts(script: str) -> Sequence[str]:
    """Return the script and its carried modules."""
    return (script, *carried_texts(script).values())


def _target_tokens(text: str, qualname: str) -> Iterator[int]:
    for name, node in walk_definitions(ast.parse(text).body):
        if name == qualname:
            lines = lines_of(text)[first_line_of(node) - 1 : node.end_lineno]
            yield count_tokens("\n".join(lines) + "\n")


# ------------------------------------------------------------------------ its tests


def _test_checks(evaluated: Evaluated, tested: str) -> Iterator[Check]:
    with_tests = sum(map(count_tokens, _texts(tested)))
    without = sum(map(count_tokens, _texts(evaluated.script)))
    detail = f"{with_tests} tokens with tests, {without} without"
    yield Check("test-tokens", with_tests >= without, detail)

    tree = ast.parse(tested)
    test = f"test_{evaluated.name}"
    tests = [node for node in ast.walk(tree) if isinstance(node, FUNCTION) and node.name == test]
    yield Check("test-present", bool(tests), f"{test} is {'' if tests else 'not '}defined")

    called = {_callee(inner) for node in tests for inner in ast.walk(node)}
    versions = (evaluated.name, evaluated.name + CANDIDATE_SUFFIX)
    missing = [name for name in versions if name not in called]
    detail = f"{test} never calls {' and '.join(missing)}" if missing else "both are called"
    yield Check("test-calls-both", not missing, detail)

    assertions = sum(_is_assertion(inner) for node in tests for inner in ast.walk(node))
    yield Check("test-assertions", assertions >= FEWEST_ASSERTIONS, f"{assertions} assertions")

    programs = [node for node in tree.body if isinstance(node, ast.If) and is_main_test(node.test)]
    unguarded = {_callee(n) for main in programs for s in main.body for n in _unguarded(s)}
    detail = f"{test} is {'' if test in unguarded else 'not '}called outside of try"
    yield Check("main-calls-test", test in unguarded, detail)


def _callee(node: ast.AST) -> str:
    """Return the last part of a callee's name; reading a property counts as a call."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _is_assertion(node: ast.AST) -> bool:
    """Whether this is an `assert` or a call such as `self.assertEqual` or `assert_allclose`."""
    match node:
        case ast.Assert():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name.startswith("assert")
        case _:
            return False


def _unguarded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes whose exceptions nothing catches."""
    yield node
    is_try = isinstance(node, ast.Try | ast.TryStar)
    guarded = node.body if is_try and node.handlers else ()
    for child in ast.iter_child_nodes(node):
        if not any(child is inner for inner in guarded):
            yield from _unguarded(child)
