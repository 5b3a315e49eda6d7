"""Data flow through a slice: from a place in the outside world to all uses of its values."""

from .build_flow import build_walk
from .flow_graph import Fact, Label
from .follow_values import NO_USES, FlowQuery, Uses

__all__ = ["NO_USES", "Fact", "FlowQuery", "Label", "Uses", "build_walk"]
