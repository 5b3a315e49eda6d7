"""Qt under each of its bindings: classes to derive from that keep state, without a display."""
