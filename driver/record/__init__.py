"""The environment record: its files, its schema, its prompt."""
