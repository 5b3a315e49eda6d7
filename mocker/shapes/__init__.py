"""Shapes of values, inferred from how a slice uses them, and values of these shapes."""

from .alternatives import alternatives
from .infer_shape import infer
from .shape import Shape
from .shape_values import ANY_KEY, as_json, value_of

__all__ = ["ANY_KEY", "Shape", "alternatives", "as_json", "infer", "value_of"]
