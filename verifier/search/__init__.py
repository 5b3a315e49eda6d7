"""Search: from pools of inputs to the few cases that show what a target does."""
