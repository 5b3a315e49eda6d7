"""Arguments for a target, made of what its slice does with them: so that it can be called."""

from .asked_classes import asked_classes
from .asked_mutators import asked_mutators
from .one_call import call_of, stand_ins
from .overriding_subclasses import asked_subclasses

__all__ = ["asked_classes", "asked_mutators", "asked_subclasses", "call_of", "stand_ins"]
