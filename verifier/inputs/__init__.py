"""Arguments for a target, made of what its slice does with them: so that it can be called."""

from .one_call import call_of, stand_ins

__all__ = ["call_of", "stand_ins"]
