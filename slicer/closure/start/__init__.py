"""Where a closure starts: targets, observed additions, instances that arrive."""
