"""Which objects an expression stands for, and what these hold."""
