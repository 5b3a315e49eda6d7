"""The model's part: only what static analysis has named as a gap, and every answer checked."""
