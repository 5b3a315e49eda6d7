"""A parameter of the target, as the strategies see it that give expressions for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...mocker.shapes.shape import Shape
from ...slicer.emission.manifest.suggestions.target_functions import TargetFunction
from .argument_builder import ArgumentBuilder


@dataclass(frozen=True, slots=True)
class TargetParameter:
    """A parameter of the target, and what is known of its values."""

    builder: ArgumentBuilder
    function: TargetFunction
    arg: ast.arg
    literals: tuple[str, ...]
    """Literals that docstring examples and calls in the repository pass."""
    passed: tuple[str, ...]
    """Other expressions that calls in the repository pass."""
    find_shape: Callable[[], Shape]
    find_built: Callable[[], tuple[str, ...]]

    @property
    def name(self) -> str:
        """Return the parameter's name."""
        return self.arg.arg

    @property
    def shape(self) -> Shape:
        """Return the shape of its values, inferred from the uses and the annotation."""
        return self.find_shape()

    @property
    def built(self) -> tuple[str, ...]:
        """Return the expressions built for the shape, the likeliest first; computed once."""
        return self.find_built()


Strategy = Callable[[TargetParameter], Iterable[str]]
"""Yields expressions for a parameter, the likeliest first."""
