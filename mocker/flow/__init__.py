"""The flow of values through a slice: from a place in the outside world to all of their uses."""

from .build import build_walk
from .follow import NO_USES, Follower, Uses
from .graph import Fact, Label

__all__ = ["NO_USES", "Fact", "Follower", "Label", "Uses", "build_walk"]
