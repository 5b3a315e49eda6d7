"""Inputs: arguments with which a target can be called, inferred from how its slice uses them."""

from .classes.missing_mutators import missing_mutators
from .classes.overriding_subclasses import missing_subclasses
from .single_call import call_of, stand_ins
from .types.isinstance_classes import isinstance_classes

__all__ = ["call_of", "isinstance_classes", "missing_mutators", "missing_subclasses", "stand_ins"]
