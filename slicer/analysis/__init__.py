"""Static analysis: names, values, effects and uses, found without running the code."""
