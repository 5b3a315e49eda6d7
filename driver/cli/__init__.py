"""The command line: grammar, commands, and output."""
