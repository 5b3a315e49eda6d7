"""Names that stand in strings, formats, tables and listings."""
