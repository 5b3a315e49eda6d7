"""Amazon's, Azure's and Google's clouds."""
