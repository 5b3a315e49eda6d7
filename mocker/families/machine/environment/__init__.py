"""Environment variables: those that the slice cannot do without are set, where they are not."""
