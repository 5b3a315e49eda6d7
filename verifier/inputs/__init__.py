"""Inputs: arguments with which a target can be called, inferred from how its slice uses them."""

from .classes.missing_mutators import asked_mutators
from .classes.overriding_subclasses import asked_subclasses
from .single_call import call_of, stand_ins
from .types.isinstance_classes import asked_classes

__all__ = ["asked_classes", "asked_mutators", "asked_subclasses", "call_of", "stand_ins"]
