"""Points-to analysis: which objects an expression denotes, and what those objects hold."""
