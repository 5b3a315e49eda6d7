"""Questions to a model, one file each."""
