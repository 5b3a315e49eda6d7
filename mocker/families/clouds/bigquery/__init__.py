"""BigQuery: its client stays real, and queries answer rows of the shape that the slice reads."""
