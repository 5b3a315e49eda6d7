"""The command line: its words, its commands, what they print."""
