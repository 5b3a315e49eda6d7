"""The start of a closure: targets, observed additions, and instances passed in."""
