"""Values that match the patterns in a target's `match` statements, nested ones too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from ....mocker.shapes.shape import Object
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..receivers.named_instances import shape_of
from ..types.tested_values import builtin_text, is_about

_MOST = 12
_ANY = "1"
"""A value for a pattern that matches anything."""


def matched_texts(builder: ArgumentBuilder, function: TargetFunction, place: str) -> Iterator[str]:
    """Yield an expression for each pattern that a parameter, or a call on it, is matched with.

    Args:
        builder: builds the values.
        function: the target.
        place: the parameter's name.
    """
    for node in ast.walk(function.node):
        if isinstance(node, ast.Match) and is_about(node.subject, place):
            patterns = _Patterns(builder, function)
            texts = (text for case in node.cases for text in patterns.texts(case.pattern))
            yield from islice(dict.fromkeys(texts), _MOST)


class _Patterns:
    """Expressions for the patterns of one function."""

    def __init__(self, maker: ArgumentBuilder, function: TargetFunction) -> None:
        self._maker = maker
        self._function = function

    def texts(self, pattern: ast.pattern) -> list[str]:
        """Return values that a pattern matches, one for each alternative; none if unknown."""
        match pattern:
            case ast.MatchValue(value=value):
                return [ast.unparse(value)] if _is_plain(value) else []
            case ast.MatchSingleton(value=value):
                return [repr(value)]
            case ast.MatchAs(pattern=None):
                return [_ANY]
            case ast.MatchAs(pattern=ast.pattern() as inner):
                return self.texts(inner)
            case ast.MatchOr(patterns=patterns):
                return [text for each in patterns for text in self.texts(each)]
            case ast.MatchSequence(patterns=patterns):
                return [f"[{', '.join(each)}]" for each in self._together(patterns)]
            case ast.MatchStar():
                return [f"{_ANY}, 2"]
            case ast.MatchMapping(keys=keys, patterns=patterns):
                names = [ast.unparse(key) for key in keys]
                made = (zip(names, each, strict=True) for each in self._together(patterns))
                return [f"{{{', '.join(f'{k}: {v}' for k, v in each)}}}" for each in made]
            case ast.MatchClass():
                return self._instances(pattern)
            case _:
                return []

    def _together(self, patterns: Sequence[ast.pattern]) -> Iterator[list[str]]:
        """Yield the first text of each pattern, then each other text with the rest's first ones."""
        every = [self.texts(each) for each in patterns]
        if not all(every):
            return
        first = [each[0] for each in every]
        yield first
        for at, texts in enumerate(every):
            yield from ([*first[:at], text, *first[at + 1 :]] for text in texts[1:])

    def _instances(self, pattern: ast.MatchClass) -> list[str]:
        text = builtin_text(pattern.cls)
        if text is not None:
            return [text]
        shape = shape_of(self._maker, self._function, pattern.cls)
        owner = shape.own if isinstance(shape, Object) else None
        if not isinstance(owner, ClassInfo) or not self._maker.keeps_class(owner):
            return []
        taken = self._maker.constructor_arguments(owner, 0, every=True)
        needed = self._maker.constructor_arguments(owner, 0)
        if taken is None or needed is None:
            return []
        order = [name for name, _ in taken]
        names = [*_places(owner, order)[: len(pattern.patterns)], *pattern.kwd_attrs]
        patterns = [*pattern.patterns, *pattern.kwd_patterns]
        if len(names) != len(patterns):
            return []
        made: list[str] = []
        for texts in self._together(patterns):
            given = dict(needed) | {n: t for n, t in zip(names, texts, strict=True) if n in order}
            arguments = ", ".join(f"{name}={given[name]}" for name in order if name in given)
            made.append(f"{self._maker.class_name(owner)}({arguments})")
        return made


def _places(owner: ClassInfo, order: Sequence[str]) -> list[str]:
    """Return the constructor's names for positional subpatterns."""
    for node in owner.node.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__match_args__")], value=ast.Tuple(elts=items)):
                named = [str(n.value) for n in items if isinstance(n, ast.Constant)]
                return [n if n in order else m for n, m in zip(named, order, strict=False)]
            case _:
                continue
    return [*order]


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True
