"""Random numbers, tokens and unique identifiers: the same in every run and case."""
