"""Environment variables: those that the slice requires are set, unless they already are."""
