"""Other drafts from one that is there."""
