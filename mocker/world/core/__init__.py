"""The effect log, the choice of answers, replacements on import: every script with mocks carries it."""
