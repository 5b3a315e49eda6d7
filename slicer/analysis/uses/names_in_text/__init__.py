"""Names that appear in strings, format texts, tables and listings."""
