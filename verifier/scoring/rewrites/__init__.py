"""The same behaviour in other words: what every verdict must let pass."""
