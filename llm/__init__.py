"""The language model answers only gaps that static analysis named; every answer is checked."""
