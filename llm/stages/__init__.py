"""The questions that a model is asked, one file each."""
