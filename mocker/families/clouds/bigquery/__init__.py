"""BigQuery: its client stays real, and queries return rows of the shape that the slice reads."""
