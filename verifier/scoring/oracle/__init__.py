"""The oracle: what the original does, recorded so that it is reproducible."""
